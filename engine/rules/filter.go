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
			st.compelled = true
		case NoCheck:
			st.lawful = append(st.lawful, func(p *Position, m Move, us Side) bool { return !p.checked(p.turn) })
			st.wary = append(st.wary, givesCheck)
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

// givesCheck says whether a move gives check: no, if the man can attack no royal man of the next side from the cell of
// arrival and leaves no line to one. Otherwise it is put there to see.
func givesCheck(p *Position, m Move) verdict {
	r := p.rules
	from, to := m.From(), m.To()
	if k := m.Kind(); k != Quiet && k != Capture && k != Double {
		return doubtful
	}
	if st := &r.stages; len(st.effects)+len(st.passage) != 0 || r.walks != nil || st.attacks != nil {
		return doubtful
	}
	them := p.next(p.turn) & (maxSides - 1)
	q, victim := p.cell[from], p.cell[to]
	take := &r.leaps[int(q)*r.n+int(to)].take
	near := false
	for w := 0; w < r.words; w++ {
		for b := p.royals[them][w&3]; b != 0; b &= b - 1 {
			k := Cell(w<<6 | bits.TrailingZeros64(b))
			near = near || take.Has(k) || r.sight[k].Has(from) || r.codes[q].slider && r.sight[k].Has(to)
		}
	}
	if !near {
		return harmless
	}
	if victim != 0 {
		p.lift(victim, to)
	}
	p.shift(q, from, to)
	check := p.checked(them)
	p.shift(q, to, from)
	if victim != 0 {
		p.put(victim, to)
	}
	if check {
		return refused
	}
	return harmless
}
