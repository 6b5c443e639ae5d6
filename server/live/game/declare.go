package game

import (
	"slices"
	"time"

	"hoplite/engine/rules"
	"hoplite/server/fault"
)

// claimDraw is the declaration that draws by repetition.
const claimDraw = "claim draw"

// claims lists what the player to move may declare.
func (s *State) claims() []string {
	if s.game.CanClaimDraw() {
		return []string{claimDraw}
	}
	return nil
}

// declare does what the rules let the player to move declare.
func (s *State) declare(a *Action, now time.Time) (*Step, error) {
	c := &s.cur
	if c.Over() || c.Turn != a.Player {
		return nil, errNotYourTurn
	}
	if due, ok := s.Deadline(); ok && !now.Before(due) {
		return nil, errNotYourTurn // the timeout is on its way
	}
	if !slices.Contains(c.Claims, a.Claim) {
		return nil, fault.Invalid("You cannot declare %q now", clip(a.Claim))
	}
	return s.end(a, now, rowEnd{StatusDraw, rules.NoWinner, string(rules.Repetition)})
}
