// Package live owns the games that are being played: it orders the actions of
// each game, makes them durable in batches, and only then answers and tells
// everybody. Nothing is known outside that is not on the disk.
package live

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/live/game"
	"hoplite/server/node"
	"hoplite/server/rating"
	"hoplite/store"
)

// Deps is what a Service needs. Now and Log may be nil.
type Deps struct {
	Store     store.Store
	Catalogue game.Catalogue
	Bus       *bus.Bus
	Now       func() time.Time // time.Now if nil
	Log       *slog.Logger     // silent if nil
	Watch     Watcher          // may be nil
	// Beat is how often the service notes that it is alive, and so how exactly
	// it knows the length of an outage afterwards; 5 s if 0.
	Beat time.Duration
	// Node is this server among those that share the games; nil if it has all
	// of them.
	Node *node.Node
}

// GameStart is published on the topic of each player when a game starts.
type GameStart struct{ Snapshot *game.Snapshot }

// GameFinish is published on the topic of each player when a game has ended,
// by an abort too.
type GameFinish struct{ Snapshot *game.Snapshot }

// GameTopic is the bus topic that carries the game.Event values of one game.
func GameTopic(gameID string) string { return "game/" + gameID }

// GamesTopic is the bus topic that carries GameStart and GameFinish of all
// games.
const GamesTopic = "games"

// UserTopic is the bus topic of one account.
func UserTopic(accountID string) string { return "user/" + accountID }

// Service is the owner of all live games, or of those of its node's shards; it
// finds the others at their owners. Its methods may be called from any
// goroutine. They wait until Run has begun, and return fault.Unavailable once
// it ends.
type Service struct {
	store     store.Store
	catalogue game.Catalogue
	bus       *bus.Bus
	now       func() time.Time
	log       *slog.Logger
	watch     Watcher
	beatEvery time.Duration
	node      *node.Node // nil without others

	games   *stripes
	commits *committer
	alarms  *alarms
	seats   *attendance

	doubts struct { // games that were made, if the store did not fail
		mu  sync.Mutex
		ids map[string]bool
	}

	pauses  pauses
	follows following
	opened  sync.Once
	mayOpen chan struct{} // closed when the node may have games
	feedNow chan struct{} // deadlines are to be read
	retold  retelling

	ready   chan struct{} // closed when the service is up
	up      time.Time     // when that was; set before ready is closed
	gate    sync.RWMutex  // held for reading by every action
	stopped bool          // guarded by gate
}

// New returns a service, which answers once Run has begun.
func New(d Deps) *Service {
	s := &Service{
		store:     d.Store,
		catalogue: d.Catalogue,
		bus:       d.Bus,
		now:       d.Now,
		log:       d.Log,
		watch:     d.Watch,
		beatEvery: d.Beat,
		node:      d.Node,
		games:     newStripes(),
		alarms:    newAlarms(),
		seats:     newAttendance(),
		follows:   following{open: make(map[string]*ear)},
		mayOpen:   make(chan struct{}),
		feedNow:   make(chan struct{}, 1),
		retold:    retelling{wake: make(chan struct{}, 1)},
		ready:     make(chan struct{}),
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.beatEvery <= 0 {
		s.beatEvery = defaultBeat
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.watch == nil {
		s.watch = unwatched{}
	}
	s.commits = newCommitter(d.Store, rating.Game, s.log, s.watch)
	if s.node != nil {
		s.node.Use(s)
		s.serve(s.node)
	}
	return s
}

var (
	errNoGame   = fault.NotFound("No such game")
	errStopping = fault.Unavailable("The server is stopping, please try again")
	errNoNews   = fault.Unavailable("The game cannot be followed now, please try again")
	errStore    = fault.Unavailable("The action could not be stored, please try again")
)

// enter waits until the service is up and keeps it from stopping until exit.
func (s *Service) enter(ctx context.Context) error {
	select {
	case <-s.ready:
	default:
		select {
		case <-s.ready:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	s.gate.RLock()
	if s.stopped {
		s.gate.RUnlock()
		return errStopping
	}
	return nil
}

func (s *Service) exit() { s.gate.RUnlock() }

// Act does one action and returns once it is durable. It refuses with
// *fault.Error; after fault.Unavailable the action may or may not have been
// done, and repeating it with the same id is safe. Actions of one game are
// done in the order in which they arrive.
func (s *Service) Act(ctx context.Context, gameID string, a game.Action) (game.Ack, error) {
	arrived := s.now()
	for {
		ack, err := s.actHere(ctx, gameID, a, arrived)
		if !errors.Is(err, node.ErrMoved) {
			return ack, err
		}
		if ack, err = s.actThere(ctx, gameID, &a); !errors.Is(err, node.ErrHere) {
			return ack, err
		}
	}
}

// actHere does an action in a game of this node. It returns node.ErrMoved, and
// has done nothing, if another node has the game.
func (s *Service) actHere(ctx context.Context, gameID string, a game.Action, arrived time.Time) (game.Ack, error) {
	if err := s.enter(ctx); err != nil {
		return game.Ack{}, err
	}
	defer s.exit()
	ack, _, err := s.act(ctx, gameID, a, arrived)
	return ack, err
}

// act returns also what the other nodes were told.
func (s *Service) act(ctx context.Context, gameID string, a game.Action, arrived time.Time) (game.Ack, []*news, error) {
	e, err := s.takeLoaded(ctx, gameID, a.Player)
	if err != nil {
		return game.Ack{}, nil, err
	}
	defer e.give()
	ack, err := s.actIn(e, a, arrived)
	return ack, e.told, err
}

// actIn does an action in a game whose turn the caller has.
func (s *Service) actIn(e *entry, a game.Action, arrived time.Time) (game.Ack, error) {
	if a.Player >= 0 && a.Kind != game.Gone && a.Kind != game.Back {
		s.seen(e, a.Player)
	}
	if _, repeated := e.state.Answered(a.Player, a.ID); !repeated && a.Kind != game.Timeout {
		// Whoever comes after the deadline finds the game over.
		if due, ok := e.state.Deadline(); ok && !arrived.Before(due) {
			if _, err := s.step(e, game.Action{Kind: game.Timeout, Player: -1}, arrived); err != nil {
				return game.Ack{}, err
			}
		}
	}
	return s.step(e, a, arrived)
}

// step applies the action, commits and publishes it. The caller has the turn,
// and the game is loaded.
func (s *Service) step(e *entry, a game.Action, arrived time.Time) (game.Ack, error) {
	st, err := e.state.Apply(a, arrived)
	if err != nil {
		if _, refused := errors.AsType[*fault.Error](err); !refused {
			s.log.Error("action left a game in doubt", "game", e.id, "error", err)
			s.forget(e)
		}
		return game.Ack{}, err
	}
	var diff game.PerPlayer[*int]
	if len(st.Rows) > 0 {
		step := stepOf(st)
		step.Epoch = e.epoch
		result, err := s.commits.commit(step)
		if err != nil {
			s.forget(e)
			return game.Ack{}, errStore.Because(err)
		}
		if result.Lost {
			e.state = nil // it has gone further than what is stored
			return game.Ack{}, node.ErrMoved
		}
		if result.Rated {
			diff = game.PerPlayer[*int]{&result.Diffs[0], &result.Diffs[1]}
		}
	}
	snap := s.release(e, st, diff)
	if len(st.Rows) > 0 {
		s.watch.Acted(a.Kind)
	}
	return game.Ack{Version: st.Version, Note: st.Note, Snapshot: snap}, nil
}

// release publishes a step that is durable.
func (s *Service) release(e *entry, st *game.Step, diff game.PerPlayer[*int]) *game.Snapshot {
	events, snap := e.state.Release(st, s.now(), diff)
	if len(events) == 0 {
		return snap
	}
	s.publish(e, snap, events)
	s.spread(e, st.Rows, events, snap)
	s.schedule(snap)
	if st.Ended {
		s.watch.Ended(snap.Status)
		s.seats.forgetGone(e.id)
		s.tellPlayers(snap, GameFinish{snap})
	}
	return snap
}

// publish makes the snapshot the present state and tells the subscribers.
func (s *Service) publish(e *entry, snap *game.Snapshot, events []game.Event) {
	topic := GameTopic(e.id)
	e.pub.Lock()
	defer e.pub.Unlock()
	e.snap.Store(snap)
	for _, ev := range events {
		s.bus.Deliver(topic, ev) // other nodes hear of it by spread
	}
	e.published, e.hasPublic = snap.Version, true
}

func (s *Service) tellPlayers(snap *game.Snapshot, ev any) {
	forPlayers(snap, func(topic string) { s.bus.Publish(topic, ev) })
}

// forPlayers calls f with the topics on which the beginning and the end of a
// game are told.
func forPlayers(snap *game.Snapshot, f func(topic string)) {
	f(GamesTopic)
	for i, p := range snap.Players {
		if p.AccountID == "" || i > 0 && p.AccountID == snap.Players[0].AccountID {
			continue
		}
		f(UserTopic(p.AccountID))
	}
}

// forget drops the state of a game whose last step failed; it is loaded again
// from the log at its next action. Readers keep the last committed state.
func (s *Service) forget(e *entry) {
	e.state = nil
	e.failedAt = s.now()
	// The step may have been stored after all: look soon, so that subscribers
	// do not wait for the next action.
	s.alarms.set(alarmKey{e.id, alarmDue}, e.failedAt.Add(retryPause))
}
