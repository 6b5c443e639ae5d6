package rules

import (
	"fmt"

	"hoplite/engine/board"
)

// compileOpposed prepares the royal rules that look whether the royal men of the two sides face each other: stand on one
// line straight ahead of the first side with nobody between.
func (r *Rules) compileOpposed() error {
	if r.def.Royal != RoyalFacing && r.def.Royal != RoyalBikjang {
		return nil
	}
	if r.sides != 2 || r.board.Shape() != board.Rect {
		return fmt.Errorf("royal men that face each other need two sides and a rectangle")
	}
	ahead := r.board.Turn(board.Vector{Y: 1}, r.def.Sides[0].Heading)
	r.ahead = make([][]Cell, r.n)
	for c := range Cell(r.n) {
		r.ahead[c] = append(r.board.Ray(c, ahead, 0), board.Wall)
	}
	st := r.stage()
	st.hidden = true
	if r.def.Royal == RoyalFacing {
		st.check = func(p *Position, s Side) bool { return p.opposed() || p.royalsAttacked(s) }
		return nil
	}
	r.compileBikjang()
	return nil
}

// opposed reports whether the royal men of the two sides face each other.
func (p *Position) opposed() bool {
	own, other := p.royals[0].First(), p.royals[1].First()
	if own == board.Wall || other == board.Wall {
		return false
	}
	for _, c := range p.rules.ahead[own] {
		if p.cell[c] != 0 {
			return c == other
		}
	}
	return false
}

// exposed reports whether side s, which is not to move, could lose a royal man at once. Royal men that face each other do
// not count: a position that begins so is one that the side to move must end.
func (p *Position) exposed(s Side) bool {
	if p.rules.ahead != nil && p.opposed() {
		return p.rules.def.Royal == RoyalFacing && p.royalsAttacked(s)
	}
	return p.checked(s)
}
