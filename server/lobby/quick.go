package lobby

import (
	"context"
	"slices"
	"time"

	"hoplite/store"
)

const (
	// widenEvery is how often quick seeks look whether they reach further.
	widenEvery = time.Second
	// justPlayed is for how long the last opponents count as just played, and
	// lastOpponents how many games are looked at for them.
	justPlayed    = 30 * time.Minute
	lastOpponents = 3
)

// Run pairs quick seeks as they widen, until ctx ends.
func (s *Service) Run(ctx context.Context) error {
	if !s.alone() {
		return s.runShared(ctx)
	}
	tick := time.NewTicker(widenEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			s.widen(ctx)
		}
	}
}

// widen pairs the quick seeks that have come to reach others.
func (s *Service) widen(ctx context.Context) {
	for {
		first, second := s.takePair()
		if first == nil {
			return
		}
		game := ""
		apart, err := s.Store.Apart(ctx, first.Account)
		if err == nil && slices.Contains(apart, second.Account) {
			s.keepApart(first, second)
			continue
		}
		if err == nil {
			game, err = s.pair(ctx, first, second)
		}
		if err != nil {
			s.Log.Warn("a quick pairing failed", "error", err)
			s.restore(first)
			s.restore(second)
			return
		}
		s.cancel(first.ID)
		if game == "" {
			s.restore(second) // the first one's account cannot play any more
			continue
		}
		s.cancel(second.ID)
	}
}

// keepApart puts two seeks back that must not be paired with each other.
func (s *Service) keepApart(first, second *Seek) {
	s.mu.Lock()
	if first.avoids == nil {
		first.avoids = make(map[string]bool)
	}
	first.avoids[second.Account] = true
	s.mu.Unlock()
	s.restore(first)
	s.restore(second)
}

// takePair takes two seeks out of the book that make a game now, of which one
// is a quick one. It returns nil if there are none.
func (s *Service) takePair() (first, second *Seek) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.Now()
	for _, seek := range s.book.seeks {
		if !seek.Quick {
			continue
		}
		if found, ok := s.book.match(seek, now); ok {
			s.book.remove(seek.ID)
			s.tellGone(found)
			return seek, found
		}
	}
	return nil, nil
}

// meet notes whom the seeker has played a moment ago.
func (s *Service) meet(ctx context.Context, seek *Seek) error {
	games, err := s.Store.Games(ctx, store.GameFilter{
		AccountID: seek.Account, Ongoing: true, Finished: true, Since: s.Now().Add(-justPlayed), Limit: lastOpponents,
	})
	if err != nil {
		return err
	}
	seek.met = make(map[string]bool, len(games))
	for i := range games {
		for _, p := range games[i].Players {
			if p.AccountID != seek.Account {
				seek.met[p.AccountID] = true
			}
		}
	}
	return nil
}
