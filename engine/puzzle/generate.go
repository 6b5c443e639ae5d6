package puzzle

import (
	"context"

	"hoplite/engine/eval"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// Options direct Generate.
type Options struct {
	// Want is how many puzzles the pool shall have in the end, those of Known
	// included.
	Want int
	// FirstGame is the number of the first game. A game's number is its
	// seed: a run is resumed by giving the number after the last one that
	// Progress reported, together with the puzzles found so far as Known.
	FirstGame int
	// Games bounds the number of games played; 0 means no bound.
	Games int
	// MaxMoves is the longest mate looked for; 0 means 3.
	MaxMoves int
	// OneMoveShare is the greatest share of mates in one in the pool; 0
	// means a quarter.
	OneMoveShare float64
	// Balance is the least share of the pool for each side to solve; 0 means
	// 40 percent.
	Balance float64
	// Weakest is the least level of the weaker player of a game; 0 means 3.
	Weakest int
	// ScanNodes is how large the search is that looks for a mate in each
	// position; 0 means 3000. It misses some, and is what a run mostly costs.
	ScanNodes uint64
	// Tries is how often each level below full strength tries a puzzle, for
	// the rating; 0 leaves the rating to features of the line.
	Tries int
	// Known are puzzles that exist already.
	Known []Puzzle
	// Found gets each new puzzle, Progress the state after each game. Their
	// errors end the run.
	Found    func(Puzzle) error
	Progress func(Stats) error
}

// Stats is what a run has done so far.
type Stats struct {
	Game       int // number of the last game
	Games      int
	Scanned    int // positions
	Candidates int
	Found      int
	Rejected   map[string]int // candidates by reason
}

// Generate mines puzzles out of games that the engine plays against itself
// at unequal levels, proves and rates them, and gives them to opts.Found one
// by one. It uses one thread. The same options give the same puzzles.
func Generate(ctx context.Context, r *rules.Rules, opts Options) (Stats, error) {
	if opts.MaxMoves == 0 {
		opts.MaxMoves = 3
	}
	opts.MaxMoves = min(opts.MaxMoves, MaxMoves)
	if opts.OneMoveShare == 0 {
		opts.OneMoveShare = 0.25
	}
	if opts.Balance == 0 {
		opts.Balance = 0.4
	}
	if opts.Weakest == 0 {
		opts.Weakest = 3
	}
	opts.Weakest = min(opts.Weakest, len(search.Levels())-levelSpread)
	if opts.ScanNodes == 0 {
		opts.ScanNodes = 3_000
	}
	m := &miner{rules: r, opts: opts, eval: eval.New(r), pool: newPool(r),
		engine: search.New(r, search.Options{Hash: 4}), stats: Stats{Rejected: make(map[string]int)}}
	if err := m.pool.load(opts.Known); err != nil {
		return m.stats, err
	}
	for number := opts.FirstGame; m.pool.total < opts.Want && (opts.Games == 0 || m.stats.Games < opts.Games); number++ {
		// What an earlier game left in the tables must not decide this one.
		m.engine.NewGame()
		puzzles, err := m.game(ctx, number)
		if err != nil {
			return m.stats, err
		}
		m.stats.Game = number
		for _, f := range puzzles {
			m.stats.Found++
			if opts.Found != nil {
				if err := opts.Found(f.puzzle); err != nil {
					return m.stats, err
				}
			}
		}
		if opts.Progress != nil {
			if err := opts.Progress(m.stats); err != nil {
				return m.stats, err
			}
		}
	}
	return m.stats, nil
}
