package storetest

import (
	"fmt"
	"testing"
	"time"

	"hoplite/store"
)

func testOngoing(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	AddAccount(t, s, "b")
	for i, d := range []time.Time{{}, minutes(9), minutes(2), minutes(5)} {
		g := NewGame(fmt.Sprint("g", i), minutes(i), "a", "b")
		g.Deadline = d
		commit(t, s, Begin(g))
	}
	list, err := s.OngoingOf(ctx, "a")
	must(t, err)
	same(t, "most urgent first", gameIDs(list), []string{"g2", "g3", "g1", "g0"})
	same(t, "players", list[0].Players[1].AccountID, "b")
	g := game(t, s, "g2")
	commit(t, s, Finish(&g, store.StatusOutOfTime, 0))
	list, err = s.OngoingOf(ctx, "b")
	must(t, err)
	same(t, "without the finished", gameIDs(list), []string{"g3", "g1", "g0"})
	n, err := s.CountOngoing(ctx, "b")
	must(t, err)
	same(t, "number", n, 3)
	for _, id := range []string{"", "nobody"} {
		list, err := s.OngoingOf(ctx, id)
		must(t, err)
		n, err := s.CountOngoing(ctx, id)
		must(t, err)
		same(t, "of nobody", len(list)+n, 0)
	}
	current, err := s.CurrentGame(ctx, "a")
	must(t, err)
	same(t, "current", current.ID, "g3")
	for _, id := range []string{"g0", "g1", "g3"} {
		g := game(t, s, id)
		commit(t, s, Finish(&g, store.StatusDraw, -1))
	}
	current, err = s.CurrentGame(ctx, "a")
	must(t, err)
	same(t, "last", current.ID, "g3")
	_, err = s.CurrentGame(ctx, "nobody")
	want(t, err, store.ErrNotFound)
}

// testGamePages reads pages while games begin and end.
func testGamePages(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	AddAccount(t, s, "b")
	add := func(i int) *store.Game {
		// Several games of one time: the id decides.
		g := NewGame(fmt.Sprintf("g%03d", i), minutes(i/4), "a", "b")
		commit(t, s, Begin(g))
		return g
	}
	games := make([]*store.Game, 30)
	for i := range games {
		games[i] = add(i)
	}
	for _, ascending := range []bool{false, true} {
		var got []string
		f := store.GameFilter{AccountID: "a", Ongoing: true, Finished: true, Ascending: ascending, Limit: 7}
		for {
			page, err := s.Games(ctx, f)
			must(t, err)
			got = append(got, gameIDs(page)...)
			if len(page) < f.Limit {
				break
			}
			last := page[len(page)-1]
			f.After = &store.GameCursor{Created: last.Created, ID: last.ID}
			if !ascending {
				add(1000 + len(got)) // newer than the first page
			}
			if g := games[len(got)-1]; !g.Status.Over() {
				commit(t, s, Finish(g, store.StatusResign, 1))
			}
		}
		var expect []string
		for i := range games {
			if ascending {
				expect = append(expect, games[i].ID)
			} else {
				expect = append(expect, games[len(games)-1-i].ID)
			}
		}
		if ascending { // and those that began meanwhile
			same(t, "old games", got[:30], expect)
		} else {
			same(t, "pages", got, expect)
		}
	}
	n := 0
	before := ""
	must(t, s.EachGame(ctx, func(g store.Game) error {
		n++
		if g.ID <= before || len(g.Players) != 2 {
			t.Errorf("game %q after %q with %d players", g.ID, before, len(g.Players))
		}
		before = g.ID
		return nil
	}))
	if n < 30 {
		t.Fatalf("%d games", n)
	}
	err := s.EachGame(ctx, func(store.Game) error { return store.ErrStale })
	want(t, err, store.ErrStale)
}

func testGameFilters(t *testing.T, s store.Store) {
	for _, n := range []string{"a", "b", "c"} {
		AddAccount(t, s, n)
	}
	add := func(id string, at int, white, black string, end store.Status, change func(*store.Game)) {
		g := NewGame(id, minutes(at), white, black)
		if change != nil {
			change(g)
		}
		commit(t, s, Begin(g))
		if end != 0 {
			commit(t, s, Finish(g, end, -1))
		}
	}
	add("g1", 1, "a", "b", store.StatusMate, nil)
	add("g2", 2, "b", "a", store.StatusMate, func(g *store.Game) { g.Perf = "seirawan" })
	add("g3", 3, "a", "c", store.StatusAborted, nil)
	add("g4", 4, "c", "a", store.StatusDraw, func(g *store.Game) { g.Rated, g.Perf = false, "blitz" })
	add("g5", 5, "a", "b", 0, nil)
	add("g6", 6, "b", "c", 0, nil)
	add("g7", 7, "", "", store.StatusDraw, func(g *store.Game) { g.Rated = false })
	for id, status := range map[string]string{"g1": store.AnalysisFailed, "g2": store.AnalysisDone, "g4": store.AnalysisQueued} {
		a := newAnalysis("of "+id, "c", id, 8)
		a.Status = status
		must(t, s.CreateAnalysis(ctx, a))
	}
	base := store.GameFilter{AccountID: "a", Finished: true, Limit: 100}
	for _, c := range []struct {
		name   string
		change func(*store.GameFilter)
		want   []string
	}{
		{"finished", func(f *store.GameFilter) {}, []string{"g4", "g2", "g1"}},
		{"ongoing too", func(f *store.GameFilter) { f.Ongoing = true }, []string{"g5", "g4", "g2", "g1"}},
		{"ongoing", func(f *store.GameFilter) { f.Ongoing, f.Finished = true, false }, []string{"g5"}},
		{"neither", func(f *store.GameFilter) { f.Finished = false }, nil},
		{"since", func(f *store.GameFilter) { f.Since = minutes(2) }, []string{"g4", "g2"}},
		{"until", func(f *store.GameFilter) { f.Until = minutes(2) }, []string{"g2", "g1"}},
		{"between", func(f *store.GameFilter) { f.Since, f.Until = minutes(2), minutes(3) }, []string{"g2"}},
		{"rated", func(f *store.GameFilter) { f.Rated = ptr(true) }, []string{"g2", "g1"}},
		{"casual", func(f *store.GameFilter) { f.Rated = ptr(false) }, []string{"g4"}},
		{"analysed", func(f *store.GameFilter) { f.Analysed = ptr(true) }, []string{"g2"}},
		{"not analysed", func(f *store.GameFilter) { f.Analysed = ptr(false) }, []string{"g4", "g1"}},
		{"perfs", func(f *store.GameFilter) { f.Perfs = []string{"blitz", "seirawan"} }, []string{"g4", "g2"}},
		{"as White", func(f *store.GameFilter) { f.Player = ptr(0) }, []string{"g1"}},
		{"as Black", func(f *store.GameFilter) { f.Player = ptr(1) }, []string{"g4", "g2"}},
		{"vs", func(f *store.GameFilter) { f.Vs = "b" }, []string{"g2", "g1"}},
		{"vs oneself", func(f *store.GameFilter) { f.Vs = "a" }, nil},
		{"ascending", func(f *store.GameFilter) { f.Ascending = true }, []string{"g1", "g2", "g4"}},
		{"after", func(f *store.GameFilter) { f.After = &store.GameCursor{Created: minutes(4), ID: "g4"} }, []string{"g2", "g1"}},
		{"all at once", func(f *store.GameFilter) {
			f.Since, f.Until, f.Rated, f.Perfs, f.Player, f.Vs = minutes(1), minutes(3), ptr(true), []string{"seirawan"}, ptr(1), "b"
		}, []string{"g2"}},
		{"limit", func(f *store.GameFilter) { f.Limit = 1 }, []string{"g4"}},
		{"nobody", func(f *store.GameFilter) { f.AccountID = "" }, nil},
		{"quoted", func(f *store.GameFilter) { f.Vs = "b' OR 'a'='a" }, nil},
	} {
		f := base
		c.change(&f)
		list, err := s.Games(ctx, f)
		must(t, err)
		same(t, c.name, gameIDs(list), c.want)
	}
}

func testVersions(t *testing.T, s store.Store) {
	one, two := NewGame("one", now, "a", "b"), NewGame("two", now, "a", "b")
	commit(t, s, Begin(one), Begin(two))
	commit(t, s, Move(two, "e2e4", ""))
	got, err := s.VersionsOf(ctx, []string{"two", "one", "three", "one"})
	must(t, err)
	same(t, "versions", got, map[string]int64{"one": 1, "two": 2})
}

// testGamesOfPrograms counts what a bot has played against bots and against the
// engine.
func testGamesOfPrograms(t *testing.T, s store.Store) {
	for _, name := range []string{"robo", "ann", "other"} {
		AddAccount(t, s, name)
	}
	add := func(id string, minute int, seat int, title string, level int) {
		g := NewGame(id, minutes(minute), "robo", "other")
		g.Players[0].Title, g.Players[1].Title, g.Players[1].AILevel = "BOT", title, level
		if seat == 1 {
			g.Players[0], g.Players[1] = g.Players[1], g.Players[0]
		}
		commit(t, s, Begin(g))
	}
	add("bot1", 1, 0, "BOT", 0)
	add("bot2", 2, 1, "BOT", 0)
	add("bot3", 3, 0, "BOT", 0)
	add("man1", 4, 0, "", 0)
	add("ai1", 5, 0, "", 3)
	for name, c := range map[string]struct {
		engine bool
		since  int
		limit  int
		want   []time.Time
	}{
		"bots":       {false, 0, 9, []time.Time{minutes(3), minutes(2), minutes(1)}},
		"bots since": {false, 2, 9, []time.Time{minutes(3), minutes(2)}},
		"newest":     {false, 0, 1, []time.Time{minutes(3)}},
		"engine":     {true, 0, 9, []time.Time{minutes(5)}},
	} {
		got, err := s.GamesOfPrograms(ctx, "robo", c.engine, minutes(c.since), c.limit)
		must(t, err)
		same(t, name, got, c.want)
	}
	got, err := s.GamesOfPrograms(ctx, "ann", false, minutes(0), 9)
	must(t, err)
	same(t, "none", got, nil)
}
