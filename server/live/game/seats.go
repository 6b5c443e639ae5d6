package game

import (
	"time"

	"hoplite/engine/rules"
)

// Games of more than two: a player who leaves or whose time is over goes out,
// and the others play on.

// many reports whether the game has more than two players.
func (s *Snapshot) many() bool { return len(s.Players) > 2 }

// retire takes a player out of a game of more than two, and ends the game if
// that leaves one.
func (s *State) retire(a *Action, player int, reason rules.Reason, now time.Time) (*Step, error) {
	clocks := s.clocksAt(now)
	was := s.game.Position().Turn()
	if err := s.game.Retire(rules.Side(player)); err != nil {
		return nil, errNoResign
	}
	d := &rowData{Left: player + 1, Why: string(reason), played: true, End: s.endAfter(len(s.cur.Moves))}
	if s.cur.Control.HasClock() && (d.End != nil || s.game.Position().Turn() != was) {
		d.Clocks = s.stored(clocks)
	}
	return s.one(a, RowRetire, now, d)
}

// evolveRetire makes a retirement part of the state.
func (s *State) evolveRetire(row *Row, d *rowData) error {
	if !d.played {
		// A row from the store: the live path has done it already.
		if err := s.game.Retire(rules.Side(d.Left - 1)); err != nil {
			return err
		}
	}
	c := &s.cur
	c.Declared = append(c.Declared, Declared{Ply: len(c.Moves), Left: d.Left})
	if int(s.game.Position().Turn()) == c.Turn {
		s.look()
		return nil
	}
	if d.Clocks != nil {
		c.Clocks = durations(d.Clocks)
	}
	s.startTurn(row.At)
	return nil
}

// lookAtSeats brings what games of more than two show up to date.
func (s *State) lookAtSeats() {
	c := &s.cur
	if !c.many() {
		return
	}
	p := s.game.Position()
	points := s.rules.Definition().Seats.Points != nil
	c.Points = nil
	for i := range c.Players {
		c.Out[i] = p.Out(rules.Side(i))
		if points {
			c.Points = append(c.Points, float64(p.Scored(rules.Side(i))))
		}
	}
}

// endOf is how an outcome of the rules ends the game.
func (s *State) endOf(o rules.Outcome) *rowEnd {
	e := &rowEnd{Status: statusOf(o), Winner: o.Winner, Reason: string(o.Reason)}
	s.rank(e, o)
	return e
}

// rank notes the places in a game of more than two.
func (s *State) rank(e *rowEnd, o rules.Outcome) {
	if !s.cur.many() {
		return
	}
	for i := range s.cur.Players {
		e.Places = append(e.Places, int(o.Places[i]))
	}
}

// rankNow ranks a game of more than two that does not end by its rules.
func (s *State) rankNow(e *rowEnd) {
	if s.cur.many() && e.Status != StatusAborted {
		s.rank(e, s.game.Position().Standings(rules.Reason(e.Reason)))
	}
}
