package puzzle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	engine "hoplite/engine/puzzle"
	"hoplite/engine/variant"
	"hoplite/server/fault"
	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/store/storetest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// scholar is mate in one, ladder mate in two with other ways to it.
func scholar() engine.Puzzle {
	return engine.Puzzle{
		ID: "aaaa1", Variant: "standard", Goal: engine.Goal{MateIn: 1},
		FEN:   "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3",
		Moves: []string{"g8f6", "h5f7"}, Themes: []string{"mate", "mateIn1"}, Rating: 800, RD: 150, Vol: 0.09,
	}
}

func ladder() engine.Puzzle {
	return engine.Puzzle{
		ID: "bbbb2", Variant: "standard", Goal: engine.Goal{MateIn: 2},
		FEN:   "8/6k1/1R6/8/8/8/8/R3K3 b - - 0 1",
		Moves: []string{"g7f8", "b6b7", "f8e8", "a1a8"}, Themes: []string{"mate", "mateIn2", "endgame"},
		Rating: 1200, RD: 150, Vol: 0.09,
	}
}

func newService(t *testing.T, db *gormdb.DB, list ...engine.Puzzle) *Service {
	t.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	if err := Save(t.Context(), db, list, noon); err != nil {
		t.Fatal(err)
	}
	s := New(Deps{Store: db, Catalogue: set, Now: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler)})
	if err := s.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func refused(t *testing.T, err error, kind fault.Kind, text string) {
	t.Helper()
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != kind || !strings.Contains(f.Error(), text) {
		t.Errorf("error is %v, want %v about %q", err, kind, text)
	}
}

func TestShown(t *testing.T) {
	t.Parallel()
	s := newService(t, storetest.New(t), scholar(), ladder())
	e, err := s.byID(t.Context(), "aaaa1")
	if err != nil {
		t.Fatal(err)
	}
	p := shown(e)
	if p.Puzzle.Fen != "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4" || p.Puzzle.LastMove != "g8f6" {
		t.Errorf("fen %q after %q", p.Puzzle.Fen, p.Puzzle.LastMove)
	}
	if p.Game.Pgn != "Nf6" || p.Puzzle.InitialPly != 0 || !cmp.Equal(p.Puzzle.Solution, []string{"h5f7"}) {
		t.Errorf("pgn %q, initial ply %d, solution %v", p.Game.Pgn, p.Puzzle.InitialPly, p.Puzzle.Solution)
	}
	if p.Game.Perf.Key != "standard" || p.Puzzle.Variant != "standard" || len(p.Game.Players) != 2 || p.Puzzle.Rating != 800 {
		t.Errorf("puzzle %+v", p)
	}
	_, err = s.byID(t.Context(), "nope1")
	refused(t, err, fault.KindNotFound, "No puzzle found")
	counts, err := s.CountPuzzles(t.Context())
	if err != nil || !cmp.Equal(counts, map[string]int{"standard": 2}) {
		t.Errorf("counts %v, %v", counts, err)
	}
}

func TestSolve(t *testing.T) {
	t.Parallel()
	s := newService(t, storetest.New(t), scholar(), ladder())
	yes := answer{win: true, done: true}
	for _, c := range []struct {
		label, id string
		moves     []string
		want      answer
	}{
		{"right", "aaaa1", []string{"h5f7"}, yes},
		{"wrong", "aaaa1", []string{"h5e5"}, answer{done: true}},
		{"first of two", "bbbb2", []string{"b6b7"}, answer{win: true, reply: "f8e8"}},
		{"both", "bbbb2", []string{"b6b7", "a1a8"}, yes},
		{"the other rook", "bbbb2", []string{"a1a7"}, answer{win: true, reply: "any"}},
		{"too slow", "bbbb2", []string{"e1e2"}, answer{longer: true}},
	} {
		got, err := s.solve(t.Context(), "", c.id, c.moves, "")
		if err != nil {
			t.Errorf("%s: %v", c.label, err)
			continue
		}
		if got.done != (got.solution != nil) || got.diff != nil {
			t.Errorf("%s: solution %v, rating %v", c.label, got.solution, got.diff)
		}
		if c.want.reply == "any" && got.reply != "" {
			got.reply = "any"
		}
		got.solution = nil
		if d := cmp.Diff(c.want, got, cmp.AllowUnexported(answer{})); d != "" {
			t.Errorf("%s: want, got: %s", c.label, d)
		}
	}
	for _, c := range []struct {
		label string
		id    string
		moves []string
		kind  fault.Kind
		text  string
	}{
		{"no moves", "aaaa1", nil, fault.KindInvalid, "at least one"},
		{"unknown puzzle", "zzzzz", []string{"h5f7"}, fault.KindNotFound, "No puzzle found"},
		{"nonsense", "aaaa1", []string{"castle!"}, fault.KindInvalid, "Move 1"},
		{"illegal", "aaaa1", []string{"h5h8"}, fault.KindInvalid, "Move 1"},
		{"illegal later", "bbbb2", []string{"b6b7", "a1a9"}, fault.KindInvalid, "Move 2"},
		{"after the end", "aaaa1", []string{"h5f7", "a2a3"}, fault.KindInvalid, "over"},
		{"unicode", "aaaa1", []string{"h5f７"}, fault.KindInvalid, "Move 1"},
		{"broken text", "aaaa1", []string{"h5\xff"}, fault.KindInvalid, "Move 1"},
		{"long", "aaaa1", []string{strings.Repeat("h5f7", 100)}, fault.KindInvalid, "Move 1"},
	} {
		_, err := s.solve(t.Context(), "", c.id, c.moves, "")
		t.Run(c.label, func(t *testing.T) { refused(t, err, c.kind, c.text) })
	}
}

func TestFirstAttemptIsRated(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		s := newService(t, db, scholar(), ladder())
		storetest.AddAccount(t, db, "Ann")
		ctx := t.Context()
		key := store.PuzzleKey("standard")

		// Right so far, illegal, or mate a move later: nothing is counted.
		for _, moves := range [][]string{{"b6b7"}, {"e1e2"}} {
			if a, err := s.solve(ctx, "ann", "bbbb2", moves, ""); err != nil || a.diff != nil {
				t.Errorf("%v: %+v, %v", moves, a, err)
			}
		}
		if p, err := db.Perf(ctx, "ann", key); err != nil || p.Games != 0 {
			t.Errorf("rated %d times, %v, before an attempt ended", p.Games, err)
		}

		won, err := s.solve(ctx, "ann", "bbbb2", []string{"b6b7", "a1a8"}, "")
		if err != nil || won.diff == nil || *won.diff <= 0 {
			t.Fatalf("solved: %+v, %v", won, err)
		}
		after, err := db.Perf(ctx, "ann", key)
		if err != nil || after.Games != 1 || int(after.Rating+0.5)-1500 != *won.diff {
			t.Errorf("rating %+v, %v, want a gain of %d", after, err, *won.diff)
		}
		again, err := s.solve(ctx, "ann", "bbbb2", []string{"b6b7", "a1a8"}, "")
		if err != nil || !again.win || again.diff != nil {
			t.Errorf("a second time: %+v, %v, want it judged and not rated", again, err)
		}
		if p, err := db.Perf(ctx, "ann", key); err != nil || !cmp.Equal(p, after) {
			t.Errorf("rating after a second try %+v, %v, want %+v", p, err, after)
		}
		lost, err := s.solve(ctx, "ann", "aaaa1", []string{"h5e5"}, "")
		if err != nil || lost.diff == nil || *lost.diff >= 0 {
			t.Errorf("failed: %+v, %v", lost, err)
		}

		list, err := db.Attempts(ctx, "ann", time.Time{}, time.Time{}, 10)
		if err != nil || len(list) != 3 {
			t.Fatalf("attempts %+v, %v", list, err)
		}
		if !list[2].First || !list[2].Rated || list[1].First || list[1].Rated || list[1].RatingDiff != 0 || !list[0].Rated {
			t.Errorf("attempts %+v", list)
		}
		// The player's first tries say little: the puzzle's rating stays, its plays count.
		p, err := db.PuzzleByID(ctx, "bbbb2")
		if err != nil || p.Rating != 1200 || p.Plays != 1 {
			t.Errorf("puzzle %+v, %v", p, err)
		}
		if e, err := s.byID(ctx, "bbbb2"); err != nil || e.puzzle.Plays != 1 {
			t.Errorf("shown with %d plays, %v", e.puzzle.Plays, err)
		}
	})
}

func TestSettledPlayerRatesPuzzle(t *testing.T) {
	t.Parallel()
	perf := store.Perf{Rating: 1500, RD: 60, Vol: 0.06}
	p := store.Puzzle{Rating: 1500, RD: 150, Vol: 0.09}
	if _, after := rate(perf, p, true, noon); after.Rating >= 1500 || after.RD >= 150 || after.Plays != 1 {
		t.Errorf("solved: %+v", after)
	}
	if _, after := rate(perf, p, false, noon); after.Rating <= 1500 {
		t.Errorf("failed: %+v", after)
	}
	wild := store.Puzzle{Rating: 800, RD: 500, Vol: 0.09}
	if _, after := rate(store.Perf{Rating: 2500, RD: 50, Vol: 0.06}, wild, false, noon); after.Rating != 800+largestStep {
		t.Errorf("one attempt moved a puzzle from 800 to %v", after.Rating)
	}
	if after, _ := rate(store.NewPerf("ann", "x"), p, true, noon); after.Rating <= 1500 || after.Games != 1 {
		t.Errorf("player %+v", after)
	}
}

func TestRepeatedAction(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		s := newService(t, db, scholar(), ladder())
		storetest.AddAccount(t, db, "Ann")
		var wg sync.WaitGroup
		diffs := make([]*int, 4)
		for i := range diffs {
			wg.Go(func() {
				a, err := s.solve(context.Background(), "ann", "aaaa1", []string{"h5f7"}, "key-1")
				if err != nil {
					t.Error(err)
				}
				diffs[i] = a.diff
			})
		}
		wg.Wait()
		for _, d := range diffs {
			if d == nil || *d != *diffs[0] {
				t.Fatalf("the same action got different answers: %v", diffs)
			}
		}
		list, err := db.Attempts(t.Context(), "ann", time.Time{}, time.Time{}, 10)
		if err != nil || len(list) != 1 {
			t.Errorf("%d attempts, %v, want one", len(list), err)
		}
		_, err = s.solve(t.Context(), "ann", "bbbb2", []string{"b6b7", "a1a8"}, "key-1")
		refused(t, err, fault.KindInvalid, "idempotency key")
	})
}

// Many at once: each account is rated once, each play counted.
func TestConcurrentAttempts(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		s := newService(t, db, scholar())
		var wg sync.WaitGroup
		for i := range 4 {
			name := fmt.Sprintf("player%d", i)
			storetest.AddAccount(t, db, name)
			for range 3 {
				wg.Go(func() {
					if _, err := s.solve(context.Background(), name, "aaaa1", []string{"h5f7"}, ""); err != nil {
						t.Error(err)
					}
				})
			}
		}
		wg.Wait()
		for i := range 4 {
			p, err := db.Perf(t.Context(), fmt.Sprintf("player%d", i), store.PuzzleKey("standard"))
			if err != nil || p.Games != 1 {
				t.Errorf("player %d was rated %d times, %v", i, p.Games, err)
			}
		}
		if p, err := db.PuzzleByID(t.Context(), "aaaa1"); err != nil || p.Plays != 4 {
			t.Errorf("%d plays, %v, want 4", p.Plays, err)
		}
	})
}

func TestNext(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		s := newService(t, db, scholar(), ladder())
		storetest.AddAccount(t, db, "Ann")
		ctx := t.Context()
		first, err := s.next(ctx, "ann", query{})
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			if e, err := s.next(ctx, "ann", query{}); err != nil || e.puzzle.ID != first.puzzle.ID {
				t.Fatalf("got %s, %v, want %s until it is solved", e.puzzle.ID, err, first.puzzle.ID)
			}
		}
		solution := map[string][]string{"aaaa1": {"h5f7"}, "bbbb2": {"b6b7", "a1a8"}}
		if _, err := s.solve(ctx, "ann", first.puzzle.ID, solution[first.puzzle.ID], ""); err != nil {
			t.Fatal(err)
		}
		second, err := s.next(ctx, "ann", query{})
		if err != nil || second.puzzle.ID == first.puzzle.ID {
			t.Fatalf("after solving it came %s, %v", second.puzzle.ID, err)
		}
		// Failed once: it comes again before the solved one does.
		if _, err := s.solve(ctx, "ann", second.puzzle.ID, []string{map[string]string{"aaaa1": "h5e5", "bbbb2": "b6b1"}[second.puzzle.ID]}, ""); err != nil {
			t.Fatal(err)
		}
		if third, err := s.next(ctx, "ann", query{}); err != nil || third.puzzle.ID != second.puzzle.ID {
			t.Errorf("with all tried came %s, %v, want the failed %s", third.puzzle.ID, err, second.puzzle.ID)
		}

		for _, q := range []query{{angle: "endgame"}, {angle: "mateIn2"}, {angle: "standard", color: "white", difficulty: "hardest"}} {
			e, err := s.next(ctx, "", q)
			if err != nil || q.angle != "standard" && e.puzzle.ID != "bbbb2" {
				t.Errorf("%+v: %s, %v", q, e.puzzle.ID, err)
			}
		}
		for _, q := range []query{{angle: "nothing"}, {color: "black"}, {angle: "spartan"}, {variant: "chess960"}, {angle: "x\x00y\xff"}} {
			_, err := s.next(ctx, "", q)
			refused(t, err, fault.KindNotFound, "No puzzle found")
			_, err = s.next(ctx, "ann", q)
			refused(t, err, fault.KindNotFound, "No puzzle found")
		}
		for _, q := range []query{{variant: "nothing"}, {color: "green"}, {difficulty: "mild"}, {angle: "standard", variant: "spartan"}} {
			_, err := s.next(ctx, "", q)
			refused(t, err, fault.KindInvalid, "")
		}
	})
}

func TestDaily(t *testing.T) {
	t.Parallel()
	ix := &index{}
	for i := range 300 {
		ix.all = append(ix.all, &entry{puzzle: store.Puzzle{ID: fmt.Sprintf("%05d", i), Rating: 700 + float64(i*5)}})
	}
	seen := map[string]int{}
	day := noon
	for range 365 {
		e := ix.daily("", day)
		if again := ix.daily("", day.Add(11*time.Hour)); again != e {
			t.Fatal("the puzzle changed within the day")
		}
		if e.puzzle.Rating < 1000 || e.puzzle.Rating > 2000 {
			t.Errorf("the puzzle of %v has rating %v", day, e.puzzle.Rating)
		}
		seen[e.puzzle.ID]++
		day = day.AddDate(0, 0, 1)
	}
	if len(seen) < 100 {
		t.Errorf("only %d different puzzles in a year", len(seen))
	}
	// A new puzzle changes few days.
	bigger := &index{all: append(slices.Clone(ix.all), &entry{puzzle: store.Puzzle{ID: "new01", Rating: 1500}})}
	changed := 0
	for i := range 365 {
		d := noon.AddDate(0, 0, i)
		if bigger.daily("", d).puzzle.ID != ix.daily("", d).puzzle.ID {
			changed++
		}
	}
	if changed > 20 {
		t.Errorf("a new puzzle changed %d days", changed)
	}
	if e := (&index{}).daily("", noon); e != nil {
		t.Errorf("a puzzle out of nothing: %v", e)
	}

	s := newService(t, storetest.New(t), scholar(), ladder())
	a, err := s.today(t.Context(), "")
	b, err2 := s.today(t.Context(), "standard")
	if err != nil || err2 != nil || a.puzzle.ID != "bbbb2" || b.puzzle.ID != "bbbb2" {
		t.Errorf("today: %s, %v; %s, %v", a.puzzle.ID, err, b.puzzle.ID, err2)
	}
	_, err = s.today(t.Context(), "spartan")
	refused(t, err, fault.KindNotFound, "No puzzle found")
	_, err = s.today(t.Context(), "nothing")
	refused(t, err, fault.KindInvalid, "unknown variant")
}

func TestChooseByRating(t *testing.T) {
	t.Parallel()
	var pool []*entry
	for i := range 200 {
		pool = append(pool, &entry{puzzle: store.Puzzle{ID: fmt.Sprintf("%05d", i), Rating: 600 + float64(i)*10}})
	}
	mean := func(rating, delta float64) float64 {
		rnd := rand.New(rand.NewPCG(1, 2))
		sum := 0.0
		for range 400 {
			e := choose(pool, wish{delta: delta, rating: func(string) float64 { return rating }}, rnd)
			sum += e.puzzle.Rating
		}
		return sum / 400
	}
	for _, c := range []struct{ rating, delta, want float64 }{
		{1500, 0, 1500}, {1500, 600, 2100}, {1500, -600, 900}, {1000, 300, 1300},
		{300, -600, 600}, {3000, 600, 2590}, // outside of the pool: its ends
	} {
		if got := mean(c.rating, c.delta); got < c.want-110 || got > c.want+110 {
			t.Errorf("rating %v %+v: mean %v, want about %v", c.rating, c.delta, got, c.want)
		}
	}
	tried := map[string]bool{}
	for i := range 200 {
		tried[fmt.Sprintf("%05d", i)] = i != 7 && i != 150
	}
	delete(tried, "00150")
	w := wish{rating: func(string) float64 { return 1500 }, tried: tried}
	if e := choose(pool, w, rand.New(rand.NewPCG(1, 2))); e.puzzle.ID != "00150" {
		t.Errorf("chose %s, want the only one not tried", e.puzzle.ID)
	}
	tried["00150"] = true
	if e := choose(pool, w, rand.New(rand.NewPCG(1, 2))); e.puzzle.ID != "00007" {
		t.Errorf("chose %s, want the only one not solved", e.puzzle.ID)
	}
	tried["00007"] = true
	if e := choose(pool, w, rand.New(rand.NewPCG(1, 2))); e == nil {
		t.Error("nothing to review when all are solved")
	}
}

func TestInstall(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		file := func(list ...engine.Puzzle) fstest.MapFS {
			var b bytes.Buffer
			if err := engine.Write(&b, list); err != nil {
				t.Fatal(err)
			}
			return fstest.MapFS{"x.jsonl": {Data: b.Bytes()}}
		}
		ctx := t.Context()
		for range 2 {
			if err := install(ctx, db, file(scholar()), noon); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.RatePuzzle(ctx, "aaaa1", 950, 90, 0.08); err != nil {
			t.Fatal(err)
		}
		changed := scholar()
		changed.Themes = append(changed.Themes, "opening")
		changed.Rating = 1700
		if err := install(ctx, db, file(changed, ladder()), noon); err != nil {
			t.Fatal(err)
		}
		p, err := db.PuzzleByID(ctx, "aaaa1")
		if err != nil || p.Rating != 950 || p.Plays != 1 || !slices.Contains(p.Themes, "opening") {
			t.Errorf("puzzle after a new version: %+v, %v, want new themes and the earned rating", p, err)
		}
		if n, err := db.CountPuzzles(ctx); err != nil || n["standard"] != 2 {
			t.Errorf("puzzles %v, %v", n, err)
		}
		back, err := FromStore(p)
		if err != nil || back.Goal.MateIn != 1 || back.FEN != changed.FEN {
			t.Errorf("back from the store: %+v, %v", back, err)
		}
		if err := install(ctx, db, fstest.MapFS{"x.jsonl": {Data: []byte("{")}}, noon); err == nil {
			t.Error("a broken file is accepted")
		}
	})
}

func TestRun(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	s := New(Deps{Store: db, Catalogue: set})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Run(ctx) }()
	want, err := engine.Load(engine.Data())
	if err != nil {
		t.Fatal(err)
	}
	var counts map[string]int
	for deadline := time.Now().Add(time.Minute); ; {
		if counts, err = s.CountPuzzles(t.Context()); err == nil || time.Now().After(deadline) {
			break // a request gives up after two seconds, a slow machine may need more
		}
	}
	total := 0
	for _, n := range counts {
		total += n
	}
	if err != nil || total != len(want) {
		t.Errorf("%d puzzles served, %v, want the %d of the program", total, err, len(want))
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A puzzle that this server cannot play is left out, the rest is served.
func TestStrangePuzzlesAreLeftOut(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	strange := scholar()
	strange.ID, strange.Variant = "cccc3", "unheardOf"
	broken := scholar()
	broken.ID, broken.FEN = "dddd4", "not a position"
	illegal := scholar()
	illegal.ID, illegal.Moves = "eeee5", []string{"a1a8", "h5f7"}
	s := newService(t, db, scholar(), strange, broken, illegal)
	counts, err := s.CountPuzzles(t.Context())
	if err != nil || !cmp.Equal(counts, map[string]int{"standard": 1}) {
		t.Errorf("counts %v, %v", counts, err)
	}
}
