package live

import (
	"context"
	"errors"
	"sync"
	"time"

	"hoplite/server/live/game"
	"hoplite/server/node"
	"hoplite/store"
)

// pauses says, by shard, from when on turns are counted that the store knows of.
type pauses struct {
	mu   sync.Mutex
	list [store.Shards]pause
}

// pause is the time for which nobody had a shard.
type pause struct {
	// since is when the shard came to this node.
	since time.Time
	// handed says that the owner before gave the shard back, and length how long
	// it lay there: turns go on as if it had not. Otherwise nobody knows how
	// long a player has thought, and a turn goes on from what was stored.
	handed bool
	length time.Duration
}

// resume returns when the present turn of a stored game goes on, if it was being
// played when its owner went away.
func (p pause) resume(turn time.Time) time.Time {
	switch {
	case !turn.Before(p.since):
		return turn
	case !p.handed:
		return p.since
	case turn.After(p.since.Add(-p.length)):
		return p.since
	}
	return turn.Add(p.length)
}

// pauseOf is the pause of a game's shard, or of the whole server.
func (s *Service) pauseOf(gameID string) pause {
	if s.node == nil {
		return pause{since: s.up}
	}
	s.pauses.mu.Lock()
	defer s.pauses.mu.Unlock()
	return s.pauses.list[store.ShardOf(gameID)]
}

// The service hears from its node which games are here. It implements
// node.Games.

// Recover makes up for the time in which no node was there.
func (s *Service) Recover(ctx context.Context) error { return s.recover(ctx) }

// Open lets the service answer.
func (s *Service) Open() {
	s.opened.Do(func() { close(s.mayOpen) })
}

// Gained notes since when shards are here.
func (s *Service) Gained(claims []store.Claim) {
	now := s.now()
	s.pauses.mu.Lock()
	defer s.pauses.mu.Unlock()
	for _, c := range claims {
		s.pauses.list[c.Shard] = pause{since: now, handed: c.Handed, length: c.Vacant}
	}
}

// Settled lets the games of new shards go on here.
func (s *Service) Settled(claims []store.Claim) {
	if len(claims) == 0 {
		return
	}
	shards := make([]int, len(claims))
	for i, c := range claims {
		shards[i] = c.Shard
	}
	s.moved(shards)
	s.waitForAbsent(shards)
	s.retellTaken(claims)
	select {
	case s.feedNow <- struct{}{}:
	default: // it will be read anyway
	}
}

// Lost lets the games of shards be followed that are elsewhere now.
func (s *Service) Lost(shards []int) { s.moved(shards) }

// Reconnected looks whether something was missed.
func (s *Service) Reconnected(away time.Duration) {
	s.retold.ask(s.now().Add(-away - lateNotice))
	for _, id := range s.follows.ids() {
		s.alarms.set(alarmKey{id, alarmMoved}, s.now())
	}
	s.tellAttendance()
}

// moved has every game of some shards looked at that somebody watches here.
func (s *Service) moved(shards []int) {
	in := make(map[int]bool, len(shards))
	for _, n := range shards {
		in[n] = true
	}
	now := s.now()
	s.games.each(func(e *entry) {
		if in[store.ShardOf(e.id)] && s.bus.Subscribers(GameTopic(e.id)) > 0 {
			s.alarms.set(alarmKey{e.id, alarmMoved}, now)
		}
	})
}

// checkMoved makes the game go on for those who watch it here: as the owner's,
// or as a copy of another node's.
func (s *Service) checkMoved(ctx context.Context, gameID string) {
	if s.bus.Subscribers(GameTopic(gameID)) == 0 {
		s.unfollow(gameID)
		return
	}
	var err error
	if _, mine := s.hold(gameID); mine {
		_, err = s.snapshotGated(ctx, gameID)
	} else if err = s.follow(ctx, gameID); err == nil {
		var now *lookAnswer
		if now, err = s.look(ctx, gameID); err == nil {
			_, err = s.mirrored(ctx, gameID, now, nil)
		}
		if e := s.games.get(gameID); e != nil && err == nil {
			e.upToDate.Store(true)
		}
	}
	if errors.Is(err, node.ErrHere) || errors.Is(err, node.ErrMoved) {
		s.alarms.set(alarmKey{gameID, alarmMoved}, s.now())
		return
	}
	if err != nil && ctx.Err() == nil {
		s.log.Warn("a watched game cannot be read", "game", gameID, "error", err)
		s.alarms.set(alarmKey{gameID, alarmMoved}, s.now().Add(retryPause))
	}
}

// checkEvery is how often the store is asked whether the nodes have told
// everything.
const checkEvery = 3 * time.Second

// checkCopies finds the copies that have missed something, and the watched games
// that nobody follows.
func (s *Service) checkCopies(ctx context.Context) {
	var ids []string
	have := make(map[string]uint64)
	s.games.each(func(e *entry) {
		if _, mine := s.hold(e.id); mine || s.bus.Subscribers(GameTopic(e.id)) == 0 {
			return
		}
		if snap := e.snap.Load(); snap != nil && e.upToDate.Load() {
			ids = append(ids, e.id)
			have[e.id] = snap.Version
		} else {
			s.alarms.setIfAbsent(alarmKey{e.id, alarmMoved}, s.now())
		}
	})
	if len(ids) == 0 {
		return
	}
	versions, err := s.store.VersionsOf(ctx, ids)
	if err != nil {
		return // it is asked again soon
	}
	for id, v := range versions {
		e := s.games.get(id)
		if e == nil || uint64(v) <= have[id] {
			continue
		}
		if snap := e.snap.Load(); snap != nil && uint64(v) > snap.Version {
			s.alarms.setIfAbsent(alarmKey{id, alarmMoved}, s.now())
		}
	}
}

// own makes an entry the owner's. The caller has the turn.
func (s *Service) own(e *entry, epoch int64) {
	e.state, e.epoch = nil, epoch
	e.upToDate.Store(false)
	e.owned.Store(0) // until it is loaded
}

// disown makes what is in an entry a copy. The caller has the turn.
func (e *entry) disown() {
	if e.epoch != 0 {
		e.epoch = 0
		e.owned.Store(0)
		e.upToDate.Store(false)
	}
}

// announce tells the followers of a game that was loaded here where it stands.
func (s *Service) announce(e *entry, before, snap *game.Snapshot) {
	if s.node == nil {
		return
	}
	s.spread(e, nil, nil, snap)
	if before != nil && before.Version == snap.Version && !samePresent(before.Present(), snap.Present()) {
		s.bus.Deliver(GameTopic(e.id), game.Event{Version: snap.Version, Kind: game.EventGone, Snapshot: snap})
	}
}
