package eval

import "hoplite/engine/rules"

// pawns adds what the pawns of one side are worth.
func (s *judge[S]) pawns(p *rules.Position, side rules.Side) {
	y, enemy := &s.sides[side], &s.sides[side^1]
	y.total += y.worth
	if s.escorts {
		for j := 0; j < len(s.all); j++ {
			for word := y.pawns[j]; word != 0; word &= word - 1 {
				c := lowest(j, word)
				y.total += s.company(&s.men[p.At(c)].nature, c, y, enemy)
			}
		}
	}
	for j := 0; j < len(s.all); j++ {
		for word := y.passed[j]; word != 0; word &= word - 1 {
			c := lowest(j, word)
			v := s.passed(y, enemy, s.men[p.At(c)], c)
			if y.round[j]&(word&-word) != 0 {
				v = pair(v.mg()/2, v.eg()/2)
			}
			y.total += v
		}
	}
}

// passed is what it is worth that no pawn holds up the pawn m on c.
func (s *judge[S]) passed(y, enemy *tally[S], m *man[S], c rules.Cell) score {
	t := &s.weights.Terms
	rows := int(m.rows[c])
	v := pair(t[PassedMG]*rows*rows, t[PassedEG]*rows*rows)
	free, safe := false, false
	for j := 0; j < len(s.all); j++ {
		free = free || m.steps[c][j]&^s.all[j] != 0
		safe = safe || m.steps[c][j]&^enemy.once[j] != 0
	}
	if !free {
		v += pair(t[BlockedMG], t[BlockedEG]).times(rows)
	}
	if !safe {
		v += pair(t[BarredMG], t[BarredEG]).times(rows)
	}
	return v + pair(0, t[EscortEG]*rows*(s.nearest(enemy, c)-s.nearest(y, c)))
}

// company is what it is worth that m on c stands near the royals of its side
// and of the enemy.
func (s *judge[S]) company(m *nature, c rules.Cell, y, enemy *tally[S]) score {
	return m.guard.times(nearby-s.nearest(y, c)) + m.siege.times(nearby-s.nearest(enemy, c))
}

// nearby is the distance from royals at which nearness begins to matter.
const nearby = 5

// nearest is the distance from c to the nearest royal of a side, as far as it
// matters.
func (s *judge[S]) nearest(y *tally[S], c rules.Cell) int {
	d := nearby
	for k := range min(y.royalN, maxRoyals) {
		d = min(d, s.Distance(y.royals[k], c))
	}
	return d
}
