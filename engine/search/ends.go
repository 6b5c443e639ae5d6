package search

import "hoplite/engine/rules"

// drawn finds the ends that do not show in the list of moves.
func (w *worker) drawn(ply int, inCheck bool) (score int, over bool) {
	w.checks[w.top] = inCheck
	if w.traits.staged {
		out, over := w.pos.Decided()
		if !over && w.traits.special {
			out, over = w.pos.Outcome()
		}
		if over {
			return w.outcome(out, ply), true
		}
	}
	if limit := w.traits.clock; limit > 0 && w.pos.HalfmoveClock() >= limit {
		if w.traits.staged { // it may not end the game yet, or not by a draw
			if out, over := w.pos.Outcome(); over {
				return w.outcome(out, ply), true
			}
			return w.repetition(ply)
		}
		if inCheck && !w.pos.HasMove() {
			return ply - mateScore, true
		}
		return 0, true
	}
	return w.repetition(ply)
}

// outcome is the score of an ended game for the side to move.
func (w *worker) outcome(out rules.Outcome, ply int) int {
	switch out.Winner {
	case rules.NoWinner:
		return 0
	case int(w.pos.Turn()):
		return mateScore - ply
	}
	return ply - mateScore
}

// nearLimit reports that the counter of moves without progress, which is not
// part of the key, may decide here: what the table says may then be wrong.
func (w *worker) nearLimit() bool {
	return w.traits.clock > 0 && w.pos.HalfmoveClock() >= w.traits.clock-10
}
