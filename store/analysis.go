package store

import (
	"context"
	"encoding/json"
	"time"
)

// The states of an analysis.
const (
	AnalysisQueued    = "queued"
	AnalysisRunning   = "running"
	AnalysisDone      = "done"
	AnalysisFailed    = "failed"
	AnalysisCancelled = "cancelled"
)

// Analysis is what the engine was asked to look at: a game that is over, or one position.
type Analysis struct {
	ID        string // ids sort by time
	AccountID string
	GameID    string // "" for a position
	Variant   string
	FEN       string // where the line begins, "" for the usual start
	Moves     string // from there, in UCI, separated by spaces
	Nodes     int64  // for each position
	Lines     int    // to be told of each position
	Status    string
	Created   time.Time
	Alive     time.Time // when its worker was last heard of; zero while it waits
	Finished  time.Time // zero while it is not over
	Done      int       // positions that have been looked at
	Total     int       // positions to look at
	Result    json.RawMessage
	Error     string // why it failed
}

// IsOpen reports whether the analysis waits or is worked on.
func (a *Analysis) IsOpen() bool { return a.Status == AnalysisQueued || a.Status == AnalysisRunning }

// Eval is what the engine thinks of a position.
type Eval struct {
	Variant  string
	Position string // its FEN without the counters
	Depth    int
	Nodes    int64
	Lines    int
	PVs      json.RawMessage
	Created  time.Time
}

// Analyses keeps what was asked of the engine, and what it found.
type Analyses interface {
	// CreateAnalysis returns ErrConflict if the game has an analysis that is open or done.
	CreateAnalysis(ctx context.Context, a Analysis) error
	// AnalysisByID returns ErrNotFound for an unknown id.
	AnalysisByID(ctx context.Context, id string) (Analysis, error)
	// AnalysesOf returns the analyses of the games that are open or done, in no order.
	AnalysesOf(ctx context.Context, gameIDs []string) ([]Analysis, error)
	// OpenAnalyses counts the open analyses, and those among them of an account.
	OpenAnalyses(ctx context.Context, accountID string) (all, own int, err error)
	// ClaimAnalysis takes the oldest analysis that waits, or whose worker was last heard of before lost, for a
	// worker that is alive at now. It returns ErrNotFound if there is nothing to do. Nobody else gets the same.
	ClaimAnalysis(ctx context.Context, now, lost time.Time) (Analysis, error)
	// AdvanceAnalysis notes what the worker has found so far. It returns ErrStale if the analysis does not run any more,
	// or if another worker has claimed it: since is when this one was last heard of.
	AdvanceAnalysis(ctx context.Context, id string, since, now time.Time, done int, result json.RawMessage) error
	// EndAnalysis ends an open analysis. It returns ErrStale if it is over.
	EndAnalysis(ctx context.Context, a Analysis) error
	// PutEvals keeps evaluations, each unless that of its position has more lines or more nodes.
	PutEvals(ctx context.Context, evals []Eval) error
	// EvalOf returns ErrNotFound for a position without an evaluation.
	EvalOf(ctx context.Context, variant, position string) (Eval, error)
	// TrimAnalyses drops all but the newest evaluations, and all analyses of positions that ended before a time.
	TrimAnalyses(ctx context.Context, keep int, before time.Time) error
}
