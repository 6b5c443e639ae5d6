package eval

import (
	"math/bits"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Exchange returns what the side to move gains, in hundredths of a pawn, by
// capturing m's target and playing out all captures on that cell, each side
// with its cheapest man first and free to stop. Pins and checks are not seen.
func (e *Evaluator) Exchange(p *rules.Position, m rules.Move) int {
	gain := e.Value(p.Captured(m))
	mover := p.At(m.From())
	standing := e.Value(mover)
	if m.Kind() == rules.Drop {
		standing = e.TypeValue(m.Arg())
	}
	if p.IsPromotion(m) {
		gain += e.TypeValue(m.Arg()) - standing
		standing = e.TypeValue(m.Arg())
	}
	all := e.occupied(p)
	all.Remove(m.From())
	if m.Kind() == rules.EnPassant {
		all.Remove(m.Second())
	}
	return gain - e.recapture(p, m.To(), p.Turn()^1, standing, &all)
}

// recapture returns what side gains at best by taking a man worth standing on
// cell c, at least nothing, with the men on all that are left.
func (e *Evaluator) recapture(p *rules.Position, c rules.Cell, side rules.Side, standing int, all *board.Set) int {
	best, from := 1<<30, rules.Cell(0)
	men, near := p.Men(side), &e.reaches[side&1][c]
	var reach board.Set
	for j := range e.words {
		for word := men[j] & all[j] & near[j]; word != 0; word &= word - 1 {
			o := rules.Cell(j<<6 | bits.TrailingZeros64(word))
			m := e.men[p.At(o)]
			if o == c || !m.takes[o].Has(c) {
				continue
			}
			cost := m.value
			if m.royal {
				cost = 1 << 20 // takes last, and only what nobody guards
			}
			if cost >= best {
				continue
			}
			if m.attacks(o, all, &reach); reach.Has(c) {
				best, from = cost, o
			}
		}
	}
	if best == 1<<30 {
		return 0
	}
	all.Remove(from)
	gain := standing - e.recapture(p, c, side^1, best, all)
	all.Add(from)
	return max(gain, 0)
}
