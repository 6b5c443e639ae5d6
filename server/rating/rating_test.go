package rating

import (
	"math"
	"testing"
	"time"

	"hoplite/store"
)

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

// The worked example of Glickman's paper.
func TestWorkedExample(t *testing.T) {
	t.Parallel()
	got := Update(Rating{1500, 200, 0.06}, []Result{
		{Rating{1400, 30, 0.06}, 1},
		{Rating{1550, 100, 0.06}, 0},
		{Rating{1700, 300, 0.06}, 0},
	}, 0.5, 1)
	if !near(got.Rating, 1464.06, 0.01) || !near(got.RD, 151.52, 0.01) || !near(got.Vol, 0.05999, 0.00001) {
		t.Errorf("got %+v, want 1464.06, 151.52, 0.05999", got)
	}
}

// Step 6 alone, as the paper says for a player who does not compete.
func TestIdlePlayer(t *testing.T) {
	t.Parallel()
	got := Update(Rating{1500, 200, 0.06}, nil, 0.5, 1)
	phi := 200 / 173.7178
	want := 173.7178 * math.Sqrt(phi*phi+0.06*0.06)
	if got.Rating != 1500 || got.Vol != 0.06 || !near(got.RD, want, 1e-9) {
		t.Errorf("got %+v, want deviation %v", got, want)
	}
}

func TestGame(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	a, b := store.NewPerf("a", "spartan"), store.NewPerf("b", "spartan")
	a1, b1 := Game(a, b, 1, now)
	if a1.Rating <= 1500 || b1.Rating >= 1500 {
		t.Fatalf("winner %v, loser %v", a1.Rating, b1.Rating)
	}
	if !near(a1.Rating-1500, 1500-b1.Rating, 1e-6) {
		t.Errorf("equal players gain %v and lose %v", a1.Rating-1500, 1500-b1.Rating)
	}
	if a1.RD >= a.RD || a1.Games != 1 || !a1.Updated.Equal(now) || a1.AccountID != "a" || a1.Key != "spartan" {
		t.Errorf("got %+v", a1)
	}
	if a1.Progress != Shown(a1.Rating)-1500 {
		t.Errorf("progress %d after one game to %v", a1.Progress, a1.Rating)
	}
	a2, b2 := Game(a, b, 0.5, now)
	if !near(a2.Rating, 1500, 1e-6) || !near(b2.Rating, 1500, 1e-6) {
		t.Errorf("a draw of equals changes ratings to %v and %v", a2.Rating, b2.Rating)
	}
}

func TestBoundsAndProgress(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	loser, winner := store.NewPerf("l", "x"), store.NewPerf("w", "x")
	var ratings []int
	for range 400 {
		ratings = append(ratings, Shown(loser.Rating))
		loser, winner = Game(loser, winner, 0, now)
		now = now.Add(time.Minute)
		for _, p := range []store.Perf{loser, winner} {
			if p.Rating < MinRating || p.Rating > MaxRating || p.RD < MinRD || p.RD > MaxRD || p.Vol > MaxVol || math.IsNaN(p.Rating) {
				t.Fatalf("out of bounds: %+v", p)
			}
		}
	}
	if got, want := loser.Progress, Shown(loser.Rating)-ratings[len(ratings)-progressGames]; got != want {
		t.Errorf("progress %d, want %d", got, want)
	}
	if len(loser.Recent) != progressGames {
		t.Errorf("%d recent ratings kept", len(loser.Recent))
	}
}

func TestSettledPlayersAreNotProvisional(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	a, b := store.NewPerf("a", "x"), store.NewPerf("b", "x")
	if !Provisional(a.RD) {
		t.Fatal("an unknown player is not provisional")
	}
	for i := range 60 {
		a, b = Game(a, b, float64(i%2), now)
		now = now.Add(time.Minute)
	}
	if Provisional(a.RD) || Provisional(b.RD) {
		t.Errorf("deviations %v and %v after 60 even games", a.RD, b.RD)
	}
}

func TestRestMakesProvisionalAgain(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	p := store.Perf{Rating: 1700, RD: 60, Vol: 0.09, Games: 100, Updated: now}
	soon := after(p, Rating{1700, 60, 0.09}, 0.5, now.Add(time.Hour))
	late := after(p, Rating{1700, 60, 0.09}, 0.5, now.AddDate(3, 0, 0))
	if Provisional(soon.RD) || late.RD <= soon.RD {
		t.Errorf("deviation %v after an hour, %v after three years", soon.RD, late.RD)
	}
	steady := Rating{1700, 60, 0.06}
	if got := Update(steady, nil, Tau, 365*24/Period.Hours()).RD; !near(got, ProvisionalRD, 5) {
		t.Errorf("deviation of a steady player after a year of rest is %v", got)
	}
}

func TestAgainstPuzzle(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	p := store.NewPerf("a", "puzzle")
	if up := Against(p, Rating{1500, 80, 0.06}, 1, now); up.Rating <= p.Rating {
		t.Errorf("solving moves %v to %v", p.Rating, up.Rating)
	}
	if down := Against(p, Rating{1500, 80, 0.06}, 0, now); down.Rating >= p.Rating {
		t.Errorf("failing moves %v to %v", p.Rating, down.Rating)
	}
}
