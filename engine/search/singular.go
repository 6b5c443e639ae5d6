package search

const (
	singularDepth  = 7  // from which moves are looked at
	singularMargin = 2  // centipawns a ply by which the others must fall short
	doubleMargin   = 30 // and by which they must for two plies more
)

// singular looks whether the table's move is the only good one:
// all others together are searched less deep, and must fall short by a margin.
// Then it deserves a deeper search. cut says that, on the contrary, another
// move is good enough as well, and extend is the score to return.
func (w *worker) singular(depth, ply, beta int, known *entry, inCheck, pvNode bool) (extend int, cut bool) {
	score := fromTable(known.score, ply)
	if known.fold == 0 || known.depth < depth-3 || known.bound&boundLower == 0 || abs(score) >= mateBound {
		return 0, false
	}
	f := &w.stack[ply]
	target := score - singularMargin*depth
	f.barred = known.fold
	keep := f.killers
	s := w.search((depth-1)/2, ply, target-1, target, inCheck)
	f.barred, f.killers = 0, keep
	switch {
	case w.stopped:
		return 0, false
	case s < target:
		if !pvNode && s < target-doubleMargin {
			return 2, false
		}
		return 1, false
	case !pvNode && target >= beta:
		return target, true
	case !pvNode && score >= beta:
		return -1, false
	}
	return 0, false
}
