package live

import (
	"context"
	"errors"
	"slices"
	"time"

	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/live/game"
	"hoplite/server/node"
)

// Snapshot returns the last committed state of a game; fault.NotFound "No such
// game" if there is none.
func (s *Service) Snapshot(ctx context.Context, gameID string) (*game.Snapshot, error) {
	if snap := s.inMemory(gameID); snap != nil {
		return snap, nil
	}
	snap, err := s.snapshotGated(ctx, gameID)
	if errors.Is(err, node.ErrMoved) {
		return s.snapshotThere(ctx, gameID)
	}
	return snap, err
}

// inMemory is the state of a game that this node has, nil if it is not loaded.
func (s *Service) inMemory(gameID string) *game.Snapshot {
	epoch, mine := s.hold(gameID)
	if !mine {
		return nil
	}
	e := s.games.get(gameID)
	if e == nil || e.owned.Load() != epoch {
		return nil
	}
	return e.snap.Load()
}

func (s *Service) snapshotGated(ctx context.Context, gameID string) (*game.Snapshot, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.exit()
	return s.snapshotHere(ctx, gameID)
}

// snapshotHere is the state of a game of this node, else node.ErrMoved.
func (s *Service) snapshotHere(ctx context.Context, gameID string) (*game.Snapshot, error) {
	if snap := s.inMemory(gameID); snap != nil {
		return snap, nil
	}
	e, err := s.takeLoaded(ctx, gameID, -1)
	if err != nil {
		return nil, err
	}
	defer e.give()
	return e.snap.Load(), nil
}

// subscriptionBuffer is how many events a reader may be behind.
const subscriptionBuffer = 64

// Subscribe returns the last committed state and a subscription that carries
// every later game.Event and no earlier one. The caller must close it.
func (s *Service) Subscribe(ctx context.Context, gameID string) (*game.Snapshot, *bus.Subscription, error) {
	for {
		snap, sub, err := s.subscribeHere(ctx, gameID)
		if errors.Is(err, node.ErrMoved) {
			snap, sub, err = s.subscribeThere(ctx, gameID)
		}
		if err != nil || sub != nil {
			return snap, sub, err
		}
	}
}

func (s *Service) subscribeHere(ctx context.Context, gameID string) (*game.Snapshot, *bus.Subscription, error) {
	if err := s.enter(ctx); err != nil {
		return nil, nil, err
	}
	defer s.exit()
	for {
		epoch, mine := s.hold(gameID)
		if !mine {
			return nil, nil, node.ErrMoved
		}
		if e := s.games.get(gameID); e != nil && e.snap.Load() != nil && e.owned.Load() == epoch {
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

// Version returns the version of a game's last committed state if the game is in
// memory. It never waits.
func (s *Service) Version(gameID string) (version uint64, ok bool) {
	if e := s.games.get(gameID); e != nil {
		if snap := e.snap.Load(); snap != nil {
			return snap.Version, true
		}
	}
	return 0, false
}

// Since returns the last committed state of a game and every event between a
// version and that state, read from the log. It returns fault.NotFound if the
// game does not exist, and fault.Invalid if it has not come to that version.
// What happens afterwards is for a subscription that was made before.
func (s *Service) Since(ctx context.Context, gameID string, version uint64) ([]game.Event, *game.Snapshot, error) {
	snap, err := s.Snapshot(ctx, gameID)
	if err != nil || version == snap.Version {
		return nil, snap, err
	}
	if version > snap.Version {
		return nil, snap, errNoVersion
	}
	log, err := s.store.LogOf(ctx, gameID, 0)
	if err != nil {
		return nil, snap, storeFault(ctx, err)
	}
	events := s.eventsOf(snap, log, version)
	if uint64(len(events)) != snap.Version-version {
		return nil, snap, fault.Unavailable("The game cannot be read now, please try again")
	}
	return events, snap, nil
}

var errNoVersion = fault.Invalid("The game has not come to that version")

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
		left := snap.ClocksAt(now)[max(p, 0)].Left
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
	return snap.ChatFor(game.Spectator, room), nil
}
