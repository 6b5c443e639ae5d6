package search

import (
	"math"

	"hoplite/engine/rules"
)

// search values the position on the board, depth plies deep, from the mover's
// point of view: principal variation search. The result is exact inside
// (alpha, beta), else a bound on the side where it lies. When the worker was
// stopped the result means nothing.
func (w *worker) search(depth, ply, alpha, beta int, inCheck bool) int {
	f := &w.stack[ply]
	f.pvLen = 0
	if w.stopped {
		return 0
	}
	pos := w.pos
	if ply >= maxPly-1 {
		return w.leaf(inCheck)
	}
	if score, over := w.drawn(ply, inCheck); over {
		return score
	}
	// Even an end on the next ply would not change the outcome.
	alpha = max(alpha, ply-mateScore)
	beta = min(beta, mateScore-ply-1)
	if alpha >= beta {
		return alpha
	}
	if depth <= 0 {
		return w.quiesce(ply, alpha, beta, inCheck)
	}
	pvNode := beta-alpha > 1
	if ply > w.selDepth {
		w.selDepth = ply
	}

	banned := rules.Move(0)
	if ply == 1 {
		banned = w.banned
	}
	key := w.keys[w.top]
	tte, hit := w.tt.probe(key)
	if hit && !pvNode && banned == 0 && tte.depth >= depth && !w.nearLimit() {
		if s := fromTable(tte.score, ply); cuts(tte.bound, s, alpha, beta) {
			return s
		}
	}

	f.eval = noEval
	improving := false
	if !inCheck {
		if hit && tte.eval != noEval {
			f.eval = tte.eval
		} else {
			f.eval = w.scorer.Score(pos)
		}
		improving = ply >= 2 && !w.traits.keepsTurn && w.stack[ply-2].eval != noEval && f.eval > w.stack[ply-2].eval
		// What the table knows about the score is better than the evaluation.
		guess := f.eval
		if hit {
			if s := fromTable(tte.score, ply); tte.bound == boundExact ||
				tte.bound == boundLower && s > guess || tte.bound == boundUpper && s < guess {
				guess = s
			}
		}
		if !pvNode && banned == 0 {
			if depth <= 8 && guess < mateBound && beta > -mateBound &&
				guess-w.staticMargin(depth, improving) >= beta {
				return guess
			}
			if s, ok := w.tryNull(depth, ply, beta, guess); ok {
				return s
			}
		}
	}
	// Without a move from the table the order is poor: look less deep now,
	// the next visit will have one.
	if depth >= 4 && (!hit || tte.fold == 0) {
		depth--
	}

	moves := pos.Moves(f.moves[:0])
	if len(moves) == 0 {
		return w.noMoves(ply, inCheck)
	}
	f.fit(moves)
	w.orderAll(f, moves, tte.fold)

	best, bestMove, bnd := -infinity, rules.Move(0), boundUpper
	quietCount, plain, tried := 0, 0, 0
	for i := 0; i < len(moves); i++ {
		m := pick(f, moves, i)
		if m == banned && len(moves) > 1 {
			continue
		}
		order := f.order[i]
		quiet := !w.noisy(m)
		tried++
		if ply > 0 && best > -mateBound && !inCheck && !pvNode {
			if quiet && order < killerOrder && depth <= 6 {
				// So far below alpha that a quiet move will not catch up, or
				// so late that it has little chance; what holds for this one
				// holds for all that follow.
				if f.eval+w.traits.quietMargin*(depth+1) <= alpha ||
					w.traits.lateCuts && plain > (5+depth*depth)/(2-btoi(improving)) {
					moves = w.dropQuiets(f, moves, i+1)
					continue
				}
			} else if order <= badCapture && depth <= 5 && int(badCapture-order) > 100*depth {
				continue
			}
		}
		w.make(m, f)
		check := pos.InCheck()
		var score int
		if tried == 1 {
			score = w.descend(depth-1, ply, alpha, beta, check)
		} else {
			red := 0
			if depth >= 3 && tried >= 3 && !inCheck && (quiet || order <= badCapture) {
				red = reduction(depth, tried)
				if pvNode {
					red--
				}
				if check || order >= killerOrder {
					red--
				}
				if !improving {
					red++
				}
				if w.traits.drops && m.Kind() == rules.Drop && !check {
					red++
				}
				if quiet && order < killerOrder {
					red -= int(order) / historyPerPly
				}
				red = min(max(red, 0), depth-2)
			}
			score = w.descend(depth-1-red, ply, alpha, alpha+1, check)
			if score > alpha && red > 0 {
				score = w.descend(depth-1, ply, alpha, alpha+1, check)
			}
			if score > alpha && score < beta {
				score = w.descend(depth-1, ply, alpha, beta, check)
			}
		}
		w.unmake(m, f)
		if w.stopped {
			return 0
		}
		if score > best {
			best = score
			if score > alpha {
				alpha, bestMove, bnd = score, m, boundExact
				f.pv[0] = m
				f.pvLen = 1 + copy(f.pv[1:], w.stack[ply+1].pv[:w.stack[ply+1].pvLen])
				if score >= beta {
					bnd = boundLower
					if quiet {
						w.reward(f, m, depth, quietCount)
					}
					break
				}
			}
		}
		if quiet && quietCount < len(f.quiets) {
			f.quiets[quietCount] = m
			quietCount++
			// A move with and without a man coming in counts once.
			plain += btoi(!m.Kind().IsGate())
		}
	}
	if banned == 0 {
		w.tt.store(key, entry{fold: fold(bestMove), score: toTable(best, ply), eval: f.eval, depth: depth, bound: bnd})
	}
	return best
}

// quiesce plays out captures, promotions and answers to checks until the
// evaluation can be trusted.
func (w *worker) quiesce(ply, alpha, beta int, inCheck bool) int {
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
	best, stand := -infinity, noEval
	var moves []rules.Move
	forced := false
	if w.traits.mustCapture {
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
		stand = tte.eval
		if !hit || stand == noEval {
			stand = w.scorer.Score(pos)
		}
		best = stand
		if best >= beta {
			if !hit {
				w.tt.store(key, entry{score: toTable(best, ply), eval: stand, bound: boundLower})
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
		score := w.settle(ply, alpha, beta, pos.InCheck())
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
		w.tt.store(key, entry{fold: fold(bestMove), score: toTable(best, ply), eval: stand, bound: bnd})
	}
	return best
}

// descend searches the position after a move made at ply and returns its
// score from the point of view of the side that made it. That side may be to
// move again.
func (w *worker) descend(depth, ply, alpha, beta int, inCheck bool) int {
	if w.traits.keepsTurn && w.pos.Turn() == w.stack[ply].side {
		return w.search(depth, ply+1, alpha, beta, inCheck)
	}
	return -w.search(depth, ply+1, -beta, -alpha, inCheck)
}

// settle is descend for quiesce. In plain games captures neither repeat a
// position nor end a game otherwise than by mate.
func (w *worker) settle(ply, alpha, beta int, inCheck bool) int {
	if !w.traits.staged {
		return -w.quiesce(ply+1, -beta, -alpha, inCheck)
	}
	return w.descend(0, ply, alpha, beta, inCheck)
}

// noisy reports whether a move takes a man or changes one.
func (w *worker) noisy(m rules.Move) bool {
	if w.traits.staged {
		return w.pos.IsCapture(m) || w.pos.IsPromotion(m)
	}
	return m.Kind().IsCapture() || m.Kind().IsPromotion()
}

// leaf values a position where the line has become too long.
func (w *worker) leaf(inCheck bool) int {
	if inCheck {
		return 0
	}
	return w.scorer.Score(w.pos)
}

// cuts reports whether a stored score settles a node.
func cuts(b bound, s, alpha, beta int) bool {
	switch b {
	case boundExact:
		return true
	case boundLower:
		return s >= beta
	case boundUpper:
		return s <= alpha
	}
	return false
}

// tryNull lets the opponent move twice: a position good enough to stand that
// is good enough to cut off.
func (w *worker) tryNull(depth, ply, beta, guess int) (int, bool) {
	if !w.traits.nullMove || depth < 3 || guess < beta || beta <= -mateBound || ply < w.nullFloor ||
		w.stack[ply-1].move == 0 || !w.scorer.HasPieces(w.pos) {
		return 0, false
	}
	f := &w.stack[ply]
	red := 3 + depth/4 + min(3, (guess-beta)/200)
	f.move = 0
	w.pos.MakeNull(&f.undo)
	w.top++
	w.keys[w.top] = w.pos.Key()
	w.nodes++
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
