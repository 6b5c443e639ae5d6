package variant_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hoplite/engine/enginetest"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/engine/variantfile"
	"hoplite/engine/view"
)

// further are games that the catalogue has not. Each is what a new game is: a definition, a sheet and test data.
const further = "testdata/further"

// addition is a game that is added to the catalogue: a line in its list and three files.
func addition(t *testing.T, set *variant.Set, key string) *rules.Definition {
	t.Helper()
	list, err := variantfile.NewShelf(variantfile.Parents(set)).Take(filepath.Join(further, key+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	d := list[0]
	text, err := os.ReadFile(filepath.Join(further, key+".md"))
	if err != nil {
		t.Fatal(err)
	}
	d.Text = variant.CutSheet(string(text))
	return d
}

// TestFurtherGame adds games that need no new mechanism, by three files and one line each, and asks of them what is asked
// of the catalogue: all rules of the sheet, exact counts of another program, and that everything above the rules takes
// them as they come.
func TestFurtherGame(t *testing.T) {
	var keys []string
	files := map[string]int{}
	entries, err := os.ReadDir(further)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		key := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name()))
		if files[key]++; strings.HasSuffix(e.Name(), ".yaml") {
			keys = append(keys, key)
		}
	}
	games := variant.All()
	for _, key := range keys {
		if files[key] != 3 {
			t.Errorf("%s consists of %d files", key, files[key])
		}
		games = append(games, addition(t, catalogue(t), key)) // the line
	}
	set, err := variant.Compile(games)
	if err != nil {
		t.Fatal(err)
	}
	if len(keys) < 3 {
		t.Errorf("%d further games", len(keys))
	}
	for _, key := range keys {
		r, _ := set.Get(key)
		t.Run(key, func(t *testing.T) {
			data := archive(t, filepath.Join(further, key+".txtar"))
			testRules(t, r, data["rules"])
			testPerft(t, r, data["perft"])
			start, err := r.Start(r.UsualStart())
			if err != nil || notation.FEN(start) != data["start"] {
				t.Fatalf("start: %v, want %s", err, data["start"])
			}
			if scene := view.Of(start); len(scene.Moves) < start.CountMoves() || len(scene.Men) == 0 {
				t.Errorf("%d men and %d of %d moves are shown", len(scene.Men), len(scene.Moves), start.CountMoves())
			}
			random(t, set, rules.NewGame(start))
		})
	}
	v := &enginetest.Verifier{Set: set, OnDifference: func(d enginetest.Difference) { t.Error(d) }}
	if !enginetest.Long() {
		v.MaxNodes = perftLimit
	}
	if err := v.File(filepath.Join(further, "oracle.tsv")); err != nil {
		t.Fatal(err)
	}
	if v.Rows < 30*len(keys) || v.Skipped != 0 {
		t.Errorf("%d rows replayed, %d of unknown games", v.Rows, v.Skipped)
	}
}

// random plays a game at random, checks its positions, and writes and reads its record.
func random(t *testing.T, set *variant.Set, g *rules.Game) {
	t.Helper()
	r := g.Position().Rules()
	rng := rand.New(rand.NewPCG(1, uint64(len(r.Key()))))
	rec := &notation.Record{Rules: r, Start: g.Start(), Result: "*",
		Tags: []notation.Tag{{Name: "Result", Value: "*"}}}
	for range 80 {
		if err := enginetest.CheckPosition(g.Position()); err != nil {
			t.Fatal(err)
		}
		if _, over := g.Outcome(); over {
			break
		}
		moves := g.Position().Moves(nil)
		m := moves[rng.IntN(len(moves))]
		rec.Moves = append(rec.Moves, notation.Ply{Move: m})
		if err := g.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	if err := notation.WritePGN(&b, rec, notation.PGNOptions{}); err != nil {
		t.Fatal(err)
	}
	for back, err := range notation.ReadPGN(set, strings.NewReader(b.String())) {
		if err != nil || back.Rules != r || len(back.Moves) != len(rec.Moves) {
			t.Errorf("the record reads back wrongly: %v", err)
		}
	}
}
