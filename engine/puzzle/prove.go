package puzzle

import (
	"context"
	"fmt"
	"slices"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// Prove checks a puzzle against the rules by looking at every defence: the
// FEN is written as the core writes it; all moves are legal and the last one
// ends the game; the goal is the shortest win, only the first move of the
// line reaches it, and at later moves only those of Alts besides; no reply of
// the opponent holds out longer than the one of the line; the counter of
// moves without progress cannot interfere.
func Prove(r *rules.Rules, p *Puzzle) error {
	pos, line, err := p.replay(r)
	if err != nil {
		return err
	}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("puzzle %s: %s", p.ID, fmt.Sprintf(format, args...))
	}
	before, err := notation.ParseFEN(r, p.FEN)
	if err != nil {
		return err
	}
	if got := notation.FEN(before); got != p.FEN {
		return fail("the FEN is written %s", got)
	}
	if clock := clockLimit(r); clock > 0 && pos.HalfmoveClock()+2*p.Goal.MateIn >= clock {
		return fail("the counter of moves without progress is too near its limit")
	}
	prover := NewProver(r)
	for i := range p.Solver() {
		left := p.Goal.MateIn - i
		shortest, err := prover.Shortest(pos, left)
		if err != nil {
			return fail("%v", err)
		}
		if shortest != left {
			return fail("move %d: the shortest win takes %d moves, not %d", i+1, shortest, left)
		}
		winning, err := prover.Winning(pos, left)
		if err != nil {
			return fail("%v", err)
		}
		accepted := []string{p.Moves[2*i+1]}
		if i < len(p.Alts) {
			accepted = append(accepted, p.Alts[i]...)
		}
		if i == 0 && len(accepted) != 1 {
			return fail("several first moves are accepted")
		}
		got := make([]string, len(winning))
		for j, m := range winning {
			got[j] = notation.FormatMove(pos, m)
		}
		slices.Sort(got)
		slices.Sort(accepted)
		if !slices.Equal(got, accepted) {
			return fail("move %d: winning are %v, accepted %v", i+1, got, accepted)
		}
		var u rules.Undo
		pos.Make(line[2*i+1], &u)
		if left == 1 {
			if !prover.Won(pos) {
				return fail("the last move does not end the game")
			}
			break
		}
		pos.Make(line[2*i+2], &u)
	}
	return nil
}

// Verify proves puzzles of several games and returns the first failure of
// each bad one. games finds the rules of a variant; report, if not nil, is
// told about each puzzle.
func Verify(ctx context.Context, games func(key string) (*rules.Rules, bool), list []Puzzle, report func(*Puzzle, error)) error {
	bad := 0
	for i := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		p := &list[i]
		r, ok := games(p.Variant)
		err := fmt.Errorf("puzzle %s: unknown variant %s", p.ID, p.Variant)
		if ok {
			err = Prove(r, p)
		}
		if err != nil {
			bad++
		}
		if report != nil {
			report(p, err)
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d puzzles are not proven", bad, len(list))
	}
	return nil
}

// clockLimit is the number of plies without progress that ends the game.
func clockLimit(r *rules.Rules) int {
	for _, end := range r.Definition().Ends {
		if end.Kind == rules.EndClock {
			return end.Plies
		}
	}
	return 0
}
