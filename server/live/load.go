package live

import (
	"context"
	"errors"
	"fmt"

	"hoplite/server/fault"
	"hoplite/server/live/game"
	"hoplite/server/node"
	"hoplite/store"
)

// takeLoaded returns the game's entry with its turn taken and its state there,
// or node.ErrMoved if another node has the game.
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
	epoch, mine := s.hold(e.id)
	if !mine {
		return node.ErrMoved
	}
	e.told = nil
	if e.epoch != epoch {
		s.own(e, epoch)
	}
	if e.state != nil {
		return nil
	}
	g, err := s.store.GameByID(ctx, e.id)
	if errors.Is(err, store.ErrNotFound) {
		s.settle(e.id)
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
	p := s.pauseOf(e.id)
	if e.failedAt.After(p.since) {
		p = pause{since: e.failedAt}
	}
	state.Resume(turnStart(&g, p), diffsOf(&g))
	s.seats.restore(state, e.id, s.now())
	e.state = state
	s.catchUp(e, log)
	if s.node != nil {
		e.owned.Store(epoch)
		s.unfollow(e.id)
	}
	return nil
}

// catchUp makes a loaded state public. If a commit was reported as failed but
// stored nevertheless, the subscribers get its events now.
func (s *Service) catchUp(e *entry, log []store.Action) {
	snap := e.state.Snapshot()
	before := e.snap.Load()
	var events []game.Event
	finished := false
	if e.hasPublic && snap.Version > e.published {
		finished = snap.Over() && (before == nil || !before.Over())
		events = s.eventsOf(snap, log, e.published)
	}
	s.publish(e, snap, events)
	s.announce(e, before, snap)
	s.schedule(snap)
	if s.settle(e.id) && !snap.Over() {
		s.tellPlayers(snap, GameStart{snap})
	}
	if finished {
		s.tellPlayers(snap, GameFinish{snap})
	}
}

// eventsOf returns the events of the rows after a version, up to that of snap,
// each with the state that it made.
func (s *Service) eventsOf(snap *game.Snapshot, log []store.Action, after uint64) []game.Event {
	r, err := game.RulesOf(s.catalogue, snap.Variant)
	var rows []game.Row
	if err == nil {
		rows, err = rowsOf(log[:min(uint64(len(log)), snap.Version)], 0)
	}
	var events []game.Event
	if err == nil {
		events, err = game.EventsOf(snap.Setup, r, rows, int(after))
	}
	if err != nil {
		s.log.Error("a game does not replay", "game", snap.ID, "error", err)
		return nil
	}
	game.Align(events, snap)
	return events
}

// storeFault turns a failed read into what the caller may know.
func storeFault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fault.Unavailable("The game cannot be read now, please try again").Because(err)
}
