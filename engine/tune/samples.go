package tune

import (
	"context"

	"hoplite/engine/eval"
	"hoplite/engine/net"
	"hoplite/engine/rules"
)

// Samples are quiet positions as a network sees them, packed one after the
// other.
type Samples struct {
	// Evaluation is the fingerprint of the weights that the scores are made
	// with.
	Evaluation string

	scores []float32 // by the evaluation alone, in hundredths of a pawn for the side to move
	search []float32
	points []float32
	held   []bool
	ends   []uint32 // of the features of each
	us     []uint16 // seen by the side to move
	them   []uint16 // seen by the other
	layout *net.Layout
}

// Len is the number of samples.
func (s *Samples) Len() int { return len(s.scores) }

// features are what the two sides see in a sample.
func (s *Samples) features(i uint32) (us, them []uint16) {
	begin := uint32(0)
	if i > 0 {
		begin = s.ends[i-1]
	}
	return s.us[begin:s.ends[i]], s.them[begin:s.ends[i]]
}

// flipped are the features of a sample with left and right changed, in room.
func (s *Samples) flipped(i uint32, room []uint16) (us, them []uint16) {
	us, them = s.features(i)
	for _, f := range us {
		room = append(room, s.layout.Flipped(f))
	}
	for _, f := range them {
		room = append(room, s.layout.Flipped(f))
	}
	return room[:len(us)], room[len(us):]
}

// SampleAll takes the quiet positions of games. progress, if not nil, is told
// how many games are done.
func SampleAll(ctx context.Context, r *rules.Rules, w eval.Weights, games []Game, progress func(done int)) (*Samples, error) {
	l, e := net.NewLayout(r), eval.NewWith(r, w).NewScorer()
	s := &Samples{Evaluation: w.Fingerprint(), layout: l}
	for i := range games {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		g := &games[i]
		err := quiet(r, g, func(p *rules.Position, searched int, points float64) {
			s.scores = append(s.scores, float32(e.Score(p)))
			s.search = append(s.search, float32(searched))
			s.points = append(s.points, float32(points))
			s.held = append(s.held, g.Number%heldBack == 0)
			s.us, s.them = l.Active(p, s.us, s.them)
			s.ends = append(s.ends, uint32(len(s.us)))
		})
		if err != nil {
			return nil, err
		}
		if progress != nil {
			progress(i + 1)
		}
	}
	return s, nil
}
