package account

import (
	"context"

	"hoplite/openapi"
	"hoplite/server/fault"
	"hoplite/server/live/game"
	"hoplite/store"
)

// StatusWith says what Status adds to its answer.
type StatusWith struct{ Signal, GameIDs, GameMetas bool }

// Status says of each user on the list whether they are online and playing. Unknown users are left
// out.
func (s *Service) Status(ctx context.Context, list string, with StatusWith) ([]openapi.UserStatus, error) {
	ids := idsOf(list, maxStatus)
	if len(ids) == 0 && list == "" {
		return nil, fault.Field("ids", "must name at least one user")
	}
	accounts, err := s.store.AccountsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	answer := make([]openapi.UserStatus, 0, len(accounts))
	for _, a := range accounts {
		if a.Hidden {
			continue
		}
		u := openapi.UserStatus{ID: a.ID, Name: a.Name, Title: openapi.Title(a.Title)}
		if a.IsClosed() {
			answer = append(answer, u)
			continue
		}
		u.Online = s.presence.Online(a.ID)
		if with.Signal {
			u.Signal = s.presence.Signal(a.ID)
		}
		g, err := s.playing(ctx, a.ID)
		if err != nil {
			return nil, err
		}
		if g != nil {
			u.Playing = true
			if with.GameIDs {
				u.PlayingID = g.ID
			}
			if with.GameMetas {
				u.Playing = openapi.PlayingGame{ID: g.ID, Clock: g.Control.Show(), Variant: g.Variant}
			}
		}
		answer = append(answer, u)
	}
	return answer, nil
}

// playing returns the game that the account plays by the clock, nil if none: nobody sits all day
// before a correspondence game.
func (s *Service) playing(ctx context.Context, accountID string) (*game.Snapshot, error) {
	games, err := s.games.Ongoing(ctx, accountID)
	if err != nil {
		return nil, err
	}
	for _, g := range games {
		if g.Control.HasClock() {
			return g, nil
		}
	}
	return nil, nil
}

// Bots returns profiles of at most limit bots that are online.
func (s *Service) Bots(ctx context.Context, limit int) ([]openapi.User, error) {
	if limit <= 0 {
		limit = defaultBot
	}
	// Most who are online may be people: look at them in pieces until there are enough bots.
	const piece = 200
	var bots []store.Account
	ids := s.presence.OnlineIDs()
	for len(ids) > 0 && len(bots) < limit {
		n := min(piece, len(ids))
		accounts, err := s.store.AccountsByID(ctx, ids[:n])
		if err != nil {
			return nil, err
		}
		for _, a := range accounts {
			if a.IsBot() && !a.Hidden && !a.IsClosed() && len(bots) < limit {
				bots = append(bots, a)
			}
		}
		ids = ids[n:]
	}
	return s.brief(ctx, bots, true, false)
}
