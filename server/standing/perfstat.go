package standing

import (
	"context"
	"time"

	"github.com/oapi-codegen/nullable"

	"hoplite/openapi"
	"hoplite/server/fault"
	"hoplite/server/rating"
	"hoplite/store"
)

// PerfStat returns what an account achieved in a perf; bots chooses a person's
// games against bots.
func (s *Service) PerfStat(ctx context.Context, name, perf string, bots bool) (openapi.PerfStat, error) {
	var none openapi.PerfStat
	if !s.d.Games.IsPerf(perf) {
		return none, fault.NotFound("Not found")
	}
	a, err := s.find(ctx, name)
	if err != nil {
		return none, err
	}
	key := perf
	if bots && !a.IsBot() {
		key = rating.BotsKey(perf)
	}
	p, err := s.d.Store.Perf(ctx, a.ID, key)
	if err != nil {
		return none, err
	}
	better, all, err := s.d.Store.RankOf(ctx, key, a.IsBot(), p.Rating)
	if err != nil {
		return none, err
	}
	played, err := s.d.Store.Played(ctx, store.PlayedFilter{AccountID: a.ID, Perf: perf})
	if err != nil {
		return none, err
	}
	t := tally{}
	for i := len(played) - 1; i >= 0; i-- {
		if g := &played[i]; g.Opponent.AILevel == 0 && pool(a, g) == key {
			t.add(g)
		}
	}
	stat := t.stat(s.d.Now())
	stat.PerfType = openapi.StatPerfType{Key: key, Name: s.perfName(key)}
	stat.UserID = light(a)
	out := openapi.PerfStat{
		User: openapi.StatUser{Name: a.Name},
		Perf: openapi.StatPerf{
			Glicko: openapi.StatGlicko{
				Rating: hundredths(p.Rating), Deviation: hundredths(p.RD), Provisional: rating.Provisional(p.RD),
			},
			Nb: p.Games, Progress: p.Progress,
		},
		Rank: nullable.NewNullNullable[int](),
		Stat: stat,
	}
	worse := all - better
	if p.Ranked() {
		out.Rank = nullable.NewNullableWithValue(better + 1)
		worse--
	}
	if all > 0 {
		out.Percentile = hundredths(100 * float64(max(0, worse)) / float64(all))
	}
	return out, nil
}

func hundredths(x float64) float64 { return float64(int(x*100+0.5)) / 100 }

// What a tally keeps.
const (
	bestResults = 5
	// session is the pause that ends a series of games.
	session = time.Hour
)

// tally counts games in the order in which they were played.
type tally struct {
	count              openapi.StatCount
	ratings            int // opponents with a rating, for the average
	sum                int
	highest, lowest    *openapi.StatRating
	wins, losses       []openapi.StatResult
	won, lost          streak
	series, time       streak
	lastStart, lastEnd time.Time
}

func moment(g *store.Played) *openapi.StatMoment {
	return &openapi.StatMoment{At: g.Ended.UTC(), GameID: g.GameID}
}

func (t *tally) add(g *store.Played) {
	t.count.All++
	if g.Rated {
		t.count.Rated++
	}
	win, loss := g.Winner == g.Seat, g.Winner >= 0 && g.Winner != g.Seat
	switch {
	case win:
		t.count.Win++
	case loss:
		t.count.Loss++
		if g.Status == store.StatusTimeout {
			t.count.Disconnects++
		}
	default:
		t.count.Draw++
	}
	if g.Opponent.Rating > 0 {
		t.ratings++
		t.sum += g.Opponent.Rating
	}
	spent := 0
	if g.HasClock {
		spent = max(0, int(g.Ended.Sub(g.Created).Seconds()))
		t.count.Seconds += spent
	}
	if g.Rated {
		t.rated(g, win, loss)
	}
	t.won.step(win, 1, g)
	t.lost.step(loss, 1, g)
	if g.Created.Sub(t.lastStart) >= session && g.Created.Sub(t.lastEnd) >= session {
		t.series.stop()
		t.time.stop()
	}
	t.lastStart, t.lastEnd = g.Created, g.Ended
	t.series.step(true, 1, g)
	t.time.step(true, spent, g)
}

// rated notes ratings, which only rated games move.
func (t *tally) rated(g *store.Played, win, loss bool) {
	if g.RatingDiff != nil && !g.Provisional {
		after := openapi.StatRating{Int: g.Rating + *g.RatingDiff, At: g.Ended.UTC(), GameID: g.GameID}
		if t.highest == nil || after.Int > t.highest.Int {
			t.highest = &after
		}
		if t.lowest == nil || after.Int < t.lowest.Int {
			t.lowest = &after
		}
	}
	if g.Opponent.AccountID == "" || g.Opponent.Provisional {
		return
	}
	r := openapi.StatResult{
		OpRating: g.Opponent.Rating, At: g.Ended.UTC(), GameID: g.GameID,
		OpID: openapi.LightUser{ID: g.Opponent.AccountID, Name: g.Opponent.Name, Title: openapi.Title(g.Opponent.Title)},
	}
	switch {
	case win:
		t.wins = insert(t.wins, r, func(a, b int) bool { return a > b })
	case loss:
		t.losses = insert(t.losses, r, func(a, b int) bool { return a < b })
	}
}

// insert keeps the list sorted and short; of equals the earlier one stays.
func insert(list []openapi.StatResult, r openapi.StatResult, before func(a, b int) bool) []openapi.StatResult {
	i := len(list)
	for i > 0 && before(r.OpRating, list[i-1].OpRating) {
		i--
	}
	list = append(list[:i:i], append([]openapi.StatResult{r}, list[i:]...)...)
	return list[:min(len(list), bestResults)]
}

// stat is the tally as it stands now.
func (t *tally) stat(now time.Time) openapi.StatDetail {
	if t.ratings > 0 {
		t.count.OpAvg = hundredths(float64(t.sum) / float64(t.ratings))
	}
	d := openapi.StatDetail{
		Highest: t.highest, Lowest: t.lowest,
		BestWins:    openapi.StatResults{Results: append([]openapi.StatResult{}, t.wins...)},
		WorstLosses: openapi.StatResults{Results: append([]openapi.StatResult{}, t.losses...)},
		Count:       t.count,
	}
	if !t.lastEnd.IsZero() {
		last := t.lastEnd.UTC()
		d.PlayStreak.LastDate = &last
	}
	if now.Sub(t.lastEnd) >= session {
		t.series.stop()
		t.time.stop()
	}
	d.ResultStreak = openapi.StatResultStreak{Win: t.won.shown(), Loss: t.lost.shown()}
	d.PlayStreak.Nb, d.PlayStreak.Time = t.series.shown(), t.time.shown()
	return d
}

// streak is a run that goes on, and the longest one so far.
type streak struct{ cur, max openapi.StatRun }

// step adds to the run, or ends it.
func (s *streak) step(goesOn bool, by int, g *store.Played) {
	if !goesOn {
		s.stop()
		return
	}
	if s.cur.From == nil {
		s.cur.From = moment(g)
	}
	s.cur.V += by
	s.cur.To = moment(g)
	if s.cur.V > s.max.V {
		s.max = s.cur
	}
}

func (s *streak) stop() { s.cur = openapi.StatRun{} }

func (s *streak) shown() openapi.StatStreak { return openapi.StatStreak{Cur: s.cur, Max: s.max} }
