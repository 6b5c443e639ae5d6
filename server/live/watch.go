package live

import (
	"time"

	"hoplite/server/live/game"
)

// Watcher is told what the service does, to count it. Its methods are on the way of every action: they return at once,
// and may be called from any goroutine.
type Watcher interface {
	// Acted is called for each action that is on disk.
	Acted(game.ActionKind)
	// Started is called for each new game, with its variant.
	Started(variant string)
	// Ended is called for each game that has ended, with its status.
	Ended(status string)
	// Committed is called for each transaction, with how many steps of games it held and how long it took, and for
	// steps that the store did not take.
	Committed(steps int, took time.Duration, err error)
}

type unwatched struct{}

func (unwatched) Acted(game.ActionKind)               {}
func (unwatched) Started(string)                      {}
func (unwatched) Ended(string)                        {}
func (unwatched) Committed(int, time.Duration, error) {}

// InMemory returns how many games are loaded.
func (s *Service) InMemory() int { return s.games.len() }

// Live returns how many of the games in memory go on.
func (s *Service) Live() (n int) {
	for i := range s.games.list {
		st := &s.games.list[i]
		st.mu.Lock()
		for _, e := range st.games {
			if snap := e.snap.Load(); snap != nil && !snap.Over() {
				n++
			}
		}
		st.mu.Unlock()
	}
	return n
}

// Committing returns how many steps wait for their transaction.
func (s *Service) Committing() int { return len(s.commits.in) }

// Alarms returns how many moments are watched.
func (s *Service) Alarms() int {
	s.alarms.mu.Lock()
	defer s.alarms.mu.Unlock()
	return len(s.alarms.queue)
}
