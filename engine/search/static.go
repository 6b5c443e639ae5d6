package search

import "hoplite/engine/eval"

// sure is the score from which on the evaluation is trusted alone: networks
// know no positions beyond it. It is twice as far until they count nothing.
const sure = 1200

// static is what the evaluation says of the position on the board, corrected
// by the network of the game if there is one.
func (w *worker) static() int {
	v := w.scorer.Score(w.pos)
	if w.net == nil {
		return v
	}
	trust := min(2*sure-abs(v), sure)
	if trust <= 0 {
		return v
	}
	v += w.net.Score(w.pos, w.keys[:w.top+1]) * trust / sure
	return min(max(v, -eval.Limit), eval.Limit)
}
