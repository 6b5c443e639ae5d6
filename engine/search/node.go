package search

import "hoplite/engine/rules"

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
		return w.quiesce(depth, ply, alpha, beta, inCheck)
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
	barred := f.barred
	tte, hit := w.tt.probe(key)
	if hit && !pvNode && banned == 0 && barred == 0 && tte.depth >= depth && !w.nearLimit() {
		if s := fromTable(tte.score, ply); cuts(tte.bound, s, alpha, beta) {
			return s
		}
	}

	f.eval, f.raw = noEval, noEval
	improving := false
	f.rows = w.rowsBefore(ply)
	if !inCheck {
		if hit && tte.eval != noEval {
			f.raw = tte.eval
		} else {
			f.raw = w.static()
		}
		f.eval = w.corrected(f.raw)
		improving = ply >= 2 && !w.traits.keepsTurn && w.stack[ply-2].eval != noEval && f.eval > w.stack[ply-2].eval
		// What the table knows about the score is better than the evaluation.
		guess := f.eval
		if hit {
			if s := fromTable(tte.score, ply); tte.bound == boundExact ||
				tte.bound == boundLower && s > guess || tte.bound == boundUpper && s < guess {
				guess = s
			}
		}
		if !pvNode && banned == 0 && barred == 0 {
			if depth <= 8 && guess < mateBound && beta > -mateBound &&
				guess-w.staticMargin(depth, improving) >= beta {
				return guess
			}
			if s, ok := w.tryNull(depth, ply, beta, guess); ok {
				return s
			}
			if s, ok := w.probCut(depth, ply, beta, &tte, hit); ok {
				return s
			}
		}
	}
	// Without a move from the table the order is poor: look less deep now,
	// the next visit will have one.
	if depth >= 4 && (!hit || tte.fold == 0) {
		depth--
	}

	extend := 0
	if hit && ply > 0 && banned == 0 && barred == 0 && depth >= singularDepth && ply < 2*w.depth {
		var cut bool
		if extend, cut = w.singular(depth, ply, beta, &tte, inCheck, pvNode); cut {
			return extend
		}
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
		if m == banned && len(moves) > 1 || barred != 0 && fold(m) == barred {
			continue
		}
		order := f.order[i]
		quiet := !w.noisy(m)
		tried++
		if ply > 0 && best > -mateBound && !inCheck && !pvNode {
			if quiet && order < killerOrder && depth <= 6 {
				// So far below alpha that a quiet move will not catch up, or
				// so late that it has little chance; what holds for this one
				// holds for all that follow, but for checks.
				hopeless := f.eval+w.traits.quietMargin*(depth+1) <= alpha ||
					plain > (5+depth*depth)/(2-btoi(improving))
				if hopeless {
					moves = w.dropQuiets(f, moves, i+1)
				}
				if (hopeless || w.traits.hangCuts && w.hangs(m, hangingMargin*depth)) && !w.scorer.Checks(pos, m) {
					continue
				}
			} else if order <= badCapture && depth <= 5 && int(badCapture-order) > 100*depth {
				continue
			}
		}
		w.make(m, f)
		f.quiet = quiet
		check := pos.InCheck()
		var score int
		depth := depth
		if order == tableOrder {
			depth += extend
		}
		if tried == 1 {
			w.stack[ply+1].cut = !pvNode && !f.cut
			score = w.descend(depth-1, ply, alpha, beta, check)
		} else {
			red := 0
			if depth >= 3 && tried >= 3 && !inCheck && (quiet || order <= badCapture) {
				red = w.less(f, m, depth, tried, order, late{quiet: quiet, pv: pvNode, check: check, improving: improving})
			}
			w.stack[ply+1].cut = true
			score = w.descend(depth-1-red, ply, alpha, alpha+1, check)
			if score > alpha && red > 0 {
				w.stack[ply+1].cut = !f.cut
				score = w.descend(depth-1, ply, alpha, alpha+1, check)
			}
			if score > alpha && score < beta {
				w.stack[ply+1].cut = false
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
						w.reward(ply, m, depth, quietCount)
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
	if !inCheck && barred == 0 && (bestMove == 0 || !w.noisy(bestMove)) &&
		(bnd != boundLower || best > f.eval) && (bnd != boundUpper || best < f.eval) {
		w.correct(depth, best-f.eval)
	}
	if bestMove == 0 && barred == 0 {
		w.rewardBefore(ply, depth)
	}
	if tried == 0 {
		return alpha // nothing but the barred move
	}
	if banned == 0 && barred == 0 {
		w.tt.store(key, entry{fold: fold(bestMove), score: toTable(best, ply), eval: f.raw, depth: depth, bound: bnd})
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

// noisy reports whether a move takes a man or changes one.
func (w *worker) noisy(m rules.Move) bool {
	if w.traits.staged {
		return w.pos.IsCapture(m) || w.pos.IsPromotion(m)
	}
	return m.Kind().IsCapture() || m.Kind().IsPromotion()
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
