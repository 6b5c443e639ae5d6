package game

import (
	"slices"
	"time"

	"hoplite/engine/rules"
	"hoplite/server/fault"
)

// maxCounts bounds the declarations of one turn that do not end the game.
const maxCounts = 8

// claims lists what the player to move may declare.
func (s *State) claims() []string {
	var list []string
	for _, c := range s.game.Position().Claims() {
		list = append(list, string(c))
	}
	if repeated := string(rules.ClaimDraw); s.game.CanClaimDraw() && !slices.Contains(list, repeated) {
		list = append(list, repeated)
	}
	return list
}

// declare does what the rules let the player to move declare. A count begins or
// ends with it and the turn goes on, or the game ends.
func (s *State) declare(a *Action, now time.Time) (*Step, error) {
	c := &s.cur
	if c.Over() || c.Turn != a.Player {
		return nil, errNotYourTurn
	}
	if due, ok := s.Deadline(); ok && !now.Before(due) {
		return nil, errNotYourTurn // the timeout is on its way
	}
	claim := rules.Claim(a.Claim)
	counts := 0 // of this turn; each is kept for good
	for _, d := range c.Declared {
		if d.Left == 0 && d.Ply == len(c.Moves) {
			counts++
		}
	}
	switch {
	case counts >= maxCounts && (claim == rules.CountStart || claim == rules.CountStop):
		return nil, fault.Invalid("You have begun and ended enough counts in this position")
	case !slices.Contains(c.Claims, a.Claim):
		return nil, fault.Invalid("You cannot declare %q now", clip(a.Claim))
	case claim == rules.ClaimDraw && s.game.CanClaimDraw():
		return s.end(a, now, rowEnd{Status: StatusDraw, Winner: rules.NoWinner, Reason: string(rules.Repetition)})
	}
	if err := s.game.Declare(claim); err != nil {
		return nil, err
	}
	d := &rowData{Claim: a.Claim, played: true, End: s.endAfter(len(c.Moves))}
	if d.End != nil && c.Control.HasClock() {
		d.Clocks = s.stored(s.clocksAt(now))
	}
	return s.one(a, RowDeclare, now, d)
}

// evolveDeclare makes a declaration part of the state.
func (s *State) evolveDeclare(d *rowData) error {
	claim := rules.Claim(d.Claim)
	if !d.played {
		// A row from the store: the live path has declared it already.
		if err := s.game.Declare(claim); err != nil {
			return err
		}
	}
	s.cur.Declared = append(s.cur.Declared, Declared{Ply: len(s.cur.Moves), Claim: claim})
	s.look()
	return nil
}
