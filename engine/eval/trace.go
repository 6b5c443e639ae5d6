package eval

import "hoplite/engine/rules"

// Feature is how much a score changes with one weight.
type Feature struct {
	Weight int     // index in the vector of weights
	Slope  float32 // change of the score per unit
}

// Tracer takes scores apart into the weights that they are made of, for
// tuning. Nearly all of the evaluation is linear in its weights, so that its
// slopes hold everywhere; those of the danger of royals and of endings hold
// near the tracer's own weights. It is not safe to share.
type Tracer struct {
	base   *Scorer
	nudged []*Scorer // by weight, each with that weight greater by a step
}

// step is the change of a weight by which a slope is measured: great enough
// that the rounding of tables plays no part, where the score is linear in it.
func step(weight, n int) int {
	switch weight - n + terms {
	case AttackerUnits, HitUnits, CheckUnits, WeakUnits, ShelterUnits, DropUnits, LinearDanger:
		return 1
	}
	return 60
}

// NewTracer makes a tracer for a game and weights.
func NewTracer(r *rules.Rules, w Weights) *Tracer {
	e := NewWith(r, w)
	t := &Tracer{base: e.NewScorer()}
	v := w.Vector()
	for i := range v {
		near := w.Clone()
		v[i] += step(i, len(v))
		near.SetVector(v)
		v[i] -= step(i, len(v))
		t.nudged = append(t.nudged, e.reweighed(near).NewScorer())
	}
	return t
}

// Trace returns the score of p for the side to move, in hundredths of a pawn
// without rounding, and appends to dst the features that play a part in it.
func (t *Tracer) Trace(p *rules.Position, dst []Feature) (score float64, features []Feature) {
	score = t.base.exact(p)
	for i, s := range t.nudged {
		if slope := (s.exact(p) - score) / float64(step(i, len(t.nudged))); slope != 0 {
			dst = append(dst, Feature{i, float32(slope)})
		}
	}
	return score, dst
}
