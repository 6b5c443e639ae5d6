package puzzle_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	engine "hoplite/engine/puzzle"
	"hoplite/openapi"
	"hoplite/server/puzzle"
	"hoplite/server/servertest"
	"hoplite/store/gormdb"
	"hoplite/store/storetest"
)

// withPuzzles starts a server whose database has two more puzzles than the program brings.
func withPuzzles(t *testing.T) *servertest.Server {
	t.Helper()
	dsn := storetest.SQLiteDSN(t)
	db, err := gormdb.Open(t.Context(), dsn, gormdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list := []engine.Puzzle{
		{
			ID: "aaaa1", Variant: "standard", Goal: engine.Goal{MateIn: 1},
			FEN:   "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3",
			Moves: []string{"g8f6", "h5f7"}, Themes: []string{"mateIn1"}, Rating: 800, RD: 150, Vol: 0.09,
		},
		{
			ID: "bbbb2", Variant: "standard", Goal: engine.Goal{MateIn: 2}, FEN: "8/6k1/1R6/8/8/8/8/R3K3 b - - 0 1",
			Moves: []string{"g7f8", "b6b7", "f8e8", "a1a8"}, Themes: []string{"mateIn2"}, Rating: 1200, RD: 150, Vol: 0.09,
		},
	}
	if err := puzzle.Save(t.Context(), db, list, time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return servertest.Start(t, servertest.DSN(dsn))
}

func TestPuzzlesThroughTheServer(t *testing.T) {
	t.Parallel()
	s := withPuzzles(t)
	nobody, ann := s.Anonymous(), s.SignUp(t, "Ann")

	var p openapi.Puzzle
	nobody.Get(t, "/api/puzzle/aaaa1").Want(t, 200).JSON(t, &p)
	if p.Puzzle.ID != "aaaa1" || p.Puzzle.LastMove != "g8f6" || p.Puzzle.Fen == "" || !slices.Equal(p.Puzzle.Solution, []string{"h5f7"}) || p.Game.Pgn != "Nf6" {
		t.Errorf("puzzle %+v", p)
	}
	var daily, again openapi.Puzzle
	nobody.Get(t, "/api/puzzle/daily?variant=standard").Want(t, 200).JSON(t, &daily)
	ann.Get(t, "/api/puzzle/daily?variant=standard").Want(t, 200).JSON(t, &again)
	if daily.Puzzle.ID != "bbbb2" || again.Puzzle.ID != daily.Puzzle.ID {
		t.Errorf("daily %s, %s", daily.Puzzle.ID, again.Puzzle.ID)
	}

	var first, next openapi.Puzzle
	ann.Get(t, "/api/puzzle/next?angle=standard&difficulty=easier&color=white").Want(t, 200).JSON(t, &first)
	for range 3 {
		ann.Get(t, "/api/puzzle/next?angle=standard&difficulty=easier&color=white").Want(t, 200).JSON(t, &next)
		if next.Puzzle.ID != first.Puzzle.ID {
			t.Errorf("next changed from %s to %s before it was solved", first.Puzzle.ID, next.Puzzle.ID)
		}
	}

	var v openapi.SolveResult
	solve := "/api/puzzle/bbbb2/solve"
	ann.PostJSON(t, solve, map[string]any{"moves": []string{"b6b7"}}).Want(t, 200).JSON(t, &v)
	if !v.Win || v.Done || v.Reply != "f8e8" || v.Solution != nil || v.RatingDiff != nil {
		t.Errorf("first move: %+v", v)
	}
	v = openapi.SolveResult{}
	ann.PostJSON(t, solve, map[string]any{"moves": []string{"e1e2"}}).Want(t, 200).JSON(t, &v)
	if v.Win || v.Done || !v.Longer || v.RatingDiff != nil {
		t.Errorf("slow mate: %+v", v)
	}
	v = openapi.SolveResult{}
	ann.Post(t, solve, url.Values{"moves": {"b6b7", "a1a8"}}).Want(t, 200).JSON(t, &v)
	if !v.Win || !v.Done || v.RatingDiff == nil || *v.RatingDiff <= 0 || !slices.Equal(v.Solution, []string{"b6b7", "f8e8", "a1a8"}) {
		t.Errorf("solved: %+v", v)
	}
	gain := *v.RatingDiff
	v = openapi.SolveResult{}
	ann.PostJSON(t, solve, map[string]any{"moves": []string{"b6b7", "a1a8"}}).Want(t, 200).JSON(t, &v)
	if !v.Win || v.RatingDiff != nil {
		t.Errorf("solved again: %+v", v)
	}
	v = openapi.SolveResult{}
	nobody.PostJSON(t, "/api/puzzle/aaaa1/solve", map[string]any{"moves": []string{"h5e5"}}).Want(t, 200).JSON(t, &v)
	if v.Win || !v.Done || v.RatingDiff != nil || len(v.Solution) != 1 {
		t.Errorf("failed by nobody: %+v", v)
	}
	var me struct {
		Perfs map[string]struct{ Rating, Games int }
	}
	ann.Get(t, "/api/account").Want(t, 200).JSON(t, &me)
	if got := me.Perfs["puzzle"]; got.Games != 1 || got.Rating != 1500+gain {
		t.Errorf("puzzle rating %+v after a gain of %d", got, gain)
	}

	// The same action twice, by its key.
	for range 2 {
		r := ann.Request(t, "POST", "/api/puzzle/aaaa1/solve", "application/json", strings.NewReader(`{"moves":["h5f7"]}`))
		r.Header.Set("Idempotency-Key", "once")
		v = openapi.SolveResult{}
		ann.Do(t, r).Want(t, 200).JSON(t, &v)
		if !v.Win || v.RatingDiff == nil {
			t.Errorf("with a key: %+v", v)
		}
	}
}

func TestBadPuzzleRequests(t *testing.T) {
	t.Parallel()
	s := withPuzzles(t)
	nobody, ann := s.Anonymous(), s.SignUp(t, "Ann")
	for path, status := range map[string]int{
		"/api/puzzle/zzzzz": 404, "/api/puzzle/n%C3%A9": 404, "/api/puzzle/" + strings.Repeat("x", 300): 404,
		"/api/puzzle/daily?variant=nothing": 400, "/api/puzzle/daily?variant=chess960": 404,
		"/api/puzzle/next?angle=noSuchTheme": 404, "/api/puzzle/next?difficulty=mild": 400, "/api/puzzle/next?color=green": 400,
		"/api/puzzle/next?variant=nothing": 400, "/api/puzzle/next?variant=standard&angle=spartan": 400,
		"/api/puzzle/next?angle=" + strings.Repeat("x", 300): 400,
	} {
		for _, u := range []*servertest.User{nobody, ann} {
			if a := u.Get(t, path); a.Status != status {
				t.Errorf("%s: %d %s, want %d", path, a.Status, a.Body, status)
			}
		}
	}
	for body, status := range map[string]int{
		`{}`: 400, `{"moves":[]}`: 400, `{"moves":["h5h8"]}`: 400, `{"moves":["castle"]}`: 400,
		`{"moves":["h5f7","a2a3"]}`: 400, `{"moves":[7]}`: 400, `[`: 400, `{"moves":["h5f7"],"win":true}`: 400,
		`{"moves":["` + strings.Repeat("h", 100) + `"]}`: 400,
	} {
		a := nobody.Do(t, nobody.Request(t, "POST", "/api/puzzle/aaaa1/solve", "application/json", strings.NewReader(body)))
		if a.Status != status {
			t.Errorf("%s: %d %s, want %d", body, a.Status, a.Body, status)
		}
	}
	nobody.PostJSON(t, "/api/puzzle/zzzzz/solve", map[string]any{"moves": []string{"a2a3"}}).Want(t, 404)
	// A token without the scope.
	u := s.Anonymous()
	var made struct{ Token string }
	nobody.PostJSON(t, "/api/account/tokens", map[string]any{
		"description": "x", "scopes": []string{"bot:play"}, "username": "ann", "password": "correct horse battery",
	}).Want(t, 201).JSON(t, &made)
	u.Token = made.Token
	var v openapi.SolveResult
	u.PostJSON(t, "/api/puzzle/aaaa1/solve", map[string]any{"moves": []string{"h5f7"}}).Want(t, 200).JSON(t, &v)
	if !v.Win || v.RatingDiff != nil {
		t.Errorf("a token without the scope: %+v, want it judged like anybody's and not rated", v)
	}
}
