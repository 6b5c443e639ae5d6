package rules

import (
	"fmt"
	"slices"

	"hoplite/engine/board"
)

// Claim is a declaration that a player may make on his turn: an action that is no move and does not end the turn.
type Claim string

// The declarations. CountStart and CountStop begin and end a count of moves, ClaimDraw and ClaimWin end the game.
const (
	CountStart Claim = "count start"
	CountStop  Claim = "count stop"
	ClaimDraw  Claim = "claim draw"
	ClaimWin   Claim = "claim win"
)

const maxClaims = 4

// claimOrder numbers the declarations, so that a game can keep them among its moves.
func claimOrder() [maxClaims]Claim {
	return [maxClaims]Claim{CountStart, CountStop, ClaimDraw, ClaimWin}
}

// ClaimError is a declaration that is not open to the side to move.
type ClaimError struct{ Claim Claim }

func (e *ClaimError) Error() string { return fmt.Sprintf("%q cannot be declared now", string(e.Claim)) }

// Claims lists the declarations open to the side to move.
func (p *Position) Claims() []Claim {
	var list []Claim
	for _, f := range p.rules.stages.claims {
		list = f(p, list)
	}
	return list
}

// Declaration returns the declaration as a move that Make and Unmake understand. It is not one of Moves. It fails with
// *ClaimError if the side to move may not declare it.
func (p *Position) Declaration(c Claim) (Move, error) {
	if !slices.Contains(p.Claims(), c) {
		return 0, &ClaimError{Claim: c}
	}
	order := claimOrder()
	return NewMove(Declare, board.Wall, board.Wall, PieceType(slices.Index(order[:], c)+1), 0), nil
}

// Claim returns what a move of kind Declare declares.
func (m Move) Claim() Claim {
	if i := int(m.Arg()) - 1; m.Kind() == Declare && i >= 0 && i < maxClaims {
		return claimOrder()[i]
	}
	return ""
}

// makeDeclaration carries out a declaration. The turn and the clock stay.
func (p *Position) makeDeclaration(m Move) {
	p.key ^= p.stateKey()
	if f := p.rules.stages.declare[(m.Arg()-1)%maxClaims]; f != nil {
		f(p, m.Claim())
	}
	p.key ^= p.stateKey()
}

// claimDraw and claimWin note a result that a declaration of the side to move brings about.
func (p *Position) claimDraw() { p.state.claimed = 1 }
func (p *Position) claimWin()  { p.state.claimed = 2 + uint8(p.turn) }

// drawClaimed notes a draw that is claimed for another reason than a count.
const drawClaimed = 255

// claimed returns the result that a declaration has brought about.
func (p *Position) claimed() (Outcome, bool) {
	switch c := p.state.claimed; c {
	case 0:
		return Outcome{}, false
	case 1:
		return drawn(p.rules.sides, Counting), true
	case drawClaimed:
		return drawn(p.rules.sides, Claimed), true
	default:
		return won(Side(c-2), p.rules.sides, Claimed), true
	}
}
