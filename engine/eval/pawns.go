package eval

import (
	"math/bits"

	"hoplite/engine/rules"
)

// pawns adds the structure of one side's pawns.
func (s *Scorer) pawns(side rules.Side) {
	y, enemy := &s.sides[side], &s.sides[side^1]
	t := &s.weights.Terms
	for i := 1; i <= y.pawns; i++ {
		c, m := y.cells[255-i], y.list[255-i]
		holders, ahead, backed := 0, false, false
		for j := range s.words {
			holders += bits.OnesCount64(m.span[c][j] & enemy.pawnSet[j])
			ahead = ahead || m.ahead[c][j]&y.pawnSet[j] != 0
			backed = backed || m.back[c][j]&y.pawnSet[j] != 0
		}
		switch {
		case y.pawnTakes.Has(c):
			y.total += pair(t[SupportedMG], t[SupportedEG])
		case !backed:
			y.total += pair(t[IsolatedMG], t[IsolatedEG])
		}
		if m.guard|m.siege != 0 {
			y.total += s.company(m, c, y, enemy)
		}
		if m.wide {
			// It can go round one that bars its way.
			holders--
		} else if ahead {
			y.total += pair(t[DoubledMG], t[DoubledEG])
		}
		if holders <= 0 && !(ahead && !m.wide) {
			v := s.passed(y, enemy, m, c)
			if m.wide && holders == 0 {
				v = pair(v.mg()/2, v.eg()/2)
			}
			y.total += v
		}
	}
}

// passed is what it is worth that no pawn holds up the pawn m on c.
func (s *Scorer) passed(y, enemy *tally, m *man, c rules.Cell) score {
	t := &s.weights.Terms
	rows := int(m.rows[c])
	v := pair(t[PassedMG]*rows*rows, t[PassedEG]*rows*rows)
	free, safe := false, false
	for j := range s.words {
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
func (s *Scorer) company(m *man, c rules.Cell, y, enemy *tally) score {
	return m.guard.times(nearby-s.nearest(y, c)) + m.siege.times(nearby-s.nearest(enemy, c))
}

// nearby is the distance from royals at which nearness begins to matter.
const nearby = 5

// nearest is the distance from c to the nearest royal of a side, as far as it
// matters.
func (s *Scorer) nearest(y *tally, c rules.Cell) int {
	d := nearby
	for k := range min(y.royalN, maxRoyals) {
		d = min(d, s.Distance(y.royals[k], c))
	}
	return d
}
