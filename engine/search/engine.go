// Package search finds good moves: iterative deepening alpha-beta over the
// rules core, time management, and levels of play that feel human.
//
// Nothing here knows a game. What a game's mechanisms ask of the search is
// read from its definition once, see traits.
package search

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"hoplite/engine/eval"
	"hoplite/engine/net"
	"hoplite/engine/rules"
)

// Options size an engine.
type Options struct {
	Hash    int // MiB of the transposition table; 0 means 16
	Threads int // search threads; 0 means 1
	// Weights are those of the evaluation; nil means the best known.
	Weights *eval.Weights
	// Network corrects the evaluation; nil means the one that is known for the
	// game and these weights, if any. Plain is without one.
	Network *net.Net
	Plain   bool
	// LevelNodes are the node limits of the levels below full strength; nil
	// means those of the game, and others that ValidLevelNodes does not accept
	// those of any game.
	LevelNodes []uint64
}

const defaultHash = 16

// Engine searches positions of one game. It keeps what it learned between
// searches; searches of one engine run one after the other. An engine holds
// about three megabytes per thread besides its table, in games with very many
// moves seven.
type Engine struct {
	rules  *rules.Rules
	eval   *eval.Evaluator
	net    *net.Net // nil without a network
	traits traits
	tt     *table

	levels     scale
	levelTable *table // small, emptied for each move of a level; nil until needed

	mu      sync.Mutex // held during a search
	workers []*worker

	stop atomic.Bool // ends the running search
}

// New makes an engine for the game of r.
func New(r *rules.Rules, opts Options) *Engine {
	if opts.Hash <= 0 {
		opts.Hash = defaultHash
	}
	weights := opts.Weights
	if weights == nil {
		best := eval.For(r)
		weights = &best
	}
	if opts.LevelNodes == nil {
		opts.LevelNodes = LevelNodes(r)
	}
	e := &Engine{
		rules: r, eval: eval.NewWith(r, *weights), traits: traitsOf(r),
		tt: newTable(opts.Hash), levels: newScale(opts.LevelNodes), net: opts.Network,
	}
	switch {
	case opts.Plain:
		e.net = nil
	case e.net == nil:
		e.net = net.For(r, weights.Fingerprint())
	}
	for i := range max(opts.Threads, 1) {
		e.workers = append(e.workers, newWorker(e, i))
	}
	return e
}

// NewGame forgets everything learned from earlier searches. It waits for a
// running search to end.
func (e *Engine) NewGame() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tt.clear()
	for _, w := range e.workers {
		w.forget()
	}
}

// Rules returns the game that the engine plays.
func (e *Engine) Rules() *rules.Rules { return e.rules }

// Search looks for the best move of g's position until a limit is reached or
// ctx ends, and always returns a legal move if there is one. g is only read,
// and must not change meanwhile. onInfo, if not nil, is called from this
// goroutine.
//
// With one thread, limits of depth or nodes and a new engine the result is
// the same on every machine.
func (e *Engine) Search(ctx context.Context, g *rules.Game, l Limits, onInfo func(Info)) Result {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.begin(ctx, g, l)
	defer s.end()
	lead := e.workers[0]
	if len(lead.root) == 0 {
		s.linger(ctx)
		return Result{Score: lead.emptyScore()}
	}
	var helpers sync.WaitGroup
	for _, w := range e.workers[1:] {
		helpers.Go(func() { w.deepen(s, nil) })
	}
	lead.deepen(s, onInfo)
	s.linger(ctx)
	e.stop.Store(true)
	helpers.Wait()
	return s.result(lead)
}

// run is one search in progress.
type run struct {
	engine   *Engine
	limits   Limits
	start    time.Time
	pace     pace
	deadline time.Duration // since start; 0: none
	gift     uint64        // nodes searched before the clock counted
	waiting  bool          // pondering, the clock does not count yet
	release  func() bool
}

func (e *Engine) begin(ctx context.Context, g *rules.Game, l Limits) *run {
	e.stop.Store(false)
	e.tt.nextSearch()
	s := &run{engine: e, limits: l, start: time.Now(), waiting: l.Ponder != nil}
	s.release = context.AfterFunc(ctx, func() { e.stop.Store(true) })
	if ctx.Err() != nil {
		e.stop.Store(true)
	}
	pos := g.Position()
	if l.Clock != nil {
		s.pace.budget = l.Clock.plan(int(pos.Turn()), pos.FullMoves())
		s.deadline = s.pace.hard
	}
	if l.MoveTime > 0 && (s.deadline == 0 || l.MoveTime < s.deadline) {
		s.deadline = l.MoveTime
		if l.Clock == nil {
			s.pace.budget = budget{hard: l.MoveTime}
		}
	}
	if rate := l.NodeRate; rate > 0 && s.deadline > 0 && l.Ponder == nil {
		// The time is looked at every 1024 nodes only.
		most := max(uint64(s.deadline.Seconds()*float64(rate)), 1)
		if l.Nodes == 0 || most < l.Nodes {
			s.limits.Nodes = most
		}
	}
	for _, w := range e.workers {
		w.prepare(g, s)
	}
	return s
}

func (s *run) end() { s.release() }

// linger waits where the protocol forbids an early answer.
func (s *run) linger(ctx context.Context) {
	if s.waiting {
		select {
		case <-ctx.Done():
		case <-s.limits.Ponder:
			s.waiting = false
		}
	}
	if s.limits.Infinite {
		<-ctx.Done()
	}
}

// overtime is asked every 1024 nodes by the first worker.
func (s *run) overtime() bool {
	if s.waiting {
		select {
		case <-s.limits.Ponder:
			// The time spent so far was the opponent's: a gift.
			s.waiting = false
			s.start, s.gift = time.Now(), s.nodes()
			s.pace.elapsed, s.pace.took = 0, 0
		default:
			return false
		}
	}
	return s.deadline > 0 && s.elapsed() >= s.deadline
}

// elapsed is the time that counts against the limits.
func (s *run) elapsed() time.Duration {
	if rate := s.limits.NodeRate; rate > 0 {
		return time.Duration(float64(s.nodes()-s.gift) / float64(rate) * float64(time.Second))
	}
	return time.Since(s.start)
}

// nodes sums over the threads; those of the others are up to 1024 old.
func (s *run) nodes() uint64 {
	n := s.engine.workers[0].nodes
	for _, w := range s.engine.workers[1:] {
		n += w.published.Load()
	}
	return n
}

// published sums the nodes that the threads have told of. Each of them may ask.
func (s *run) published() uint64 {
	n := uint64(0)
	for _, w := range s.engine.workers {
		n += w.published.Load()
	}
	return n
}

// result reads the best line of the first worker.
func (s *run) result(w *worker) Result {
	best := &w.root[0]
	res := Result{Best: best.move, Score: toScore(best.score), Depth: w.completed, Nodes: s.nodes()}
	res.PV = append(res.PV, best.pv[:best.pvLen]...)
	if len(res.PV) > 1 {
		res.Ponder = res.PV[1]
	}
	return res
}
