package search

import "time"

// Clock is what a player knows about time. Index 0 is the first side in turn
// order.
type Clock struct {
	Time, Inc [2]time.Duration
	// MovesToGo is the number of moves to the next time control; 0 means that
	// the time is for the rest of the game.
	MovesToGo int
	// Byoyomi is time that each move has of its own, once the clock has run
	// out; what a move does not use of it is lost.
	Byoyomi time.Duration
	// Overhead is kept back in every move for the way to the clock and back.
	Overhead time.Duration
}

// budget is the time of one move: a search that reaches soft at the end of an
// iteration stops, and hard is never passed. Zero means no limit. Time that is
// free, because it would be lost, comes before soft and is part of hard.
type budget struct{ soft, hard, free time.Duration }

const (
	minMoveTime  = time.Millisecond
	movesEarly   = 40 // moves still to come, assumed at the start of a game
	movesLate    = 20 // and from move 40 on
	softShare    = 0.6
	hardPerSoft  = 5
	hardOfUsable = 0.4
)

// plan divides the clock of the player numbered side, at the given full move.
func (c *Clock) plan(side, fullMove int) budget {
	if side < 0 || side > 1 {
		side &= 1
	}
	usable := max(c.Time[side]-c.Overhead, minMoveTime)
	inc := max(c.Inc[side], 0)
	var n int
	if c.MovesToGo > 0 {
		n = min(c.MovesToGo, movesEarly) + 1
	} else {
		n = max(movesLate, movesEarly-(movesEarly-movesLate)*max(fullMove, 1)/movesEarly)
	}
	total := usable + time.Duration(n-1)*inc
	soft := time.Duration(float64(total) / float64(n) * softShare)
	hard := min(soft*hardPerSoft, time.Duration(float64(usable)*hardOfUsable))
	switch {
	case c.MovesToGo == 1:
		// The clock is refilled after this move: nearly all of it may go.
		soft = min(usable/2, time.Duration(float64(usable)*softShare))
		hard = time.Duration(float64(usable) / 1.1)
	case c.MovesToGo > 1:
		hard = min(soft*hardPerSoft, usable/2)
	}
	hard = max(min(hard, usable), minMoveTime)
	free := max(c.Byoyomi-c.Overhead, min(c.Byoyomi, minMoveTime), 0)
	return budget{soft: max(min(soft, hard), minMoveTime), hard: hard + free, free: free}
}

// pace decides at the end of an iteration whether the next one is started.
type pace struct {
	budget
	stable  int // iterations since the best move changed
	score   int // of the last iteration
	elapsed time.Duration
	took    time.Duration // by the last iteration
	growth  float64       // smoothed ratio of the times of successive iterations
}

// iteration is what pace is told when one ends.
type iteration struct {
	elapsed time.Duration // since the search began
	score   int           // centipawns or mate score of the best move
	changed bool          // another best move than before
	single  bool          // there is only one legal move
	share   float64       // part of the nodes spent on the best move
}

// enough reports whether the search should stop after it.
func (p *pace) enough(it iteration) bool {
	f := 1.0
	if it.changed {
		p.stable = 0
		f = 1.5
	} else if p.stable++; p.stable >= 5 {
		f = 0.6
	}
	if it.score <= p.score-50 {
		f = 2
	}
	if it.share > 0.9 {
		f *= 0.5
	}
	if it.single {
		f = 0.3
	}
	took := max(it.elapsed-p.elapsed, time.Microsecond)
	if p.took > 0 {
		g := min(max(float64(took)/float64(p.took), 1), 8)
		p.growth = (p.growth + g) / 2
	} else {
		p.growth = 2
	}
	p.score, p.elapsed, p.took = it.score, it.elapsed, took
	if p.soft == 0 {
		return false
	}
	if !it.single && it.elapsed < p.free {
		return false
	}
	limit := time.Duration(float64(p.soft) * f)
	if !it.single {
		limit += p.free
	}
	if it.elapsed >= limit {
		return true
	}
	// An iteration that would be cut off before its half is wasted.
	next := time.Duration(float64(took) * p.growth)
	return it.elapsed+next/2 > p.hard
}
