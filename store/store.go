package store

import (
	"context"
	"time"
)

// Store is everything. Take the smallest interface that serves.
type Store interface {
	Accounts
	Perfs
	Sessions
	Tokens
	AuthCodes
	Challenges
	Seeks
	Games
	Archive
	PlayedGames
	Puzzles
	AuditLog
	Invites
	Reports
	MailCodes
	SecondFactors
	LinkedIdentities
	Relations
	Notes
	Analyses
	ExternalEngines
	Meta
	Leases
	// InTx runs f in one transaction, which commits if f returns nil. Use only
	// the store that f is given: the outer one may wait for this transaction. f
	// may run again after a deadlock, so it changes nothing outside. Keep it
	// short, on SQLite nobody else writes meanwhile. CommitSteps inside is part
	// of the transaction.
	InTx(ctx context.Context, f func(Store) error) error
	// Ping returns ErrUnavailable if the database does not answer.
	Ping(ctx context.Context) error
}

// Meta keeps small values of the whole installation by key, such as the
// signing secret, and the server's heartbeat.
type Meta interface {
	// MetaValue returns ErrNotFound for an unknown key.
	MetaValue(ctx context.Context, key string) (string, error)
	// SetMeta writes a value, whether or not the key is known.
	SetMeta(ctx context.Context, key, value string) error
	// SetMetaOnce writes the value if the key is unknown, and returns the stored
	// one: of several servers that start together all get the same.
	SetMetaOnce(ctx context.Context, key, value string) (string, error)
	// TakeMeta deletes the key and returns its value. Of several callers one
	// gets it, the others ErrNotFound.
	TakeMeta(ctx context.Context, key string) (string, error)
	// Beat notes that the server was alive at this time.
	Beat(ctx context.Context, at time.Time) error
	// LastBeat returns the last time noted, zero if none.
	LastBeat(ctx context.Context) (time.Time, error)
}
