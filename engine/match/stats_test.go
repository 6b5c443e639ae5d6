package match_test

import (
	"math"
	"testing"

	"hoplite/engine/match"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s is %g, want %g", what, got, want)
	}
}

// The rating scale by its definition: ten times the odds are 400 points.
func TestElo(t *testing.T) {
	for score, want := range map[float64]float64{0.5: 0, 10.0 / 11: 400, 0.75: 190.848, 0.25: -190.848, 1.0 / 101: -800} {
		near(t, "Elo", match.Elo(score), want, 0.001)
		near(t, "Expected", match.Expected(want), score, 1e-6)
	}
}

// Pairs that score 1 to 1 again and again are a sure half, whatever the games
// in them look like one by one.
func TestSpreadIsThatOfPairs(t *testing.T) {
	mixed := match.Tally{Wins: 100, Losses: 100, Pairs: [5]int{0, 1, 98, 1, 0}}
	low, high := mixed.Bounds()
	// Two of a hundred pairs a quarter off: a standard error of 0.003536.
	near(t, "low", low, 0.5-1.96*0.0035355, 1e-5)
	near(t, "high", high, 0.5+1.96*0.0035355, 1e-5)
	near(t, "LOS", mixed.Superior(), 0.5, 1e-9)

	lone := match.Tally{Wins: 1, Draws: 2, Losses: 1}
	low, high = lone.Bounds() // of games, as there is no pair: variance 1/8, four of them
	near(t, "low", low, 0.5-1.96*math.Sqrt(0.125/4), 1e-9)
	near(t, "high", high, 0.5+1.96*math.Sqrt(0.125/4), 1e-9)
}

func TestOneSidedMatchHasBounds(t *testing.T) {
	all := match.Tally{Wins: 100, Pairs: [5]int{0, 0, 0, 0, 50}}
	low, high := all.Bounds()
	near(t, "low", low, 1-0.03, 1e-9) // the rule of three
	near(t, "high", high, 1, 0)
	if all.Superior() < 0.99 {
		t.Errorf("LOS %g after 100 wins", all.Superior())
	}
	if got, want := all.String(), "+100 =0 -0, 100.0%, Elo +inf (+604 to +inf), pairs [0 0 0 0 50]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The values come from the same likelihoods worked out by other means.
func TestSPRT(t *testing.T) {
	for _, c := range []struct {
		pairs      [5]int
		elo0, elo1 float64
		llr        float64
		verdict    match.Verdict
	}{
		{[5]int{10, 40, 80, 60, 10}, 0, 5, 0.5409, match.Undecided},
		{[5]int{100, 400, 800, 410, 110}, 0, 5, 0.1210, match.Undecided},
		{[5]int{5, 10, 20, 30, 35}, 0, 50, 9.5992, match.AcceptH1},
		{[5]int{35, 30, 20, 10, 5}, 0, 50, -12.5683, match.AcceptH0},
		{[5]int{}, 0, 5, 0, match.Undecided},
	} {
		s := match.SPRT{Elo0: c.elo0, Elo1: c.elo1, Alpha: 0.05, Beta: 0.05}
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		tally := match.Tally{Pairs: c.pairs}
		near(t, "LLR", s.LLR(tally), c.llr, 1e-3)
		if got := s.Decide(tally); got != c.verdict {
			t.Errorf("%v: verdict %q, want %q", c.pairs, got, c.verdict)
		}
	}
	low, high := match.SPRT{Alpha: 0.05, Beta: 0.05}.Limits()
	near(t, "low", low, -2.9444, 1e-4)
	near(t, "high", high, 2.9444, 1e-4)
}

func TestSPRTWithoutSense(t *testing.T) {
	for _, s := range []match.SPRT{
		{Elo0: 5, Elo1: 5, Alpha: 0.05, Beta: 0.05}, {Elo0: 0, Elo1: 5, Beta: 0.05}, {Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.6},
	} {
		if s.Validate() == nil {
			t.Errorf("%+v was taken", s)
		}
	}
}
