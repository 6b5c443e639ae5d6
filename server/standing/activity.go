package standing

import (
	"context"
	"slices"
	"time"

	"hoplite/openapi"
	"hoplite/server/lichess"
	"hoplite/store"
)

const (
	activityDays = 7
	// activityFollows is how many accounts a day lists.
	activityFollows = 50
	// activityAttempts bounds the puzzles of the days.
	activityAttempts = 5000
	day              = 24 * time.Hour
)

// Activity returns what an account did on the last days, newest first, without
// the days on which it did nothing.
func (s *Service) Activity(ctx context.Context, name string) ([]openapi.UserActivity, error) {
	a, err := s.find(ctx, name)
	if err != nil {
		return nil, err
	}
	today := s.d.Now().UTC().Truncate(day)
	first := today.Add(-(activityDays - 1) * day)
	w := &week{days: map[time.Time]*openapi.UserActivity{}, url: s.d.URL}
	games, err := s.d.Store.Played(ctx, store.PlayedFilter{AccountID: a.ID, Ended: first})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(games, func(x, y store.Played) int { return x.Ended.Compare(y.Ended) })
	for i := range games {
		w.game(a, &games[i])
	}
	attempts, err := s.d.Store.Attempts(ctx, a.ID, first, time.Time{}, activityAttempts)
	if err != nil {
		return nil, err
	}
	for _, t := range slices.Backward(attempts) {
		w.puzzle(t)
	}
	follows, err := s.d.Store.FollowsSince(ctx, []string{a.ID}, first, activityDays*activityFollows)
	if err != nil {
		return nil, err
	}
	for _, f := range follows {
		w.follow(a, f)
	}
	list := []openapi.UserActivity{}
	for d := today; !d.Before(first); d = d.Add(-day) {
		if entry := w.days[d]; entry != nil {
			list = append(list, *entry)
		}
	}
	return list, nil
}

// week gathers what happened by day.
type week struct {
	days map[time.Time]*openapi.UserActivity
	url  string
}

func (w *week) day(at time.Time) *openapi.UserActivity {
	start := at.UTC().Truncate(day)
	entry := w.days[start]
	if entry == nil {
		entry = &openapi.UserActivity{Interval: openapi.ActivityInterval{
			Start: start.UnixMilli(), End: start.Add(day).UnixMilli(),
		}}
		w.days[start] = entry
	}
	return entry
}

// count adds a result; before and after are the ratings around it, 0 for a
// casual game.
func count(s *openapi.ActivityScore, won, lost bool, before, after int) {
	switch {
	case won:
		s.Win++
	case lost:
		s.Loss++
	default:
		s.Draw++
	}
	if before == 0 {
		return
	}
	if s.Rp == nil {
		s.Rp = &openapi.ActivityRatings{Before: before}
	}
	s.Rp.After = after
}

// game adds a game to the day of its end. Those without a clock are listed.
func (w *week) game(a store.Account, g *store.Played) {
	entry := w.day(g.Ended)
	won, lost := g.Winner == g.Seat, g.Winner >= 0 && g.Winner != g.Seat
	before, after := 0, 0
	if g.Rated && g.RatingDiff != nil {
		before, after = g.Rating, g.Rating+*g.RatingDiff
	}
	if g.HasClock {
		if entry.Games == nil {
			entry.Games = map[string]openapi.ActivityScore{}
		}
		key := pool(a, g)
		score := entry.Games[key]
		count(&score, won, lost, before, after)
		entry.Games[key] = score
		return
	}
	if entry.CorrespondenceEnds == nil {
		entry.CorrespondenceEnds = &openapi.ActivityEnds{Games: []openapi.ActivityGame{}}
	}
	ends := entry.CorrespondenceEnds
	count(&ends.Score, won, lost, before, after)
	shown := openapi.ActivityGame{
		ID: g.GameID, Color: lichess.Color(g.Seat), URL: w.url + "/" + g.GameID, Variant: g.Variant, Speed: g.Speed,
		Perf: g.Perf, Rated: g.Rated,
	}
	if g.Opponent.AccountID != "" && g.Opponent.AILevel == 0 {
		shown.Opponent = &openapi.ActivityOpponent{User: g.Opponent.AccountID, Rating: g.Opponent.Rating}
	}
	ends.Games = append(ends.Games, shown)
}

// puzzle counts the first try of a puzzle.
func (w *week) puzzle(t store.PuzzleAttempt) {
	if !t.First {
		return
	}
	entry := w.day(t.At)
	if entry.Puzzles == nil {
		entry.Puzzles = &openapi.ActivityPuzzles{}
	}
	before := 0
	if t.Rated {
		before = t.Rating - t.RatingDiff
	}
	count(&entry.Puzzles.Score, t.Win, !t.Win, before, t.Rating)
}

// follow adds who followed whom, as far as the list of the day goes.
func (w *week) follow(a store.Account, f store.Relation) {
	entry := w.day(f.Since)
	if entry.Follows == nil {
		entry.Follows = &openapi.ActivityFollows{}
	}
	list, other := &entry.Follows.Out, f.OtherID
	if f.OtherID == a.ID {
		list, other = &entry.Follows.In, f.AccountID
	}
	if *list == nil {
		*list = &openapi.ActivityFollowList{Ids: []string{}}
	}
	l := *list
	if len(l.Ids) < activityFollows {
		l.Ids = append(l.Ids, other)
		return
	}
	l.Nb = max(l.Nb, activityFollows) + 1
}
