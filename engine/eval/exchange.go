package eval

import (
	"hoplite/engine/rules"
)

// Attacks reports whether the man on from attacks to as the board of p stands.
func (e *Evaluator) Attacks(p *rules.Position, from, to rules.Cell) bool {
	m := e.men[p.At(from)]
	return m != nil && m.attacks(from, to, func(c rules.Cell) bool { return p.At(c) != 0 })
}

func (m *man) attacks(from, to rules.Cell, full func(rules.Cell) bool) bool {
	if !m.takes[from].Has(to) {
		return false
	}
	for _, c := range m.leaps[m.leapAt[from]:m.leapAt[from+1]] {
		if c == to {
			return true
		}
	}
	for rays := m.rays[m.rayAt[from]:m.rayAt[from+1]]; len(rays) > 0; {
		n := int(rays[0])
		for _, c := range rays[1 : n+1] {
			if rules.Cell(c) == to {
				return true
			}
			if full(rules.Cell(c)) {
				break
			}
		}
		rays = rays[n+1:]
	}
	return false
}

// Exchange returns what the side to move gains, in hundredths of a pawn, by
// capturing m's target and playing out all captures on that cell, each side
// with its cheapest man first and free to stop. Pins and checks are not seen.
func (e *Evaluator) Exchange(p *rules.Position, m rules.Move) int {
	gain := e.Value(p.Captured(m))
	mover := p.At(m.From())
	standing := e.Value(mover)
	if p.IsPromotion(m) {
		gain += e.TypeValue(m.Arg()) - standing
		standing = e.TypeValue(m.Arg())
	}
	var gone [256]bool
	gone[m.From()] = true
	if m.Kind() == rules.EnPassant {
		gone[m.Second()] = true
	}
	return gain - e.recapture(p, m.To(), p.Turn()^1, standing, &gone)
}

// recapture returns what side gains at best by taking a man worth standing on
// cell c, at least nothing.
func (e *Evaluator) recapture(p *rules.Position, c rules.Cell, side rules.Side, standing int, gone *[256]bool) int {
	full := func(o rules.Cell) bool { return p.At(o) != 0 && !gone[o] }
	best, from := 1<<30, rules.Cell(0)
	men := p.Men(side)
	for o := range men.All {
		if o == c || gone[o] {
			continue
		}
		m := e.men[p.At(o)]
		if m == nil || !m.attacks(o, c, full) {
			continue
		}
		cost := m.value
		if m.royal {
			cost = 1 << 20 // takes last, and only what nobody guards
		}
		if cost < best {
			best, from = cost, o
		}
	}
	if best == 1<<30 {
		return 0
	}
	gone[from] = true
	gain := standing - e.recapture(p, c, side^1, best, gone)
	gone[from] = false
	return max(gain, 0)
}
