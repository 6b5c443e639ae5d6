package game

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hoplite/engine/rules"
	"hoplite/server/fault"
)

const (
	// offerPause is how many plies a player waits between draw offers.
	offerPause = 20
	// earlyDraw is the ply from which noEarlyDraw allows offers.
	earlyDraw = 60
	// maxText is the length of a chat line in characters.
	maxText = 140
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

// takeback does what proposer asked for. Time that was used stays used.
func (s *State) takeback(a *Action, now time.Time, proposer int) (*Step, error) {
	if due, ok := s.Deadline(); ok && !now.Before(due) {
		return nil, errOver // the timeout is on its way
	}
	d := &rowData{Plies: s.takebackPlies(proposer)}
	if s.cur.Control.HasClock() {
		d.Clocks = s.stored(s.clocksAt(now))
	}
	return s.noted(a, RowTakeback, now, d, "Takeback accepted")
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

func (s *State) chat(a *Action, now time.Time) (*Step, error) {
	if a.Room != RoomPlayer && a.Room != RoomSpectator {
		return nil, fault.Field("room", "Must be player or spectator")
	}
	text, ok := cleanText(a.Text)
	if !ok {
		return nil, fault.Field("text", "Must have between 1 and 140 characters")
	}
	if s.chatted[a.Room] >= maxChat {
		return s.nothing("The chat is full")
	}
	return s.one(a, RowChat, now, &rowData{Room: a.Room, User: a.Username, Text: text})
}

// cleanText makes a chat line one line of printable text, and reports whether
// its length is allowed.
func cleanText(text string) (string, bool) {
	if !utf8.ValidString(text) || len(text) > 4*(maxText+maxText) {
		return "", false
	}
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text))
	n := utf8.RuneCountInString(text)
	return text, n >= 1 && n <= maxText
}
