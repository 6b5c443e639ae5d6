package net

import "math"

// Weights are those of a network, in whole numbers: 1 is one in a neuron, unit
// in a weight of the output, and their product in the base of the output.
type Weights struct {
	Features [][Hidden]int16
	Bias     [Hidden]int16
	Out      [2 * Hidden]int16
	Base     int32
}

// Reals are weights in training.
type Reals struct {
	Features [][Hidden]float32
	Bias     [Hidden]float32
	Out      [2 * Hidden]float32
	Base     float32
}

// MostFeature and MostOut bound the weights of a network in training.
const (
	MostFeature = 1
	MostOut     = 4
)

// The same of weights in whole numbers. MostFacts facts and a bias add up to
// what a lane holds.
const (
	mostFeature = one * MostFeature
	mostOut     = unit * MostOut
	mostBase    = one * unit * MostOut
	MostFacts   = zero/mostFeature - 1
)

// NewReals makes weights of so many features, all 0.
func NewReals(features int) *Reals { return &Reals{Features: make([][Hidden]float32, features)} }

// Round returns weights as whole numbers.
func (w *Reals) Round() *Weights {
	o := &Weights{Features: make([][Hidden]int16, len(w.Features)), Base: int32(round(w.Base, one*unit))}
	for f := range w.Features {
		for i, v := range w.Features[f] {
			o.Features[f][i] = int16(round(v, one))
		}
	}
	for i, v := range w.Bias {
		o.Bias[i] = int16(round(v, one))
	}
	for i, v := range w.Out {
		o.Out[i] = int16(round(v, unit))
	}
	return o
}

func round(v float32, unit float64) int { return int(math.Round(float64(v) * unit)) }
