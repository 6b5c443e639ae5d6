package account

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"strings"

	"hoplite/openapi"
	"hoplite/server/rating"
	"hoplite/store"
)

// profileOptions are what a caller may ask for.
type profileOptions struct {
	texts bool // the free texts of the profile
	brief bool // as in lists: nothing about games
}

// speeds are shown even before the first game.
func speeds() []string { return []string{"bullet", "blitz", "rapid", "classical", "correspondence"} }

// user builds a profile from records that were read before. ranks may be nil.
func (s *Service) user(a store.Account, perfs []store.Perf, o profileOptions, ranks *ranking) openapi.User {
	if a.IsClosed() {
		return openapi.User{ID: a.ID, Username: a.Name, Disabled: true, TosViolation: a.Banned}
	}
	u := openapi.User{
		ID: a.ID, Username: a.Name, Title: openapi.Title(a.Title),
		Perfs:     shownPerfs(a, perfs, ranks),
		CreatedAt: a.Created.UnixMilli(),
		PlayTime:  &openapi.PlayTime{Total: int(a.Count.PlayTime.Seconds())},
	}
	switch {
	case s.presence.Online(a.ID):
		u.SeenAt = s.now().UnixMilli()
	case !a.Seen.IsZero():
		u.SeenAt = a.Seen.UnixMilli()
	}
	if o.texts && len(a.Profile) > 0 {
		// A profile that does not parse is one that a newer version wrote: show the rest.
		_ = json.Unmarshal(a.Profile, &u.Profile)
	}
	if o.brief {
		return u
	}
	u.URL = s.url + "/@/" + url.PathEscape(a.Name)
	u.Count = &openapi.GameCounts{
		All: a.Count.All, Rated: a.Count.Rated, Win: a.Count.Win, Loss: a.Count.Loss, Draw: a.Count.Draw,
		Ai: a.Count.AI,
	}
	return u
}

func shownPerfs(a store.Account, perfs []store.Perf, ranks *ranking) map[string]openapi.Perf {
	shown := make(map[string]openapi.Perf, len(perfs)+5)
	for _, key := range speeds() {
		shown[key] = shownPerf(store.NewPerf(a.ID, key), 0)
	}
	var puzzle store.Perf
	for _, p := range perfs {
		if p.Games == 0 {
			continue
		}
		shown[p.Key] = shownPerf(p, ranks.of(p.Key, a))
		if strings.HasPrefix(p.Key, store.PuzzleKey("")) && p.Games > puzzle.Games {
			puzzle = p
		}
	}
	if puzzle.Games > 0 {
		// Programs that know one kind of puzzle find the kind that this player solves most.
		shown["puzzle"] = shownPerf(puzzle, 0)
	}
	return shown
}

func shownPerf(p store.Perf, rank int) openapi.Perf {
	return openapi.Perf{
		Games: p.Games, Rating: rating.Shown(p.Rating), Rd: int(math.Round(p.RD)), Prog: p.Progress,
		Prov: rating.Provisional(p.RD), Rank: rank,
	}
}

// User returns one profile. caller is the id of the account that asks, "" for none.
func (s *Service) User(ctx context.Context, name, caller string, texts, ranks bool) (openapi.User, error) {
	if strings.EqualFold(name, "me") && caller != "" {
		name = caller
	}
	a, err := s.Find(ctx, name, caller)
	if err != nil {
		return openapi.User{}, err
	}
	perfs, err := s.store.PerfsOf(ctx, a.ID)
	if err != nil {
		return openapi.User{}, err
	}
	var table *ranking
	if ranks {
		if table, err = s.rank(ctx, []store.Account{a}, map[string][]store.Perf{a.ID: perfs}); err != nil {
			return openapi.User{}, err
		}
	}
	u := s.user(a, perfs, profileOptions{texts: texts}, table)
	if a.IsClosed() {
		return u, nil
	}
	if caller != "" {
		if err := s.relate(ctx, &u, a, caller); err != nil {
			return openapi.User{}, err
		}
	}
	if u.Count.Playing, err = s.store.CountOngoing(ctx, a.ID); err != nil {
		return openapi.User{}, err
	}
	if u.Count.Bookmark, u.Count.Import, err = s.store.CountArchive(ctx, a.ID); err != nil {
		return openapi.User{}, err
	}
	if u.Count.Playing > 0 {
		games, err := s.games.Ongoing(ctx, a.ID)
		if err != nil {
			return openapi.User{}, err
		}
		if len(games) > 0 {
			u.Playing = fmt.Sprintf("%s/%s", s.url, games[0].ID)
		}
	}
	return u, nil
}

// relate adds how the caller and the account stand to each other.
func (s *Service) relate(ctx context.Context, u *openapi.User, a store.Account, caller string) error {
	mine, theirs, err := s.store.RelationsWith(ctx, caller, []string{a.ID})
	if err != nil {
		return err
	}
	to, isMine := mine[a.ID]
	from, isTheirs := theirs[a.ID]
	u.Following, u.Blocking = new(isMine && !to.Block), new(isMine && to.Block)
	u.FollowsYou = new(isTheirs && !from.Block)
	u.Followable = new(Followable(a) && !(isTheirs && from.Block))
	return nil
}

// Profiles returns the profiles of the accounts with these ids, as in lists.
func (s *Service) Profiles(ctx context.Context, ids []string) ([]openapi.User, error) {
	accounts, err := s.store.AccountsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	return s.brief(ctx, accounts, true, false)
}

// Users returns profiles in the order of the list of names; unknown ones are left out.
func (s *Service) Users(ctx context.Context, list string, texts, ranks bool) ([]openapi.User, error) {
	accounts, err := s.store.AccountsByID(ctx, idsOf(list, maxUsers))
	if err != nil {
		return nil, err
	}
	return s.brief(ctx, accounts, texts, ranks)
}

// brief returns profiles without what only a single one shows; hidden accounts are left out.
func (s *Service) brief(ctx context.Context, accounts []store.Account, texts, ranks bool) ([]openapi.User, error) {
	ids := make([]string, len(accounts))
	for i, a := range accounts {
		ids[i] = a.ID
	}
	perfs, err := s.store.PerfsOfAll(ctx, ids)
	if err != nil {
		return nil, err
	}
	var table *ranking
	if ranks {
		if table, err = s.rank(ctx, accounts, perfs); err != nil {
			return nil, err
		}
	}
	users := make([]openapi.User, 0, len(accounts))
	for _, a := range accounts {
		if !a.Hidden {
			users = append(users, s.user(a, perfs[a.ID], profileOptions{texts: texts, brief: true}, table))
		}
	}
	return users, nil
}

// ranking is the place of the best players by leaderboard.
type ranking struct {
	places map[leaderboard]map[string]int
}

// leaderboard is one list of the best.
type leaderboard struct {
	key  string
	bots bool
}

// of returns 0 for no rank; a nil ranking has none.
func (r *ranking) of(key string, a store.Account) int {
	if r == nil {
		return 0
	}
	return r.places[leaderboard{key, a.IsBot()}][a.ID]
}

// rank reads the leaderboards on which the accounts may be.
func (s *Service) rank(ctx context.Context, accounts []store.Account, perfs map[string][]store.Perf) (*ranking, error) {
	r := &ranking{places: make(map[leaderboard]map[string]int)}
	for _, a := range accounts {
		for _, p := range perfs[a.ID] {
			board := leaderboard{p.Key, a.IsBot()}
			if _, done := r.places[board]; done || !p.Ranked() {
				continue
			}
			top, err := s.store.TopPerfs(ctx, board.key, board.bots, maxRanked)
			if err != nil {
				return nil, err
			}
			places := make(map[string]int, len(top))
			for i, t := range top {
				places[t.AccountID] = i + 1
			}
			r.places[board] = places
		}
	}
	return r, nil
}
