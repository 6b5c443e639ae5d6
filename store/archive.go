package store

import (
	"context"
	"time"
)

// Import is where a game comes from that was played elsewhere.
type Import struct {
	GameID    string
	AccountID string // who brought it, "" for nobody known
	Hash      string // of the record as it was brought
	Date      string // of the game, as the record writes it
	Created   time.Time
}

// Bookmark is a game that an account wants to find again.
type Bookmark struct {
	AccountID string
	GameID    string
	Created   time.Time
}

// ArchiveFilter chooses bookmarks or imports of one account, ordered by
// (Created, GameID). Zero fields do not restrict.
type ArchiveFilter struct {
	AccountID string
	Since     time.Time
	Until     time.Time // inclusive
	After     *GameCursor
	Ascending bool // oldest first
	Limit     int
}

// Archive keeps what is known of games beside how they were played.
type Archive interface {
	// CreateImport returns ErrConflict if the hash or the game is known.
	CreateImport(ctx context.Context, i Import) error
	// ImportByHash returns ErrNotFound for an unknown hash.
	ImportByHash(ctx context.Context, hash string) (Import, error)
	// ImportsOf returns one page of an account's imports.
	ImportsOf(ctx context.Context, f ArchiveFilter) ([]Import, error)
	// Imports returns the imports among the games, in no order.
	Imports(ctx context.Context, gameIDs []string) ([]Import, error)
	// SetBookmark makes or deletes a bookmark; doing it again changes nothing.
	// ErrInvalid if there is no such account or game.
	SetBookmark(ctx context.Context, b Bookmark, on bool) error
	// Bookmarks returns one page of an account's bookmarks.
	Bookmarks(ctx context.Context, f ArchiveFilter) ([]Bookmark, error)
	// Bookmarked returns which of the games the account has bookmarked.
	Bookmarked(ctx context.Context, accountID string, gameIDs []string) (map[string]bool, error)
	// CountArchive returns how many games the account has bookmarked and brought.
	CountArchive(ctx context.Context, accountID string) (bookmarks, imports int, err error)
}
