package storetest

import (
	"errors"
	"testing"
	"time"

	"hoplite/store"
)

func testTopPerfs(t *testing.T, s store.Store) {
	for _, p := range []struct {
		name   string
		rating float64
		rd     float64
		games  int
		change store.AccountChange
	}{
		{"best", 1900, 75, 9, store.AccountChange{}},
		{"second", 1800, 60, 9, store.AccountChange{}},
		{"equal", 1800, 45, 9, store.AccountChange{}},
		{"unsure", 2400, 75.5, 9, store.AccountChange{}},
		{"unplayed", 2400, 50, 0, store.AccountChange{}},
		{"closed", 2400, 60, 9, store.AccountChange{Closed: ptr(now)}},
		{"hidden", 2400, 60, 9, store.AccountChange{Hidden: ptr(true)}},
		{"robot", 2500, 60, 9, store.AccountChange{Title: ptr("BOT")}},
		{"master", 1700, 60, 9, store.AccountChange{Title: ptr("GM")}},
	} {
		AddAccount(t, s, p.name)
		must(t, s.UpdateAccount(ctx, p.name, p.change))
		perf := store.Perf{AccountID: p.name, Key: "spartan", Rating: p.rating, RD: p.rd, Vol: 0.06, Games: p.games}
		must(t, s.SavePerf(ctx, perf))
		same(t, p.name+" is ranked", perf.Ranked(), p.rd <= 75 && p.games > 0)
	}
	must(t, s.SavePerf(ctx, store.Perf{AccountID: "second", Key: "other", Rating: 2000, RD: 50, Games: 1}))
	top := func(key string, bots bool, limit int) []string {
		t.Helper()
		list, err := s.TopPerfs(ctx, key, bots, limit)
		must(t, err)
		return ids(list, func(p store.Perf) string { return p.AccountID })
	}
	same(t, "people", top("spartan", false, 10), []string{"best", "equal", "second", "master"})
	same(t, "the first two", top("spartan", false, 2), []string{"best", "equal"})
	same(t, "bots", top("spartan", true, 10), []string{"robot"})
	same(t, "another game", top("other", false, 10), []string{"second"})
	for _, c := range []struct {
		rating      float64
		bots        bool
		better, all int
	}{{1900, false, 0, 4}, {1800, false, 1, 4}, {1000, false, 4, 4}, {1800, true, 1, 1}, {2500, true, 0, 1}} {
		better, all, err := s.RankOf(ctx, "spartan", c.bots, c.rating)
		must(t, err)
		same(t, "rank", []int{better, all}, []int{c.better, c.all})
	}
	better, all, err := s.RankOf(ctx, "nothing", false, 1)
	must(t, err)
	same(t, "nobody", []int{better, all}, []int{0, 0})
}

func testRatingHistory(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	AddAccount(t, s, "b")
	day := func(n int) time.Time { return now.AddDate(0, 0, n) }
	play := func(id string, at time.Time, winner int) {
		t.Helper()
		g := NewGame(id, at, "a", "b")
		commit(t, s, Begin(g))
		commit(t, s, Finish(g, store.StatusResign, winner))
	}
	play("game0001", day(0), 0)
	play("game0002", day(0), 0)
	play("game0003", day(2), 1)
	today := store.DayOf(now)
	history, err := s.RatingHistory(ctx, "a")
	must(t, err)
	want := []store.RatingDay{
		{AccountID: "a", Key: "spartan", Day: today, Rating: 1520},
		{AccountID: "a", Key: "spartan", Day: today + 2, Rating: 1510},
	}
	same(t, "by games", history, want)

	// A rating that is written by itself leaves its day, too; one that no game
	// has moved does not.
	puzzle := store.PuzzleKey("spartan")
	must(t, s.SavePerf(ctx, store.Perf{AccountID: "a", Key: puzzle, Rating: 1600.5, RD: 90, Vol: 0.06, Games: 1, Updated: day(1)}))
	must(t, s.SavePerf(ctx, store.Perf{AccountID: "a", Key: puzzle, Rating: 1611.4, RD: 90, Vol: 0.06, Games: 2, Updated: day(1)}))
	must(t, s.SavePerf(ctx, store.NewPerf("a", "blitz")))
	history, err = s.RatingHistory(ctx, "a")
	must(t, err)
	same(t, "all", history, append([]store.RatingDay{{AccountID: "a", Key: puzzle, Day: today + 1, Rating: 1611}}, want...))

	// What is rolled back leaves no day.
	failed := errors.New("no")
	err = s.InTx(ctx, func(tx store.Store) error {
		must(t, tx.SavePerf(ctx, store.Perf{AccountID: "b", Key: puzzle, Rating: 1, RD: 90, Games: 1, Updated: day(5)}))
		return failed
	})
	if !errors.Is(err, failed) {
		t.Fatal(err)
	}
	history, err = s.RatingHistory(ctx, "b")
	must(t, err)
	same(t, "of b", len(history), 2)
}

// testRatingPools rates a game under a key of its own for each player.
func testRatingPools(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	AddAccount(t, s, "robot")
	must(t, s.SavePerf(ctx, store.Perf{AccountID: "a", Key: "spartan", Rating: 1700, RD: 60, Vol: 0.06, Games: 9, Updated: now}))
	g := NewGame("game0001", now, "a", "robot")
	commit(t, s, Begin(g))
	end := Finish(g, store.StatusMate, 0)
	end.Rate.Keys = [2]string{"bots/spartan", "spartan"}
	res := commit(t, s, end)
	same(t, "keys", []string{res[0].Perfs[0].Key, res[0].Perfs[1].Key}, []string{"bots/spartan", "spartan"})
	for _, c := range []struct {
		account, key string
		rating       float64
	}{{"a", "spartan", 1700}, {"a", "bots/spartan", 1510}, {"robot", "spartan", 1490}, {"robot", "bots/spartan", 1500}} {
		p, err := s.Perf(ctx, c.account, c.key)
		must(t, err)
		same(t, c.account+" "+c.key, p.Rating, c.rating)
	}
}

func testPlayed(t *testing.T, s store.Store) {
	for _, n := range []string{"a", "b", "c"} {
		AddAccount(t, s, n)
	}
	play := func(id string, at int, white, black string, status store.Status, winner int, change func(*store.Game)) {
		t.Helper()
		g := NewGame(id, minutes(at), white, black)
		if change != nil {
			change(g)
		}
		commit(t, s, Begin(g))
		commit(t, s, Move(g, "e2e4", ""))
		if status != store.StatusStarted {
			commit(t, s, Finish(g, status, winner))
		}
	}
	play("game0001", 1, "a", "b", store.StatusMate, 0, nil)
	play("game0002", 2, "b", "a", store.StatusDraw, -1, func(g *store.Game) { g.Rated = false })
	play("game0003", 3, "a", "c", store.StatusResign, 1, func(g *store.Game) { g.Perf, g.Speed = "blitz", "blitz" })
	play("game0004", 4, "a", "b", store.StatusAborted, -1, nil)
	play("game0005", 5, "a", "b", store.StatusNoStart, -1, nil)
	play("game0006", 6, "a", "b", store.StatusUnknownFinish, -1, nil)
	play("game0007", 7, "a", "b", store.StatusStarted, -1, nil)
	play("game0008", 8, "a", "", store.StatusOutOfTime, 0, func(g *store.Game) {
		g.Rated, g.Days = false, 3
		g.Players = append(g.Players, store.GamePlayer{AccountID: "b", Name: "b"}, store.GamePlayer{Name: "Anonymous"})
	})
	played := func(f store.PlayedFilter) []string {
		t.Helper()
		list, err := s.Played(ctx, f)
		must(t, err)
		return ids(list, func(p store.Played) string { return p.GameID })
	}
	same(t, "all", played(store.PlayedFilter{AccountID: "a"}), []string{"game0008", "game0003", "game0002", "game0001"})
	same(t, "the last two", played(store.PlayedFilter{AccountID: "a", Limit: 2}), []string{"game0008", "game0003"})
	same(t, "against one", played(store.PlayedFilter{AccountID: "a", Vs: "b"}), []string{"game0002", "game0001"})
	same(t, "of one perf", played(store.PlayedFilter{AccountID: "a", Perf: "blitz"}), []string{"game0003"})
	same(t, "since", played(store.PlayedFilter{AccountID: "a", Since: minutes(3)}), []string{"game0008", "game0003"})
	same(t, "ended since", played(store.PlayedFilter{AccountID: "a", Ended: minutes(3)}), []string{"game0008", "game0003"})
	same(t, "ended later", played(store.PlayedFilter{AccountID: "a", Ended: minutes(8).Add(2 * time.Second)}), nil)
	same(t, "of nobody", played(store.PlayedFilter{}), nil)

	list, err := s.Played(ctx, store.PlayedFilter{AccountID: "a", Vs: "b"})
	must(t, err)
	ten := 10
	same(t, "won", list[1], store.Played{
		GameID: "game0001", Variant: "spartan", Speed: "blitz", Perf: "spartan", Rated: true, HasClock: true,
		Status: store.StatusMate, Winner: 0, Rating: 1500, Provisional: true, RatingDiff: &ten, Plies: 1,
		Created: minutes(1), Ended: minutes(1).Add(time.Second),
		Opponent: store.GamePlayer{AccountID: "b", Name: "b", Rating: 1500, Provisional: true},
	})
	same(t, "drawn with black", []any{list[0].Seat, list[0].Winner, list[0].RatingDiff == nil}, []any{1, -1, true})
	list, err = s.Played(ctx, store.PlayedFilter{AccountID: "b", Limit: 1})
	must(t, err)
	same(t, "in a game of more than two", []any{list[0].Seat, list[0].Opponent, list[0].Days}, []any{2, store.GamePlayer{}, 3})
}
