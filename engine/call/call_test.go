package call_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hoplite/engine/call"
	"hoplite/engine/variant"
	"hoplite/engine/view"
)

func desk(t *testing.T) *call.Desk {
	t.Helper()
	d, err := call.New()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func do[A any](t *testing.T, d *call.Desk, name, question string) (A, error) {
	t.Helper()
	got, err := d.Do(t.Context(), name, []byte(question), nil)
	a, _ := got.(A)
	return a, err
}

func TestStateFollowsALine(t *testing.T) {
	d := desk(t)
	s, err := do[*call.State](t, d, "state", `{"key":"seirawan","moves":["g1f3h","e7e5","f3e5"]}`)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Plies) != 3 || s.Outcome != nil || s.CanClaim {
		t.Fatalf("%+v", s)
	}
	first, last := s.Plies[0], s.Plies[2]
	if first.SAN != "Nf3/H" || first.Number != 1 || first.Turn != 0 || first.Take {
		t.Errorf("%+v", first)
	}
	if last.Move != "f3e5" || !last.Take || last.Number != 2 || last.FEN != s.Scene.FEN || !cmp.Equal(last.Cells, []string{"f3", "e5"}) {
		t.Errorf("%+v", last)
	}
	if len(s.SAN) == 0 || len(s.Scene.Moves) < len(s.SAN) || s.SAN["d7d6"] != "d6" {
		t.Errorf("%d moves, %v", len(s.Scene.Moves), s.SAN)
	}
}

func TestStateTellsTheEnd(t *testing.T) {
	d := desk(t)
	s, err := do[*call.State](t, d, "state", `{"key":"standard","moves":["f2f3","e7e5","g2g4","d8h4"]}`)
	if err != nil {
		t.Fatal(err)
	}
	want := &call.Outcome{Winner: 1, Reason: "mate", Result: "0-1", Text: "Checkmate: Black wins."}
	if diff := cmp.Diff(want, s.Outcome); diff != "" || len(s.Scene.Moves) != 0 || len(s.SAN) != 0 {
		t.Error(diff, s.Scene.Moves)
	}
	if !s.Plies[3].Check || s.Plies[3].SAN != "Qh4#" {
		t.Errorf("%+v", s.Plies[3])
	}
	// The start position for the third time ends the games that draw at once.
	around := `"b1c3","g8f6","c3b1","f6g8"`
	s, err = do[*call.State](t, d, "state", `{"key":"seirawan","moves":[`+around+`,`+around+`,`+around+`]}`)
	if err != nil || s.Outcome == nil || s.Outcome.Reason != "repetition" || s.Outcome.Winner != -1 {
		t.Errorf("%+v %v", s.Outcome, err)
	}
}

func TestMoveUnderstandsPeople(t *testing.T) {
	d := desk(t)
	for _, c := range []struct{ text, want string }{
		{"Nf3", "g1f3"}, {"g1f3", "g1f3"}, {" e4 ", "e2e4"}, {"E2E4", "e2e4"}, {"Nf3/H", "g1f3h"}, {"g1f3h", "g1f3h"},
	} {
		m, err := do[*call.Named](t, d, "move", `{"key":"seirawan","text":"`+c.text+`"}`)
		if err != nil || m.Move != c.want {
			t.Errorf("%q: %+v %v", c.text, m, err)
		}
	}
	for _, c := range []struct{ text, reason string }{
		{"e2e5", "illegal move e2e5"}, {"Qh5", "no legal move"}, {"", "malformed"}, {"hello", "malformed"},
	} {
		if _, err := do[*call.Named](t, d, "move", `{"key":"seirawan","text":"`+c.text+`"}`); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}

func TestRecordsComeBack(t *testing.T) {
	d := desk(t)
	text, err := do[string](t, d, "writePGN", `{"key":"spartan","tags":[["White","A"],["Black","B"]],"moves":["e2e4","d7c6"],"result":"1-0"}`)
	if err != nil || !strings.Contains(text, `[White "A"]`) || !strings.Contains(text, "1-0") {
		t.Fatalf("%q %v", text, err)
	}
	question, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		t.Fatal(err)
	}
	l, err := do[*call.Line](t, d, "readRecord", string(question))
	if err != nil || l.Key != "spartan" || !cmp.Equal(l.Moves, []string{"e2e4", "d7c6"}) {
		t.Errorf("%+v %v", l, err)
	}
	if _, err := do[*call.Line](t, d, "readRecord", `{"text":""}`); err == nil {
		t.Error("an empty text was read")
	}
}

func TestReach(t *testing.T) {
	d := desk(t)
	got, err := do[*call.Reaches](t, d, "reach", `{"key":"standard","letter":"R","cell":"a1","own":["a1","a3"],"enemies":["c1"]}`)
	if err != nil {
		t.Fatal(err)
	}
	want := &call.Reaches{Cell: "a1", Reach: []view.Reach{
		{Cell: "a2", How: view.Slide, Quiet: true, Take: true},
		{Cell: "b1", How: view.Slide, Quiet: true, Take: true}, {Cell: "c1", How: view.Slide, Take: true}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{
		`{"key":"standard","letter":"X"}`, `{"key":"spartan","side":0,"letter":"W"}`, `{"key":"standard","side":2,"letter":"R"}`,
		`{"key":"standard","letter":"R","cell":"z9"}`, `{"key":"none","letter":"R"}`,
	} {
		if _, err := do[*call.Reaches](t, d, "reach", bad); err == nil {
			t.Errorf("%s was answered", bad)
		}
	}
}

func TestSearch(t *testing.T) {
	d := desk(t)
	// Black to move mates; the value is told from White's side.
	f, err := do[*call.Found](t, d, "search", `{"key":"standard","moves":["f2f3","e7e5","g2g4"],"depth":3,"lines":2}`)
	if err != nil || f.Best == nil || f.Best.SAN != "Qh4#" || len(f.Lines) != 2 || f.Lines[0].Mate != -1 {
		t.Fatalf("%+v %v", f, err)
	}
	for level := range 8 {
		q := `{"key":"spartan","level":` + string(rune('1'+level)) + `,"nodes":2000}`
		if f, err := do[*call.Found](t, d, "search", q); err != nil || f.Best == nil {
			t.Errorf("level %d: %+v %v", level+1, f, err)
		}
	}
	if _, err := do[*call.Found](t, d, "search", `{"key":"spartan","level":9}`); err == nil {
		t.Error("a level that does not exist was played")
	}
	over, err := do[*call.Found](t, d, "search", `{"key":"standard","moves":["f2f3","e7e5","g2g4","d8h4"],"depth":2}`)
	if err != nil || over.Best != nil {
		t.Errorf("after the end: %+v %v", over, err)
	}
}

func TestSearchStops(t *testing.T) {
	d := desk(t)
	yields := 0
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	d.Yield = func() {
		if yields++; yields == 3 {
			cancel()
		}
	}
	got, err := d.Do(ctx, "search", []byte(`{"key":"standard"}`), func(any) {})
	f, _ := got.(*call.Found)
	if err != nil || f == nil || f.Best == nil || yields < 3 {
		t.Errorf("%+v %v after %d yields", f, err, yields)
	}
}

func TestNonsense(t *testing.T) {
	d := desk(t)
	for _, c := range [][2]string{
		{"dance", "{}"}, {"state", "["}, {"state", `{"key":"none"}`}, {"state", `{"key":"standard","fen":"8/8"}`},
		{"state", `{"key":"standard","start":1}`}, {"state", `{"key":"standard","moves":["e2e5"]}`},
	} {
		if got, err := d.Do(t.Context(), c[0], []byte(c[1]), nil); err == nil {
			t.Errorf("%v: %v", c, got)
		}
	}
	s, err := do[*call.State](t, d, "state", `{"key":"chess960","start":0}`)
	if err != nil || !strings.HasPrefix(s.Start, "bbqnnrkr/") {
		t.Errorf("%+v %v", s, err)
	}
}

func TestLevelsHaveNames(t *testing.T) {
	d := desk(t)
	names, err := do[[]string](t, d, "levels", "{}")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if name == "" {
			t.Errorf("a level without a name among %q", names)
		}
	}
	// The last one plays, the next one does not exist.
	for level, wanted := range map[int]bool{len(names): true, len(names) + 1: false} {
		question, _ := json.Marshal(map[string]any{"key": "standard", "level": level, "nodes": 100})
		if _, err := do[*call.Found](t, d, "search", string(question)); (err == nil) != wanted {
			t.Errorf("level %d: %v", level, err)
		}
	}
}

// TestOwnGame asks about a game that only its definition describes.
func TestOwnGame(t *testing.T) {
	def := variant.Standard()
	def.Key, def.Name = "own", "Own game"
	def.Pieces[1].Betza = "QN"
	text, err := json.Marshal(def)
	if err != nil {
		t.Fatal(err)
	}
	desk, err := call.New()
	if err != nil {
		t.Fatal(err)
	}
	ask := func(question string) (call.State, error) {
		got, err := desk.Do(t.Context(), "state", []byte(question), nil)
		if err != nil {
			return call.State{}, err
		}
		return *got.(*call.State), nil
	}
	state, err := ask(`{"key":"own","moves":["d1e3"],"definition":` + string(text) + `}`)
	if err != nil || len(state.Plies) != 1 || state.Plies[0].SAN != "Qe3" {
		t.Errorf("got %+v, %v", state.Plies, err)
	}
	for name, question := range map[string]string{
		"no definition":   `{"key":"own"}`,
		"another game's":  `{"key":"other","definition":` + string(text) + `}`,
		"a broken one":    `{"key":"own","definition":{"Key":"own","Name":"x"}}`,
		"no definition's": `{"key":"own","definition":[1]}`,
	} {
		if state, err := ask(question); err == nil {
			t.Errorf("%s: got %+v", name, state)
		}
	}
}

// A declaration stands among the moves of a line and leaves the turn where it was.
func TestDeclarationsInALine(t *testing.T) {
	d := desk(t)
	const fen = `"key":"makruk","fen":"3rk3/8/8/8/8/8/3RM3/4K3 b - - 0 1"`
	before, err := do[*call.State](t, d, "state", `{`+fen+`}`)
	if err != nil || len(before.Scene.Claims) == 0 {
		t.Fatal(before, err)
	}
	claim := string(before.Scene.Claims[0])
	after, err := do[*call.State](t, d, "state", `{`+fen+`,"moves":["`+claim+`","e8e7"]}`)
	if err != nil {
		t.Fatal(err)
	}
	if said := after.Plies[0]; said.Move != claim || said.SAN != claim || said.Turn != 1 || len(said.Cells) != 0 {
		t.Errorf("the declaration: %+v", said)
	}
	if next := after.Plies[1]; next.Turn != 1 || next.Move != "e8e7" {
		t.Errorf("the move after it: %+v", next)
	}
	if len(after.Scene.Facts) == 0 {
		t.Error("nothing is counted after a declaration")
	}
	if _, err := do[*call.State](t, d, "state", `{"key":"standard","moves":["`+claim+`"]}`); err == nil {
		t.Error("a declaration in a game without any")
	}
}

// TestOtherRecords reads a game that is recorded in another form than PGN, for the game that the question names.
func TestOtherRecords(t *testing.T) {
	desk, err := call.New()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"手合割：平手\n手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n": "c3c4 g7g6",
		"[Variant \"Shogi\"]\n\n1. 7g7f 3c3d *":                   "c3c4 g7g6",
	} {
		question, err := json.Marshal(map[string]string{"text": text, "key": "shogi"})
		if err != nil {
			t.Fatal(err)
		}
		got, err := desk.Do(t.Context(), "readRecord", question, nil)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if line := got.(*call.Line); line.Key != "shogi" || strings.Join(line.Moves, " ") != want {
			t.Errorf("%q: %+v", text, line)
		}
	}
	if got, err := desk.Do(t.Context(), "readRecord", []byte(`{"text":"手合割：平手\n1 ７六歩(77)","key":"standard"}`), nil); err == nil {
		t.Errorf("chess in KIF: %+v", got)
	}
}
