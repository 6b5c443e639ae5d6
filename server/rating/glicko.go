// Package rating computes Glicko-2 ratings after Mark Glickman, "Example of
// the Glicko-2 system" (http://www.glicko.net/glicko/glicko2.pdf, 2022); the
// steps below are the paper's. It is pure arithmetic.
package rating

import "math"

// Rating is a playing strength and how well it is known.
type Rating struct {
	Rating float64
	RD     float64 // deviation: the true strength lies within two of it, 95 times in 100
	Vol    float64 // volatility: how erratic the results are
}

// Result is one game from one player's side.
type Result struct {
	Opponent Rating
	Score    float64 // 1, 0.5 or 0
}

const (
	// scale and centre turn the usual scale into the Glicko-2 scale (step 2).
	scale  = 173.7178
	centre = 1500
	// tolerance ends the search for the volatility (step 5).
	tolerance = 0.000001
)

// Update rates the results of one player, taken together as one period. tau
// holds the volatility back (0.3 to 1.2); periods is the time since the last
// update in rating periods, 1 in the paper, and widens the deviation. A player
// without results only becomes less certain.
func Update(r Rating, results []Result, tau, periods float64) Rating {
	mu, phi := (r.Rating-centre)/scale, r.RD/scale
	if len(results) == 0 {
		return Rating{r.Rating, scale * widen(phi, r.Vol, periods), r.Vol}
	}
	var information, gain float64 // step 3 and 4: 1/v, delta/v
	for _, res := range results {
		muJ, phiJ := (res.Opponent.Rating-centre)/scale, res.Opponent.RD/scale
		g := 1 / math.Sqrt(1+3*phiJ*phiJ/(math.Pi*math.Pi))
		e := 1 / (1 + math.Exp(-g*(mu-muJ)))
		information += g * g * e * (1 - e)
		gain += g * (res.Score - e)
	}
	v := 1 / information
	vol := volatility(phi, r.Vol, v, v*gain, tau)
	phi = widen(phi, vol, periods)               // step 6
	phi = 1 / math.Sqrt(1/(phi*phi)+information) // step 7
	mu += phi * phi * gain
	return Rating{scale*mu + centre, scale * phi, vol}
}

// widen returns the deviation after some periods without a game (step 6).
func widen(phi, vol, periods float64) float64 {
	return math.Sqrt(phi*phi + periods*vol*vol)
}

// volatility is step 5: the root of f by the Illinois method.
func volatility(phi, vol, v, delta, tau float64) float64 {
	a := math.Log(vol * vol)
	f := func(x float64) float64 {
		ex := math.Exp(x)
		d := phi*phi + v + ex
		return ex*(delta*delta-d)/(2*d*d) - (x-a)/(tau*tau)
	}
	lo, hi := a, 0.0
	if delta*delta > phi*phi+v {
		hi = math.Log(delta*delta - phi*phi - v)
	} else {
		hi = a - tau
		for f(hi) < 0 {
			hi -= tau
		}
	}
	fLo, fHi := f(lo), f(hi)
	for math.Abs(hi-lo) > tolerance {
		next := lo + (lo-hi)*fLo/(fHi-fLo)
		fNext := f(next)
		if fNext*fHi <= 0 {
			lo, fLo = hi, fHi
		} else {
			fLo /= 2
		}
		hi, fHi = next, fNext
	}
	return math.Exp(lo / 2)
}
