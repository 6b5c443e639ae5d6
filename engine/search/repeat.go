package search

import (
	"slices"

	"hoplite/engine/rules"
)

// repetitionScore is the score of a repetition that is lost by one side. It
// is no mate: who would lose by it can still do something else.
const repetitionScore = 20_000

// repetition values a position that has occurred before in the line or the
// game. Once is enough: who can repeat once can do it again.
func (w *worker) repetition(ply int) (score int, over bool) {
	back := w.occurred()
	if back == 0 || !w.traits.judged {
		return 0, back != 0
	}
	gain := repetitionScore - ply
	lost := func(by rules.Side) (int, bool) {
		if by == w.pos.Turn() {
			return -gain, true
		}
		return gain, true
	}
	us := w.pos.Turn()
	them := 1 - us
	rule := &w.traits.repeat
	// Whether one man has been chased all the time is too dear to ask here;
	// leaveLostRepetitions does at the root.
	if rule.Perpetual != "" {
		byUs, byThem := w.perpetual(back)
		switch {
		case byUs && !byThem:
			return lost(us)
		case byThem && !byUs:
			return lost(them)
		}
	}
	switch rule.Loser {
	case rules.RepeatMover:
		return lost(them)
	case rules.RepeatFirst:
		return lost(w.first)
	case rules.RepeatPoints:
		switch a, b := w.pos.Points(us), w.pos.Points(them); {
		case a < b:
			return lost(us)
		case b < a:
			return lost(them)
		}
	}
	return 0, true
}

// perpetual reports whether each of the last moves of a side has given check.
func (w *worker) perpetual(plies int) (byUs, byThem bool) {
	byUs, byThem = true, true
	for i := range plies {
		if w.checks[w.top-i] {
			continue
		}
		if i%2 == 0 {
			byThem = false
		} else {
			byUs = false
		}
	}
	return byUs, byThem
}

// occurred returns how many plies ago the position on the board occurred
// before, or 0 if it did not.
func (w *worker) occurred() int {
	back := w.top
	if !w.traits.cyclic {
		back = min(w.pos.HalfmoveClock(), back)
	}
	key := w.keys[w.top]
	first, step := 4, 2
	if w.traits.keepsTurn {
		first, step = 1, 1
	}
	for i := first; i <= back; i += step {
		if w.keys[w.top-i] == key {
			return i
		}
	}
	return 0
}

// leaveLostRepetitions takes out the root moves, unless all are, that repeat
// a position of the game so that the mover would lose by going on.
func (w *worker) leaveLostRepetitions(g *rules.Game) {
	if !w.traits.judged || len(w.root) < 2 {
		return
	}
	us := w.pos.Turn()
	kept := slices.Clone(w.root)
	kept = slices.DeleteFunc(kept, func(r rootMove) bool {
		var u rules.Undo
		w.pos.Make(r.move, &u)
		seen := slices.Contains(w.keys[:w.top+1], w.pos.Key())
		w.pos.Unmake(r.move, &u)
		if !seen {
			return false
		}
		next := g.Clone()
		if next.Play(r.move) != nil {
			return false
		}
		out, over := next.RepetitionOutcome()
		return over && out.Winner != rules.NoWinner && out.Winner != int(us)
	})
	if len(kept) > 0 {
		w.root = append(w.root[:0], kept...)
	}
}
