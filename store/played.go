package store

import (
	"context"
	"time"
)

// Played is a game with a result as one of its players looks back on it,
// without its moves.
type Played struct {
	GameID      string
	Variant     string
	Speed       string
	Perf        string
	Rated       bool
	HasClock    bool
	Days        int
	Status      Status
	Seat        int
	Winner      int // seat, -1 for none
	Rating      int
	Provisional bool
	RatingDiff  *int
	Plies       int
	Created     time.Time
	Ended       time.Time
	// Opponent is the other player of a game of two, and empty in games of more.
	Opponent GamePlayer
}

// PlayedFilter chooses games that are over and have a result. Zero fields do
// not restrict.
type PlayedFilter struct {
	AccountID string
	Vs        string // the other account
	Perf      string
	Since     time.Time // begun at this time or later
	Ended     time.Time // ended at this time or later
	Limit     int       // the newest ones
}

// PlayedGames looks back.
type PlayedGames interface {
	// Played returns games by the time they began, newest first. Games with the
	// account on both sides count for the first.
	Played(ctx context.Context, f PlayedFilter) ([]Played, error)
}
