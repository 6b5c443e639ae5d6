// Package match plays engines against each other and says what the results
// mean: games in pairs with both colours, a journal from which a match that
// was cut off goes on, and statistics over pairs. The rules core decides what
// is legal and when a game is over.
package match

import (
	"fmt"
	"math"
)

// Tally counts results from the point of view of the first contestant.
type Tally struct {
	Wins, Draws, Losses int
	// Pairs counts finished pairs of games by the half points scored in them,
	// 0 to 4. The two games of a pair share an opening, so their results are
	// not independent, but pairs are.
	Pairs [5]int
}

// Games is the number of games counted.
func (t Tally) Games() int { return t.Wins + t.Draws + t.Losses }

// Score is the share of the points, 0.5 before the first game.
func (t Tally) Score() float64 {
	if t.Games() == 0 {
		return 0.5
	}
	return (float64(t.Wins) + float64(t.Draws)/2) / float64(t.Games())
}

// certain is the quantile of the normal distribution for 95 percent.
const certain = 1.96

// Bounds are the ends of the 95 percent confidence interval of the score, by
// the spread of the pairs, or of the games while no pair is complete.
func (t Tally) Bounds() (low, high float64) {
	mean, err := t.spread()
	return max(mean-certain*err, 0), min(mean+certain*err, 1)
}

// spread returns the mean score and its standard error.
func (t Tally) spread() (mean, err float64) {
	counts, points := t.Pairs[:], []float64{0, 0.25, 0.5, 0.75, 1}
	if sum(counts) == 0 {
		counts, points = []int{t.Losses, t.Draws, t.Wins}, []float64{0, 0.5, 1}
	}
	n := float64(sum(counts))
	if n == 0 {
		return 0.5, 0.5
	}
	for i, c := range counts {
		mean += points[i] * float64(c) / n
	}
	variance := 0.0
	for i, c := range counts {
		variance += (points[i] - mean) * (points[i] - mean) * float64(c) / n
	}
	if variance == 0 {
		// Nothing but one result: after so many games the chance of others may
		// still be three in their number (the rule of three).
		return mean, 3 / float64(max(t.Games(), 1)) / certain
	}
	return mean, math.Sqrt(variance / n)
}

func sum(counts []int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

// Elo returns the difference in rating that makes a score expected; it is
// infinite for 0 and 1.
func Elo(score float64) float64 { return -400 * math.Log10(1/score-1) }

// Expected returns the score that a difference in rating makes expected.
func Expected(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// Superior is the likelihood that the first contestant is the stronger one.
func (t Tally) Superior() float64 {
	mean, err := t.spread()
	return (1 + math.Erf((mean-0.5)/err/math.Sqrt2)) / 2
}

// String writes results, score and rating with its 95 percent interval.
func (t Tally) String() string {
	low, high := t.Bounds()
	return fmt.Sprintf("+%d =%d -%d, %.1f%%, Elo %s (%s to %s), pairs %v", t.Wins, t.Draws, t.Losses,
		100*t.Score(), rating(t.Score()), rating(low), rating(high), t.Pairs)
}

func rating(score float64) string {
	switch {
	case score <= 0:
		return "-inf"
	case score >= 1:
		return "+inf"
	}
	return fmt.Sprintf("%+.0f", Elo(score))
}

// add counts a game, and a pair if the score of the pair's other game is
// known.
func (t *Tally) add(score float64, other *float64) {
	switch {
	case score > 0.5:
		t.Wins++
	case score < 0.5:
		t.Losses++
	default:
		t.Draws++
	}
	if other != nil {
		t.Pairs[int(2*score+2**other+0.5)]++
	}
}
