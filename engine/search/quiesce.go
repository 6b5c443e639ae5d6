package search

import "hoplite/engine/rules"

// forcedDepth is how many plies compulsory captures are played out at any
// price. Chains of them go on for ever in positions full of men that the enemy
// must take, and every way through them would be tried.
const forcedDepth = 8

// quiesce plays out captures, promotions and answers to checks until the
// evaluation can be trusted. depth is 0 at its first ply and falls from there.
func (w *worker) quiesce(depth, ply, alpha, beta int, inCheck bool) int {
	f := &w.stack[ply]
	f.pvLen = 0
	if w.stopped {
		return 0
	}
	if ply >= maxPly-1 {
		return w.leaf(inCheck)
	}
	if ply > w.selDepth {
		w.selDepth = ply
	}
	pos := w.pos
	banned := rules.Move(0)
	if ply == 1 {
		banned = w.banned
	}
	key := w.keys[w.top]
	tte, hit := w.tt.probe(key)
	if hit && beta-alpha == 1 && banned == 0 && !w.nearLimit() {
		if s := fromTable(tte.score, ply); cuts(tte.bound, s, alpha, beta) {
			return s
		}
	}
	best, stand, raw := -infinity, noEval, noEval
	f.rows = w.rowsBefore(ply)
	var moves []rules.Move
	forced := false
	if w.traits.mustCapture && depth > -forcedDepth {
		moves = pos.Noisy(f.moves[:0])
		forced = len(moves) > 0 && pos.IsCapture(moves[0])
	}
	if forced {
		// There is no choice but among captures.
		f.fit(moves)
		w.orderNoisy(f, moves, tte.fold)
	} else if inCheck {
		moves = pos.Moves(f.moves[:0])
		if len(moves) == 0 {
			return w.noMoves(ply, inCheck)
		}
		f.fit(moves)
		w.orderAll(f, moves, tte.fold)
	} else {
		raw = tte.eval
		if !hit || raw == noEval {
			raw = w.static()
		}
		stand = w.corrected(raw)
		best = stand
		if best >= beta {
			if !hit {
				w.tt.store(key, entry{score: toTable(best, ply), eval: raw, bound: boundLower})
			}
			return best
		}
		alpha = max(alpha, best)
		moves = pos.Noisy(f.moves[:0])
		f.fit(moves)
		w.orderNoisy(f, moves, tte.fold)
	}
	floor, bestMove, bnd := alpha, rules.Move(0), boundUpper
	for i := range moves {
		m := pick(f, moves, i)
		if m == banned && (!inCheck || len(moves) > 1) {
			continue
		}
		if !forced && (!inCheck || best > -mateBound && i > 0) {
			if f.order[i] <= badCapture {
				break // ordered last, like all that follow; in check only quiet moves stand before
			}
			if inCheck && f.order[i] < goodCapture && i > 3 && best > -mateBound {
				break // a quiet answer was found that does not lose by force
			}
			if !inCheck && !pos.IsPromotion(m) {
				if gain := stand + w.scorer.Value(pos.Captured(m)) + 150; gain <= alpha {
					best = max(best, gain)
					continue
				}
			}
		}
		w.make(m, f)
		score := w.settle(depth, ply, alpha, beta, pos.InCheck())
		w.unmake(m, f)
		if w.stopped {
			return 0
		}
		if score > best {
			best = score
			if score > alpha {
				alpha, bestMove = score, m
				f.pv[0] = m
				f.pvLen = 1 + copy(f.pv[1:], w.stack[ply+1].pv[:w.stack[ply+1].pvLen])
				if score >= beta {
					break
				}
			}
		}
	}
	if best >= beta {
		bnd = boundLower
	} else if best > floor {
		bnd = boundExact
	}
	if banned == 0 {
		w.tt.store(key, entry{fold: fold(bestMove), score: toTable(best, ply), eval: raw, bound: bnd})
	}
	return best
}

// settle is descend for quiesce. In plain games captures neither repeat a
// position nor end a game otherwise than by mate.
func (w *worker) settle(depth, ply, alpha, beta int, inCheck bool) int {
	if !w.traits.staged {
		return -w.quiesce(depth-1, ply+1, -beta, -alpha, inCheck)
	}
	return w.descend(depth-1, ply, alpha, beta, inCheck)
}

// leaf values a position where the line has become too long.
func (w *worker) leaf(inCheck bool) int {
	if inCheck {
		return 0
	}
	return w.static()
}
