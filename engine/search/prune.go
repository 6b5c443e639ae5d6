package search

import (
	"math"

	"hoplite/engine/rules"
)

// tryNull lets the opponent move twice: a position good enough to stand that
// is good enough to cut off.
func (w *worker) tryNull(depth, ply, beta, guess int) (int, bool) {
	if !w.traits.nullMove || depth < 3 || guess < beta || beta <= -mateBound || ply < w.nullFloor ||
		w.stack[ply-1].move == 0 || !w.scorer.HasPieces(w.pos) {
		return 0, false
	}
	f := &w.stack[ply]
	red := 3 + depth/4 + min(3, (guess-beta)/200)
	f.move, f.row = 0, 0
	w.shapes[w.top+1] = w.shapes[w.top]
	w.pos.MakeNull(&f.undo)
	w.top++
	w.keys[w.top] = w.pos.Key()
	w.nodes++
	w.stack[ply+1].cut = !f.cut
	score := -w.search(depth-1-red, ply+1, -beta, -beta+1, false)
	w.pos.UnmakeNull(&f.undo)
	w.top--
	if w.stopped || score < beta {
		return 0, false
	}
	if score >= mateBound {
		score = beta
	}
	if depth < 10 {
		return score, true
	}
	// Deep down a cut without a look at the real moves is too much trust:
	// zugzwang. Search on without passing in the upper part of the tree.
	floor := w.nullFloor
	w.nullFloor = ply + (depth-red)*3/4
	check := w.search(depth-1-red, ply, beta-1, beta, false)
	w.nullFloor = floor
	return score, check >= beta
}

// hangingMargin, per ply, is how much a quiet move must lose by exchanges to be
// left out.
const hangingMargin = 40

// hangs reports whether a quiet move puts its man where the enemy wins more
// than margin.
func (w *worker) hangs(m rules.Move, margin int) bool {
	if w.traits.staged && m.Kind() != rules.Drop || m.Kind() == rules.Castle {
		return false // there is more to such a move than where its man comes to
	}
	return w.scorer.Value(w.actor(m)) > margin && w.pos.Attacked(m.To(), w.pos.Turn()^1) &&
		w.scorer.Exchange(w.pos, m) < -margin
}

const (
	probDepth  = 5   // from which captures are tried less deep
	probLess   = 4   // plies
	probMargin = 170 // and must hold against a bound so much above beta
)

// probCut tries good captures less deep against a bound well above beta: if
// one holds there, the whole search would cut off too.
func (w *worker) probCut(depth, ply, beta int, known *entry, hit bool) (int, bool) {
	if depth < probDepth || abs(beta) >= mateBound {
		return 0, false
	}
	beta += probMargin
	if hit && known.depth > depth-probLess && fromTable(known.score, ply) < beta {
		return 0, false // it is known that none does
	}
	f := &w.stack[ply]
	moves := w.pos.Noisy(f.moves[:0])
	f.fit(moves)
	w.orderNoisy(f, moves, known.fold)
	for i := range moves {
		m := pick(f, moves, i)
		if f.order[i] < goodCapture {
			break
		}
		if f.order[i] != tableOrder && f.eval+w.scorer.Value(w.pos.Captured(m))+100 < beta {
			continue
		}
		w.make(m, f)
		check := w.pos.InCheck()
		score := w.settle(1, ply, beta-1, beta, check)
		if score >= beta {
			w.stack[ply+1].cut = !f.cut
			score = w.descend(depth-probLess, ply, beta-1, beta, check)
		}
		w.unmake(m, f)
		if w.stopped {
			return 0, true
		}
		if score >= beta {
			return score, true
		}
	}
	return 0, false
}

// staticMargin is how much may be lost by force in depth plies.
func (w *worker) staticMargin(depth int, improving bool) int {
	return w.traits.staticMargin * (depth - btoi(improving))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// late is what is known of a move that is tried late.
type late struct{ quiet, pv, check, improving bool }

// less is how many plies less a late move is searched.
func (w *worker) less(f *frame, m rules.Move, depth, tried int, order int32, l late) int {
	red := reduction(depth, tried)
	if l.pv {
		red--
	}
	if l.check || order >= killerOrder {
		red--
	}
	if !l.improving {
		red++
	}
	if f.cut && l.quiet {
		red++
	}
	if w.traits.drops && m.Kind() == rules.Drop && !l.check {
		red++
	}
	if l.quiet && order < killerOrder { // with counterOrder nothing is left
		red -= int(order) / historyPerPly
	}
	return min(max(red, 0), depth-2)
}

// reduction is how many plies less the tried-th move of a node is searched.
func reduction(depth, tried int) int {
	return int(reductions[min(depth, 63)][min(tried, 63)])
}

// reductions is 0.8 + ln(depth)·ln(move number)/2.3, never changed.
var reductions = func() (t [64][64]int8) {
	for d := 1; d < 64; d++ {
		for n := 1; n < 64; n++ {
			t[d][n] = int8(0.8 + math.Log(float64(d))*math.Log(float64(n))/2.3)
		}
	}
	return t
}()
