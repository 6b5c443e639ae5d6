// Package live owns the games that are being played: it orders the actions of
// each game, makes them durable in batches, and only then answers and tells
// everybody. Nothing is known outside that is not on the disk.
package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
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
	// Beat is how often the service notes that it is alive, and so how exactly
	// it knows the length of an outage afterwards; 5 s if 0.
	Beat time.Duration
}

// GameStart is published on the topic of each player when a game starts.
type GameStart struct{ Snapshot *game.Snapshot }

// GameFinish is published on the topic of each player when a game has ended,
// by an abort too.
type GameFinish struct{ Snapshot *game.Snapshot }

// GameTopic is the bus topic that carries the game.Event values of one game.
func GameTopic(gameID string) string { return "game/" + gameID }

// UserTopic is the bus topic of one account.
func UserTopic(accountID string) string { return "user/" + accountID }

// Service is the owner of all live games. Its methods may be called from any
// goroutine. They wait until Run has begun, and return fault.Unavailable once
// it ends.
type Service struct {
	store     store.Store
	catalogue game.Catalogue
	bus       *bus.Bus
	now       func() time.Time
	log       *slog.Logger
	beatEvery time.Duration

	games   *stripes
	commits *committer
	alarms  *alarms
	seats   *attendance

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
		beatEvery: d.Beat,
		games:     newStripes(),
		alarms:    newAlarms(),
		seats:     newAttendance(),
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
	s.commits = newCommitter(d.Store, rating.Game, s.log)
	return s
}

// InMemory returns how many games are loaded.
func (s *Service) InMemory() int { return s.games.len() }

var (
	errNoGame   = fault.NotFound("No such game")
	errStopping = fault.Unavailable("The server is stopping, please try again")
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
	if err := s.enter(ctx); err != nil {
		return game.Ack{}, err
	}
	defer s.exit()
	return s.act(ctx, gameID, a, arrived)
}

func (s *Service) act(ctx context.Context, gameID string, a game.Action, arrived time.Time) (game.Ack, error) {
	e, err := s.takeLoaded(ctx, gameID, a.Player)
	if err != nil {
		return game.Ack{}, err
	}
	defer e.give()
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
	var diff [2]*int
	if len(st.Rows) > 0 {
		result, err := s.commits.commit(stepOf(st))
		if err != nil {
			s.forget(e)
			return game.Ack{}, errStore.Because(err)
		}
		if result.Rated {
			diff = [2]*int{&result.Diffs[0], &result.Diffs[1]}
		}
	}
	snap := s.release(e, st, diff)
	return game.Ack{Version: st.Version, Note: st.Note, Snapshot: snap}, nil
}

// release publishes a step that is durable.
func (s *Service) release(e *entry, st *game.Step, diff [2]*int) *game.Snapshot {
	events, snap := e.state.Release(st, s.now(), diff)
	if len(events) == 0 {
		return snap
	}
	s.publish(e, snap, events)
	s.schedule(snap)
	if st.Ended {
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
		s.bus.Publish(topic, ev)
	}
	e.published, e.hasPublic = snap.Version, true
}

func (s *Service) tellPlayers(snap *game.Snapshot, ev any) {
	for i, p := range snap.Players {
		if p.AccountID == "" || i > 0 && p.AccountID == snap.Players[0].AccountID {
			continue
		}
		s.bus.Publish(UserTopic(p.AccountID), ev)
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

// takeLoaded returns the game's entry with its turn taken and its state there.
func (s *Service) takeLoaded(ctx context.Context, gameID string, player int) (*entry, error) {
	for {
		e := s.games.open(gameID, s.now())
		ok, err := e.take(ctx, player, s.now())
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if err := s.load(ctx, e); err != nil {
			if e.snap.Load() == nil {
				e.kill()
				s.games.drop(e)
			}
			e.give()
			return nil, err
		}
		return e, nil
	}
}

// load makes sure that the entry has its state. The caller has the turn.
func (s *Service) load(ctx context.Context, e *entry) error {
	if e.state != nil {
		return nil
	}
	g, err := s.store.GameByID(ctx, e.id)
	if errors.Is(err, store.ErrNotFound) {
		return errNoGame
	}
	if err != nil {
		return storeFault(ctx, err)
	}
	log, err := s.store.LogOf(ctx, e.id, 0)
	if err != nil {
		return storeFault(ctx, err)
	}
	state, err := rebuild(s.catalogue, &g, log)
	if err != nil {
		s.log.Error("a game does not replay", "game", e.id, "error", err)
		return fmt.Errorf("load: %w", err)
	}
	notBefore := s.up
	if e.failedAt.After(notBefore) {
		notBefore = e.failedAt
	}
	state.Resume(turnStart(&g, notBefore), diffsOf(&g))
	s.seats.restore(state, e.id, s.now())
	e.state = state
	s.catchUp(e, log)
	return nil
}

// catchUp makes a loaded state public. If a commit was reported as failed but
// stored nevertheless, the subscribers get its events now.
func (s *Service) catchUp(e *entry, log []store.Action) {
	snap := e.state.Snapshot()
	var events []game.Event
	finished := false
	if e.hasPublic && snap.Version > e.published {
		before := e.snap.Load()
		finished = snap.Over() && (before == nil || !before.Over())
		events = missed(snap, log, e.published)
	}
	s.publish(e, snap, events)
	s.schedule(snap)
	if finished {
		s.tellPlayers(snap, GameFinish{snap})
	}
}

// missed returns the events of the rows after a version; all of them show the
// present state.
func missed(snap *game.Snapshot, log []store.Action, after uint64) []game.Event {
	var events []game.Event
	chats := snap.AllChat()
	n := 0 // chat rows so far
	for _, row := range log {
		ev := game.Event{Version: uint64(row.Seq), Kind: game.EventState, Snapshot: snap}
		if game.RowKind(row.Kind) == game.RowChat {
			line := chats[n]
			n++
			ev.Kind, ev.Chat = game.EventChat, &line
		}
		if ev.Version > after {
			events = append(events, ev)
		}
	}
	return events
}

// storeFault turns a failed read into what the caller may know.
func storeFault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fault.Unavailable("The game cannot be read now, please try again").Because(err)
}

// Snapshot returns the last committed state of a game; fault.NotFound "No such
// game" if there is none.
func (s *Service) Snapshot(ctx context.Context, gameID string) (*game.Snapshot, error) {
	if e := s.games.get(gameID); e != nil {
		if snap := e.snap.Load(); snap != nil {
			return snap, nil
		}
	}
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.exit()
	e, err := s.takeLoaded(ctx, gameID, -1)
	if err != nil {
		return nil, err
	}
	defer e.give()
	return e.snap.Load(), nil
}

// subscriptionBuffer is how many events a reader may be behind.
const subscriptionBuffer = 256

// Subscribe returns the last committed state and a subscription that carries
// every later game.Event and no earlier one. The caller must close it.
func (s *Service) Subscribe(ctx context.Context, gameID string) (*game.Snapshot, *bus.Subscription, error) {
	if err := s.enter(ctx); err != nil {
		return nil, nil, err
	}
	defer s.exit()
	for {
		if e := s.games.get(gameID); e != nil && e.snap.Load() != nil {
			if snap, sub, ok := s.join(e); ok {
				return snap, sub, nil
			}
		}
		e, err := s.takeLoaded(ctx, gameID, -1)
		if err != nil {
			return nil, nil, err
		}
		e.give()
	}
}

// join subscribes between two publications. It returns false if the entry is
// dead, because its successor may publish meanwhile.
func (s *Service) join(e *entry) (*game.Snapshot, *bus.Subscription, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.dead {
		return nil, nil, false
	}
	e.pub.Lock()
	defer e.pub.Unlock()
	return e.snap.Load(), s.bus.Subscribe(GameTopic(e.id), subscriptionBuffer), true
}

// Ongoing returns the account's games that are not over: those in which it is
// to move first, and among them the ones with the least time left.
func (s *Service) Ongoing(ctx context.Context, accountID string) ([]*game.Snapshot, error) {
	rows, err := s.store.OngoingOf(ctx, accountID)
	if err != nil {
		return nil, storeFault(ctx, err)
	}
	var list []*game.Snapshot
	for i := range rows {
		snap, err := s.Snapshot(ctx, rows[i].ID)
		if fault.KindOf(err) == fault.KindNotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !snap.Over() {
			list = append(list, snap)
		}
	}
	now := s.now()
	urgency := func(snap *game.Snapshot) time.Duration {
		p := snap.PlayerOf(accountID)
		left := snap.ClocksAt(now)[max(p, 0)]
		if p != snap.Turn {
			left += game.NoLimit // after all games in which it is the account's turn
		}
		return left
	}
	slices.SortStableFunc(list, func(a, b *game.Snapshot) int {
		return int((urgency(a) - urgency(b)) / time.Millisecond)
	})
	return list, nil
}

// ChatLog returns the lines of one room of a game, oldest first.
func (s *Service) ChatLog(ctx context.Context, gameID, room string) ([]game.ChatLine, error) {
	snap, err := s.Snapshot(ctx, gameID)
	if err != nil {
		return nil, err
	}
	return snap.ChatLines(room), nil
}

// Create makes the game durable and announces it to both players. Missing
// fields of the setup are filled in. With an id that a game with the same
// players has already, it returns that game, so that a repetition after a
// failure is safe; with any other id that is taken it returns fault.Conflict.
func (s *Service) Create(ctx context.Context, su game.Setup) (*game.Snapshot, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.exit()
	r, err := game.RulesOf(s.catalogue, su.Variant)
	if err != nil {
		return nil, err
	}
	if err := s.complete(&su, r.Starts()); err != nil {
		return nil, err
	}
	made := su.ID == ""
	for {
		if made {
			su.ID = NewID()
		}
		snap, err := s.create(ctx, su)
		if made && fault.KindOf(err) == fault.KindConflict {
			continue
		}
		if err == nil && su.RematchOf != "" {
			s.linkRematch(ctx, su.RematchOf, su.ID)
		}
		return snap, err
	}
}

// complete fills in what a setup leaves open.
func (s *Service) complete(su *game.Setup, starts int) error {
	if su.Control.Kind > clock.Correspondence {
		return fault.Field("clock", "Unknown time control")
	}
	if su.Created.IsZero() {
		su.Created = s.now()
	}
	su.Created = su.Created.UTC().Truncate(time.Millisecond)
	if su.Speed == "" {
		su.Speed = string(su.Control.Speed())
	}
	if su.Perf == "" {
		su.Perf = clock.PerfKey(su.Variant, clock.Speed(su.Speed))
	}
	if su.StartNumber < 0 {
		su.StartNumber = 0
		if su.InitialFEN == "" && starts > 1 {
			su.StartNumber = randomInt(starts)
		}
	}
	return nil
}

func (s *Service) create(ctx context.Context, su game.Setup) (*game.Snapshot, error) {
	for {
		e := s.games.open(su.ID, s.now())
		ok, err := e.take(ctx, -1, s.now())
		if err != nil {
			return nil, err
		}
		if ok {
			snap, err := s.createIn(ctx, e, su)
			if err != nil && e.snap.Load() == nil {
				e.kill()
				s.games.drop(e)
			}
			e.give()
			return snap, err
		}
	}
}

// createIn stores a new game. The caller has the turn of its entry.
func (s *Service) createIn(ctx context.Context, e *entry, su game.Setup) (*game.Snapshot, error) {
	known := e.hasPublic
	err := s.load(ctx, e)
	if err == nil {
		snap := e.snap.Load()
		if !sameGame(snap.Setup, &su) {
			return nil, fault.Conflict("This game id is taken")
		}
		if !known && !snap.Over() {
			// An earlier attempt was stored and reported as failed.
			s.tellPlayers(snap, GameStart{snap})
		}
		return snap, nil
	}
	if err != errNoGame {
		return nil, err
	}
	r, err := game.RulesOf(s.catalogue, su.Variant)
	if err != nil {
		return nil, err
	}
	state, err := game.New(&su, r)
	if err != nil {
		return nil, err
	}
	record := recordOf(state.Snapshot())
	if _, err := s.commits.commit(store.Step{New: &record}); err != nil {
		return nil, errStore.Because(err)
	}
	state.Resume(s.now(), [2]*int{})
	e.state = state
	snap := state.Snapshot()
	s.publish(e, snap, nil)
	s.schedule(snap)
	s.tellPlayers(snap, GameStart{snap})
	return snap, nil
}

// linkRematch tells the old game where the players went. Nobody depends on it.
func (s *Service) linkRematch(ctx context.Context, old, next string) {
	a := game.Action{Kind: game.Rematched, Player: -1, Rematch: next}
	if _, err := s.act(ctx, old, a, s.now()); err != nil {
		s.log.Info("rematch not linked", "game", old, "rematch", next, "error", err)
	}
}
