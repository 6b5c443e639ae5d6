package standing

import (
	"context"
	"time"

	"hoplite/openapi"
	"hoplite/server/lichess"
)

// History returns the daily ratings of an account by perf: the speeds of chess
// whether or not they were played, then whatever else was.
func (s *Service) History(ctx context.Context, name string) ([]openapi.RatingHistory, error) {
	a, err := s.find(ctx, name)
	if err != nil {
		return nil, err
	}
	days, err := s.d.Store.RatingHistory(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	var list []openapi.RatingHistory
	at := map[string]int{}
	of := func(key string) *openapi.RatingHistory {
		i, ok := at[key]
		if !ok {
			i = len(list)
			at[key] = i
			list = append(list, openapi.RatingHistory{Name: s.perfName(key), Key: key, Points: [][]int{}})
		}
		return &list[i]
	}
	for _, key := range lichess.Speeds() {
		of(key)
	}
	for _, d := range days {
		date := time.Unix(int64(d.Day)*86400, 0).UTC()
		h := of(d.Key)
		h.Points = append(h.Points, []int{date.Year(), int(date.Month()) - 1, date.Day(), d.Rating})
	}
	return list, nil
}
