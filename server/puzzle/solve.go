package puzzle

import (
	"context"
	"errors"
	"strings"
	"time"

	engine "hoplite/engine/puzzle"
	"hoplite/server/fault"
	"hoplite/server/rating"
	"hoplite/store"
)

const (
	// judging bounds the proofs at once: a wrong answer can take a search of every defence.
	judging = 2
	// cluelessRD is the deviation above which a solver tells nothing about the puzzle.
	cluelessRD = 200
	// largestStep bounds what one attempt does to a puzzle.
	largestStep = 200
)

// answer is what a solver hears about the moves sent.
type answer struct {
	win, done, longer bool
	reply             string
	solution          []string // once it is over
	diff              *int     // what it did to the account's rating, if it counted
}

// solve judges an account's ("" for nobody's) moves so far. The first attempt that ends is rated.
// key is the caller's name for this action, "" for none.
func (s *Service) solve(ctx context.Context, accountID, id string, moves []string, key string) (answer, error) {
	e, err := s.byID(ctx, id)
	if err != nil {
		return answer{}, err
	}
	if len(moves) == 0 {
		return answer{}, fault.Field("moves", "must have at least one move")
	}
	v, err := s.judge(ctx, e, moves)
	if err != nil {
		return answer{}, err
	}
	if v.Longer {
		return answer{longer: true}, nil
	}
	a := answer{win: v.Win, done: v.Done, reply: v.Reply}
	if !v.Done {
		return a, nil
	}
	a.solution = e.puzzle.Moves[1:]
	if accountID != "" {
		a.diff, err = s.record(ctx, store.PuzzleAttempt{
			AccountID: accountID, PuzzleID: id, At: s.now(), Win: v.Win,
			Moves: strings.Join(moves, " "), ActionID: key,
		}, e.puzzle.Variant)
	}
	return a, err
}

func (s *Service) judge(ctx context.Context, e entry, moves []string) (engine.Verdict, error) {
	p, err := FromStore(e.puzzle)
	if err != nil {
		return engine.Verdict{}, err
	}
	select {
	case s.judges <- struct{}{}:
		defer func() { <-s.judges }()
	case <-ctx.Done():
		return engine.Verdict{}, ctx.Err()
	}
	v, err := engine.Judge(e.rules, &p, moves)
	var bad *engine.MoveError
	switch {
	case errors.As(err, &bad):
		return v, fault.Invalid("Move %d, %q: %v", bad.Index+1, shorten(bad.Text), bad.Err)
	case errors.Is(err, engine.ErrTooHard):
		busy := fault.Unavailable("This move could not be judged in time, please try another one")
		busy.RetryAfter = time.Minute
		return v, busy.Because(err)
	}
	return v, err
}

func shorten(text string) string {
	const most = 20
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strings.ToValidUTF8(text, "")
}

// record stores an attempt that ended, and rates the account and the puzzle against each other if it
// is the first. It returns what the account gained, nil if the attempt did not count.
func (s *Service) record(ctx context.Context, a store.PuzzleAttempt, variantKey string) (*int, error) {
	if a.ActionID != "" {
		before, err := s.store.AttemptByAction(ctx, a.AccountID, a.ActionID)
		if err == nil {
			return repeated(before, a)
		}
		if !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
	}
	var after store.Puzzle
	var diff *int
	err := s.store.InTx(ctx, func(tx store.Store) error {
		diff = nil
		p, err := tx.LockPuzzle(ctx, a.PuzzleID)
		if err != nil {
			return err
		}
		perf, err := tx.LockPerf(ctx, a.AccountID, store.PuzzleKey(variantKey))
		if err != nil {
			return err
		}
		tried, err := tx.Tried(ctx, a.AccountID, a.PuzzleID)
		if err != nil {
			return err
		}
		row := a
		row.Rating, row.PuzzleAfter = rating.Shown(perf.Rating), rating.Shown(p.Rating)
		after = p
		if !tried {
			var newPerf store.Perf
			newPerf, after = rate(perf, p, a.Win, a.At)
			gained := rating.Shown(newPerf.Rating) - row.Rating
			row.Rated, row.RatingDiff, diff = true, gained, &gained
			row.Rating, row.PuzzleAfter = rating.Shown(newPerf.Rating), rating.Shown(after.Rating)
			if err := tx.SavePerf(ctx, newPerf); err != nil {
				return err
			}
			if err := tx.RatePuzzle(ctx, p.ID, after.Rating, after.RD, after.Vol); err != nil {
				return err
			}
		}
		if _, err := tx.AddAttempt(ctx, row); err != nil {
			return err
		}
		return tx.ClearCurrentPuzzle(ctx, a.AccountID, a.PuzzleID)
	})
	if errors.Is(err, store.ErrConflict) && a.ActionID != "" {
		// The same action came twice at once, and the other one was first.
		before, err := s.store.AttemptByAction(ctx, a.AccountID, a.ActionID)
		if err != nil {
			return nil, err
		}
		return repeated(before, a)
	}
	if err != nil {
		return nil, err
	}
	s.rated(after)
	return diff, nil
}

// repeated answers an action that was done before. A key that named another attempt is a mistake of
// the caller.
func repeated(before, a store.PuzzleAttempt) (*int, error) {
	if before.PuzzleID != a.PuzzleID || before.Moves != a.Moves {
		return nil, fault.Invalid("This idempotency key was used for another attempt")
	}
	if !before.Rated {
		return nil, nil
	}
	diff := before.RatingDiff
	return &diff, nil
}

// rate plays a game of Glicko-2 between solver and puzzle. The deviation of either tempers what the
// other gains, so that a fresh puzzle needs no further discount.
func rate(perf store.Perf, p store.Puzzle, win bool, at time.Time) (store.Perf, store.Puzzle) {
	score := 0.0
	if win {
		score = 1
	}
	side := store.Perf{Rating: p.Rating, RD: p.RD, Vol: p.Vol}
	newPerf, newSide := rating.Game(perf, side, score, at)
	p.Plays++
	if perf.RD <= cluelessRD {
		p.Rating = min(max(newSide.Rating, p.Rating-largestStep), p.Rating+largestStep)
		p.RD, p.Vol = newSide.RD, newSide.Vol
	}
	return newPerf, p
}
