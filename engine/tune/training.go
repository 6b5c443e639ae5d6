package tune

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"hoplite/engine/net"
)

// Lessons say how a network is trained.
type Lessons struct {
	Epochs int
	// Rate is the step of Adam at the beginning; it falls to 0 along a cosine.
	Rate float64
	// Decay is how strongly weights are drawn to 0, in parts of a step.
	Decay float64
	// Blend is the part of the target that is the result of the game; the rest
	// is what the search said.
	Blend float64
	// Flip shows every other sample with left and right changed.
	Flip bool
	Seed uint64
}

// UsualLessons returns the settings with which the networks in force were
// trained.
func UsualLessons() Lessons {
	return Lessons{Epochs: 12, Rate: 0.002, Decay: 0.5, Blend: 0.1, Flip: true, Seed: 1}
}

// Training is the state of a training after some epochs: a checkpoint as it
// stands.
type Training struct {
	// Scale turns hundredths of a pawn into the exponent of the expected score.
	Scale   float64
	Epoch   int
	Weights *net.Reals
	// Mean and Variance are the moments of Adam.
	Mean, Variance *net.Reals
	// Before is the error of the evaluation alone in samples that are held
	// back, Held that with the network, and Fitted that in the others.
	Before, Held, Fitted float64
}

const (
	// batch is the number of samples after which weights are changed.
	batch = 1 << 14
	// shards of a batch are summed up apart, and then together in the same
	// order, so that the result does not depend on the number of processors.
	shards = 4

	firstFeature, firstBias, firstOut = 0.05, 0.3, 0.05 // spread of the weights at the beginning, and the bias
)

// NewTraining begins the training of a network for samples.
func NewTraining(s *Samples, how Lessons) (*Training, error) {
	if !slices.Contains(s.held, true) || !slices.Contains(s.held, false) {
		return nil, errors.New("tune: too few games")
	}
	n := s.layout.Features()
	t := &Training{Scale: scale(s.scores, s.points), Weights: net.NewReals(n), Mean: net.NewReals(n), Variance: net.NewReals(n)}
	chance := rand.New(rand.NewPCG(how.Seed, 0))
	for f := range t.Weights.Features {
		for i := range t.Weights.Features[f] {
			t.Weights.Features[f][i] = float32(chance.NormFloat64() * firstFeature)
		}
	}
	for i := range t.Weights.Bias {
		t.Weights.Bias[i] = firstBias
	}
	for i := range t.Weights.Out {
		t.Weights.Out[i] = float32(chance.NormFloat64() * firstOut)
	}
	return t, nil
}

// Train runs the next epoch over all samples.
func (t *Training) Train(ctx context.Context, s *Samples, how Lessons) error {
	var fit, held []uint32
	targets := make([]float32, s.Len())
	for i := range targets {
		targets[i] = float32(how.Blend*float64(s.points[i]) + (1-how.Blend)*sigmoid(t.Scale*float64(s.search[i])))
		if s.held[i] {
			held = append(held, uint32(i))
		} else {
			fit = append(fit, uint32(i))
		}
	}
	l := &lesson{Training: t, samples: s, targets: targets, flip: how.Flip}
	for i := range l.gradients {
		l.gradients[i] = net.NewReals(len(t.Weights.Features))
	}
	if t.Epoch == 0 {
		sum := 0.0
		for _, i := range held {
			d := sigmoid(t.Scale*float64(s.scores[i])) - float64(targets[i])
			sum += d * d
		}
		t.Before = sum / float64(len(held))
	}
	chance := rand.New(rand.NewPCG(how.Seed, uint64(t.Epoch)+1))
	chance.Shuffle(len(fit), func(i, j int) { fit[i], fit[j] = fit[j], fit[i] })
	batches := (len(fit) + batch - 1) / batch
	sum := 0.0
	for b := range batches {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		part := fit[b*batch : min((b+1)*batch, len(fit))]
		sum += l.run(part, true)
		step := t.Epoch*batches + b + 1
		rate := how.Rate / 2 * (1 + math.Cos(math.Pi*float64(step)/float64(how.Epochs*batches)))
		l.adam(step, rate, how.Decay, len(part))
	}
	t.Epoch++
	t.Fitted, t.Held = sum/float64(len(fit)), l.run(held, false)/float64(len(held))
	return nil
}

// lesson is the memory of an epoch.
type lesson struct {
	*Training
	samples   *Samples
	targets   []float32
	flip      bool
	gradients [shards]*net.Reals
}

// run sums up the squared errors of samples and, if they are to be learned
// from, the gradients.
func (l *lesson) run(samples []uint32, learn bool) float64 {
	s := l.samples
	var sums [shards]float64
	var group sync.WaitGroup
	for k := range shards {
		part := samples[len(samples)*k/shards : len(samples)*(k+1)/shards]
		group.Go(func() {
			g := l.gradients[k]
			if learn {
				clear(g.Features)
				*g = net.Reals{Features: g.Features}
			}
			var room [256]uint16
			for _, i := range part {
				us, them := s.features(i)
				if learn && l.flip && (i+uint32(l.Epoch))&1 != 0 {
					us, them = s.flipped(i, room[:0])
				}
				sums[k] += l.one(g, i, us, them, learn)
			}
		})
	}
	group.Wait()
	sum := 0.0
	for _, s := range sums {
		sum += s
	}
	return sum
}

// neurons are those of the view of a side.
type neurons [net.Hidden]float32

func (h *neurons) add(row *[net.Hidden]float32) {
	for j, v := range row {
		h[j] += v
	}
}

// one returns the squared error of a sample of which the sides see this, and
// adds its gradient.
func (l *lesson) one(g *net.Reals, i uint32, us, them []uint16, learn bool) float64 {
	w := l.Weights
	views := [2]neurons{w.Bias, w.Bias}
	for _, f := range us {
		views[0].add(&w.Features[f])
	}
	for _, f := range them {
		views[1].add(&w.Features[f])
	}
	out := w.Base
	for v := range views {
		o := (*neurons)(w.Out[v*net.Hidden:])
		for j, x := range views[v] {
			x = min(max(x, 0), 1)
			out += o[j] * x * x
		}
	}
	expected := sigmoid(l.Scale * float64(out*net.Scale+l.samples.scores[i]))
	d := expected - float64(l.targets[i])
	if learn {
		l.descend(g, views, us, them, float32(2*d*expected*(1-expected)*l.Scale*net.Scale))
	}
	return d * d
}

// descend adds the gradient of a sample whose error grows by slope with the
// output.
func (l *lesson) descend(g *net.Reals, views [2]neurons, us, them []uint16, slope float32) {
	g.Base += slope
	for v := range views {
		o, og := (*neurons)(l.Weights.Out[v*net.Hidden:]), (*neurons)(g.Out[v*net.Hidden:])
		for j, x := range views[v] {
			y := min(max(x, 0), 1)
			og[j] += slope * y * y
			views[v][j] = 0
			if x == y {
				views[v][j] = slope * o[j] * 2 * x
			}
		}
	}
	bias := (*neurons)(&g.Bias)
	bias.add((*[net.Hidden]float32)(&views[0]))
	bias.add((*[net.Hidden]float32)(&views[1]))
	for _, f := range us {
		(*neurons)(&g.Features[f]).add((*[net.Hidden]float32)(&views[0]))
	}
	for _, f := range them {
		(*neurons)(&g.Features[f]).add((*[net.Hidden]float32)(&views[1]))
	}
}

// adam moves the weights against the mean gradient of n samples.
func (l *lesson) adam(step int, rate, decay float64, n int) {
	m := mover{rate: float32(rate), decay: float32(decay), n: float32(n),
		first: float32(1 - math.Pow(momentum, float64(step))), second: float32(1 - math.Pow(inertia, float64(step)))}
	w, mean, variance := l.Weights, l.Mean, l.Variance
	var group sync.WaitGroup
	for k := range shards {
		group.Go(func() {
			for f := len(w.Features) * k / shards; f < len(w.Features)*(k+1)/shards; f++ {
				for j := range net.Hidden {
					sum := float32(0)
					for _, g := range l.gradients {
						sum += g.Features[f][j]
					}
					m.move(&w.Features[f][j], &mean.Features[f][j], &variance.Features[f][j], sum, net.MostFeature)
				}
			}
		})
	}
	group.Wait()
	var sum net.Reals
	for _, g := range l.gradients {
		for j := range sum.Bias {
			sum.Bias[j] += g.Bias[j]
		}
		for j := range sum.Out {
			sum.Out[j] += g.Out[j]
		}
		sum.Base += g.Base
	}
	for j, g := range sum.Bias {
		m.move(&w.Bias[j], &mean.Bias[j], &variance.Bias[j], g, net.MostFeature)
	}
	for j, g := range sum.Out {
		m.move(&w.Out[j], &mean.Out[j], &variance.Out[j], g, net.MostOut)
	}
	m.move(&w.Base, &mean.Base, &variance.Base, sum.Base, net.MostOut)
}

// mover is a step of Adam with decay of the weights (Loshchilov and Hutter,
// Decoupled Weight Decay Regularization, 2019).
type mover struct{ rate, decay, n, first, second float32 }

// move changes a weight with its moments; g is the sum of the gradients. Weights
// on which nothing depends only decay.
func (m *mover) move(x, mean, variance *float32, g, limit float32) {
	g /= m.n
	*mean = momentum**mean + (1-momentum)*g
	*variance = inertia**variance + (1-inertia)*g*g
	*x -= m.rate * m.decay * *x
	if *variance > 0 {
		*x -= m.rate * *mean / m.first / (float32(math.Sqrt(float64(*variance/m.second))) + 1e-8)
	}
	*x = min(max(*x, -limit), limit)
}
