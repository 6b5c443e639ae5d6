package rules

import (
	"math/bits"
	"strings"

	"hoplite/engine/board"
)

// CheckSeriesRule is the mechanism checks(series): a mate is a win only if there was a check by certain men among the
// unbroken checks of its side that end with it, the mate itself included. Otherwise it is a draw.
type CheckSeriesRule struct {
	// Men lists the types whose check makes a mate count.
	Men string
}

func (r *Rules) compileCheckSeries() error {
	rule := r.def.CheckSeries
	if rule == nil {
		return nil
	}
	var err error
	men := r.typeSet(rule.Men, &err)
	if err != nil {
		return err
	}
	st := r.stage()
	st.after = append(st.after, func(p *Position, _ Move) {
		us := p.turn
		bit := uint8(1) << us
		switch them := p.opponent(); {
		case !p.checked(them):
			p.state.weighty &^= bit
		case p.state.weighty&bit == 0 && p.attackedByAny(p.royals[them], us, &men):
			p.state.weighty |= bit
		}
	})
	st.keys = append(st.keys, func(p *Position) uint64 { return mix(saltWeighty, uint64(p.state.weighty)) })
	st.mated = append(st.mated, func(p *Position, o Outcome) Outcome {
		if p.state.weighty>>p.opponent()&1 == 0 {
			return drawn(r.sides, Mate)
		}
		return o
	})
	st.facts = append(st.facts, func(p *Position, dst []Fact) []Fact {
		for s := range r.sides {
			if p.state.weighty>>s&1 != 0 {
				dst = append(dst, Fact{Kind: FactChecks, Side: s, Text: "a mate counts"})
			}
		}
		return dst
	})
	st.tailPart = &fenPart{read: readWeighty, write: writeWeighty}
	return nil
}

// attackers returns the men of side by that attack c by leaps and slides.
func (p *Position) attackers(c Cell, by Side) (cells board.Set) {
	r := p.rules
	by &= maxSides - 1
	near := &r.near[by][c]
	for w := 0; w < r.words; w++ {
		for b := near[w&3] & p.men[by][w&3]; b != 0; b &= b - 1 {
			from := Cell(w<<6 | bits.TrailingZeros64(b))
			if r.leaps[int(p.cell[from])*r.n+int(from)].take.Has(c) {
				cells.Add(from)
			}
		}
	}
	for d := range r.dirs {
		start := r.dirPath[d*r.n+int(c)]
		i := start
		for p.cell[r.path[i]] == 0 {
			i++
		}
		q := p.cell[r.path[i]]
		if q != wallPiece && r.codes[q].side == by && uint16(r.reach[int(q)*r.dirs+int(r.opposite[d])]) > i-start {
			cells.Add(r.path[i])
		}
	}
	return cells
}

// attackedByAny reports whether a man of the types given, of side by, attacks one of the cells.
func (p *Position) attackedByAny(cells board.Set, by Side, types *[maxTypes + 1]bool) bool {
	for c := range cells.All {
		attackers := p.attackers(c, by)
		for a := range attackers.All {
			if types[p.rules.codes[p.cell[a]].typ] {
				return true
			}
		}
	}
	return false
}

// readWeighty reads the sides whose present series of checks makes a mate count.
func readWeighty(r *Rules, s *Setup, text string) error {
	if text == "-" {
		return nil
	}
	for _, letter := range strings.Split(text, "") {
		found := false
		for i := range r.def.Sides {
			if bit := uint8(1) << i; r.def.Sides[i].Letter == letter && s.state.weighty&bit == 0 {
				s.state.weighty |= bit
				found = true
			}
		}
		if !found {
			return badFEN("checks", "%q does not name sides", text)
		}
	}
	return nil
}

func writeWeighty(p *Position) (text string) {
	for s := range p.rules.sides {
		if p.state.weighty>>s&1 != 0 {
			text += p.rules.def.Sides[s].Letter
		}
	}
	return text
}
