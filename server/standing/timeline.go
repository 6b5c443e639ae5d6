package standing

import (
	"cmp"
	"context"
	"slices"
	"time"

	"hoplite/openapi"
	"hoplite/server/lichess"
	"hoplite/store"
)

const (
	// usualTimeline is how many entries a timeline has if nobody asks for another number.
	usualTimeline = 15
	// timelineGames is how many of the games begun last are looked at: what was
	// begun before them and ended after them is not in the timeline.
	timelineGames = 100
)

// Timeline returns what happened around an account, newest first; since may be
// zero.
func (s *Service) Timeline(ctx context.Context, accountID string, since time.Time, limit int) (openapi.Timeline, error) {
	limit = cmp.Or(limit, usualTimeline)
	out := openapi.Timeline{Entries: []openapi.TimelineEntry{}, Users: map[string]openapi.LightUser{}}
	type dated struct {
		at    time.Time
		entry openapi.TimelineEntry
	}
	var all []dated
	named := map[string]bool{}
	follows, err := s.followsAround(ctx, accountID, since, limit)
	if err != nil {
		return out, err
	}
	for _, f := range follows {
		all = append(all, dated{f.Since, openapi.FollowEntry{
			Type: openapi.FollowEntryTypeFollow, Date: f.Since.UnixMilli(),
			Data: openapi.FollowData{U1: f.AccountID, U2: f.OtherID},
		}})
	}
	games, err := s.d.Store.Played(ctx, store.PlayedFilter{AccountID: accountID, Limit: timelineGames})
	if err != nil {
		return out, err
	}
	for _, g := range games {
		if g.Ended.Before(since) {
			continue
		}
		data := openapi.GameEndData{FullID: lichess.FullID(g.GameID, g.Seat), Perf: g.Perf, Opponent: g.Opponent.AccountID}
		if g.Opponent.AILevel > 0 {
			data.Opponent = "" // the engine's accounts are hidden
		}
		if g.Winner >= 0 {
			data.Win = new(g.Winner == g.Seat)
		}
		all = append(all, dated{g.Ended, openapi.GameEndEntry{
			Type: openapi.GameEndEntryTypeGameEnd, Date: g.Ended.UnixMilli(), Data: data,
		}})
	}
	slices.SortStableFunc(all, func(a, b dated) int { return b.at.Compare(a.at) })
	for _, d := range all[:min(len(all), limit)] {
		out.Entries = append(out.Entries, d.entry)
		switch e := d.entry.(type) {
		case openapi.FollowEntry:
			named[e.Data.U1], named[e.Data.U2] = true, true
		case openapi.GameEndEntry:
			named[e.Data.Opponent] = true
		}
	}
	ids := make([]string, 0, len(named))
	for id := range named {
		if id != "" {
			ids = append(ids, id)
		}
	}
	accounts, err := s.d.Store.AccountsByID(ctx, ids)
	for _, a := range accounts {
		out.Users[a.ID] = light(a)
	}
	return out, err
}

// followsAround are those by friends of the account, and those of the account.
func (s *Service) followsAround(ctx context.Context, accountID string, since time.Time, limit int) ([]store.Relation, error) {
	friends, err := s.d.Store.RelationsOf(ctx, accountID, false)
	if err != nil {
		return nil, err
	}
	mine := make(map[string]bool, len(friends))
	around := []string{accountID}
	for _, f := range friends {
		mine[f.OtherID] = true
		around = append(around, f.OtherID)
	}
	// Half of what is around a friend is that somebody follows the friend, which
	// is not for us: ask for more than is needed.
	follows, err := s.d.Store.FollowsSince(ctx, around, since, 10*limit)
	return slices.DeleteFunc(follows, func(f store.Relation) bool {
		return f.OtherID != accountID && !mine[f.AccountID]
	}), err
}
