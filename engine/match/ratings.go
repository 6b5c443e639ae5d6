package match

import "math"

// Result is what two players of a field scored against each other.
type Result struct {
	A, B  int
	Games int
	Score float64 // points of A
}

// imagined is the number of drawn games that every pair which met is given
// besides, so that a player who won all has a rating.
const imagined = 0.5

// Ratings fits ratings to the results between n players, by the likelihood of
// the logistic model in which a draw is half a win. The first player has the
// rating 0. Players without a chain of results to the first are on no common
// scale with it.
func Ratings(n int, results []Result) []float64 {
	r := make([]float64, n)
	const rounds, perPoint = 4000, 173.7 // 400/ln 10
	for range rounds {
		gain, weight := make([]float64, n), make([]float64, n)
		for _, res := range results {
			if res.Games == 0 {
				continue
			}
			games, score := float64(res.Games)+imagined, res.Score+imagined/2
			e := Expected(r[res.A] - r[res.B])
			gain[res.A] += score - games*e
			gain[res.B] -= score - games*e
			weight[res.A] += games * e * (1 - e)
			weight[res.B] += games * e * (1 - e)
		}
		for i := range r {
			if weight[i] > 0 {
				// Half a step of Newton's method for one player at a time.
				r[i] += 0.5 * perPoint * min(max(gain[i]/weight[i], -1), 1)
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		r[i] -= r[0]
	}
	return r
}

// Steps of the node limits of levels, in points of rating.
const (
	wantedStep = 225
	// A doubling of nodes is worth no less and no more than this, whatever a
	// few games say.
	leastDoubling, mostDoubling = 60, 250
	// mostChange bounds the correction of one round, as a factor.
	mostChange = 4
	// leastRatio is how many times the nodes of a level the next one has at
	// least.
	leastRatio = 1.15
)

// Propose moves the node limits of levels so that their ratings, measured with
// nodes, will differ by equal steps of 225 points. The first limit stays, and
// none is above most.
func Propose(nodes []uint64, ratings []float64, most uint64) []uint64 {
	out := make([]uint64, len(nodes))
	out[0] = nodes[0]
	for i := 1; i < len(nodes); i++ {
		low, high := max(i-1, 0), min(i+1, len(nodes)-1)
		doublings := math.Log2(float64(nodes[high]) / float64(nodes[low]))
		slope := (ratings[high] - ratings[low]) / doublings
		slope = min(max(slope, leastDoubling), mostDoubling)
		change := math.Exp2((ratings[0] + wantedStep*float64(i) - ratings[i]) / slope)
		change = min(max(change, 1.0/mostChange), mostChange)
		n := max(float64(nodes[i])*change, float64(out[i-1])*leastRatio)
		out[i] = uint64(math.Round(min(n, float64(most))))
	}
	return out
}
