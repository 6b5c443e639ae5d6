package eval

import "hoplite/engine/rules"

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
	return gain - e.sets.answer(p, m, standing)
}

// Checks reports whether the man that moves or enters by a quiet move attacks a
// royal man of the enemy from where it comes to.
func (e *Evaluator) Checks(p *rules.Position, m rules.Move) bool {
	q := p.At(m.From())
	if m.Kind() == rules.Drop {
		q = e.rules.Piece(p.Turn(), m.Arg())
	}
	return e.sets.checks(p, q, m)
}

func (b *tables[S]) checks(p *rules.Position, q rules.Piece, m rules.Move) bool {
	man := b.men[q]
	if man == nil {
		return false
	}
	royals, at := narrow[S](p.Royals(p.Turn()^1)), &man.spots[m.To()]
	if !meet(&royals, &at.takes) {
		return false
	}
	all := b.occupied(p)
	if from := m.From(); int(from) < b.n {
		remove(&all, from)
	}
	a := man.attacks(at, all)
	return meet(&a, &royals)
}

// answer is what the other side gains by taking the man worth standing that m
// brings to its target.
func (b *tables[S]) answer(p *rules.Position, m rules.Move, standing int) int {
	all := b.occupied(p)
	if from := m.From(); int(from) < b.n { // no drop
		remove(&all, from)
	}
	if m.Kind() == rules.EnPassant {
		remove(&all, m.Second())
	}
	return b.recapture(p, m.To(), p.Turn()^1, standing, &all)
}

// recapture returns what side gains at best by taking a man worth standing on
// cell c, at least nothing, with the men on all that are left.
func (b *tables[S]) recapture(p *rules.Position, c rules.Cell, side rules.Side, standing int, all *S) int {
	best, from := 1<<30, rules.Cell(0)
	men, near := narrow[S](p.Men(side)), &b.reaches[side&1][c]
	for j := 0; j < len(men); j++ {
		for word := men[j] & (*all)[j] & (*near)[j]; word != 0; word &= word - 1 {
			o := lowest(j, word)
			m := b.men[p.At(o)]
			if o == c || !has(&m.spots[o].takes, c) {
				continue
			}
			cost := m.value
			if m.royal {
				cost = 1 << 20 // takes last, and only what nobody guards
			}
			if cost >= best {
				continue
			}
			if reach := m.attacks(&m.spots[o], *all); has(&reach, c) {
				best, from = cost, o
			}
		}
	}
	if best == 1<<30 {
		return 0
	}
	remove(all, from)
	gain := standing - b.recapture(p, c, side^1, best, all)
	add(all, from)
	return max(gain, 0)
}
