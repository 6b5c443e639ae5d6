package standing

import (
	"context"
	"time"

	"hoplite/openapi"
	"hoplite/store"
)

// matchPause ends a match between two accounts.
const matchPause = 24 * time.Hour

// Crosstable returns the score between two accounts, and with match that of the
// match that they play now.
func (s *Service) Crosstable(ctx context.Context, first, second string, match bool) (openapi.Crosstable, error) {
	var none openapi.Crosstable
	a, err := s.find(ctx, first)
	if err != nil {
		return none, err
	}
	b, err := s.find(ctx, second)
	if err != nil {
		return none, err
	}
	var games []store.Played
	if a.ID != b.ID {
		if games, err = s.d.Store.Played(ctx, store.PlayedFilter{AccountID: a.ID, Vs: b.ID}); err != nil {
			return none, err
		}
	}
	whole := score(a, b, games)
	out := openapi.Crosstable{Users: whole.Users, NbGames: whole.NbGames}
	if match {
		if now := games[:current(games, s.d.Now())]; len(now) > 0 {
			m := score(a, b, now)
			out.Matchup = &m
		}
	}
	return out, nil
}

// score adds the points of a's games against b up. Games of more than two
// players are between nobody in particular.
func score(a, b store.Account, games []store.Played) openapi.Matchup {
	m := openapi.Matchup{Users: map[string]float64{a.ID: 0, b.ID: 0}}
	for _, g := range games {
		if g.Opponent.AccountID != b.ID {
			continue
		}
		m.NbGames++
		switch g.Winner {
		case -1:
			m.Users[a.ID] += 0.5
			m.Users[b.ID] += 0.5
		case g.Seat:
			m.Users[a.ID]++
		default:
			m.Users[b.ID]++
		}
	}
	return m
}

// current returns how many of the games, which come newest first, belong to a
// match that goes on.
func current(games []store.Played, now time.Time) int {
	next := now
	for i, g := range games {
		if next.Sub(g.Ended) >= matchPause {
			return i
		}
		next = g.Created
	}
	return len(games)
}
