package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"hoplite/store"
)

func testSteps(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	AddAccount(t, s, "b")
	full := &store.Game{
		ID: "Game0001", Variant: "chess960", InitialFEN: "8/8/8/8/8/8/8/8 w - - 0 1", StartNumber: 42, Speed: "classical",
		Perf: "chess960", Rated: true, Source: "lobby", Limit: 90 * time.Second, Increment: 1500 * time.Millisecond, Days: 3,
		Delay: 2500 * time.Millisecond, Byoyomi: 30 * time.Second, Periods: 3, Seed: "00ff",
		HasClock: true, Rules: []string{"noAbort", "noGiveTime"}, RematchOf: "gamegame", Created: now,
		Players: []store.GamePlayer{
			{AccountID: "a", Name: "A", Title: "BOT", Rating: 1612, Provisional: true},
			{Name: "Anonymous"},
			{AccountID: "ai3", Name: "AI", AILevel: 3, Rating: -1},
		},
		GameState: store.GameState{
			Seq: 2, Status: store.StatusCreated, Winner: -1, Reason: "none", Plies: 1, Turn: 2, Moves: "e2e4",
			ClockHistory: []time.Duration{time.Minute}, Clocks: []time.Duration{time.Minute, 0, 48 * time.Hour},
			TurnStart: minutes(1), Deadline: minutes(3), LastMove: minutes(1), Rematch: "next0001",
			Points: []float64{12, 0.5, 0}, Places: []int{1, 2, 2}, Declared: []string{"1:count-start"},
		},
	}
	rows := []store.Action{
		{GameID: "Game0001", Seq: 1, Kind: "start", Player: -1, At: now},
		{GameID: "Game0001", Seq: 2, Kind: "chat", Player: 0, ActionID: "k-1", At: minutes(1), Data: json.RawMessage(`{"text":"γειά σου \u0000"}`)},
	}
	commit(t, s, store.Step{New: full, Rows: rows})
	same(t, "game", game(t, s, "Game0001"), *full)
	log, err := s.LogOf(ctx, "Game0001", 0)
	must(t, err)
	same(t, "log", log, rows)

	// Every field of the state changes; the terms stay.
	next := *full
	next.GameState = store.GameState{
		Seq: 3, Status: store.StatusVariantEnd, Winner: 2, Reason: "bareKing", Plies: 2, Turn: 0, Moves: "e2e4 e7e5",
		ClockHistory: []time.Duration{time.Minute, 59 * time.Second}, Clocks: []time.Duration{1, 2, 3},
		LastMove: minutes(2), Rematch: "",
	}
	next.Clocks = []time.Duration{time.Millisecond, 2 * time.Millisecond, 3 * time.Hour}
	row := store.Action{GameID: "Game0001", Seq: 3, Kind: "move", Player: 2, At: minutes(2)}
	commit(t, s, store.Step{GameID: "Game0001", State: next.GameState, Rows: []store.Action{row}})
	same(t, "next", game(t, s, "Game0001"), next)
	log, err = s.LogOf(ctx, "Game0001", 2)
	must(t, err)
	same(t, "tail of the log", log, []store.Action{row})

	// A step without rows changes the state alone.
	next.Rematch = "later001"
	commit(t, s, store.Step{GameID: "Game0001", State: next.GameState})
	same(t, "without rows", game(t, s, "Game0001"), next)
	_, err = s.GameByID(ctx, "game0001")
	want(t, err, store.ErrNotFound)
	log, err = s.LogOf(ctx, "none", 0)
	must(t, err)
	same(t, "log of no game", len(log), 0)
	if res, err := s.CommitSteps(ctx, nil, nil); err != nil || len(res) != 0 {
		t.Fatal(res, err)
	}
}

func testStepsRefused(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	AddAccount(t, s, "b")
	one, two := NewGame("one", now, "a", "b"), NewGame("two", now, "a", "b")
	commit(t, s, Begin(one), Begin(two))
	commit(t, s, Move(one, "e2e4", "x"))
	before := []store.Game{game(t, s, "one"), game(t, s, "two")}
	good := func() store.Step { g := *two; return Move(&g, "d2d4", "") }
	stepOf := func(change func(g *store.Game, s *store.Step)) store.Step {
		g := *one
		st := Move(&g, "e7e5", "y")
		change(&g, &st)
		return st
	}
	for _, c := range []struct {
		name string
		step store.Step
		err  error
	}{
		{"ahead", stepOf(func(_ *store.Game, s *store.Step) { s.State.Seq++; s.Rows[0].Seq++ }), store.ErrStale},
		{"behind", stepOf(func(_ *store.Game, s *store.Step) { s.State.Seq--; s.Rows[0].Seq-- }), store.ErrStale},
		{"without rows, ahead", stepOf(func(_ *store.Game, s *store.Step) { s.Rows = nil }), store.ErrStale},
		{"no such game", stepOf(func(_ *store.Game, s *store.Step) { s.GameID, s.Rows[0].GameID = "none", "none" }), store.ErrStale},
		{"gap in the rows", stepOf(func(_ *store.Game, s *store.Step) { s.Rows[0].Seq++ }), store.ErrInvalid},
		{"row of another game", stepOf(func(_ *store.Game, s *store.Step) { s.Rows[0].GameID = "two" }), store.ErrInvalid},
		{"no id", stepOf(func(_ *store.Game, s *store.Step) { s.GameID = "" }), store.ErrInvalid},
		{"action id twice", stepOf(func(_ *store.Game, s *store.Step) { s.Rows[0].Player, s.Rows[0].ActionID = 0, "x" }), store.ErrConflict},
		{"id taken", Begin(NewGame("two", now, "a", "b")), store.ErrInvalid}, // two steps of one game
		{"id taken by a stored game", Begin(NewGame("one", now, "a", "b")), store.ErrConflict},
		{"rated against nobody", stepOf(func(g *store.Game, s *store.Step) {
			s.Rate = &store.RateRequest{Keys: [2]string{"spartan", "spartan"}, Accounts: [2]string{"a", "nobody"}, Score: 1, At: now}
		}), store.ErrInvalid},
		{"rated against oneself", stepOf(func(g *store.Game, s *store.Step) {
			s.Rate = &store.RateRequest{Keys: [2]string{"spartan", "spartan"}, Accounts: [2]string{"a", "a"}, Score: 1, At: now}
		}), store.ErrInvalid},
	} {
		_, err := s.CommitSteps(ctx, []store.Step{good(), c.step}, Rate)
		if !errors.Is(err, c.err) {
			t.Fatalf("%s: got %v, want %v", c.name, err, c.err)
		}
		var named *store.StepError
		if !errors.As(err, &named) || named.Index != 1 || named.GameID != c.step.ID() {
			t.Fatalf("%s: the error does not name step 1 of %q: %v", c.name, c.step.ID(), err)
		}
		same(t, c.name+": games after", []store.Game{game(t, s, "one"), game(t, s, "two")}, before)
		for _, g := range before {
			log, err := s.LogOf(ctx, g.ID, 0)
			must(t, err)
			same(t, c.name+": rows after", int64(len(log)), g.Seq)
		}
	}
	if _, err := s.CommitSteps(ctx, []store.Step{Finish(one, store.StatusMate, 0)}, nil); !errors.Is(err, store.ErrInvalid) {
		t.Fatal("rating without a function:", err)
	}
	perfs, err := s.PerfsOf(ctx, "a")
	must(t, err)
	same(t, "ratings", len(perfs), 0)
}

// testStepsBatch commits a batch of every size around the powers of two that an
// implementation may work in.
func testStepsBatch(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	AddAccount(t, s, "b")
	for _, n := range []int{1, 2, 3, 63, 64, 65, 300} {
		games := make([]*store.Game, n)
		steps := make([]store.Step, n)
		for i := range games {
			games[i] = NewGame(fmt.Sprintf("b%d.%d", n, i), minutes(i), "a", "b")
			steps[i] = Begin(games[i])
		}
		commit(t, s, steps...)
		for i, g := range games {
			steps[i] = Move(g, fmt.Sprint("m", i), fmt.Sprint("k", i))
		}
		commit(t, s, steps...)
		all := make([]string, n)
		for i, g := range games {
			all[i] = g.ID
		}
		got, err := s.GamesByID(ctx, append(all, all[0], "none"))
		must(t, err)
		if len(got) != n {
			t.Fatalf("%d of %d games", len(got), n)
		}
		for i, g := range got {
			same(t, g.ID, g, *games[n-1-i]) // newest first
		}
		// The last step is stale: nothing of the batch may stay.
		for i, g := range games {
			copied := *g
			steps[i] = Move(&copied, "x", "")
		}
		steps[n-1].State.Seq += 5
		steps[n-1].Rows[0].Seq += 5
		_, err = s.CommitSteps(ctx, steps, Rate)
		var named *store.StepError
		if !errors.Is(err, store.ErrStale) || !errors.As(err, &named) || named.Index != n-1 {
			t.Fatalf("batch of %d: %v", n, err)
		}
		for _, g := range games {
			same(t, g.ID, game(t, s, g.ID).Seq, g.Seq)
		}
	}
}

func testRatings(t *testing.T, s store.Store) {
	for _, n := range []string{"a", "b", "c"} {
		AddAccount(t, s, n)
	}
	one, two, three := NewGame("one", now, "b", "a"), NewGame("two", now, "a", "c"), NewGame("three", now, "c", "b")
	three.Rated = false
	commit(t, s, Begin(one), Begin(two), Begin(three))
	// a plays two games that end in one batch, and the second sees the first.
	res := commit(t, s, Finish(one, store.StatusMate, 1), Finish(two, store.StatusResign, 0), Finish(three, store.StatusDraw, -1))
	same(t, "diffs of one", res[0].Diffs, [2]int{-10, 10})
	same(t, "diffs of two", res[1].Diffs, [2]int{10, -10})
	same(t, "rated", []bool{res[0].Rated, res[1].Rated, res[2].Rated}, []bool{true, true, false})
	same(t, "ratings after", []float64{res[0].Perfs[1].Rating, res[1].Perfs[0].Rating, res[1].Perfs[1].Rating}, []float64{1510, 1520, 1490})
	p, err := s.Perf(ctx, "a", "spartan")
	must(t, err)
	same(t, "stored", p, store.Perf{AccountID: "a", Key: "spartan", Rating: 1520, RD: 500, Vol: 0.09, Games: 2, Progress: 20, Updated: now})
	g := game(t, s, "one")
	same(t, "diffs in the game", []int{*g.Players[0].RatingDiff, *g.Players[1].RatingDiff}, []int{-10, 10})
	if g := game(t, s, "three"); g.Players[0].RatingDiff != nil {
		t.Fatal("a casual game got a rating difference")
	}
	for _, c := range []struct {
		id   string
		want store.Count
	}{
		{"a", store.Count{All: 2, Rated: 2, Win: 2}},
		{"b", store.Count{All: 2, Rated: 1, Loss: 1, Draw: 1}},
		{"c", store.Count{All: 2, Rated: 1, Loss: 1, Draw: 1}},
	} {
		a, err := s.AccountByID(ctx, c.id)
		must(t, err)
		same(t, "count of "+c.id, a.Count, c.want)
	}
	// Chat after the end moves the log on and rates nothing.
	one.Seq++
	commit(t, s, store.Step{GameID: "one", State: one.GameState, Rows: []store.Action{
		{GameID: "one", Seq: one.Seq, Kind: "chat", Player: 0, At: minutes(9), Data: json.RawMessage(`{"text":"gg"}`)},
	}})
	g = game(t, s, "one")
	same(t, "after the end", []any{g.Seq, g.Status, *g.Players[1].RatingDiff}, []any{one.Seq, store.StatusMate, 10})
}

// testRatingsConcurrent finishes games between the same people from several
// sides at once: no deadlock, no rating lost.
func testRatingsConcurrent(t *testing.T, s store.Store) {
	const workers, rounds = 4, 10
	AddAccount(t, s, "a")
	AddAccount(t, s, "b")
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for r := range rounds {
				x, y := "a", "b"
				if (w+r)%2 == 1 {
					x, y = y, x
				}
				g, h := NewGame(fmt.Sprintf("%d-%d", w, r), now, x, y), NewGame(fmt.Sprintf("%d+%d", w, r), now, y, x)
				_, err := s.CommitSteps(ctx, []store.Step{Begin(g), Begin(h)}, Rate)
				if err == nil {
					_, err = s.CommitSteps(ctx, []store.Step{Finish(g, store.StatusMate, 0), Finish(h, store.StatusMate, 0)}, Rate)
				}
				if err != nil {
					t.Errorf("worker %d round %d: %v", w, r, err)
					return
				}
			}
		})
	}
	wg.Wait()
	for _, id := range []string{"a", "b"} {
		p, err := s.Perf(ctx, id, "spartan")
		must(t, err)
		a, err := s.AccountByID(ctx, id)
		must(t, err)
		const all = 2 * workers * rounds
		same(t, id, []any{p.Games, p.Rating, a.Count.All, a.Count.Win}, []any{all, 1500.0, all, all / 2})
	}
}

func testActionByID(t *testing.T, s store.Store) {
	g := NewGame("one", now, "a", "b")
	commit(t, s, Begin(g))
	commit(t, s, Move(g, "e2e4", "key"))
	commit(t, s, Move(g, "e7e5", "key")) // the other player's key
	commit(t, s, Move(g, "d2d4", ""))
	commit(t, s, Move(g, "d7d5", ""))
	a, err := s.ActionByID(ctx, "one", 0, "key")
	must(t, err)
	same(t, "first", []any{a.Seq, a.Kind, a.At, strings.ReplaceAll(string(a.Data), " ", "")}, []any{int64(2), "move", now.Add(time.Second), `{"uci":"e2e4"}`})
	a, err = s.ActionByID(ctx, "one", 1, "key")
	must(t, err)
	same(t, "second", a.Seq, 3)
	for _, c := range []struct {
		game   string
		player int
		id     string
	}{{"one", 0, ""}, {"one", -1, "key"}, {"two", 0, "key"}, {"one", 0, "KEY"}, {"one", 0, "a\x00"}} {
		_, err := s.ActionByID(ctx, c.game, c.player, c.id)
		want(t, err, store.ErrNotFound)
	}
}

func testDueGames(t *testing.T, s store.Store) {
	for i, d := range []time.Time{minutes(5), {}, minutes(3), minutes(60)} {
		g := NewGame(fmt.Sprint("g", i), now, "a", "b")
		g.Deadline = d
		commit(t, s, Begin(g))
	}
	over := NewGame("over", now, "a", "b")
	over.Deadline, over.Status = minutes(1), store.StatusAborted
	commit(t, s, Begin(over))
	due, err := s.DueGames(ctx, minutes(10), 10)
	must(t, err)
	same(t, "due", due, []store.DueGame{{GameID: "g2", Deadline: minutes(3)}, {GameID: "g0", Deadline: minutes(5)}})
	due, err = s.DueGames(ctx, minutes(100), 1)
	must(t, err)
	same(t, "most urgent", due, []store.DueGame{{GameID: "g2", Deadline: minutes(3)}})
}

func testGamesTurned(t *testing.T, s store.Store) {
	for _, c := range []struct {
		id             string
		created, moved time.Time
		status         store.Status
	}{
		{"old", now, minutes(9), store.StatusStarted},
		{"oldover", now, minutes(4), store.StatusMate},
		{"fresh", minutes(5), time.Time{}, store.StatusCreated},
		{"played", minutes(6), minutes(7), store.StatusStarted},
		{"ended", now, minutes(8), store.StatusResign},
		{"aborted", minutes(5), minutes(5), store.StatusAborted},
	} {
		g := NewGame(c.id, c.created, "a", "b")
		g.Status, g.LastMove = c.status, c.moved
		commit(t, s, Begin(g))
	}
	turned, err := s.GamesTurned(ctx, minutes(5))
	must(t, err)
	same(t, "turned", turned, []string{"aborted", "ended", "fresh", "played"})
	turned, err = s.GamesTurned(ctx, minutes(10))
	must(t, err)
	same(t, "nothing", len(turned), 0)
}

func testShiftDeadlines(t *testing.T, s store.Store) {
	const n = 450
	var steps []store.Step
	add := func(id string, change func(*store.Game)) {
		g := NewGame(id, now, "a", "b")
		g.HasClock, g.Days, g.TurnStart, g.Deadline = false, 2, minutes(1), minutes(100)
		change(g)
		steps = append(steps, Begin(g))
	}
	for i := range n {
		add(fmt.Sprintf("days%03d", i), func(*store.Game) {})
	}
	add("clock", func(g *store.Game) { g.Days, g.HasClock = 0, true })
	add("idle", func(g *store.Game) { g.TurnStart, g.Deadline = time.Time{}, time.Time{} })
	add("over", func(g *store.Game) { g.Status = store.StatusAborted })
	add("later", func(g *store.Game) { g.Created = minutes(58) })
	commit(t, s, steps...)
	for _, c := range []struct {
		epoch time.Time
		by    time.Duration
		moved int
		total time.Duration
	}{
		{minutes(50), 7 * time.Minute, n + 1, 7 * time.Minute},
		{minutes(50), 7 * time.Minute, 0, 7 * time.Minute},
		{minutes(51), 3 * time.Minute, n + 1, 10 * time.Minute},
	} {
		moved, err := s.ShiftDeadlines(ctx, c.epoch, c.by)
		must(t, err)
		same(t, "moved", moved, c.moved)
		for _, id := range []string{"days000", "days449"} {
			g := game(t, s, id)
			same(t, id, []time.Time{g.TurnStart, g.Deadline}, []time.Time{minutes(1).Add(c.total), minutes(100).Add(c.total)})
		}
	}
	same(t, "with a clock", game(t, s, "clock").Deadline, minutes(100))
	same(t, "over", game(t, s, "over").Deadline, minutes(100))
	same(t, "made after the outage", game(t, s, "later").Deadline, minutes(100))
	same(t, "idle", game(t, s, "idle").Deadline.IsZero(), true)
	// A shifted game goes on.
	g := game(t, s, "days000")
	commit(t, s, Move(&g, "e2e4", ""))
}
