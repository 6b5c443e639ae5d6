package live

import (
	"context"
	"sync"
	"time"

	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/server/presence"
)

const (
	// leaveGrace is how long a stream may be away before its player counts as
	// gone.
	leaveGrace = time.Second
	// joinGrace is the same for a player who acts, or is waited for, without
	// having opened a stream.
	joinGrace = 30 * time.Second
)

// claimWait is how long the opponent of a player who left waits before it may
// claim. Quick games do not wait long.
func claimWait(speed clock.Speed) time.Duration {
	switch speed {
	case clock.UltraBullet, clock.Bullet:
		return 20 * time.Second
	case clock.Blitz:
		return 30 * time.Second
	case clock.Rapid:
		return 45 * time.Second
	}
	return 90 * time.Second
}

// attendance counts the open streams of the players in their games.
type attendance struct {
	mu    sync.Mutex
	games map[string]*gameSeats
	away  presence.Elsewhere[watcher] // who watches at other nodes
}

type gameSeats struct {
	streams game.PerPlayer[int]
	gone    game.PerPlayer[bool]
	claimAt game.PerPlayer[time.Time]
}

func newAttendance() *attendance {
	return &attendance{games: make(map[string]*gameSeats)}
}

// change calls f with the game's seats under the lock, and forgets them if
// nothing is left to know.
func (a *attendance) change(gameID string, f func(*gameSeats)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	g := a.games[gameID]
	if g == nil {
		g = new(gameSeats)
		a.games[gameID] = g
	}
	f(g)
	if *g == (gameSeats{}) {
		delete(a.games, gameID)
	}
}

// watched reports whether a player watches its game at any node. The caller
// holds mu.
func (a *attendance) watched(g *gameSeats, gameID string, player int, now time.Time) bool {
	return g.streams[player] > 0 || a.away.Has(watcher{gameID, player}, now)
}

// elsewhere notes that a player watches at another node, and reports whether it
// had counted as gone.
func (a *attendance) elsewhere(w watcher, at string, until time.Time) (back bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.away.Note(w, at, until)
	g := a.games[w.Game]
	return g != nil && g.gone[w.Player]
}

// leftElsewhere notes that a player does not watch at another node any more, and
// reports whether it did.
func (a *attendance) leftElsewhere(w watcher, at string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.away.Left(w, at)
}

// forgetElsewhere forgets what was said too long ago.
func (a *attendance) forgetElsewhere(now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.away.Forget(now)
}

// watchers are the players who watch here.
func (a *attendance) watchers() []watcher {
	a.mu.Lock()
	defer a.mu.Unlock()
	var list []watcher
	for id, g := range a.games {
		for player, n := range g.streams {
			if n > 0 {
				list = append(list, watcher{id, player})
			}
		}
	}
	return list
}

// forgetGone forgets who is gone: the game is over.
func (a *attendance) forgetGone(gameID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	g := a.games[gameID]
	if g == nil {
		return
	}
	g.gone, g.claimAt = game.PerPlayer[bool]{}, game.PerPlayer[time.Time]{}
	if *g == (gameSeats{}) {
		delete(a.games, gameID)
	}
}

// restore tells a state that was loaded who is gone.
func (a *attendance) restore(state *game.State, gameID string, now time.Time) {
	a.mu.Lock()
	var seats gameSeats
	if g := a.games[gameID]; g != nil {
		seats = *g
	}
	a.mu.Unlock()
	for p, gone := range seats.gone {
		if !gone {
			continue
		}
		wait := max(seats.claimAt[p].Sub(now), time.Millisecond)
		// It cannot be refused, and nobody has seen the state yet.
		if st, err := state.Apply(game.Action{Kind: game.Gone, Player: p, Wait: wait}, now); err == nil {
			state.Release(st, now, game.PerPlayer[*int]{})
		}
	}
}

func goneKey(gameID string, player int) alarmKey {
	return alarmKey{gameID, alarmGone0 + alarmKind(player)}
}

// Attend notes that a player watches its game through one more stream, until
// leave is called, which may happen more than once. A player without a stream
// is gone after a moment, and its opponent may claim the game after a while.
// An index that is no player's is ignored.
func (s *Service) Attend(gameID string, player int) (leave func()) {
	if player < 0 || player > 1 {
		return func() {}
	}
	now := s.now()
	var first, back, alone bool
	s.seats.change(gameID, func(g *gameSeats) {
		g.streams[player]++
		first = g.streams[player] == 1
		back = g.gone[player]
		alone = !s.seats.watched(g, gameID, 1-player, now) && !g.gone[1-player]
	})
	if first {
		s.tellAttend(gameID, player, true)
	}
	s.alarms.cancel(goneKey(gameID, player))
	if back {
		s.alarms.set(goneKey(gameID, player), now) // an alarm also says "back"
	}
	if alone {
		s.alarms.setIfAbsent(goneKey(gameID, 1-player), now.Add(joinGrace))
	}
	return sync.OnceFunc(func() {
		last := false
		s.seats.change(gameID, func(g *gameSeats) {
			g.streams[player]--
			last = g.streams[player] == 0
		})
		if last {
			s.tellAttend(gameID, player, false)
			s.alarms.set(goneKey(gameID, player), s.now().Add(leaveGrace))
		}
	})
}

// seen notes that a player acted, with or without a stream. The caller has
// the turn of the game.
func (s *Service) seen(e *entry, player int) {
	if player > 1 {
		return
	}
	var back, watched, streaming bool
	now := s.now()
	s.seats.mu.Lock()
	if g := s.seats.games[e.id]; g != nil {
		streaming = s.seats.watched(g, e.id, player, now)
		back = g.gone[player]
		watched = s.seats.watched(g, e.id, 1-player, now)
		g.gone[player], g.claimAt[player] = false, time.Time{}
	}
	s.seats.mu.Unlock()
	if back {
		// A refusal changes nothing: the player was not gone for the state.
		_, _ = s.step(e, game.Action{Kind: game.Back, Player: player}, s.now())
	}
	if watched && !streaming {
		s.alarms.set(goneKey(e.id, player), s.now().Add(joinGrace))
	}
}

// checkGone brings what the game knows of a player's presence in line with its
// streams. Both are looked at with the turn of the game, so that notices come
// in the order in which the streams opened and closed.
func (s *Service) checkGone(ctx context.Context, gameID string, player int) {
	if s.enter(ctx) != nil {
		return
	}
	defer s.exit()
	e, err := s.takeLoaded(ctx, gameID, -1)
	if err != nil {
		return // nobody plays a game that cannot be read
	}
	defer e.give()
	snap := e.snap.Load()
	watchable := !snap.Over() && snap.Control.HasClock() && len(snap.Players) == 2
	a := game.Action{Kind: game.Back, Player: player}
	now := s.now()
	changed := false
	s.seats.change(gameID, func(g *gameSeats) {
		gone := watchable && !s.seats.watched(g, gameID, player, now)
		changed = gone != g.gone[player]
		if !changed {
			return
		}
		g.gone[player], g.claimAt[player] = gone, time.Time{}
		if gone {
			a.Kind, a.Wait = game.Gone, claimWait(clock.Speed(snap.Speed))
			g.claimAt[player] = now.Add(a.Wait)
		}
	})
	if !changed {
		return
	}
	if _, err := s.step(e, a, now); err != nil {
		s.log.Error("presence refused", "game", gameID, "player", player, "error", err)
	}
}
