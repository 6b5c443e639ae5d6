package standing

import (
	"context"
	"slices"

	"hoplite/openapi"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live/clock"
	"hoplite/server/rating"
)

// boardLength is how long the lists of Boards are.
const boardLength = 10

// hasBoard says whether there may be a leaderboard of a perf.
func (s *Service) hasBoard(perf string) bool {
	return s.d.Games.IsPerf(perf) && perf != string(clock.CorrespondenceSpeed)
}

// Boards returns the heads of all leaderboards, of bots or of people: those
// that Lichess has too, and those of other games on which somebody stands.
func (s *Service) Boards(ctx context.Context, bots bool) (map[string][]openapi.TopUser, error) {
	usual, further := s.d.Games.VariantPerfs()
	usual = append(slices.DeleteFunc(lichess.Speeds(), func(key string) bool { return !s.hasBoard(key) }), usual...)
	boards := make(map[string][]openapi.TopUser, len(usual)+len(further))
	for i, key := range append(usual, further...) {
		list, err := s.Board(ctx, key, bots, boardLength)
		if err != nil {
			return nil, err
		}
		if i < len(usual) || len(list) > 0 {
			boards[key] = list
		}
	}
	return boards, nil
}

// Board returns the best of one perf, best first.
func (s *Service) Board(ctx context.Context, perf string, bots bool, limit int) ([]openapi.TopUser, error) {
	if !s.hasBoard(perf) {
		return nil, fault.NotFound("Not found")
	}
	top, err := s.d.Store.TopPerfs(ctx, perf, bots, limit)
	if err != nil || len(top) == 0 {
		return []openapi.TopUser{}, err
	}
	ids := make([]string, len(top))
	for i, p := range top {
		ids[i] = p.AccountID
	}
	accounts, err := s.d.Store.AccountsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	list := make([]openapi.TopUser, 0, len(accounts))
	for i, a := range accounts {
		p := top[i]
		list = append(list, openapi.TopUser{
			ID: a.ID, Username: a.Name, Title: openapi.Title(a.Title), Online: s.d.Presence.Online(a.ID),
			Perfs: map[string]openapi.TopPerf{perf: {Rating: rating.Shown(p.Rating), Progress: p.Progress}},
		})
	}
	return list, nil
}
