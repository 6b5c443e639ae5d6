package store

import (
	"context"
	"time"
)

// AuditEvent is something that happened to an account, or that an
// administrator did.
type AuditEvent struct {
	ID        string // ids sort by time
	At        time.Time
	Kind      string
	AccountID string // whom it concerns; "" if nobody
	Actor     string // the account that did it, "" if unknown, or CommandLine
	IP        string // "" if it came from no address
	UserAgent string
	Detail    string
}

// CommandLine is the actor of what is done on the server's own machine. No
// account can have that id.
const CommandLine = "command line"

// AuditFilter says which events to return. Empty fields let everything pass.
type AuditFilter struct {
	AccountID string
	Kinds     []string
	Before    string // only events older than that of this id
	Limit     int
}

// AuditLog keeps what happened. It only grows: the database itself refuses
// changes and deletions.
type AuditLog interface {
	// AddAudit returns ErrConflict for a known id.
	AddAudit(ctx context.Context, e AuditEvent) error
	// Audit returns events, newest first.
	Audit(ctx context.Context, f AuditFilter) ([]AuditEvent, error)
}
