package match

import (
	"math"
	"time"
)

// steer keeps what a player uses of the processor at so much a move on
// average, whatever else the machine does. It turns the knob that the player
// has, which is nodes or the time on its clock, by what the moves so far have
// cost, and carries what a move has saved or overdrawn over to the next ones.
type steer struct {
	target time.Duration
	rate   float64       // knob per second of processor time
	bank   time.Duration // saved so far
}

const (
	// firstNodes is the number of nodes per second that a player is taken to
	// search before its first move.
	firstNodes = 300_000
	// firstClock is how many times the time for a move the clock shows then.
	firstClock = 30
	// bankMoves bounds the balance in moves: a game of forced moves must not
	// pay for one very long search.
	bankMoves = 8
	// paybackMoves is in how many moves the balance is spent.
	paybackMoves = 4
	// learn is the weight of the latest move in the rate.
	learn = 0.3
)

// setting returns the knob for the next move.
func (s *steer) setting() float64 {
	budget := s.target + s.bank/paybackMoves
	budget = min(max(budget, s.target/4), 3*s.target)
	return s.rate * budget.Seconds()
}

// tell says what a move with the given setting has cost. searched is the
// setting that would have been enough, if the player stopped early.
func (s *steer) tell(searched float64, used time.Duration) {
	most := bankMoves * s.target
	s.bank = min(max(s.bank+s.target-used, -most), most)
	const telling = 20 // a move of less than this part of the target says little of the rate
	if searched <= 0 || used < s.target/telling {
		return
	}
	s.rate *= math.Pow(searched/used.Seconds()/s.rate, learn)
}
