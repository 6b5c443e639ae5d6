package game

import "time"

// takebackPlies is how many plies a proposal of the player takes back: its own
// last one, and what the other side has played since. 0 if it has not moved.
func (s *State) takebackPlies(player int) int {
	for i := len(s.cur.Movers) - 1; i >= 0; i-- {
		if int(s.cur.Movers[i]) == player {
			return len(s.cur.Movers) - i
		}
	}
	return 0
}

func (s *State) takebackYes(a *Action, now time.Time) (*Step, error) {
	c := &s.cur
	if len(c.Players) != 2 {
		return nil, errNoTakebacks
	}
	other := 1 - a.Player
	switch {
	case c.Over():
		return nil, errOver
	case c.Takeback[other]:
		return s.takeback(a, now, other)
	case s.takebackPlies(a.Player) == 0:
		return nil, errNoTakeback
	case c.Players[other].AILevel > 0:
		return s.takeback(a, now, a.Player) // the engine always agrees
	case c.Takeback[a.Player]:
		return s.nothing("You have proposed a takeback already")
	}
	return s.noted(a, RowTakebackOffer, now, new(rowData), "Takeback sent")
}

// takeback does what proposer asked for. Both clocks get back what they had in
// the position to which the game returns.
func (s *State) takeback(a *Action, now time.Time, proposer int) (*Step, error) {
	if due, ok := s.Deadline(); ok && !now.Before(due) {
		return nil, errOver // the timeout is on its way
	}
	d := &rowData{Plies: s.takebackPlies(proposer)}
	if s.cur.Control.HasClock() {
		d.Clocks = s.stored(s.clocksAfter(len(s.cur.Moves) - d.Plies))
	}
	return s.noted(a, RowTakeback, now, d, "Takeback accepted")
}

// gift is time that a player gave to the others.
type gift struct {
	by, plies int // who gave it, after how many plies
	time      time.Duration
}

// clocksAfter returns what the clocks showed after so many plies of the current
// line: what each player had after its own last one. Time that was given since
// stays given.
func (s *State) clocksAfter(plies int) PerPlayer[time.Duration] {
	c := &s.cur
	var clocks PerPlayer[time.Duration]
	var own PerPlayer[int] // plies up to and with the player's last one
	for i := range c.Players {
		clocks[i] = c.Control.Start()
	}
	for i, mover := range c.Movers[:plies] {
		clocks[mover], own[mover] = c.ClockHistory[i], i+1
	}
	for _, g := range s.gifts {
		for i := range c.Players {
			if i != g.by && g.plies >= own[i] {
				clocks[i] += g.time
			}
		}
	}
	return clocks
}

func (s *State) takebackNo(a *Action, now time.Time) (*Step, error) {
	switch {
	case s.cur.Over():
		return nil, errOver
	case s.someOther(a.Player, s.cur.Takeback):
		return s.noted(a, RowTakebackDecline, now, new(rowData), "Takeback declined")
	case s.cur.Takeback[a.Player]:
		return s.noted(a, RowTakebackDecline, now, new(rowData), "Takeback cancelled")
	}
	return s.nothing("There is no takeback to decline")
}
