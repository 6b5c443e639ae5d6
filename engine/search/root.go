package search

import "time"

// deepen is iterative deepening. The lead worker reports and minds the time;
// the others only fill the table.
func (w *worker) deepen(s *run, onInfo func(Info)) {
	l := s.limits
	maxDepth := maxPly - 20
	if l.Depth > 0 {
		maxDepth = min(maxDepth, l.Depth)
	}
	lines := min(max(l.MultiPV, 1), len(w.root))
	for depth := 1 + w.number&1; depth <= maxDepth && !w.stopped; depth++ {
		w.selDepth, w.depth = 0, depth
		before := w.root[0].move
		for i := range w.root {
			w.root[i].last = w.root[i].score
			w.root[i].nodes = 0
		}
		start := w.nodes
		for line := range lines {
			w.aspirate(depth, line)
			sortRoot(w.root[line:])
			sortRoot(w.root[:line+1])
			if w.stopped {
				break
			}
			if onInfo != nil && (line == lines-1 || depth > 10) {
				for j := range line + 1 {
					if line == lines-1 || j == line {
						onInfo(s.info(w, depth, j))
					}
				}
			}
		}
		if w.stopped && depth > 1 {
			break
		}
		w.completed = depth
		if w.number != 0 {
			continue
		}
		best := &w.root[0]
		if l.Mate > 0 && best.score >= mateScore-2*l.Mate+1 {
			break
		}
		// A forced end is found: a deeper search can only confirm it.
		if mate := best.score; lines == 1 && !l.Infinite && l.Depth == 0 && l.Mate == 0 &&
			(mate >= mateBound && depth > mateScore-mate+2 || mate <= -mateBound && depth > mateScore+mate+2) {
			break
		}
		elapsed := s.elapsed()
		enough := s.pace.enough(iteration{
			elapsed: elapsed, score: best.score, changed: best.move != before,
			single: len(w.root) == 1, share: float64(best.nodes) / float64(max(w.nodes-start, 1)),
		})
		if !s.waiting && !l.Infinite && enough && s.limits.Clock != nil {
			break
		}
		if w.nodeLimit > 0 && s.nodes() >= w.nodeLimit {
			break
		}
	}
}

// aspirate searches the root moves from number line on with a window around
// the score of the iteration before, wider after each failure.
func (w *worker) aspirate(depth, line int) {
	const first = 5 // depth from which scores are steady enough
	delta := 20
	alpha, beta := -infinity, infinity
	guess := w.root[line].last
	if depth >= first && guess > -mateBound && guess < mateBound {
		alpha, beta = guess-delta, guess+delta
	}
	for {
		score := w.searchRoot(depth, alpha, beta, line)
		if w.stopped {
			return
		}
		switch {
		case score <= alpha && alpha > -infinity:
			beta = (alpha + beta) / 2
			alpha = score - delta
		case score >= beta && beta < infinity:
			beta = score + delta
		default:
			return
		}
		sortRoot(w.root[line:])
		delta += delta
		if delta > 500 || alpha < -mateBound || beta > mateBound {
			alpha, beta = -infinity, infinity
		}
	}
}

// searchRoot is one iteration over the root moves from number line on.
func (w *worker) searchRoot(depth, alpha, beta, line int) int {
	f := &w.stack[0]
	inCheck := w.pos.InCheck()
	f.eval = noEval
	if !inCheck {
		f.raw = w.static()
		f.eval = w.corrected(f.raw)
	}
	best := -infinity
	for i := line; i < len(w.root); i++ {
		r := &w.root[i]
		nodes := w.nodes
		quiet := !w.pos.IsCapture(r.move) && !w.pos.IsPromotion(r.move)
		w.make(r.move, f)
		check := w.pos.InCheck()
		var score int
		if i == line {
			w.stack[1].cut = false
			score = w.descend(depth-1, 0, alpha, beta, check)
		} else {
			red := 0
			if depth >= 3 && i-line >= 3 && quiet && !check && !inCheck {
				red = max(reduction(depth, i-line)-1, 0)
			}
			w.stack[1].cut = true
			score = w.descend(depth-1-red, 0, alpha, alpha+1, check)
			if score > alpha && red > 0 && !w.stopped {
				score = w.descend(depth-1, 0, alpha, alpha+1, check)
			}
			if score > alpha && score < beta && !w.stopped {
				w.stack[1].cut = false
				score = w.descend(depth-1, 0, alpha, beta, check)
			}
		}
		w.unmake(r.move, f)
		r.nodes += w.nodes - nodes
		if w.stopped {
			// In the first iteration a half-known score is better than none.
			if w.completed == 0 && i == line {
				r.score = score
			}
			return best
		}
		if i == line || score > alpha {
			r.score = score
			r.pv[0] = r.move
			r.pvLen = 1 + copy(r.pv[1:], w.stack[1].pv[:w.stack[1].pvLen])
		} else {
			r.score = -infinity
		}
		if score > best {
			best = score
		}
		if score > alpha {
			alpha = score
			if alpha >= beta {
				break
			}
		}
	}
	return best
}

// sortRoot puts the best scores first; equal ones keep their order, so that
// the moves that were good earlier stay in front.
func sortRoot(r []rootMove) {
	for i := 1; i < len(r); i++ {
		for j := i; j > 0 && r[j].score > r[j-1].score; j-- {
			r[j], r[j-1] = r[j-1], r[j]
		}
	}
}

// info describes one line after an iteration.
func (s *run) info(w *worker, depth, line int) Info {
	r := &w.root[line]
	return Info{
		Depth: depth, SelDepth: w.selDepth, MultiPV: line + 1, Score: toScore(r.score),
		Nodes: s.nodes(), Elapsed: time.Since(s.start), HashFull: w.tt.full(), PV: r.pv[:r.pvLen:r.pvLen],
	}
}
