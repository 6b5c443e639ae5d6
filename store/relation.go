package store

import (
	"context"
	"time"
)

// Relation is what one account decided about another. There is at most one
// each way: who blocks an account does not follow it.
type Relation struct {
	AccountID string
	OtherID   string
	Block     bool // otherwise AccountID follows OtherID
	Since     time.Time
}

// FollowCursor is a place in a list of followers, which is ordered newest
// first.
type FollowCursor struct {
	Since time.Time
	ID    string // of the account at that place
}

// Relations keeps who follows and who blocks whom.
type Relations interface {
	// Relate writes the relation over whatever AccountID had decided before. A
	// block also ends OtherID's following. Following again keeps the time.
	// ErrInvalid if one of the accounts does not exist.
	Relate(ctx context.Context, r Relation) error
	// Unrelate ends a relation of this kind; there need not be one.
	Unrelate(ctx context.Context, accountID, otherID string, block bool) error
	// RelationsWith returns what the account decided about each of the others,
	// and what they decided about it, by the others' ids.
	RelationsWith(ctx context.Context, accountID string, others []string) (mine, theirs map[string]Relation, err error)
	// RelationsOf returns the accounts that this one follows or blocks, in order
	// of their ids.
	RelationsOf(ctx context.Context, accountID string, block bool) ([]Relation, error)
	// CountRelations returns the length of RelationsOf's list.
	CountRelations(ctx context.Context, accountID string, block bool) (int, error)
	// Followers returns one page of those who follow the account, newest first.
	Followers(ctx context.Context, accountID string, after *FollowCursor, limit int) ([]Relation, error)
	// Apart returns everybody whom the account blocks or who blocks it, in order
	// of id.
	Apart(ctx context.Context, accountID string) ([]string, error)
	// Blocked reports whether one of the two blocks the other.
	Blocked(ctx context.Context, a, b string) (bool, error)
	// FollowsSince returns who began to follow whom at since or later, newest
	// first, where the follower or the followed is one of the accounts.
	FollowsSince(ctx context.Context, accountIDs []string, since time.Time, limit int) ([]Relation, error)
}

// Note is what one account wrote down about another, for itself.
type Note struct {
	ID   string
	From string
	To   string
	Text string
	At   time.Time
}

// Notes keeps notes.
type Notes interface {
	// AddNote returns ErrConflict if From has max notes about To already, and
	// ErrInvalid if one of the accounts does not exist.
	AddNote(ctx context.Context, n Note, max int) error
	// NotesOf returns the notes of one account about another, newest first.
	NotesOf(ctx context.Context, from, to string) ([]Note, error)
}
