package game

import (
	"errors"
	"strings"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/server/fault"
	"hoplite/server/live/clock"
)

// maxEcho bounds how much of what was sent an error repeats.
const maxEcho = 32

func (s *State) move(a *Action, now time.Time) (*Step, error) {
	c := &s.cur
	if c.Over() || c.Turn != a.Player {
		return nil, errNotYourTurn
	}
	if due, ok := s.Deadline(); ok && !now.Before(due) {
		return nil, errNotYourTurn // the timeout is on its way
	}
	moves, err := notation.ParseTurn(s.game.Position(), a.Move)
	if err != nil {
		return nil, s.moveFault(a.Move, err)
	}
	if a.OfferDraw {
		// The offer comes first: if it ends the game, the move is not played.
		if e, ok := s.drawEnds(a.Player); ok {
			return s.end(a, now, e)
		}
	}
	st := new(Step)
	if err := s.play(st, a, moves, now); err != nil {
		return nil, err
	}
	for i := range st.events[:len(st.events)-1] {
		st.events[i].Partial = true
	}
	if err := s.answer(st, now); err != nil {
		return nil, err
	}
	return st, nil
}

// play adds moves of one player to a step.
func (s *State) play(st *Step, a *Action, moves []rules.Move, now time.Time) error {
	c := &s.cur
	thought := s.thought(now)
	for i, m := range moves {
		d := &rowData{
			Move: notation.FormatMove(s.game.Position(), m), parsed: m,
			Offer: i == 0 && a.OfferDraw && s.offerRefused(a.Player) == "",
		}
		if c.Control.HasClock() {
			left := c.Clocks
			if c.ClockRunning {
				left[a.Player] = c.Control.Moved(left[a.Player], thought)
			}
			thought = 0
			d.Clocks = s.stored(left)
		}
		if err := s.game.Play(m); err != nil {
			return s.moveFault(a.Move, err)
		}
		d.End = s.endAfter(len(s.cur.Moves) + 1)
		if err := s.write(st, a, RowMove, now, d); err != nil {
			return err
		}
		if d.End != nil {
			break // by a rule that looks further than the position
		}
	}
	return nil
}

func (s *State) moveFault(text string, err error) error {
	text = clip(text)
	if s.rules.Hides() {
		// Why it is illegal may be what the player cannot see.
		return fault.Invalid("Illegal move %s: it is not one of your moves", text)
	}
	if me, ok := errors.AsType[*notation.MoveError](err); ok && me.Malformed {
		return fault.Invalid("Invalid UCI: %s", text)
	}
	return fault.Invalid("Illegal move %s: %s", text, reasonOf(err))
}

func clip(text string) string {
	if len(text) > maxEcho {
		return strings.ToValidUTF8(text[:maxEcho], "") + "…"
	}
	return text
}

func reasonOf(err error) string {
	if me, ok := errors.AsType[*notation.MoveError](err); ok && me.Reason != "" {
		return me.Reason
	}
	if ie, ok := errors.AsType[*rules.IllegalMoveError](err); ok && ie.Reason != "" {
		return ie.Reason
	}
	return "not allowed in this position"
}

// endAfter returns how the game, which has come to the given number of moves,
// is over by what was just done, nil if it is not.
func (s *State) endAfter(plies int) *rowEnd {
	if o, over := s.game.Outcome(); over {
		return s.endOf(o)
	}
	var e *rowEnd
	for i := range s.cur.Players {
		// Programs never forget to claim.
		if s.cur.Players[i].IsBot() && s.game.CanClaimDraw() {
			e = drawBy(string(rules.Repetition))
		}
	}
	if e == nil && plies >= MaxPlies {
		e = drawBy(ReasonMaxPlies)
	}
	if e != nil {
		s.rankNow(e)
	}
	return e
}

func drawBy(reason string) *rowEnd {
	return &rowEnd{Status: StatusDraw, Winner: rules.NoWinner, Reason: reason}
}

// statusOf names an outcome of the rules in the words of the Lichess API: a
// stalemate is always a draw there, and everything that only some variant
// wins by is a variantEnd.
func statusOf(o rules.Outcome) string {
	switch {
	case o.Reason == rules.Mate && o.Winner != rules.NoWinner:
		return StatusMate
	case o.Winner != rules.NoWinner:
		return StatusVariantEnd
	case o.Reason == rules.NoMove:
		return StatusStalemate
	}
	return StatusDraw
}

func (s *State) abort(a *Action, now time.Time) (*Step, error) {
	// The system aborts where both players agreed, whatever was played.
	if agreed := a.Player == -1; s.cur.Over() || !agreed && !s.cur.MayAbort() {
		return nil, errNoAbort
	}
	return s.end(a, now, rowEnd{Status: StatusAborted, Winner: rules.NoWinner, Reason: string(rules.Aborted)})
}

func (s *State) resign(a *Action, now time.Time) (*Step, error) {
	switch {
	case s.cur.Over():
		return nil, errNoResign
	case s.cur.MayAbort():
		return s.abort(a, now)
	}
	if s.cur.many() {
		return s.retire(a, a.Player, rules.Resign, now)
	}
	return s.end(a, now, rowEnd{Status: StatusResign, Winner: 1 - a.Player, Reason: string(rules.Resign)})
}

func (s *State) timeout(a *Action, now time.Time) (*Step, error) {
	c := &s.cur
	if c.Over() {
		return nil, errOver
	}
	due, ok := s.Deadline()
	if !ok || now.Before(due) {
		return nil, errNotDue
	}
	if !c.ClockRunning && (!c.Begun() || c.Control.Kind != clock.Correspondence) {
		return s.end(a, now, rowEnd{Status: StatusAborted, Winner: rules.NoWinner, Reason: ReasonNoStart})
	}
	if c.many() {
		return s.retire(a, c.Turn, rules.Flag, now)
	}
	winner := 1 - c.Turn
	if !s.game.Position().CanMate(rules.Side(winner)) {
		winner = rules.NoWinner
	}
	return s.end(a, now, rowEnd{Status: StatusOutOfTime, Winner: winner, Reason: string(rules.Flag)})
}

// claimable reports whether the player may claim because the other has left.
func (s *State) claimable(player int, now time.Time) bool {
	c := &s.cur
	if c.many() {
		return false // whoever has left runs out of time
	}
	gone := c.Gone[1-player]
	return !c.Over() && !c.MayAbort() && !c.HasRule(RuleNoClaimWin) &&
		gone.Gone && !gone.ClaimAt.IsZero() && !now.Before(gone.ClaimAt)
}

func (s *State) claim(a *Action, now time.Time) (*Step, error) {
	gone := s.claimable(a.Player, now)
	if a.Kind == ClaimVictory {
		if !gone {
			return nil, errNoClaimWin
		}
		return s.end(a, now, rowEnd{Status: StatusTimeout, Winner: a.Player, Reason: ReasonLeft})
	}
	switch {
	case s.repeats(a.Player):
		return s.end(a, now, rowEnd{Status: StatusDraw, Winner: rules.NoWinner, Reason: string(rules.Repetition)})
	case gone:
		return s.end(a, now, rowEnd{Status: StatusDraw, Winner: rules.NoWinner, Reason: ReasonLeft})
	}
	return nil, errNoClaimDraw
}

// repeats reports whether the player to move may claim a draw by repetition.
func (s *State) repeats(player int) bool {
	return !s.cur.Over() && s.cur.Turn == player && s.game.CanClaimDraw()
}

func (s *State) startClocks(a *Action, now time.Time) (*Step, error) {
	switch {
	case !s.cur.Control.HasClock():
		return nil, errNoClock
	case s.cur.Over():
		return nil, errOver
	case s.cur.ClockRunning:
		return s.nothing("The clocks are running already")
	}
	return s.one(a, RowStartClocks, now, new(rowData))
}

// The seconds that a player may give to the other at once.
const (
	minGift = 5
	maxGift = 60
)

func (s *State) addTime(a *Action, now time.Time) (*Step, error) {
	switch {
	case a.Seconds < minGift || a.Seconds > maxGift:
		return nil, fault.Field("seconds", "Must be between 5 and 60")
	case s.cur.Over():
		return nil, errOver
	case !s.cur.Control.HasClock():
		return nil, errNoClock
	case s.cur.HasRule(RuleNoGiveTime):
		return nil, errNoGivingTime
	}
	return s.one(a, RowAddTime, now, &rowData{Seconds: a.Seconds})
}

func (s *State) rematched(a *Action, now time.Time) (*Step, error) {
	switch {
	case !s.cur.Over():
		return nil, fault.Invalid("The game is not over")
	case a.Rematch == "":
		return nil, fault.Invalid("No rematch given")
	case s.cur.Rematch != "":
		return s.nothing("The game has a rematch already")
	}
	return s.one(a, RowRematch, now, &rowData{Game: a.Rematch})
}

// presence is volatile: it has no row, and after a restart players come back
// by themselves.
func (s *State) presence(a *Action, now time.Time) (*Step, error) {
	gone := a.Kind == Gone
	if s.cur.Over() || s.cur.Gone[a.Player].Gone == gone {
		return s.nothing("")
	}
	state := GoneState{Gone: gone, Returned: !gone}
	if gone && a.Wait > 0 && s.cur.Control.HasClock() && !s.cur.HasRule(RuleNoClaimWin) {
		state.ClaimAt = now.Add(a.Wait)
	}
	s.cur.Gone[a.Player] = state
	ev := Event{Version: s.cur.Version, Kind: EventGone, Snapshot: s.Snapshot(),
		Gone: &GoneNotice{Player: a.Player, Gone: gone, ClaimAt: state.ClaimAt}}
	return &Step{Version: s.cur.Version, events: []Event{ev}}, nil
}
