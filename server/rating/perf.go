package rating

import (
	"math"
	"time"

	"hoplite/store"
)

// How games on this server are rated: each game is a period of its own, and
// idle time widens the deviation.
const (
	// Tau holds the volatility back.
	Tau = 0.75
	// Period is the length of a rating period. With it a settled player
	// (deviation 60) becomes provisional again after a year's rest if its
	// volatility is 0.06, after half a year if it is 0.09.
	Period = 112 * time.Hour

	// MinRating keeps ratings from falling out of the shown range.
	MinRating = 400.0
	// MaxRating keeps them from rising out of it.
	MaxRating = 4000.0
	// MinRD keeps the ratings of frequent players moving.
	MinRD = 45.0
	// MaxRD is the deviation of an unknown player.
	MaxRD = 500.0
	// MaxVol bounds the volatility.
	MaxVol = 0.1

	// ProvisionalRD is the deviation above which a rating is shown with a
	// question mark. Leaderboards ask for more: see store.RankedRD.
	ProvisionalRD = 110.0
	// progressGames is over how many games Perf.Progress is counted.
	progressGames = 12
)

// Provisional reports whether a rating is too uncertain to be shown as such.
func Provisional(rd float64) bool { return rd > ProvisionalRD }

// Shown returns the rating as a whole number, as everybody sees it.
func Shown(r float64) int { return int(math.Round(r)) }

// Game rates one game between two players at a time. score is the first
// player's: 1, 0.5 or 0. It is a store.RateFunc.
func Game(first, second store.Perf, score float64, at time.Time) (store.Perf, store.Perf) {
	a, b := of(first), of(second)
	return after(first, b, score, at), after(second, a, 1-score, at)
}

// Against rates one game against an opponent of fixed strength, for example a
// puzzle.
func Against(p store.Perf, opponent Rating, score float64, at time.Time) store.Perf {
	return after(p, opponent, score, at)
}

func of(p store.Perf) Rating { return Rating{p.Rating, p.RD, p.Vol} }

func after(p store.Perf, opponent Rating, score float64, at time.Time) store.Perf {
	periods := 0.0
	if !p.Updated.IsZero() {
		periods = max(0, at.Sub(p.Updated).Hours()/Period.Hours())
	}
	r := bound(Update(of(p), []Result{{opponent, score}}, Tau, periods))
	recent := append([]int{Shown(p.Rating)}, p.Recent...)
	recent = recent[:min(len(recent), progressGames)]
	p.Rating, p.RD, p.Vol = r.Rating, r.RD, r.Vol
	p.Games++
	p.Recent = recent
	p.Progress = Shown(r.Rating) - recent[len(recent)-1]
	p.Updated = at
	return p
}

func bound(r Rating) Rating {
	return Rating{
		Rating: min(max(r.Rating, MinRating), MaxRating),
		RD:     min(max(r.RD, MinRD), MaxRD),
		Vol:    min(r.Vol, MaxVol),
	}
}
