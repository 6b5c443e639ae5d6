package search

import "math"

const (
	// evenWin is the score in centipawns at which a win is as likely as not.
	evenWin = 150
	// wdlScale is the score over which the odds of a win grow by a factor e.
	wdlScale = 75
)

// WDL estimates how likely the player to move is to win, draw and lose with a
// score, in thousandths that sum up to 1000. It is one curve for all games: a
// rule of thumb for showing, not a measurement.
func WDL(s Score) (win, draw, loss int) {
	switch {
	case s.Mate > 0:
		return 1000, 0, 0
	case s.Mate < 0:
		return 0, 0, 1000
	}
	chance := func(cp int) int { return int(math.Round(1000 / (1 + math.Exp(float64(evenWin-cp)/wdlScale)))) }
	win, loss = chance(s.CP), chance(-s.CP)
	return win, 1000 - win - loss, loss
}
