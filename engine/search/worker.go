package search

import (
	"sync/atomic"
	"time"

	"hoplite/engine/eval"
	"hoplite/engine/rules"
)

// frame is the state of one ply of the line being searched.
type frame struct {
	undo    rules.Undo
	moves   []rules.Move
	order   []int32
	side    rules.Side // that moves here
	killers [2]rules.Move
	quiets  [64]rules.Move // quiet moves tried here, for the history malus
	move    rules.Move     // played from here; 0 for a null move
	eval    int            // static evaluation; noEval in check
	pv      [maxPly + 1]rules.Move
	pvLen   int
}

// rootMove is a move of the root with what is known about it.
type rootMove struct {
	move   rules.Move
	score  int // of the last iteration that looked at it; -infinity if cut off
	last   int // score of the iteration before, for ordering
	nodes  uint64
	banned rules.Move // reply left out of account, see Choose
	pv     [64]rules.Move
	pvLen  int
}

// worker is one search thread's memory, allocated once.
type worker struct {
	engine *Engine
	number int
	run    *run
	pos    *rules.Position
	scorer *eval.Scorer
	tt     *table
	traits traits

	stack   [maxPly + 8]frame
	history [256][256]int16 // by piece and target cell
	gates   [256][256]int16 // by gated piece and its cell

	// keys are those of the game since its start, then of the line; keys[top]
	// belongs to the position on the board.
	keys []uint64
	top  int
	// checks[i] is whether the side to move is in check in the position of
	// keys[i].
	checks []bool
	// first is the side that moved first in the game.
	first rules.Side

	root      []rootMove
	completed int // depth of the last finished iteration
	selDepth  int
	rootPly   int        // keys index of the root
	nullFloor int        // no null move before this ply
	banned    rules.Move // reply at ply 1 that is left out of account

	nodes     uint64
	nodeLimit uint64 // 0: none
	published atomic.Uint64
	stopped   bool
}

func newWorker(e *Engine, number int) *worker {
	w := &worker{engine: e, number: number, scorer: e.eval.NewScorer(), tt: e.tt, traits: e.traits}
	room := usualMoves
	switch {
	case e.rules.Definition().Blocker != nil:
		room *= blockerMoves
	case e.rules.Board().N() > usualCells:
		room *= 2
	}
	for i := range w.stack {
		w.stack[i].moves, w.stack[i].order = make([]rules.Move, 0, room), make([]int32, room)
	}
	return w
}

// fit keeps a list of moves that has outgrown its room, and makes room for
// its order.
func (f *frame) fit(moves []rules.Move) {
	if cap(moves) > cap(f.moves) {
		f.moves = moves[:0]
	}
	if len(f.order) < len(moves) {
		f.order = make([]int32, 2*len(moves))
	}
}

// forget clears what was learned in earlier searches.
func (w *worker) forget() {
	clear(w.history[:])
	clear(w.gates[:])
	for i := range w.stack {
		w.stack[i].killers = [2]rules.Move{}
	}
}

// prepare sets the worker up for a search of g's position.
func (w *worker) prepare(g *rules.Game, s *run) {
	w.run = s
	w.nodes, w.nodeLimit, w.stopped = 0, s.limits.Nodes, false
	w.published.Store(0)
	w.completed, w.selDepth = 0, 0
	w.pos = g.Position().Clone()
	moves := g.Moves()
	if need := len(moves) + 1 + maxPly + 8; min(cap(w.keys), cap(w.checks)) < need {
		w.keys = make([]uint64, need+256)
		w.checks = make([]bool, need+256)
	}
	w.keys, w.checks = w.keys[:cap(w.keys)], w.checks[:cap(w.checks)]
	w.top = 0
	replay := g.Start().Clone()
	w.keys[0] = replay.Key()
	w.first = replay.Turn()
	var u rules.Undo
	for _, m := range moves {
		replay.Make(m, &u)
		w.top++
		w.keys[w.top] = replay.Key()
		w.checks[w.top] = w.traits.judged && replay.InCheck()
	}
	w.rootPly = w.top
	for i := range w.stack {
		w.stack[i].killers = [2]rules.Move{}
	}
	// Old history still orders, with half its weight.
	for i := range w.history {
		for j := range w.history[i] {
			w.history[i][j] /= 2
			w.gates[i][j] /= 2
		}
	}
	w.fillRoot(s.limits.SearchMoves)
	w.leaveLostRepetitions(g)
}

// fillRoot lists the legal root moves, or those of only that are legal.
func (w *worker) fillRoot(only []rules.Move) {
	w.root = w.root[:0]
	legal := w.pos.Moves(w.stack[0].moves[:0])
	w.stack[0].fit(legal)
	allowed := func(m rules.Move) bool {
		for _, o := range only {
			if o == m {
				return true
			}
		}
		return false
	}
	some := false
	for _, m := range legal {
		some = some || allowed(m)
	}
	for _, m := range legal {
		if !some || allowed(m) {
			r := rootMove{move: m, score: -infinity, last: -infinity, pvLen: 1}
			r.pv[0] = m
			w.root = append(w.root, r)
		}
	}
}

// make plays a move of the line.
func (w *worker) make(m rules.Move, f *frame) {
	f.move, f.side = m, w.pos.Turn()
	w.pos.Make(m, &f.undo)
	w.top++
	w.keys[w.top] = w.pos.Key()
	w.nodes++
	if w.nodes&1023 == 0 {
		w.poll()
	}
	if w.nodeLimit > 0 && w.nodes >= w.nodeLimit && w.number == 0 {
		w.stopped = w.stopped || w.completed > 0
		// The first iteration is finished whatever it costs, so that there
		// is an answer, but not more than some thousand nodes of captures.
		w.stopped = w.stopped || w.nodes >= w.nodeLimit+10_000
	}
}

func (w *worker) unmake(m rules.Move, f *frame) {
	w.pos.Unmake(m, &f.undo)
	w.top--
}

// poll looks at the reasons to stop that are too dear for every node.
func (w *worker) poll() {
	w.published.Store(w.nodes)
	if yield := w.run.limits.Yield; yield != nil && w.number == 0 {
		yield()
	}
	if w.engine.stop.Load() || w.number == 0 && w.run.overtime() {
		w.stopped = true
	}
}

// emptyScore is the score of a position without legal moves.
func (w *worker) emptyScore() Score { return toScore(w.noMoves(0, w.pos.InCheck())) }

// noMoves values a position in which the mover has no legal move.
func (w *worker) noMoves(ply int, inCheck bool) int {
	if w.traits.staged {
		if out, over := w.pos.Outcome(); over {
			return w.outcome(out, ply)
		}
		return 0
	}
	if inCheck || w.traits.stuckLoses {
		return ply - mateScore
	}
	return 0
}

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
		w.selDepth = 0
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
		f.eval = w.scorer.Score(w.pos)
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
			score = w.descend(depth-1, 0, alpha, beta, check)
		} else {
			red := 0
			if depth >= 3 && i-line >= 3 && quiet && !check && !inCheck {
				red = max(reduction(depth, i-line)-1, 0)
			}
			score = w.descend(depth-1-red, 0, alpha, alpha+1, check)
			if score > alpha && red > 0 && !w.stopped {
				score = w.descend(depth-1, 0, alpha, alpha+1, check)
			}
			if score > alpha && score < beta && !w.stopped {
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
