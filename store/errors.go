package store

import (
	"errors"
	"fmt"
)

// The kinds of failure. Methods wrap them with what was asked for; decide with
// errors.Is.
var (
	// ErrNotFound: no such record.
	ErrNotFound = errors.New("not found")
	// ErrConflict: a record with this key exists, or the record is not in the
	// state that the change asks for.
	ErrConflict = errors.New("conflict")
	// ErrStale: a game's log does not continue where the step begins, so the
	// caller's copy of the game is not the stored one.
	ErrStale = errors.New("stale")
	// ErrInvalid: the database cannot hold the value (text that is not UTF-8, a
	// reference to a record that does not exist, a number out of range).
	ErrInvalid = errors.New("invalid value")
	// ErrUnavailable: the disk is full, the connection is lost, or the database
	// is shutting down. The change may or may not have been stored; whoever
	// needs to know reads it again.
	ErrUnavailable = errors.New("store unavailable")
)

// StepError names the step of a batch that could not be committed. Nothing of
// the batch is stored. It wraps ErrStale, ErrConflict or ErrInvalid.
type StepError struct {
	Index  int // in the batch
	GameID string
	Err    error
}

func (e *StepError) Error() string {
	return fmt.Sprintf("step %d of game %s: %v", e.Index, e.GameID, e.Err)
}

func (e *StepError) Unwrap() error { return e.Err }

// LockedError says that another process serves the database.
type LockedError struct {
	PID int // 0 if unknown
}

func (e *LockedError) Error() string {
	if e.PID == 0 {
		return "already served by another process"
	}
	return fmt.Sprintf("already served by pid %d", e.PID)
}
