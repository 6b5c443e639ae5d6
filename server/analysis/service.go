// Package analysis lets people ask the engine: what it thinks of a position, and of every position of a game that is
// over. What is asked waits in the store, where the workers of any node take it up; an analysis whose worker is gone is
// taken up again.
package analysis

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"hoplite/server/bus"
	"hoplite/server/lichess"
	"hoplite/server/live/game"
	"hoplite/server/stream"
	"hoplite/store"
)

// Config bounds the work; zero values stand for the usual ones.
type Config struct {
	// Workers is how many searches run at the same time: half the cores, at least one. Without any, where it is
	// negative, nothing new is taken.
	Workers int
	// Waiting is how many analyses may be open, and PerAccount how many of them one account's.
	Waiting, PerAccount int
}

const (
	usualWaiting    = 200
	usualPerAccount = 5
	// hash is MiB for each worker.
	hash = 16
	// lookEvery is how often a worker without work looks for what other nodes have taken.
	lookEvery = 2 * time.Second
	// tellEvery is how often a worker tells how far it has come.
	tellEvery = 500 * time.Millisecond
	// lostAfter is when a worker that does not tell counts as gone.
	lostAfter = 2 * time.Minute
	// keepEvals is how many evaluations of positions are kept, and keepPositions for how long the analyses of positions
	// can be asked for. Those of games stay.
	keepEvals     = 200_000
	keepPositions = 24 * time.Hour
	trimEvery     = time.Hour
)

// Live knows what is being played.
type Live interface {
	Ongoing(ctx context.Context, accountID string) ([]*game.Snapshot, error)
}

// Records is what the service reads and writes.
type Records interface {
	GameByID(ctx context.Context, id string) (store.Game, error)
	store.Analyses
}

// Deps is what the service works with; all fields are required.
type Deps struct {
	Store   Records
	Live    Live
	Games   *lichess.Games
	Bus     *bus.Bus
	Streams *stream.Hub
	Now     func() time.Time
	Log     *slog.Logger
}

// Service runs the queue and its workers.
type Service struct {
	Deps
	config Config
	wake   chan struct{} // a worker of this node may find something
}

// New returns the service. Run must run for anything to be looked at.
func New(c Config, d Deps) *Service {
	if c.Workers == 0 {
		c.Workers = max(1, runtime.GOMAXPROCS(0)/2)
	}
	if c.Waiting <= 0 {
		c.Waiting = usualWaiting
	}
	if c.PerAccount <= 0 {
		c.PerAccount = usualPerAccount
	}
	return &Service{Deps: d, config: c, wake: make(chan struct{}, 1)}
}

// Changed says that an analysis has come on, or has ended.
type Changed struct {
	ID string `json:"id"`
}

// topic is where the changes of an analysis are published.
func topic(id string) string { return "analysis/" + id }

// Run works until ctx ends, and waits for its workers then. What they were at is taken up again later.
func (s *Service) Run(ctx context.Context) error {
	var workers sync.WaitGroup
	defer workers.Wait()
	for range s.config.Workers {
		workers.Go(func() { s.work(ctx) })
	}
	trim := time.NewTicker(trimEvery)
	defer trim.Stop()
	for {
		select {
		case <-trim.C:
			if err := s.Store.TrimAnalyses(ctx, keepEvals, s.Now().Add(-keepPositions)); err != nil && ctx.Err() == nil {
				s.Log.Warn("old analyses stay", "error", err)
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// work takes up one analysis after the other.
func (s *Service) work(ctx context.Context) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	w := &worker{s: s}
	for ctx.Err() == nil {
		now := s.Now().Truncate(time.Millisecond) // as the store keeps it
		a, err := s.Store.ClaimAnalysis(ctx, now, now.Add(-lostAfter))
		if err == nil {
			s.hurry() // there may be more, for the others
			w.do(ctx, a)
			continue
		}
		if !errors.Is(err, store.ErrNotFound) && ctx.Err() == nil {
			s.Log.Warn("the queue of analyses cannot be read", "error", err)
		}
		select {
		case <-s.wake:
		case <-look.C:
		case <-ctx.Done():
		}
	}
}

// hurry lets a worker look at once.
func (s *Service) hurry() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
