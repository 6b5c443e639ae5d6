package tune

import (
	"errors"
	"math"
	"slices"
)

// Fit is the state of the optimiser: a checkpoint as it stands.
type Fit struct {
	// Scale turns centipawns into the exponent of the expected score.
	Scale float64 `json:"scale"`
	Epoch int     `json:"epoch"`
	// Weights are those reached, Mean and Variance the moments of Adam.
	Weights  []float64 `json:"weights"`
	Mean     []float64 `json:"mean"`
	Variance []float64 `json:"variance"`
	// Best are the weights with the least error in rows that were not fitted.
	Best      []float64 `json:"best"`
	BestError float64   `json:"bestError"`
	// LastError is the error in those rows before the last step.
	LastError float64 `json:"lastError"`
	// Before is the error with which it began.
	Before float64 `json:"before"`
}

// Settings of a fit.
type Settings struct {
	Epochs int
	// Rate is the step of Adam in units of a weight.
	Rate float64
	// Blend is the part of the target that is the result of the game; the rest
	// is what the search said.
	Blend float64
	// Hold is how strongly weights are held to where they began: the price, in
	// squared error, of a weight that is 100 off.
	Hold float64
	// Keep names the weights, by their numbers, that stay as they are.
	Keep []int
}

// Usual returns the settings with which most of the weights in force were
// found.
func Usual() Settings { return Settings{Epochs: 400, Rate: 1, Blend: 0.3, Hold: 1e-4} }

const (
	// the usual constants of Adam
	momentum = 0.9
	inertia  = 0.999
	epsilon  = 1e-12
)

// NewFit begins a fit: it finds the scale with which the weights foretell the
// results best.
func NewFit(rows *Rows) (*Fit, error) {
	if !slices.Contains(rows.held, true) || !slices.Contains(rows.held, false) {
		return nil, errors.New("tune: too few games")
	}
	f := &Fit{Scale: scale(rows.scores, rows.points)}
	n := len(rows.Weights)
	f.Mean, f.Variance = make([]float64, n), make([]float64, n)
	for _, w := range rows.Weights {
		f.Weights = append(f.Weights, float64(w))
	}
	f.Best = append(f.Best, f.Weights...)
	return f, nil
}

// scale searches the scale with which scores foretell the results best.
func scale(scores, points []float32) float64 {
	low, high := 1e-4, 2e-2
	loss := func(k float64) float64 {
		sum := 0.0
		for i := range scores {
			d := sigmoid(k*float64(scores[i])) - float64(points[i])
			sum += d * d
		}
		return sum
	}
	const golden = 0.618
	for range 30 {
		a, b := high-golden*(high-low), low+golden*(high-low)
		if loss(a) < loss(b) {
			high = b
		} else {
			low = a
		}
	}
	return (low + high) / 2
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Step runs one epoch over all rows and returns the errors in those that are
// fitted and those held back.
func (f *Fit) Step(rows *Rows, s Settings) (fitted, held float64) {
	n := len(f.Weights)
	change := make([]float64, n)
	for j := range change {
		change[j] = f.Weights[j] - float64(rows.Weights[j])
	}
	gradient := make([]float64, n)
	count, heldCount := 0, 0
	for i := range rows.Len() {
		at, slopes := rows.features(i)
		score := float64(rows.scores[i])
		for k, j := range at {
			score += change[j] * float64(slopes[k])
		}
		expected := sigmoid(f.Scale * score)
		target := s.Blend*float64(rows.points[i]) + (1-s.Blend)*sigmoid(f.Scale*float64(rows.search[i]))
		d := expected - target
		if rows.held[i] {
			held += d * d
			heldCount++
			continue
		}
		fitted += d * d
		count++
		g := 2 * d * expected * (1 - expected) * f.Scale
		for k, j := range at {
			gradient[j] += g * float64(slopes[k])
		}
	}
	fitted, held = fitted/float64(count), held/float64(heldCount)
	f.LastError = held
	if f.Epoch == 0 {
		f.Before, f.BestError = held, held
	} else if held < f.BestError {
		f.BestError = held
		copy(f.Best, f.Weights)
	}
	for j := range gradient {
		gradient[j] = gradient[j]/float64(count) + 2*s.Hold*change[j]/1e4
	}
	for _, j := range s.Keep {
		gradient[j] = 0
	}
	f.adam(gradient, s.Rate)
	return fitted, held
}

// adam moves the weights against the gradient.
func (f *Fit) adam(gradient []float64, rate float64) {
	f.Epoch++
	first, second := 1-math.Pow(momentum, float64(f.Epoch)), 1-math.Pow(inertia, float64(f.Epoch))
	for j, g := range gradient {
		f.Mean[j] = momentum*f.Mean[j] + (1-momentum)*g
		f.Variance[j] = inertia*f.Variance[j] + (1-inertia)*g*g
		if f.Variance[j] == 0 {
			continue // nothing depends on it
		}
		f.Weights[j] -= rate * f.Mean[j] / first / (math.Sqrt(f.Variance[j]/second) + epsilon)
	}
}

// Rounded returns weights as whole numbers.
func Rounded(weights []float64) []int {
	v := make([]int, len(weights))
	for i, w := range weights {
		v[i] = int(math.Round(w))
	}
	return v
}
