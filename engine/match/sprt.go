package match

import (
	"errors"
	"math"
)

// SPRT is a sequential probability ratio test of two hypotheses about the
// difference in rating. It is made over pairs: the likelihoods are those of
// the distribution of pair results nearest to the observed one that has the
// expected score of the hypothesis.
type SPRT struct {
	Elo0, Elo1  float64
	Alpha, Beta float64 // chances of accepting the wrong one
}

// Verdict is what a test says.
type Verdict string

// The verdicts of a test; none while it is undecided.
const (
	Undecided Verdict = ""
	AcceptH0  Verdict = "H0 accepted"
	AcceptH1  Verdict = "H1 accepted"
)

// Validate reports what makes no test.
func (s SPRT) Validate() error {
	switch {
	case !(s.Elo0 < s.Elo1):
		return errors.New("sprt: elo0 must be less than elo1")
	case !(s.Alpha > 0 && s.Alpha < 0.5 && s.Beta > 0 && s.Beta < 0.5):
		return errors.New("sprt: alpha and beta must be between 0 and 0.5")
	}
	return nil
}

// Limits are the values of the logarithm of the ratio at which the test ends.
func (s SPRT) Limits() (low, high float64) {
	return math.Log(s.Beta / (1 - s.Alpha)), math.Log((1 - s.Beta) / s.Alpha)
}

// Decide returns the verdict on a tally.
func (s SPRT) Decide(t Tally) Verdict {
	low, high := s.Limits()
	switch llr := s.LLR(t); {
	case llr >= high:
		return AcceptH1
	case llr <= low:
		return AcceptH0
	}
	return Undecided
}

// unseen is the count of pair results that have not occurred: a distribution
// without them could not explain the hypotheses.
const unseen = 1e-3

// LLR is the logarithm of the likelihood ratio of the hypotheses, 0 without
// complete pairs.
func (s SPRT) LLR(t Tally) float64 {
	if sum(t.Pairs[:]) == 0 {
		return 0
	}
	var p [5]float64
	n := 0.0
	for i, c := range t.Pairs {
		p[i] = max(float64(c), unseen)
		n += p[i]
	}
	for i := range p {
		p[i] /= n
	}
	h0, h1 := likeliest(p, Expected(s.Elo0)), likeliest(p, Expected(s.Elo1))
	llr := 0.0
	for i := range p {
		llr += p[i] * math.Log(h1[i]/h0[i])
	}
	return n * llr
}

// likeliest returns the distribution of maximal likelihood for observed
// frequencies p under the condition that the mean score is s. With a Lagrange
// multiplier x it is p[i]/(1+x(a[i]-s)), where x is the root of a function
// that falls from plus to minus infinity.
func likeliest(p [5]float64, s float64) [5]float64 {
	points := [5]float64{0, 0.25, 0.5, 0.75, 1}
	low, high := -1/(1-s), 1/s
	for range 100 {
		x := (low + high) / 2
		f := 0.0
		for i, a := range points {
			f += p[i] * (a - s) / (1 + x*(a-s))
		}
		if f > 0 {
			low = x
		} else {
			high = x
		}
	}
	x := (low + high) / 2
	var out [5]float64
	for i, a := range points {
		out[i] = p[i] / (1 + x*(a-s))
	}
	return out
}
