package bot

import (
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

const (
	// enginesKept is how many variants' tables a worker holds in memory.
	enginesKept = 3
	// leastMoveTime is what a search gets however many wait.
	leastMoveTime = 50 * time.Millisecond
	// leastShare is the smallest part of a node limit left under load.
	leastShare = 8
)

// NewEngine makes the engine of a configuration: ours with a pool of its own,
// or a UCI program.
func NewEngine(ctx context.Context, cfg EngineConfig, log *slog.Logger) (Engine, error) {
	if cfg.Protocol == ProtocolUCI {
		return NewUCI(ctx, cfg, log)
	}
	return NewOwn(cfg, NewPool(cfg.Workers, cfg.Hash))
}

// Pool is a fixed number of workers that search for all games of one or more
// engines. Searches wait for a worker in the order of their arrival.
type Pool struct {
	hash    int
	size    int
	workers chan *worker
	waiting atomic.Int64
	started atomic.Uint64
	busy    atomic.Int64 // ns
}

// worker holds the search tables of the variants it was last asked for.
type worker struct {
	hash    int
	taken   time.Time
	engines []*search.Engine // the latest used comes last
}

// NewPool makes a pool; 0 workers are half the cores, at least one, and 0 MiB of
// hash leave the size to the search.
func NewPool(workers, hash int) *Pool {
	if workers <= 0 {
		workers = max(1, runtime.NumCPU()/2)
	}
	p := &Pool{hash: hash, size: workers, workers: make(chan *worker, workers)}
	for range workers {
		p.workers <- &worker{hash: hash}
	}
	return p
}

// Size is the number of workers.
func (p *Pool) Size() int { return p.size }

// take waits for a worker.
func (p *Pool) take(ctx context.Context) (*worker, error) {
	p.waiting.Add(1)
	defer p.waiting.Add(-1)
	select {
	case w := <-p.workers:
		w.taken = time.Now()
		p.started.Add(1)
		return w, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (p *Pool) put(w *worker) {
	p.busy.Add(int64(time.Since(w.taken)))
	p.workers <- w
}

// PoolStats is what a pool has done so far.
type PoolStats struct {
	Searches uint64        // begun
	Busy     time.Duration // of all workers together, in searches that have ended
	Waiting  int           // searches that wait for a worker
}

// Stats returns what the pool has done so far.
func (p *Pool) Stats() PoolStats {
	return PoolStats{Searches: p.started.Load(), Busy: time.Duration(p.busy.Load()), Waiting: int(p.waiting.Load())}
}

// crowd is by how much a search shortens so that those waiting get their turn.
func (p *Pool) crowd() int { return 1 + int(p.waiting.Load())/p.size }

func (w *worker) engine(r *rules.Rules) *search.Engine {
	i := slices.IndexFunc(w.engines, func(e *search.Engine) bool { return e.Rules() == r })
	var e *search.Engine
	if i >= 0 {
		e = w.engines[i]
		w.engines = slices.Delete(w.engines, i, i+1)
	} else {
		e = search.New(r, search.Options{Hash: w.hash, Threads: 1})
		if len(w.engines) >= enginesKept {
			w.engines = slices.Delete(w.engines, 0, 1)
		}
	}
	w.engines = append(w.engines, e)
	return e
}

// Own is our engine at one of its levels.
type Own struct {
	cfg   EngineConfig
	level search.Level
	pool  *Pool
	games games
}

// NewOwn makes our engine; several may share a pool.
func NewOwn(cfg EngineConfig, pool *Pool) (*Own, error) {
	levels := search.Levels()
	i := slices.IndexFunc(levels, func(l search.Level) bool { return l.Number == cfg.Level })
	if i < 0 {
		return nil, fmt.Errorf("engine: no level %d", cfg.Level)
	}
	g, err := newGames(cfg.Games)
	if err != nil {
		return nil, err
	}
	return &Own{cfg: cfg, level: levels[i], pool: pool, games: g}, nil
}

// Name returns the engine's name with its level.
func (o *Own) Name() string { return "Hoplite, " + o.level.Name }

// Plays reports whether the variant is in the catalogue.
func (o *Own) Plays(key string) bool {
	r, ok := o.games.rules(key)
	return ok && !r.Hides()
}

// Open prepares for a game.
func (o *Own) Open(_ context.Context, g Game) (Player, error) {
	start, err := o.games.startOf(g)
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	seed := fnv.New64a()
	fmt.Fprint(seed, g.ID, g.White)
	return &ownPlayer{
		engine: o, seed: seed.Sum64(),
		track: &track{start: start, game: rules.NewGame(start.Clone())},
	}, nil
}

// Close has nothing to end: the pool's workers hold only memory.
func (o *Own) Close() error { return nil }

type ownPlayer struct {
	engine *Own
	seed   uint64 // of the taste and the errors in this game
	track  *track
}

// Choose waits for a worker and searches.
func (p *ownPlayer) Choose(ctx context.Context, t Turn) (Choice, error) {
	start := time.Now()
	if err := p.track.follow(t.Moves); err != nil {
		return Choice{}, fmt.Errorf("engine: %w", err)
	}
	g := p.track.game
	if !g.Position().HasMove() {
		return Choice{}, ErrNoMove
	}
	o := p.engine
	w, err := o.pool.take(ctx)
	if err != nil {
		return Choice{}, err
	}
	defer o.pool.put(w)
	t.Clock.SinceReceived += time.Since(start)
	res := w.engine(g.Position().Rules()).Choose(ctx, g, o.level, o.limits(t.Clock, g.Position()), p.seed)
	if ctx.Err() != nil {
		return Choice{}, context.Cause(ctx)
	}
	if res.Best == 0 {
		return Choice{}, ErrNoMove
	}
	return Choice{
		Move:  notation.FormatMoveDistinct(g.Position(), res.Best),
		Score: &res.Score,
		Depth: res.Depth, Nodes: res.Nodes, Time: time.Since(start),
	}, nil
}

// limits turns clock and configuration into limits of the search. While others
// wait for a worker, time and nodes are shared out.
func (o *Own) limits(c Clock, pos *rules.Position) search.Limits {
	fixed := o.cfg.Limits
	crowd := o.pool.crowd()
	l := search.Limits{Depth: fixed.Depth, MoveTime: fixed.MoveTime.D()}
	if fixed.Nodes > 0 {
		l.Nodes = fixed.Nodes / uint64(min(crowd, leastShare))
	}
	if c.Limited {
		me := int(pos.Turn()) & 1
		l.Clock = &search.Clock{Overhead: o.cfg.Overhead.D()}
		l.Clock.Time[me], l.Clock.Time[1-me] = max(c.Mine-c.SinceReceived, time.Millisecond), c.Theirs
		l.Clock.Inc[me], l.Clock.Inc[1-me] = c.MyInc, c.TheirInc
	} else if l.MoveTime == 0 && l.Nodes == 0 && l.Depth == 0 {
		l.MoveTime = defaultMoveTime
	}
	if c.UnstartedMoveLimit > 0 && (l.MoveTime == 0 || l.MoveTime > c.UnstartedMoveLimit) {
		l.MoveTime = c.UnstartedMoveLimit
	}
	if crowd > 1 && l.MoveTime > 0 {
		l.MoveTime = max(l.MoveTime/time.Duration(crowd), leastMoveTime)
	}
	return l
}

// Close has nothing to end.
func (p *ownPlayer) Close() error { return nil }
