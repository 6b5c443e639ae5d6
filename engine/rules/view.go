package rules

import (
	"fmt"

	"hoplite/engine/board"
)

// The mechanism view: what a viewer may know of a position. Everything that is shown to anybody goes through it.

// ViewRule says what players see.
type ViewRule string

const (
	// ViewAll hides nothing.
	ViewAll ViewRule = ""
	// ViewSight shows a player his own men, the cells that they attack and the cells that they could move to if nobody
	// stood there.
	ViewSight ViewRule = "sight"
)

// Spectator is the viewer who knows what all players know.
const Spectator = -1

// View is a position as one viewer may know it: like a position, with cells whose contents are unknown.
type View struct {
	seen    *Position
	known   board.Set
	moves   []Move
	limited bool
}

// Hides reports whether the game has positions that a player does not see in full.
func (r *Rules) Hides() bool { return r.def.View != ViewAll }

// View returns what a viewer, the number of a side or Spectator, may know of p.
func (p *Position) View(viewer int) View {
	v := View{seen: p.Clone()}
	if viewer == int(p.turn) {
		v.moves = p.Moves(nil)
	}
	if !p.rules.Hides() {
		v.known = p.rules.everywhere()
		return v
	}
	v.limited = true
	if viewer == Spectator {
		v.known = p.rules.everywhere()
		for s := range Side(p.rules.sides) {
			v.known = v.known.Intersect(p.sight(s))
		}
	} else {
		v.known = p.sight(Side(viewer))
	}
	for c := range p.rules.everywhere().Without(v.known).All {
		if q := p.cell[c]; q != 0 {
			v.seen.lift(q, c)
		}
	}
	v.seen.clock, v.seen.rights, v.seen.passed, v.seen.victim = 0, 0, board.Wall, board.Wall
	v.seen.state, v.seen.log = state{}, record{}
	v.seen.key = v.seen.computeKey()
	return v
}

// Position returns what is known as a position, in which cells whose contents are unknown are empty. It is for showing
// only: what may be played is in Moves.
func (v View) Position() *Position { return v.seen }

// Known returns the cells whose contents are known.
func (v View) Known() board.Set { return v.known }

// Limited reports whether the viewer may not know everything.
func (v View) Limited() bool { return v.limited }

// Moves returns the legal moves of the viewer if it is his turn.
func (v View) Moves() []Move { return v.moves }

// sight returns the cells that side s sees.
func (p *Position) sight(s Side) board.Set {
	now := p.Clone()
	now.turn = s
	seen := p.men[s]
	for _, m := range now.stagedMoves(nil, allMoves) {
		seen.Add(m.To())
	}
	for c := range p.rules.everywhere().Without(seen).All {
		q := p.cell[c]
		switch {
		case p.Attacked(c, s):
			seen.Add(c)
		case q != 0:
			// A man that only blocks a way is seen, so that the list of moves tells no more than the board.
			now.lift(q, c)
			for _, m := range now.stagedMoves(nil, allMoves) {
				if m.To() == c {
					seen.Add(c)
				}
			}
			now.put(q, c)
		}
	}
	return seen
}

func (r *Rules) compileView() error {
	switch r.def.View {
	case ViewAll:
	case ViewSight:
		if r.def.Royal != RoyalCapture && r.def.Royal != RoyalNone {
			return fmt.Errorf("sight needs a game without check, which would tell what is hidden")
		}
	default:
		return fmt.Errorf("unknown rule %q", r.def.View)
	}
	return nil
}
