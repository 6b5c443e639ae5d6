package match_test

import (
	"math"
	"testing"

	"hoplite/engine/match"
)

// Results that are exactly what ratings make expected give those ratings, but
// for the imagined draws.
func TestRatings(t *testing.T) {
	t.Parallel()
	want := []float64{0, 150, 420, 380}
	var results []match.Result
	for a := range want {
		for b := range a {
			const games = 10_000
			results = append(results, match.Result{A: a, B: b, Games: games, Score: games * match.Expected(want[a]-want[b])})
		}
	}
	got := match.Ratings(len(want), results)
	for i := range want {
		near(t, "rating", got[i], want[i], 0.5)
	}
	got = match.Ratings(2, []match.Result{{A: 1, B: 0, Games: 10, Score: 10}})
	if math.IsInf(got[1], 0) || got[1] < 400 {
		t.Errorf("%g after ten wins", got[1])
	}
}

func TestPropose(t *testing.T) {
	t.Parallel()
	// A doubling is worth 100 points here: steps of 225 are factors of 4.757.
	nodes := []uint64{100, 200, 400, 800}
	got := match.Propose(nodes, []float64{0, 100, 200, 300}, 1_000_000)
	want := []uint64{100, 476, 1600, 3200} // the last two are bounded: four times what they were
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("proposed %v, want %v", got, want)
			break
		}
	}
	if got := match.Propose(nodes, []float64{0, 225, 450, 675}, 1_000_000); got[1] != 200 || got[2] != 400 || got[3] != 800 {
		t.Errorf("right limits became %v", got)
	}
	if got := match.Propose(nodes, []float64{0, 10, 10, 10}, 900); got[3] != 900 {
		t.Errorf("%v is above the greatest limit", got)
	}
}
