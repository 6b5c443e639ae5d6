package store

import (
	"context"
	"time"
)

// Session is one log-in. The JWT names it in its jti; without the row the JWT
// is worth nothing.
type Session struct {
	ID        string
	AccountID string
	Created   time.Time
	Expires   time.Time
	UserAgent string
}

// Sessions keeps log-ins.
type Sessions interface {
	// CreateSession returns ErrConflict for a known id.
	CreateSession(ctx context.Context, s Session) error
	// SessionByID returns ErrNotFound for an unknown id. Expired sessions are
	// found until they are swept.
	SessionByID(ctx context.Context, id string) (Session, error)
	// HeldSessions returns those of the ids whose sessions have not expired, in
	// any order.
	HeldSessions(ctx context.Context, ids []string, now time.Time) ([]string, error)
	// SessionsOf returns the account's sessions, newest first.
	SessionsOf(ctx context.Context, accountID string) ([]Session, error)
	// DeleteSession returns ErrNotFound for an unknown id.
	DeleteSession(ctx context.Context, id string) error
	// DeleteSessionsOf ends all sessions of the account but the given one ("" for
	// none) and returns the ids of those that it ended.
	DeleteSessionsOf(ctx context.Context, accountID, except string) ([]string, error)
	// SweepSessions deletes up to limit sessions that have expired by now.
	SweepSessions(ctx context.Context, now time.Time, limit int) (int, error)
}

// Token is an API token. Only the SHA-256 of its text is kept.
type Token struct {
	ID          string
	Hash        [32]byte
	Prefix      string // "lip_" personal, "lio_" OAuth
	AccountID   string
	Description string
	Scopes      []string
	Created     time.Time
	Used        time.Time // zero if never
	Expires     time.Time // zero if never
	// What an OAuth token was granted to: the name that the application gives
	// itself, which nobody checks, and where its redirect URI leads. Empty for
	// personal tokens.
	ClientID     string
	ClientOrigin string
}

// Tokens keeps API tokens.
type Tokens interface {
	// CreateToken returns ErrConflict for a known id or hash.
	CreateToken(ctx context.Context, t Token) error
	// TokenByHash returns ErrNotFound for an unknown hash. Expired tokens are
	// found.
	TokenByHash(ctx context.Context, hash [32]byte) (Token, error)
	// TokensByHash returns the known ones of the hashes, in any order.
	TokensByHash(ctx context.Context, hashes [][32]byte) ([]Token, error)
	// HeldTokens returns those of the ids whose tokens have not expired, in any
	// order.
	HeldTokens(ctx context.Context, ids []string, now time.Time) ([]string, error)
	// TokensOf returns the account's tokens, newest first.
	TokensOf(ctx context.Context, accountID string) ([]Token, error)
	// DeleteToken returns the token that it deleted, and ErrNotFound for an
	// unknown id or another account's token.
	DeleteToken(ctx context.Context, accountID, id string) (Token, error)
	// DeleteTokensOf deletes all tokens of the account and returns them.
	DeleteTokensOf(ctx context.Context, accountID string) ([]Token, error)
	// UseToken notes when a token was last used; an unknown id is no error.
	UseToken(ctx context.Context, id string, at time.Time) error
}
