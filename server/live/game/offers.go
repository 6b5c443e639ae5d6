package game

import (
	"time"

	"hoplite/engine/rules"
)

const (
	// offerPause is how many plies a player waits between draw offers.
	offerPause = 20
	// earlyDraw is the ply from which noEarlyDraw allows offers.
	earlyDraw = 60
)

// drawEnds returns how a draw offered or accepted by the player ends the game
// at once: the other side has offered, or the position can be claimed.
func (s *State) drawEnds(player int) (rowEnd, bool) {
	switch {
	case s.othersOffer(player):
		return rowEnd{Status: StatusDraw, Winner: rules.NoWinner, Reason: string(rules.Agreed)}, true
	case s.repeats(player):
		return rowEnd{Status: StatusDraw, Winner: rules.NoWinner, Reason: string(rules.Repetition)}, true
	}
	return rowEnd{}, false
}

// othersOffer reports whether everybody else has offered a draw.
func (s *State) othersOffer(player int) bool {
	for i := range s.cur.Players {
		if i != player && !s.cur.DrawOffer[i] && !s.cur.Out[i] {
			return false
		}
	}
	return true
}

// someOther reports whether a flag is set for any other player.
func (s *State) someOther(player int, flags PerPlayer[bool]) bool {
	flags[player] = false
	return flags != PerPlayer[bool]{}
}

// withEngine reports whether another player is the server's engine.
func (s *State) withEngine(player int) bool {
	for i := range s.cur.Players {
		if i != player && s.cur.Players[i].AILevel > 0 {
			return true
		}
	}
	return false
}

// offerRefused says why the player cannot offer a draw now, "" if it can.
func (s *State) offerRefused(player int) string {
	c := &s.cur
	plies := len(c.Moves)
	switch {
	case c.DrawOffer[player]:
		return "You have offered a draw already"
	case s.withEngine(player):
		return "The engine takes no draw offers"
	case !c.Begun():
		return "A draw can be offered once both sides have moved"
	case c.HasRule(RuleNoEarlyDraw) && plies < earlyDraw:
		return "This game allows no draw offer before move 30"
	case s.offered[player] > 0 && !s.someOther(player, c.DrawOffer) && plies+1 < s.offered[player]+offerPause:
		return "You have offered a draw not long ago"
	}
	return ""
}

func (s *State) drawYes(a *Action, now time.Time) (*Step, error) {
	if s.cur.Over() {
		return nil, errOver
	}
	if e, ok := s.drawEnds(a.Player); ok {
		return s.end(a, now, e)
	}
	if why := s.offerRefused(a.Player); why != "" {
		return s.nothing(why)
	}
	return s.noted(a, RowDrawOffer, now, new(rowData), s.sideName(a.Player)+" offers draw")
}

func (s *State) drawNo(a *Action, now time.Time) (*Step, error) {
	switch {
	case s.cur.Over():
		return nil, errOver
	case !s.someOther(a.Player, s.cur.DrawOffer):
		return s.nothing("There is no draw offer to decline")
	}
	return s.noted(a, RowDrawDecline, now, new(rowData), s.sideName(a.Player)+" declines draw")
}
