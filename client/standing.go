package client

import (
	"context"
	"strconv"

	"hoplite/openapi"
)

// Leaderboards returns the best ten of every leaderboard, by perf.
func (s *UsersService) Leaderboards(ctx context.Context, params openapi.PlayerParams) (map[string][]openapi.TopUser, error) {
	return get[map[string][]openapi.TopUser](ctx, s.c, "/api/player", params)
}

// Top returns the best of one perf.
func (s *UsersService) Top(ctx context.Context, most int, perf string, params openapi.PlayerTopNbPerfTypeParams) (openapi.Leaderboard, error) {
	return get[openapi.Leaderboard](ctx, s.c, pathf("/api/player/top/%s/%s", strconv.Itoa(most), perf), params)
}

// Complete returns accounts whose names begin with params.Term. What kind of
// value the answer is depends on params.
func (s *UsersService) Complete(ctx context.Context, params openapi.APIPlayerAutocompleteParams) (openapi.PlayerMatches, error) {
	return get[openapi.PlayerMatches](ctx, s.c, "/api/player/autocomplete", params)
}

// RatingHistory returns an account's ratings by perf and day.
func (s *UsersService) RatingHistory(ctx context.Context, name string) ([]openapi.RatingHistory, error) {
	return get[[]openapi.RatingHistory](ctx, s.c, pathf("/api/user/%s/rating-history", name), nil)
}

// PerfStat returns what an account achieved in one perf.
func (s *UsersService) PerfStat(ctx context.Context, name, perf string, params openapi.APIUserPerfParams) (openapi.PerfStat, error) {
	return get[openapi.PerfStat](ctx, s.c, pathf("/api/user/%s/perf/%s", name, perf), params)
}

// Activity returns what an account did on each of the last days.
func (s *UsersService) Activity(ctx context.Context, name string) ([]openapi.UserActivity, error) {
	return get[[]openapi.UserActivity](ctx, s.c, pathf("/api/user/%s/activity", name), nil)
}

// Crosstable returns the score between two accounts.
func (s *UsersService) Crosstable(ctx context.Context, a, b string, params openapi.APICrosstableParams) (openapi.Crosstable, error) {
	return get[openapi.Crosstable](ctx, s.c, pathf("/api/crosstable/%s/%s", a, b), params)
}

// Streamers returns the streamers that are live.
func (s *UsersService) Streamers(ctx context.Context) ([]openapi.LightUser, error) {
	return get[[]openapi.LightUser](ctx, s.c, "/api/streamer/live", nil)
}

// Timeline returns what happened around the caller.
func (s *AccountService) Timeline(ctx context.Context, params openapi.TimelineParams) (openapi.Timeline, error) {
	return get[openapi.Timeline](ctx, s.c, "/api/timeline", params)
}
