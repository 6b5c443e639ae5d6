package tune_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hoplite/engine/eval"
	"hoplite/engine/match"
	"hoplite/engine/tune"
	"hoplite/engine/variant/varianttest"
)

func journal(t *testing.T, path string) *match.Journal[tune.Game] {
	t.Helper()
	j, err := match.OpenJournal[tune.Game](path, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

// Games that were cut off go on, and are the same as those played at once.
func TestGamesGoOn(t *testing.T) {
	t.Parallel()
	p := tune.Play{Rules: varianttest.Rules(t, "spartan"), Games: 4, Nodes: 50, Plies: 6, Seed: 3, Threads: 2}
	dir := t.TempDir()
	whole := journal(t, filepath.Join(dir, "whole"))
	if err := p.Run(t.Context(), whole, nil); err != nil {
		t.Fatal(err)
	}
	cut := journal(t, filepath.Join(dir, "cut"))
	ctx, stop := context.WithCancel(t.Context())
	if err := p.Run(ctx, cut, func(int) { stop() }); !errors.Is(err, context.Canceled) {
		t.Fatalf("called off: %v", err)
	}
	done := 0
	if err := p.Run(t.Context(), cut, func(n int) { done = n }); err != nil {
		t.Fatal(err)
	}
	if n := len(cut.Records()); n != p.Games || done > p.Games {
		t.Errorf("%d games, the last one told was %d", n, done)
	}
	byNumber := func(list []tune.Game) map[int]tune.Game {
		m := map[int]tune.Game{}
		for _, g := range list {
			m[g.Number] = g
		}
		return m
	}
	if diff := cmp.Diff(byNumber(whole.Records()), byNumber(cut.Records())); diff != "" {
		t.Errorf("other games (-want +got):\n%s", diff)
	}
	rows, err := tune.ExtractAll(t.Context(), p.Rules, eval.For(p.Rules), whole.Records(), nil)
	if err != nil {
		t.Fatal(err)
	}
	moves := 0
	for _, g := range whole.Records() {
		moves += len(g.Moves)
	}
	if rows.Len() < moves/10 || rows.Len() > moves {
		t.Errorf("%d quiet positions in %d", rows.Len(), moves)
	}
}

// Only quiet positions are kept, with the points of who is to move.
func TestQuietPositions(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "standard")
	g := tune.Game{FEN: "4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1", Points: 1}
	g.Moves = []string{"h1h2", "d5e4", "h2h8", "e8e7", "h8h1"}
	g.Scores = []int{400, -450, 500, -500, 5000}
	rows, err := tune.ExtractAll(t.Context(), r, eval.For(r), []tune.Game{g}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The capture, the move out of check and the decided position are left out.
	if rows.Len() != 2 {
		t.Errorf("%d quiet positions, want 2", rows.Len())
	}
	for name, spoil := range map[string]func(*tune.Game){
		"position": func(g *tune.Game) { g.FEN = "nothing" },
		"move":     func(g *tune.Game) { g.Moves = []string{"h1h2", "d5d5", "", "", ""} },
		"scores":   func(g *tune.Game) { g.Scores = nil },
	} {
		bad := g
		spoil(&bad)
		if _, err := tune.ExtractAll(t.Context(), r, eval.For(r), []tune.Game{bad}, nil); err == nil {
			t.Errorf("bad %s was taken", name)
		}
	}
}

// planted makes rows whose results follow from two weights that differ from
// those that the rows begin with.
func planted(t *testing.T) (*tune.Rows, [2]float64) {
	t.Helper()
	rows := &tune.Rows{Weights: []int{0, 100, 50}}
	want := [2]float64{140, 20}
	chance := rand.New(rand.NewPCG(5, 6))
	for i := range 20_000 {
		a, b := float64(chance.IntN(7)-3), float64(chance.IntN(7)-3)
		expected := 1 / (1 + math.Exp(-0.004*(want[0]*a+want[1]*b)))
		points := float32(0)
		if chance.Float64() < expected {
			points = 1
		}
		rows.Add(tune.Row{
			Score: float32(100*a + 50*b), Searched: float32(want[0]*a + want[1]*b), Points: points, Held: i%10 == 0,
			Features: []eval.Feature{{Weight: 1, Slope: float32(a)}, {Weight: 2, Slope: float32(b)}},
		})
	}
	return rows, want
}

func TestFitFindsThePlantedWeights(t *testing.T) {
	t.Parallel()
	rows, want := planted(t)
	s := tune.Settings{Epochs: 200, Rate: 1, Blend: 1, Hold: 0}
	f, err := tune.NewFit(rows)
	if err != nil {
		t.Fatal(err)
	}
	for range s.Epochs {
		f.Step(rows, s)
	}
	got := tune.Rounded(f.Best)
	// The scale was found with the wrong weights, so only their ratio is known.
	if ratio := float64(got[1]) / float64(got[2]); math.Abs(ratio-want[0]/want[1]) > 2 {
		t.Errorf("weights %v, want a ratio of %g", got[1:], want[0]/want[1])
	}
	if got[0] != 0 {
		t.Errorf("a weight that nothing depends on became %d", got[0])
	}
	if f.BestError >= f.Before {
		t.Errorf("error %g, before %g", f.BestError, f.Before)
	}
}

func TestWeightsThatAreKept(t *testing.T) {
	t.Parallel()
	rows, _ := planted(t)
	f, err := tune.NewFit(rows)
	if err != nil {
		t.Fatal(err)
	}
	s := tune.Usual()
	s.Keep = []int{2}
	for range 30 {
		f.Step(rows, s)
	}
	if got := tune.Rounded(f.Best); got[2] != 50 || got[1] == 100 {
		t.Errorf("weights %v, want the last one kept and the other changed", got)
	}
}

// A fit that was cut off goes on from its checkpoint as if it had not been,
// and rows come back as they were.
func TestCheckpoints(t *testing.T) {
	t.Parallel()
	made, _ := planted(t)
	dir := t.TempDir()
	rowsPath, fitPath := filepath.Join(dir, "rows"), filepath.Join(dir, "fit")
	if rows, err := tune.LoadRows(rowsPath, 7, made.Weights); rows != nil || err != nil {
		t.Fatalf("no file gave %v, %v", rows, err)
	}
	if err := made.Save(rowsPath, 7); err != nil {
		t.Fatal(err)
	}
	if rows, err := tune.LoadRows(rowsPath, 8, made.Weights); rows != nil || err != nil {
		t.Errorf("rows of other games gave %v, %v", rows, err)
	}
	rows, err := tune.LoadRows(rowsPath, 7, made.Weights)
	if err != nil || rows == nil {
		t.Fatal(err)
	}
	s := tune.Usual()
	whole, err := tune.NewFit(rows)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		if i == 4 {
			if err := whole.Save(fitPath, rows, s); err != nil {
				t.Fatal(err)
			}
		}
		whole.Step(rows, s)
	}
	again, err := tune.LoadFit(fitPath, rows, s)
	if err != nil || again == nil {
		t.Fatal(err)
	}
	for again.Epoch < whole.Epoch {
		again.Step(rows, s)
	}
	if diff := cmp.Diff(whole, again); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s.Blend = 0.9
	if other, err := tune.LoadFit(fitPath, rows, s); other != nil || err != nil {
		t.Errorf("a checkpoint of other settings gave %v, %v", other, err)
	}
}

func TestTooFewPositions(t *testing.T) {
	t.Parallel()
	if _, err := tune.NewFit(&tune.Rows{Weights: []int{1}}); err == nil {
		t.Error("nothing was fitted")
	}
}
