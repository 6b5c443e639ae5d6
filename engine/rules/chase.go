package rules

import (
	"fmt"

	"hoplite/engine/board"
)

// ChaseRule says what it is to chase a man (xiangqi.md, 14 and 15). After a move of its side, a man chases an enemy that it
// could legally capture if the attack is new and the enemy is unprotected or worth more, unless both are of one type and
// the enemy could legally capture it in turn.
type ChaseRule struct {
	// Idle are the types that never chase.
	Idle string
	// Safe are the types that are never chased. SafeIn are types that are not while they stand in a region, by token.
	Safe   string
	SafeIn map[string]string
	// Greater lists, by the type of a man, the types that are worth more to it, so that protection does not help them.
	Greater map[string]string
	// Sliders are the types whose attack along the line of their own move is not new.
	Sliders string
}

// chase is a compiled ChaseRule.
type chase struct {
	idle, sliders [maxTypes + 1]bool
	// safe are the cells, by code of a man, on which it is not chased.
	safe    [256]board.Set
	greater [maxTypes + 1][maxTypes + 1]bool
}

func (r *Rules) compileChase(rule *ChaseRule) (*chase, error) {
	var err error
	c := &chase{idle: r.typeSet(rule.Idle, &err), sliders: r.typeSet(rule.Sliders, &err)}
	safe := r.typeSet(rule.Safe, &err)
	for token, text := range rule.Greater {
		if t := r.TypeOf(token); t != 0 {
			c.greater[t] = r.typeSet(text, &err)
		} else {
			err = fmt.Errorf("unknown man %q", token)
		}
	}
	for s := range Side(r.sides) {
		for t := PieceType(1); int(t) <= r.types; t++ {
			if safe[t] {
				c.safe[r.Piece(s, t)] = r.everywhere()
			}
		}
		for token, region := range rule.SafeIn {
			cells, wrong := r.region(region, s)
			if q := r.Piece(s, r.TypeOf(token)); q != 0 && wrong == nil {
				c.safe[q] = cells
			} else {
				err = fmt.Errorf("man %q safe in region %q", token, region)
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("chases: %w", err)
	}
	return c, nil
}

// chaser watches for perpetual chase. Men are known by the cells on which they stood at first.
type chaser struct {
	rule  *chase
	ids   [256]Cell
	moved [maxSides]bool
	// prey are the men, by side, that each move of the side has chased so far.
	prey [maxSides]board.Set
}

func newChaser(rule *chase) *chaser {
	c := &chaser{rule: rule}
	for i := range c.ids {
		c.ids[i] = Cell(i)
	}
	return c
}

func (c *chaser) sees(before, after *Position, m Move) bool {
	us := before.turn
	c.ids[m.To()] = c.ids[m.From()]
	var chased board.Set
	for cell := range c.rule.chased(before, after, m).All {
		chased.Add(c.ids[cell])
	}
	if c.moved[us] {
		chased = chased.Intersect(c.prey[us])
	}
	c.moved[us], c.prey[us] = true, chased
	return !chased.Empty()
}

// chased returns the cells of the men that a move chases.
func (c *chase) chased(before, after *Position, m Move) (prey board.Set) {
	us := before.turn
	again := after.Clone() // as if the mover had another move
	again.turn = us
	answers := after.Noisy(nil)
	for _, take := range again.Noisy(nil) {
		from, to := take.From(), take.To()
		q, v := after.cell[from], after.cell[to]
		if again.Captured(take) != v || prey.Has(to) || c.idle[after.rules.Type(q)] || c.safe[v].Has(to) {
			continue
		}
		if !c.fresh(before, m, from, to, q) {
			continue
		}
		if !c.greater[after.rules.Type(q)][after.rules.Type(v)] && protected(again, take) {
			continue
		}
		if after.rules.Type(q) == after.rules.Type(v) && captures(answers, to, from) {
			continue
		}
		prey.Add(to)
	}
	return prey
}

// fresh reports whether the attack of the man q from one cell on another is new with the move m.
func (c *chase) fresh(before *Position, m Move, from, to Cell, q Piece) bool {
	if m.To() != from {
		var f field
		before.field(&f)
		var t board.Set
		before.reach(before.cell[from], from, &f, &t)
		return !t.Has(to)
	}
	return !c.sliders[before.rules.Type(q)] || !before.rules.inLine(m.From(), from, to)
}

// protected reports whether an enemy could legally recapture.
func protected(p *Position, take Move) bool {
	after := p.Clone()
	var u Undo
	after.Make(take, &u)
	for _, m := range after.Noisy(nil) {
		if m.To() == take.To() && after.IsCapture(m) {
			return true
		}
	}
	return false
}

// captures reports whether a list has a capture from one cell on another.
func captures(list []Move, from, to Cell) bool {
	for _, m := range list {
		if m.From() == from && m.To() == to {
			return true
		}
	}
	return false
}

// inLine reports whether three cells lie on one straight line of the board.
func (r *Rules) inLine(a, b, c Cell) bool {
	for _, v := range r.board.Directions() {
		line := board.SetOf(r.board.Ray(a, v, 0)...)
		back := board.SetOf(r.board.Ray(a, board.Vector{X: -v.X, Y: -v.Y, Z: -v.Z}, 0)...)
		if line = line.Union(back); line.Has(b) && line.Has(c) {
			return true
		}
	}
	return false
}
