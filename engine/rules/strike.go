package rules

// attacks is the offence of attacking: some royal man of the enemy, or any man of his with the man that has moved.
type attacks struct{ spared [maxSides]bool }

func (a *attacks) sees(before, after *Position, m Move) bool {
	by := before.turn
	a.spared[by] = a.spared[by] || !after.royalAttacked(after.turn) && !after.strikes(m.To())
	return !a.spared[by]
}

// royalAttacked reports whether an enemy attacks some royal man of side s.
func (p *Position) royalAttacked(s Side) bool {
	for c := range p.royals[s].All {
		if p.threatened(c, s) {
			return true
		}
	}
	return false
}

// strikes reports whether the man on c attacks an enemy by a leap or a slide.
func (p *Position) strikes(c Cell) bool {
	r := p.rules
	q := p.At(c)
	if q == 0 {
		return false
	}
	at := int(q)*r.n + int(c)
	foe := &r.foe[r.codes[q].side]
	for to := range r.leaps[at].take.All {
		if foe[p.cell[to]] {
			return true
		}
	}
	for _, ray := range r.rayList[r.rays[at].at:][:r.rays[at].n] {
		i := ray.at
		for p.cell[r.path[i]] == 0 {
			i++
		}
		if ray.take && foe[p.cell[r.path[i]]] {
			return true
		}
	}
	return false
}
