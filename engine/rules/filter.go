package rules

import (
	"fmt"
	"math/bits"
)

// Filter is a ban on moves that would be legal otherwise.
type Filter string

const (
	// MustCapture bans all other moves while there is a capture.
	MustCapture Filter = "must-capture"
	// NoCheck bans moves that give check.
	NoCheck Filter = "no-check"
)

// compileFilters adds the bans of the game to its stages.
func (r *Rules) compileFilters() error {
	for _, f := range r.def.Filters {
		st := r.stage()
		switch f {
		case MustCapture:
			st.choose = append(st.choose, keepCaptures)
		case NoCheck:
			st.lawful = append(st.lawful, func(p *Position, m Move, us Side) bool { return !p.checked(p.turn) })
			st.wary = append(st.wary, mayCheck)
		default:
			return fmt.Errorf("unknown filter %q", f)
		}
	}
	return nil
}

// keepCaptures leaves only the captures among moves, if there is one.
func keepCaptures(p *Position, moves []Move) []Move {
	kept := 0
	for _, m := range moves {
		if p.IsCapture(m) {
			moves[kept] = m
			kept++
		}
	}
	if kept == 0 {
		return moves
	}
	return moves[:kept]
}

// mayCheck reports whether a move could give check: the man could attack a royal man of the next side from the cell of
// arrival, or leaves a line to it. It may err on the side of yes.
func mayCheck(p *Position, m Move) bool {
	r := p.rules
	if k := m.Kind(); k != Quiet && k != Capture && k != Double {
		return true
	}
	them := p.next(p.turn) & (maxSides - 1)
	q := p.cell[m.From()]
	take := &r.leaps[int(q)*r.n+int(m.To())].take
	for w := 0; w < r.words; w++ {
		for b := p.royals[them][w&3]; b != 0; b &= b - 1 {
			k := Cell(w<<6 | bits.TrailingZeros64(b))
			if take.Has(k) || r.sight[k].Has(m.From()) || r.codes[q].slider && r.sight[k].Has(m.To()) {
				return true
			}
		}
	}
	return false
}
