package store

import (
	"context"
	"time"
)

// Report is what one player complains of another.
type Report struct {
	ID         string // ids sort by time
	Created    time.Time
	ReporterID string
	AccusedID  string
	Reason     string
	Text       string
	GameID     string // "" if it is about no game
	Line       string // what the accused wrote in the game's chat, "" if that is not it
	Resolved   time.Time
	ResolvedBy string // account id, CommandLine, or "" while it is open
	Note       string // what was done about it
}

// IsOpen reports whether nobody has dealt with the report.
func (r Report) IsOpen() bool { return r.Resolved.IsZero() }

// ReportFilter says which reports to return. Empty fields let everything pass.
type ReportFilter struct {
	Open       bool // only those that nobody has dealt with
	ReporterID string
	AccusedID  string
	Before     string // only reports older than that of this id
	Limit      int
}

// Reports keeps complaints.
type Reports interface {
	// CreateReport returns ErrConflict for a known id and ErrInvalid for
	// accounts that do not exist.
	CreateReport(ctx context.Context, r Report) error
	// Reports returns reports, newest first.
	Reports(ctx context.Context, f ReportFilter) ([]Report, error)
	// ResolveReport notes that somebody has dealt with the report. It returns
	// ErrNotFound for an unknown id, and ErrConflict if it was dealt with before.
	ResolveReport(ctx context.Context, id, by, note string, at time.Time) (Report, error)
}
