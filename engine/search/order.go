package search

import "hoplite/engine/rules"

// Order of the moves of a node, best first: the table's move, captures and
// promotions that win or keep material, killers, the move that refuted the one
// before elsewhere, quiet moves by history,
// captures that lose material.
const (
	tableOrder   = 1 << 30
	goodCapture  = 1 << 24 // plus the gain
	killerOrder  = 1 << 20
	counterOrder = killerOrder - 1
	badCapture   = -(1 << 20) // minus the loss

	historyMax    = 1 << 14
	historyPerPly = 1 << 14 // this much history is worth a ply of reduction
)

// orderAll rates all legal moves of a node.
func (w *worker) orderAll(f *frame, moves []rules.Move, best uint32) {
	counter := w.counter(f)
	for i, m := range moves {
		switch {
		case best != 0 && fold(m) == best:
			f.order[i] = tableOrder
		case w.noisy(m):
			f.order[i] = w.noisyOrder(m)
		case m == f.killers[0]:
			f.order[i] = killerOrder + 1
		case m == f.killers[1]:
			f.order[i] = killerOrder
		case m == counter:
			f.order[i] = counterOrder
		default:
			f.order[i] = w.quietOrder(f, m)
		}
	}
}

// counter is the quiet move that last refuted the move that led to f, or 0.
func (w *worker) counter(f *frame) rules.Move {
	if f.ply == 0 || w.stack[f.ply-1].move == 0 {
		return 0
	}
	return w.history.counters[w.stack[f.ply-1].slot]
}

// orderNoisy rates captures and promotions only.
func (w *worker) orderNoisy(f *frame, moves []rules.Move, best uint32) {
	for i, m := range moves {
		if best != 0 && fold(m) == best {
			f.order[i] = tableOrder
		} else {
			f.order[i] = w.noisyOrder(m)
		}
	}
}

// noisyOrder puts valuable victims and cheap captors first. A capture of a
// guarded man by a more valuable one is played out: it is bad if it loses
// material by exchanges.
func (w *worker) noisyOrder(m rules.Move) int32 {
	k := m.Kind()
	gain := 0
	if w.traits.staged || k.IsCapture() {
		gain = w.scorer.Value(w.pos.Captured(m))
	}
	captor := w.scorer.Value(w.pos.At(m.From()))
	if k.IsPromotion() || w.traits.staged && m.Arg() != 0 && w.pos.IsPromotion(m) {
		gain += w.scorer.TypeValue(m.Arg()) - captor
		return goodCapture + int32(16*gain)
	}
	if loss := captor - gain; loss > 50 && w.pos.Attacked(m.To(), w.pos.Turn()^1) {
		if v := w.scorer.Exchange(w.pos, m); v < 0 {
			return badCapture + int32(v)
		}
	}
	order := goodCapture + int32(16*gain-captor)
	if k.IsGate() {
		order++ // a man comes in for nothing
	}
	return order
}

func (w *worker) quietOrder(f *frame, m rules.Move) int32 {
	h := w.history
	q := w.actor(m)
	at := h.slot(q, m.To())
	order := int32(h.quiet[q][m.To()]) + int32(h.replies[f.rows[0]+at]) + int32(h.replies[f.rows[1]+at])
	if m.Kind().IsGate() {
		// The plain move's order and what bringing in this man here was worth.
		order += int32(h.gates[m.Arg()][m.From()]) / 2
	}
	return order
}

// pick moves the best of moves[i:] to i and returns it.
func pick(f *frame, moves []rules.Move, i int) rules.Move {
	order := f.order[:len(moves)]
	best := i
	for j := i + 1; j < len(order); j++ {
		if order[j] > order[best] {
			best = j
		}
	}
	if best != i {
		order[i], order[best] = order[best], order[i]
		moves[i], moves[best] = moves[best], moves[i]
	}
	return moves[i]
}

// dropQuiets leaves only captures, promotions and checks in moves[from:].
func (w *worker) dropQuiets(f *frame, moves []rules.Move, from int) []rules.Move {
	n := from
	for i := from; i < len(moves); i++ {
		if w.noisy(moves[i]) || w.scorer.Checks(w.pos, moves[i]) {
			moves[n], f.order[n] = moves[i], f.order[i]
			n++
		}
	}
	return moves[:n]
}
