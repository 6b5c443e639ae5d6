package match_test

import (
	"math"
	"testing"

	"hoplite/engine/match"
)

// Results of many games that are exactly what a scale makes expected give that
// scale, also where each pair of levels met with several limits.
func TestFitScale(t *testing.T) {
	t.Parallel()
	want := match.Scale{Doubling: 110, Own: []float64{0, 60, -40, 120}}
	var results []match.LevelResult
	for _, nodes := range [][]uint64{{40, 90, 200, 450}, {40, 100, 250, 620}, {40, 300, 500, 500}} {
		for a := range want.Own {
			for b := range a {
				const games = 1_000_000
				x, y := match.Level{Number: a, Nodes: nodes[a]}, match.Level{Number: b, Nodes: nodes[b]}
				results = append(results, match.LevelResult{A: x, B: y, Games: games,
					Score: games * match.Expected(want.Rating(x)-want.Rating(y))})
			}
		}
	}
	got := match.FitScale(results)
	near(t, "worth of a doubling", got.Doubling, want.Doubling, 0.5)
	for i := range want.Own {
		near(t, "own rating", got.Own[i], want.Own[i], 2)
	}
}

// With one limit for each level, the ratings are those of the results, and
// nodes explain what they can.
func TestFitScaleOfOneRound(t *testing.T) {
	t.Parallel()
	nodes := []uint64{100, 200, 400, 800}
	want := []float64{0, 100, 200, 300}
	var results []match.LevelResult
	for a := 1; a < len(want); a++ {
		const games = 10_000
		results = append(results, match.LevelResult{A: match.Level{Number: a, Nodes: nodes[a]},
			B: match.Level{Number: a - 1, Nodes: nodes[a-1]}, Games: games, Score: games * match.Expected(want[a]-want[a-1])})
	}
	got := match.FitScale(results)
	near(t, "worth of a doubling", got.Doubling, 100, 1)
	base := got.Rating(match.Level{Nodes: nodes[0]})
	for i := range want {
		near(t, "rating", got.Rating(match.Level{Number: i, Nodes: nodes[i]})-base, want[i], 1)
	}
	all := match.FitScale([]match.LevelResult{{A: match.Level{Number: 1, Nodes: 10}, B: match.Level{Nodes: 10}, Games: 10, Score: 10}})
	if math.IsNaN(all.Own[1]) || math.IsInf(all.Own[1], 0) || all.Own[1] < 50 {
		t.Errorf("%g after ten wins", all.Own[1])
	}
}

func TestPropose(t *testing.T) {
	t.Parallel()
	// A doubling is worth 100 points here: steps of 225 are factors of 4.757.
	nodes := []uint64{100, 200, 400, 800}
	plain := match.Scale{Doubling: 100, Own: make([]float64, 4)}
	for _, c := range []struct {
		name  string
		scale match.Scale
		most  uint64
		want  [4]uint64
	}{
		{"the last two are bounded by four times what they were", plain, 1_000_000, [4]uint64{100, 476, 1600, 3200}},
		{"right ones stay", match.Scale{Doubling: 100, Own: []float64{0, 125, 250, 375}}, 1_000_000, [4]uint64{100, 200, 400, 800}},
		{"below the greatest limit they still rise", plain, 500, [4]uint64{100, 378, 435, 500}},
		{"a level too strong has a few more than the one before", match.Scale{Doubling: 100, Own: []float64{0, 900, 900, 900}},
			1_000_000, [4]uint64{100, 115, 132, 200}},
	} {
		if got := c.scale.Propose(nodes, c.most); [4]uint64(got) != c.want {
			t.Errorf("%s: proposed %v, want %v", c.name, got, c.want)
		}
	}
}
