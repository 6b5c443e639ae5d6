package live

import (
	"context"
	"errors"
	"time"

	"hoplite/engine/rules"
	"hoplite/server/fault"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/server/node"
	"hoplite/store"
)

// Create makes the game durable and announces it to both players. Missing
// fields of the setup are filled in. With an id that a game with the same
// players has already, it returns that game, so that a repetition after a
// failure is safe; with any other id that is taken it returns fault.Conflict.
func (s *Service) Create(ctx context.Context, su game.Setup) (*game.Snapshot, error) {
	r, err := game.RulesOf(s.catalogue, su.Variant)
	if err != nil {
		return nil, err
	}
	if err := s.complete(&su, r); err != nil {
		return nil, err
	}
	made := su.ID == ""
	for {
		if made {
			su.ID = NewID()
		}
		if su.Seed != "" {
			su.Commitment = game.Commitment(su.ID, su.Seed)
		}
		snap, err := s.createAnywhere(ctx, su)
		if made && fault.KindOf(err) == fault.KindConflict {
			continue
		}
		if err == nil && su.RematchOf != "" {
			s.linkRematch(ctx, su.RematchOf, su.ID)
		}
		return snap, err
	}
}

// createAnywhere makes the game at the node that has its shard.
func (s *Service) createAnywhere(ctx context.Context, su game.Setup) (*game.Snapshot, error) {
	for {
		snap, err := s.createHere(ctx, su)
		if !errors.Is(err, node.ErrMoved) {
			return snap, err
		}
		if snap, err = s.createThere(ctx, su); !errors.Is(err, node.ErrHere) {
			return snap, err
		}
	}
}

func (s *Service) createHere(ctx context.Context, su game.Setup) (*game.Snapshot, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.exit()
	return s.create(ctx, su)
}

// complete fills in what a setup leaves open.
func (s *Service) complete(su *game.Setup, r *rules.Rules) error {
	if su.Control.Kind > clock.Byoyomi {
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
		su.Perf = game.PerfKey(s.catalogue, su.Variant, clock.Speed(su.Speed))
	}
	su.Rated = su.Rated && r.Sides() == 2 // nobody has a rating against several
	if r.Chance() && su.Seed == "" && su.InitialFEN == "" {
		su.Seed = newSeed()
	}
	if su.StartNumber < 0 {
		su.StartNumber = r.UsualStart()
		if su.InitialFEN == "" && r.Shuffled() {
			su.StartNumber = randomInt(r.Starts())
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
	err := s.load(ctx, e)
	if err == nil {
		snap := e.snap.Load()
		if !sameGame(snap.Setup, &su) {
			return nil, fault.Conflict("This game id is taken")
		}
		if s.node != nil && snap.Version == 0 && !snap.Over() {
			// The node that made it may have died before it could tell anybody.
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
	result, err := s.commits.commit(store.Step{New: &record, Epoch: e.epoch})
	if err != nil {
		s.doubt(su.ID)
		return nil, errStore.Because(err)
	}
	if result.Lost {
		return nil, node.ErrMoved
	}
	state.Resume(s.now(), game.PerPlayer[*int]{})
	e.state = state
	snap := state.Snapshot()
	s.publish(e, snap, nil)
	e.owned.Store(e.epoch)
	s.schedule(snap)
	s.watch.Started(snap.Variant)
	s.tellPlayers(snap, GameStart{snap})
	return snap, nil
}

// doubt notes that a new game may have been stored although the store said that
// it failed. Whoever finds it announces it; soon that is checkDue.
func (s *Service) doubt(gameID string) {
	s.doubts.mu.Lock()
	if s.doubts.ids == nil {
		s.doubts.ids = make(map[string]bool)
	}
	s.doubts.ids[gameID] = true
	s.doubts.mu.Unlock()
	s.alarms.set(alarmKey{gameID, alarmDue}, s.now().Add(retryPause))
}

func (s *Service) doubtful(gameID string) bool {
	s.doubts.mu.Lock()
	defer s.doubts.mu.Unlock()
	return s.doubts.ids[gameID]
}

// settle ends the doubt and reports whether there was one.
func (s *Service) settle(gameID string) bool {
	s.doubts.mu.Lock()
	defer s.doubts.mu.Unlock()
	was := s.doubts.ids[gameID]
	delete(s.doubts.ids, gameID)
	return was
}

// linkRematch tells the old game where the players went. Nobody depends on it.
func (s *Service) linkRematch(ctx context.Context, old, next string) {
	a := game.Action{Kind: game.Rematched, Player: -1, Rematch: next}
	if _, err := s.Act(ctx, old, a); err != nil {
		s.log.Info("rematch not linked", "game", old, "rematch", next, "error", err)
	}
}
