package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"hoplite/store"
)

func newPuzzle(id, variant string, rating float64, themes ...string) store.Puzzle {
	return store.Puzzle{
		ID: id, Variant: variant, FEN: "4k3/8/8/8/8/8/8/4K3 b - - 0 1", Moves: []string{"e8d8", "e1d1"}, Goal: "mateIn1",
		Themes: themes, Rating: rating, RD: 150, Vol: 0.09, Source: "selfplay", Created: now,
	}
}

func testPuzzles(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	full := newPuzzle("k3Xq9", "spartan", 1480.5, "mateIn2", "dupleCheck")
	full.Alts, full.Plays, full.Popularity = [][]string{{"a1a2", "a1a3"}, nil}, 3, -5
	must(t, s.SavePuzzles(ctx, []store.Puzzle{full}))
	got, err := s.PuzzleByID(ctx, "k3Xq9")
	must(t, err)
	same(t, "puzzle", got, full)
	_, err = s.PuzzleByID(ctx, "K3Xq9")
	want(t, err, store.ErrNotFound)
	must(t, s.SavePuzzles(ctx, nil))
	bad := newPuzzle("bad", "spartan", 1500, "two words")
	want(t, s.SavePuzzles(ctx, []store.Puzzle{newPuzzle("fine", "spartan", 1500), bad}), store.ErrInvalid)

	// Saved again: new contents, old rating and counts.
	again := full
	again.Themes, again.Rating, again.Plays, again.Alts = []string{"mate"}, 9, 9, nil
	must(t, s.SavePuzzles(ctx, []store.Puzzle{again}))
	again.Rating, again.Plays = full.Rating, full.Plays
	got, err = s.PuzzleByID(ctx, "k3Xq9")
	must(t, err)
	same(t, "saved again", got, again)

	var many []store.Puzzle
	for i := range 250 {
		p := newPuzzle(fmt.Sprintf("m%04d", i), "seirawan", 1000+float64(i), "mate", fmt.Sprint("t", i%2))
		if i%5 == 0 {
			p.FEN = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
		}
		many = append(many, p)
	}
	must(t, s.SavePuzzles(ctx, many))
	n, err := s.CountPuzzles(ctx)
	must(t, err)
	same(t, "numbers", n, map[string]int{"spartan": 1, "seirawan": 250})
	_, err = s.AddAttempt(ctx, store.PuzzleAttempt{AccountID: "a", PuzzleID: "m0001", At: now})
	must(t, err)
	for _, c := range []struct {
		name  string
		f     store.PuzzleFilter
		n     int
		first string
	}{
		{"variant", store.PuzzleFilter{Variant: "seirawan", Limit: 1000}, 250, "m0000"},
		{"page", store.PuzzleFilter{AfterID: "m0010", Limit: 5}, 5, "m0011"},
		{"ratings", store.PuzzleFilter{MinRating: 1100, MaxRating: 1109, Limit: 100}, 10, "m0100"},
		{"theme", store.PuzzleFilter{Theme: "t1", Limit: 1000}, 125, "m0001"},
		{"part of a theme", store.PuzzleFilter{Theme: "mat", Limit: 1000}, 0, ""},
		{"any theme", store.PuzzleFilter{Theme: "%", Limit: 1000}, 0, ""},
		{"two themes", store.PuzzleFilter{Theme: "mate t1", Limit: 1000}, 0, ""},
		{"unseen", store.PuzzleFilter{Variant: "seirawan", UnseenBy: "a", Limit: 1000}, 249, "m0000"},
		{"black solves", store.PuzzleFilter{SideToMove: "black", Limit: 1000}, 50, "m0000"},
		{"white solves", store.PuzzleFilter{Variant: "seirawan", SideToMove: "white", Limit: 1000}, 200, "m0001"},
	} {
		list, err := s.Puzzles(ctx, c.f)
		must(t, err)
		if len(list) != c.n || c.n > 0 && list[0].ID != c.first {
			t.Fatalf("%s: got %d puzzles, want %d from %s", c.name, len(list), c.n, c.first)
		}
	}
	list, err := s.PuzzlesByID(ctx, []string{"m0003", "none", "k3Xq9", "m0003"})
	must(t, err)
	same(t, "by ids", ids(list, func(p store.Puzzle) string { return p.ID }), []string{"m0003", "k3Xq9"})

	_, err = s.CurrentPuzzle(ctx, "a", "spartan")
	want(t, err, store.ErrNotFound)
	for _, id := range []string{"k3Xq9", "m0003"} {
		must(t, s.SetCurrentPuzzle(ctx, "a", "spartan", id))
	}
	must(t, s.SetCurrentPuzzle(ctx, "a", "mix", "m0003"))
	must(t, s.SetCurrentPuzzle(ctx, "a", "mate", "m0004"))
	id, err := s.CurrentPuzzle(ctx, "a", "spartan")
	must(t, err)
	same(t, "current", id, "m0003")
	must(t, s.ClearCurrentPuzzle(ctx, "a", "m0003"))
	_, err = s.CurrentPuzzle(ctx, "a", "mix")
	want(t, err, store.ErrNotFound)
	must(t, s.SetCurrentPuzzle(ctx, "a", "mate", ""))
	_, err = s.CurrentPuzzle(ctx, "a", "mate")
	want(t, err, store.ErrNotFound)
}

func testAttempts(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	must(t, s.SavePuzzles(ctx, []store.Puzzle{newPuzzle("p1", "spartan", 1500), newPuzzle("p2", "spartan", 1500)}))
	solve := func(puzzle string, at time.Time, key string) (bool, error) {
		var first bool
		err := s.InTx(ctx, func(tx store.Store) error {
			p, err := tx.LockPuzzle(ctx, puzzle)
			if err != nil {
				return err
			}
			u, err := tx.LockPerf(ctx, "a", store.PuzzleKey(p.Variant))
			if err != nil {
				return err
			}
			u.Rating, u.Games = u.Rating+8, u.Games+1
			if err := tx.SavePerf(ctx, u); err != nil {
				return err
			}
			if err := tx.RatePuzzle(ctx, puzzle, p.Rating-8, p.RD-1, p.Vol); err != nil {
				return err
			}
			first, err = tx.AddAttempt(ctx, store.PuzzleAttempt{
				AccountID: "a", PuzzleID: puzzle, At: at, Win: true, Rated: true, Rating: int(u.Rating), RatingDiff: 8,
				PuzzleAfter: int(p.Rating) - 8, Moves: "e1d1", ActionID: key,
			})
			return err
		})
		return first, err
	}
	first, err := solve("p1", minutes(1), "k1")
	must(t, err)
	same(t, "first", first, true)
	first, err = solve("p1", minutes(2), "")
	must(t, err)
	same(t, "second", first, false)
	_, err = solve("p2", minutes(3), "k1")
	want(t, err, store.ErrConflict)
	_, err = solve("none", minutes(3), "")
	want(t, err, store.ErrNotFound)
	_, err = solve("p2", minutes(3), "")
	must(t, err)

	u, err := s.Perf(ctx, "a", store.PuzzleKey("spartan"))
	must(t, err)
	same(t, "user's rating: the refused one left no trace", []any{u.Rating, u.Games}, []any{1524.0, 3})
	p, err := s.PuzzleByID(ctx, "p1")
	must(t, err)
	same(t, "puzzle", []any{p.Rating, p.RD, p.Plays}, []any{1484.0, 148.0, 2})
	a, err := s.AttemptByAction(ctx, "a", "k1")
	must(t, err)
	same(t, "by key", a, store.PuzzleAttempt{
		AccountID: "a", PuzzleID: "p1", At: minutes(1), Win: true, First: true, Rated: true, Rating: 1508, RatingDiff: 8,
		PuzzleAfter: 1492, Moves: "e1d1", ActionID: "k1",
	})
	_, err = s.AttemptByAction(ctx, "a", "")
	want(t, err, store.ErrNotFound)
	for puzzle, expect := range map[string]bool{"p1": true, "p2": true, "none": false} {
		tried, err := s.Tried(ctx, "a", puzzle)
		must(t, err)
		same(t, "tried "+puzzle, tried, expect)
	}
	list, err := s.Attempts(ctx, "a", time.Time{}, time.Time{}, 10)
	must(t, err)
	pid := func(a store.PuzzleAttempt) string { return fmt.Sprint(a.PuzzleID, a.First) }
	same(t, "newest first", ids(list, pid), []string{"p2true", "p1false", "p1true"})
	list, err = s.Attempts(ctx, "a", minutes(2), minutes(3), 10)
	must(t, err)
	same(t, "between", ids(list, pid), []string{"p1false"})
	_, err = s.AddAttempt(ctx, store.PuzzleAttempt{AccountID: "nobody", PuzzleID: "p1", At: now})
	want(t, err, store.ErrInvalid)
	_, err = s.AddAttempt(ctx, store.PuzzleAttempt{AccountID: "a", PuzzleID: "none", At: now})
	want(t, err, store.ErrInvalid)
	want(t, s.RatePuzzle(ctx, "none", 1, 1, 1), store.ErrNotFound)
	if _, err := s.LockPuzzle(ctx, "p1"); err == nil {
		t.Fatal("a lock outside a transaction would not hold")
	}

	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			if _, err := solve("p2", minutes(9), ""); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	p, err = s.PuzzleByID(ctx, "p2")
	must(t, err)
	same(t, "played at once", []any{p.Plays, p.Rating}, []any{7, 1500.0 - 7*8})
}

func testMeta(t *testing.T, s store.Store) {
	_, err := s.MetaValue(ctx, "k")
	want(t, err, store.ErrNotFound)
	must(t, s.SetMeta(ctx, "k", "v1"))
	must(t, s.SetMeta(ctx, "k", "v2"))
	v, err := s.MetaValue(ctx, "k")
	must(t, err)
	same(t, "value", v, "v2")

	var wg sync.WaitGroup
	values := make([]string, 8)
	for i := range values {
		wg.Go(func() {
			v, err := s.SetMetaOnce(ctx, "secret", fmt.Sprint(i))
			if err != nil {
				t.Error(err)
			}
			values[i] = v
		})
	}
	wg.Wait()
	for _, v := range values {
		same(t, "the same for all", v, values[0])
	}
	taken := make([]error, 6)
	for i := range taken {
		wg.Go(func() { _, taken[i] = s.TakeMeta(ctx, "k") })
	}
	wg.Wait()
	n := 0
	for _, err := range taken {
		if err == nil {
			n++
		} else {
			want(t, err, store.ErrNotFound)
		}
	}
	same(t, "takers", n, 1)

	at, err := s.LastBeat(ctx)
	must(t, err)
	same(t, "before the first", at.IsZero(), true)
	for i := range 3 {
		must(t, s.Beat(ctx, minutes(i)))
	}
	at, err = s.LastBeat(ctx)
	must(t, err)
	same(t, "heartbeat", at, minutes(2))
	must(t, s.Ping(ctx))
}

func testTransactions(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	boom := errors.New("boom")
	err := s.InTx(ctx, func(tx store.Store) error {
		must(t, tx.SetMeta(ctx, "x", "1"))
		v, err := tx.MetaValue(ctx, "x")
		must(t, err)
		same(t, "own write", v, "1")
		AddAccount(t, tx, "b")
		return boom
	})
	want(t, err, boom)
	_, err = s.MetaValue(ctx, "x")
	want(t, err, store.ErrNotFound)
	_, err = s.AccountByID(ctx, "b")
	want(t, err, store.ErrNotFound)

	// A refused change inside does not spoil the transaction.
	g := NewGame("one", now, "a", "b")
	must(t, s.InTx(ctx, func(tx store.Store) error {
		want(t, tx.CreateAccount(ctx, store.Account{ID: "a", Name: "A"}), store.ErrConflict)
		want(t, tx.SavePerf(ctx, store.NewPerf("nobody", "x")), store.ErrInvalid)
		if _, err := tx.CommitSteps(ctx, []store.Step{Begin(g)}, Rate); err != nil {
			return err
		}
		copied := *g
		copied.Seq = 7
		_, err := tx.CommitSteps(ctx, []store.Step{Move(&copied, "x", "")}, Rate)
		want(t, err, store.ErrStale)
		return tx.InTx(ctx, func(tx store.Store) error { return tx.SetMeta(ctx, "x", "2") })
	}))
	v, err := s.MetaValue(ctx, "x")
	must(t, err)
	same(t, "committed", v, "2")
	same(t, "game", game(t, s, "one").Seq, 1)

	// A panic inside leaves the store usable.
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = s.InTx(ctx, func(tx store.Store) error {
			must(t, tx.SetMeta(ctx, "x", "3"))
			panic("boom")
		})
	}()
	must(t, s.SetMeta(ctx, "y", "1"))
	v, err = s.MetaValue(ctx, "x")
	must(t, err)
	same(t, "after the panic", v, "2")
}
