package store

import (
	"context"
	"time"
)

// Puzzle is a position to solve.
type Puzzle struct {
	ID         string // five characters
	Variant    string
	FEN        string     // before the opponent's last move
	Moves      []string   // the first is the opponent's
	Alts       [][]string // other right moves per solver's move; may be empty
	Goal       string     // for example "mateIn2"
	Themes     []string
	Rating     float64
	RD         float64
	Vol        float64
	Plays      int
	Popularity int
	Source     string
	Created    time.Time
}

// PuzzleKey is the key of the rating in the puzzles of one variant.
func PuzzleKey(variant string) string { return "puzzle/" + variant }

// PuzzleAttempt is one try of one account.
type PuzzleAttempt struct {
	AccountID   string
	PuzzleID    string
	At          time.Time
	Win         bool
	First       bool // the account's first try of this puzzle
	Rated       bool
	Rating      int // of the account, after
	RatingDiff  int
	PuzzleAfter int // the puzzle's rating, after
	Moves       string
	ActionID    string // idempotency key of the client, "" for none
}

// PuzzleFilter chooses puzzles. Zero fields do not restrict, except Limit.
type PuzzleFilter struct {
	Variant    string
	Theme      string
	MinRating  float64
	MaxRating  float64
	UnseenBy   string // account id: leave out those that it has tried
	AfterID    string // in order of id
	Limit      int
	SideToMove string // the solver's: "white" or "black"
}

// Puzzles keeps puzzles, what people did with them, and which one they have
// before them.
type Puzzles interface {
	// SavePuzzles adds puzzles, or replaces the contents of known ones but not
	// their ratings and counts. All or none.
	SavePuzzles(ctx context.Context, ps []Puzzle) error
	// PuzzleByID returns ErrNotFound for an unknown id.
	PuzzleByID(ctx context.Context, id string) (Puzzle, error)
	// PuzzlesByID returns the known ones of the ids in the order asked for.
	PuzzlesByID(ctx context.Context, ids []string) ([]Puzzle, error)
	// Puzzles returns puzzles in order of id.
	Puzzles(ctx context.Context, f PuzzleFilter) ([]Puzzle, error)
	// CountPuzzles returns the number of puzzles by variant.
	CountPuzzles(ctx context.Context) (map[string]int, error)
	// LockPuzzle is PuzzleByID inside InTx: nobody else rates the puzzle until
	// the transaction ends. Lock the puzzle before the account's rating.
	LockPuzzle(ctx context.Context, id string) (Puzzle, error)
	// RatePuzzle writes a puzzle's rating and counts one play more.
	RatePuzzle(ctx context.Context, id string, rating, rd, vol float64) error
	// AddAttempt sets First itself and returns it. ErrConflict if the account
	// has an attempt with this action id.
	AddAttempt(ctx context.Context, a PuzzleAttempt) (first bool, err error)
	// Tried reports whether the account has an attempt at the puzzle. Inside InTx,
	// ask after LockPuzzle: then the answer holds until the transaction ends.
	Tried(ctx context.Context, accountID, puzzleID string) (bool, error)
	// AttemptByAction returns ErrNotFound if there is none.
	AttemptByAction(ctx context.Context, accountID, actionID string) (PuzzleAttempt, error)
	// Attempts returns the account's attempts within [since, before), newest
	// first; zero times do not restrict.
	Attempts(ctx context.Context, accountID string, since, before time.Time, limit int) ([]PuzzleAttempt, error)
	// CurrentPuzzle returns the id of the puzzle that the account has before it
	// under this angle, and ErrNotFound if there is none.
	CurrentPuzzle(ctx context.Context, accountID, angle string) (string, error)
	// SetCurrentPuzzle replaces it; an empty puzzle id clears it.
	SetCurrentPuzzle(ctx context.Context, accountID, angle, puzzleID string) error
	// ClearCurrentPuzzle clears it under every angle where it is this puzzle.
	ClearCurrentPuzzle(ctx context.Context, accountID, puzzleID string) error
}
