package match

import "math"

// Level is a level of play, counted from 0, that looks at so many nodes.
type Level struct {
	Number int
	Nodes  uint64
}

// LevelResult is what two levels scored against each other.
type LevelResult struct {
	A, B  Level
	Games int
	Score float64 // points of A
}

// Scale says how strong levels are with any number of nodes: a doubling of
// nodes is worth as much to all of them, and each has a rating of its own
// besides, since the levels err differently.
type Scale struct {
	Doubling float64   // in points of rating
	Own      []float64 // by level: its rating with one node, the first one's being 0
}

// Rating returns the rating of a level on the scale.
func (s Scale) Rating(l Level) float64 { return s.Own[l.Number] + s.Doubling*l.doublings() }

func (l Level) doublings() float64 { return math.Log2(float64(l.Nodes)) }

const (
	// imagined is the number of drawn games that every result is given besides,
	// so that a level that won all has a rating.
	imagined = 0.5
	// A doubling of nodes is worth no less and no more than this, whatever a
	// few games say.
	leastDoubling, mostDoubling = 60, 250
	// ownSpread is how much the own ratings of neighbours are taken to differ
	// before a game is played, in points. Without it, results with one limit
	// for each level would not tell what is due to nodes and what to errors.
	ownSpread = 200
)

// FitScale fits a scale of levels to all results between them, by the
// likelihood of the logistic model in which a draw is half a win. There must be
// results of all levels up to the last one that has any.
func FitScale(results []LevelResult) Scale {
	levels := 1
	for _, res := range results {
		levels = max(levels, res.A.Number+1, res.B.Number+1)
	}
	f := fit{results: results, middle: make([]float64, levels), at: make([]float64, levels), doubling: leastDoubling}
	seen := make([]float64, levels)
	for _, res := range results {
		for _, l := range []Level{res.A, res.B} {
			f.middle[l.Number] += l.doublings()
			seen[l.Number]++
		}
	}
	for i := range f.middle {
		f.middle[i] /= max(seen[i], 1)
	}
	const rounds = 1000
	for range rounds {
		f.doubling = min(max(f.doubling+f.step(-1), leastDoubling), mostDoubling)
		for i := 1; i < levels; i++ {
			f.at[i] += f.step(i)
		}
	}
	s := Scale{Doubling: f.doubling, Own: make([]float64, levels)}
	for i := range s.Own {
		s.Own[i] = f.own(i) - f.own(0)
	}
	return s
}

// fit is a scale while it is fitted, by one parameter after the other. Its
// ratings are those in the middle of the limits that a level played with: what
// a doubling is worth then hardly changes what is the best value for them.
type fit struct {
	results  []LevelResult
	middle   []float64 // doublings, by level
	at       []float64 // rating there
	doubling float64
}

func (f *fit) own(i int) float64 { return f.at[i] - f.doubling*f.middle[i] }

func (f *fit) rating(l Level) float64 {
	return f.at[l.Number] + f.doubling*(l.doublings()-f.middle[l.Number])
}

// share is how much the rating of a level changes with a parameter: the rating
// of a level in its middle by number, or, if that is -1, the worth of a
// doubling.
func (f *fit) share(l Level, parameter int) float64 {
	switch parameter {
	case -1:
		return l.doublings() - f.middle[l.Number]
	case l.Number:
		return 1
	}
	return 0
}

// step is a step of Newton's method for one parameter, bounded.
func (f *fit) step(parameter int) float64 {
	const perPoint, most = math.Ln10 / 400, 100
	gain, weight := 0.0, 0.0
	for _, res := range f.results {
		by := f.share(res.A, parameter) - f.share(res.B, parameter)
		if by == 0 || res.Games == 0 {
			continue
		}
		games, score := float64(res.Games)+imagined, res.Score+imagined/2
		e := Expected(f.rating(res.A) - f.rating(res.B))
		gain += by * (score - games*e) * perPoint
		weight += by * by * games * e * (1 - e) * perPoint * perPoint
	}
	for i := 1; i < len(f.at); i++ {
		by := 0.0
		switch parameter {
		case -1:
			by = f.middle[i-1] - f.middle[i]
		case i:
			by = 1
		case i - 1:
			by = -1
		}
		gain -= by * (f.own(i) - f.own(i-1)) / (ownSpread * ownSpread)
		weight += by * by / (ownSpread * ownSpread)
	}
	if weight == 0 {
		return 0
	}
	return min(max(gain/weight, -most), most)
}

// Steps of the node limits of levels.
const (
	wantedStep = 225 // points of rating
	// mostChange bounds the correction of one round, as a factor.
	mostChange = 4
	// leastRatio is how many times the nodes of a level the next one has at
	// least.
	leastRatio = 1.15
)

// Propose moves the node limits of levels so that their ratings will differ by
// equal steps of 225 points. The first limit stays, each is above the one
// before, and none is above most as far as that leaves room.
func (s Scale) Propose(nodes []uint64, most uint64) []uint64 {
	out := make([]uint64, len(nodes))
	out[0] = nodes[0]
	first := s.Rating(Level{0, nodes[0]})
	for i := 1; i < len(nodes); i++ {
		n := math.Exp2((first + wantedStep*float64(i) - s.Own[i]) / s.Doubling)
		n = min(max(n, float64(nodes[i])/mostChange), float64(nodes[i])*mostChange)
		n = min(n, float64(most)/math.Pow(leastRatio, float64(len(nodes)-1-i)))
		n = max(n, float64(out[i-1])*leastRatio)
		out[i] = max(uint64(math.Round(n)), out[i-1]+1)
	}
	return out
}
