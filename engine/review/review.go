// Package review judges the moves of a game by what an engine thinks of its positions: chances of winning, accuracy, and
// which moves were errors. The formulas are those that lichess.org publishes for its own game review
// (lichess.org/page/accuracy), so that figures compare.
package review

import (
	"math"
	"slices"
)

// Eval is what an engine thinks of a position, for the first side. Mate, if not 0, is the number of moves to a forced end:
// positive if the first side wins. Over stands for a position in which the game has ended.
type Eval struct {
	CP   int
	Mate int
	Over bool
}

// ceiling is the score, in centipawns, beyond which nothing changes any more.
const ceiling = 1000

// centipawns is the score as a number, a forced end being as good as can be.
func (e Eval) centipawns() int {
	switch {
	case e.Mate > 0:
		return ceiling
	case e.Mate < 0:
		return -ceiling
	}
	return max(-ceiling, min(e.CP, ceiling))
}

// chance is the expected result of the first side, from -1 to 1.
func (e Eval) chance() float64 {
	return 2/(1+math.Exp(-0.00368208*float64(e.centipawns()))) - 1
}

// win is the chance of the first side to win, in percent.
func (e Eval) win() float64 { return 50 + 50*e.chance() }

// Judgment says how bad a move is.
type Judgment uint8

// The judgments.
const (
	Fair Judgment = iota
	Inaccuracy
	Mistake
	Blunder
)

// String is the judgment's name as Lichess writes it.
func (j Judgment) String() string {
	return [...]string{"", "Inaccuracy", "Mistake", "Blunder"}[j]
}

// NAG is the judgment's numeric annotation glyph in PGN, 0 for none.
func (j Judgment) NAG() int { return [...]int{0, 6, 2, 4}[j] }

// judge weighs by how much a move made the mover's expected result worse.
func judge(lost float64) Judgment {
	switch {
	case lost >= 0.3:
		return Blunder
	case lost >= 0.2:
		return Mistake
	case lost >= 0.1:
		return Inaccuracy
	}
	return Fair
}

// Summary is what the moves of one side come to.
type Summary struct {
	Moves       int
	Inaccuracy  int
	Mistake     int
	Blunder     int
	AverageLoss int // centipawns a move
	Accuracy    int // percent
}

// Game judges a game of two sides. evals has the positions in order, one more than the plies; movers says which side, 0
// or 1, made each ply.
func Game(evals []Eval, movers []uint8) ([]Judgment, [2]Summary) {
	judged := make([]Judgment, len(movers))
	var sums [2]Summary
	var loss [2]int
	var accuracies [2][]weighted
	weights := volatility(evals, len(movers))
	for ply, mover := range movers {
		before, after := evals[ply], evals[ply+1]
		side := int(mover & 1)
		s := &sums[side]
		s.Moves++
		if before.Over || after.Over {
			// Nothing can be better than what ended the game. A record from elsewhere may go on after it.
			accuracies[side] = append(accuracies[side], weighted{100, weights[ply]})
			continue
		}
		sign := 1 - 2*side
		judged[ply] = judge(float64(sign) * (before.chance() - after.chance()))
		switch judged[ply] {
		case Inaccuracy:
			s.Inaccuracy++
		case Mistake:
			s.Mistake++
		case Blunder:
			s.Blunder++
		}
		loss[side] += max(0, sign*(before.centipawns()-after.centipawns()))
		accuracies[side] = append(accuracies[side], weighted{accuracy(float64(sign) * (before.win() - after.win())), weights[ply]})
	}
	for side := range sums {
		if n := sums[side].Moves; n > 0 {
			sums[side].AverageLoss = (loss[side] + n/2) / n
			sums[side].Accuracy = int(math.Round(mean(accuracies[side])))
		}
	}
	return judged, sums
}

// accuracy of a move by the percent of winning that it gave away.
func accuracy(lost float64) float64 {
	if lost <= 0 {
		return 100
	}
	return max(0, min(100, 103.1668100711649*math.Exp(-0.04354415386753951*lost)-3.166924740191411+1))
}

type weighted struct{ value, weight float64 }

// volatility is the weight of each ply: how much the chances swing around it.
func volatility(evals []Eval, plies int) []float64 {
	size := max(2, min(8, plies/10))
	wins := make([]float64, 0, len(evals))
	for i, e := range evals {
		if e.Over && i > 0 {
			wins = append(wins, wins[i-1])
			continue
		}
		wins = append(wins, e.win())
	}
	weights := make([]float64, plies)
	for ply := range weights {
		// The first plies share the first window.
		last := min(max(ply+2, size), len(wins))
		weights[ply] = max(0.5, min(deviation(wins[max(0, last-size):last]), 12))
	}
	return weights
}

// deviation is the standard deviation.
func deviation(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	average := 0.0
	for _, x := range v {
		average += x
	}
	average /= float64(len(v))
	sum := 0.0
	for _, x := range v {
		sum += (x - average) * (x - average)
	}
	return math.Sqrt(sum / float64(len(v)))
}

// mean of the weighted mean, which the critical moves count more in, and the harmonic mean, which the bad ones do.
func mean(list []weighted) float64 {
	var sum, weight, inverse float64
	for _, w := range list {
		sum += w.value * w.weight
		weight += w.weight
		inverse += 1 / max(w.value, 1)
	}
	return (sum/weight + float64(len(list))/inverse) / 2
}

// Worst returns the plies with a judgment at least as bad, in order.
func Worst(judged []Judgment, least Judgment) []int {
	var plies []int
	for ply, j := range judged {
		if j >= least {
			plies = append(plies, ply)
		}
	}
	return slices.Clip(plies)
}
