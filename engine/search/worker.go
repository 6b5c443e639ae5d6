package search

import (
	"sync/atomic"

	"hoplite/engine/eval"
	"hoplite/engine/net"
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
	rows    [2]int32       // of the replies to the two moves before, see history
	row     int32          // of the replies to the move played from here
	raw     int            // static evaluation before it was corrected
	barred  uint32         // fold of the move left out of account here
	ply     int
	cut     bool       // it is expected that a move is too good here
	slot    int32      // of the move played from here, see history
	quiet   bool       // whether it takes and changes nothing
	move    rules.Move // played from here; 0 for a null move
	eval    int        // static evaluation; noEval in check
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
	net    *net.Memory // nil without a network
	tt     *table
	traits traits

	stack   [maxPly + 8]frame
	history *history

	// keys are those of the game since its start, then of the line; keys[top]
	// belongs to the position on the board.
	keys []uint64
	top  int
	// checks[i] is whether the side to move is in check in the position of
	// keys[i].
	checks []bool
	// shapes[i] are hashes of the men in the position of keys[i].
	shapes []shape
	// first is the side that moved first in the game.
	first rules.Side

	root      []rootMove
	completed int // depth of the last finished iteration
	depth     int // of the iteration
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
	w := &worker{engine: e, number: number, scorer: e.eval.NewScorer(), tt: e.tt, traits: e.traits,
		history: newHistory(e.rules)}
	if e.net != nil {
		w.net = e.net.NewMemory(maxPly + 8)
	}
	room := usualMoves
	switch {
	case e.rules.Definition().Blocker != nil:
		room *= blockerMoves
	case e.rules.Board().N() > usualCells:
		room *= 2
	}
	for i := range w.stack {
		w.stack[i].ply = i
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
	w.history.clear()
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
	if need := len(moves) + 1 + maxPly + 8; min(cap(w.keys), cap(w.checks), cap(w.shapes)) < need {
		w.keys = make([]uint64, need+256)
		w.checks = make([]bool, need+256)
		w.shapes = make([]shape, need+256)
	}
	w.keys, w.checks, w.shapes = w.keys[:cap(w.keys)], w.checks[:cap(w.checks)], w.shapes[:cap(w.shapes)]
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
	w.shapes[w.top] = shapeOf(w.pos)
	for i := range w.stack {
		w.stack[i].killers = [2]rules.Move{}
	}
	w.history.fade()
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
	w.shapes[w.top+1] = w.shapes[w.top]
	guess := w.pos.KeyAfter(m)
	w.tt.fetch(guess)
	w.follow(m, f, &w.shapes[w.top+1])
	w.pos.Make(m, &f.undo)
	w.top++
	w.keys[w.top] = w.pos.Key()
	if w.keys[w.top] != guess {
		w.tt.fetch(w.keys[w.top])
	}
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
	// The limit of nodes is one for all threads; the first needs an answer.
	if w.nodeLimit > 0 && w.run.published() >= w.nodeLimit && (w.number > 0 || w.completed > 0) {
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
