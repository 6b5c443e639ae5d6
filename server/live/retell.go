package live

import (
	"context"
	"errors"
	"sync"
	"time"

	"hoplite/server/fault"
	"hoplite/server/live/game"
	"hoplite/server/node"
	"hoplite/store"
)

// A node may die after a step is on disk and before the other nodes have heard
// that a game began or ended, and a connection that breaks loses what is on it.
// Of the games themselves nobody misses anything, because the versions tell. But
// for the players' own streams there is no version: so whoever takes the shards
// of a node that died tells again what happened in them lately, as the store has
// it, and so does a node whose connection was cut. Streams say once what they
// hear twice (lichess.Told).

// lateNotice is how long a connection may be dead before that is noticed.
const lateNotice = 30 * time.Second

// retelling is what has to be told again.
type retelling struct {
	mu     sync.Mutex
	since  time.Time // of nothing if zero
	shards map[int]bool
	all    bool // of every shard, also of those that are elsewhere
	wake   chan struct{}
}

// ask adds to what has to be told again: the shards', or with none all.
func (r *retelling) ask(since time.Time, shards ...int) {
	r.mu.Lock()
	if r.since.IsZero() || since.Before(r.since) {
		r.since = since
	}
	if r.shards == nil {
		r.shards = make(map[int]bool)
	}
	for _, shard := range shards {
		r.shards[shard] = true
	}
	r.all = r.all || len(shards) == 0
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

func (r *retelling) take() (since time.Time, wanted func(shard int) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	shards, all := r.shards, r.all
	since, r.since, r.shards, r.all = r.since, time.Time{}, nil, false
	return since, func(shard int) bool { return all || shards[shard] }
}

// retellTaken asks for what the nodes that had these shards may not have told.
// They have lived at most one lease before theirs ran out; another one is for
// clocks that differ.
func (s *Service) retellTaken(claims []store.Claim) {
	var shards []int
	var vacant time.Duration
	for _, c := range claims {
		if c.Epoch > 1 && !c.Handed {
			shards = append(shards, c.Shard)
			vacant = max(vacant, c.Vacant)
		}
	}
	if len(shards) > 0 {
		s.retold.ask(s.now().Add(-vacant-2*s.node.Lease()), shards...)
	}
}

// retellWhenAsked works on what has to be told again until ctx ends.
func (s *Service) retellWhenAsked(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.retold.wake:
		}
		since, wanted := s.retold.take()
		if since.IsZero() {
			continue
		}
		for s.retell(ctx, since, wanted) != nil && ctx.Err() == nil {
			select {
			case <-ctx.Done():
			case <-time.After(retryPause):
			}
		}
	}
}

// retell tells again which games have begun or ended since then: those of this
// node to all nodes, the others' to whoever listens here.
func (s *Service) retell(ctx context.Context, since time.Time, wanted func(shard int) bool) error {
	ids, err := s.store.GamesTurned(ctx, since)
	if err != nil {
		s.log.Warn("the latest games are not read", "error", err)
		return err
	}
	var elsewhere []string
	for _, id := range ids {
		if !wanted(store.ShardOf(id)) {
			continue
		}
		if _, mine := s.hold(id); !mine {
			elsewhere = append(elsewhere, id)
			continue
		}
		if err := s.later(ctx, id, s.retellHere(ctx, id)); err != nil {
			return err
		}
	}
	return s.retellElsewhere(ctx, elsewhere)
}

// retellHere tells of a game of this node, in the order of its steps.
func (s *Service) retellHere(ctx context.Context, id string) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.exit()
	e, err := s.takeLoaded(ctx, id, -1)
	if err != nil {
		return err
	}
	defer e.give()
	snap := e.snap.Load()
	s.tellPlayers(snap, turned(snap))
	return nil
}

// retellElsewhere tells those who listen here of games of other nodes.
func (s *Service) retellElsewhere(ctx context.Context, ids []string) error {
	games, err := s.store.GamesByID(ctx, ids)
	if err != nil {
		return err
	}
	for i := range games {
		heard := s.bus.Subscribers(GamesTopic) > 0
		for _, p := range games[i].Players {
			heard = heard || p.AccountID != "" && s.bus.Subscribers(UserTopic(p.AccountID)) > 0
		}
		if !heard {
			continue
		}
		snap, err := s.Snapshot(ctx, games[i].ID)
		if err != nil {
			if err := s.later(ctx, games[i].ID, err); err != nil {
				return err
			}
			continue
		}
		forPlayers(snap, func(topic string) { s.bus.Deliver(topic, turned(snap)) })
	}
	return nil
}

// later returns why a game could not be told of if it can be later. A game that
// cannot be read at all does not hold up the others.
func (s *Service) later(ctx context.Context, id string, err error) error {
	switch {
	case err == nil, errors.Is(err, node.ErrMoved): // then it is for whoever has it now
		return nil
	case ctx.Err() != nil, fault.KindOf(err) == fault.KindUnavailable:
		return err
	}
	s.log.Warn("a game is not told of again", "game", id, "error", err)
	return nil
}

// turned is the last turn of a game that its players are told of.
func turned(snap *game.Snapshot) any {
	if snap.Over() {
		return GameFinish{snap}
	}
	return GameStart{snap}
}
