package eval

import (
	"math/bits"

	"hoplite/engine/rules"
)

// activity adds up the men of one side that are neither pawns nor royals: what
// they are worth where they stand, how far they reach and what they attack.
// It returns their share of the phase. Nearly half of the time of a score is
// spent here; the loop over royals in a function of its own cost a tenth of it.
func (s *judge[S]) activity(p *rules.Position, side rules.Side) (phase int) {
	y, enemy := &s.sides[side], &s.sides[side^1]
	t := &s.weights.Terms
	hitUnits := t[HitUnits]
	threat, trapped := pair(t[PawnThreatMG], t[PawnThreatEG]), pair(t[TrappedMG], t[TrappedEG])
	once, twice, weakly := y.takes, y.doubly, y.takes
	royals := min(enemy.royalN, maxRoyals)
	var useful S // cells where it is of use to go
	for j := 0; j < len(s.all); j++ {
		useful[j] = ^(y.own[j] | enemy.takes[j])
	}
	total, n := score(0), 0
	for i := 0; i < len(s.all); i++ {
		for word := y.valued[i]; word != 0; word &= word - 1 {
			c := lowest(i, word)
			m := s.men[p.At(c)]
			at := &m.spots[c]
			a := m.attacks(at, s.all)
			mob := 0
			for j := 0; j < len(s.all); j++ {
				twice[j] |= once[j] & a[j]
				once[j] |= a[j]
				weakly[j] |= a[j] &^ m.strong
				mob += bits.OnesCount64(a[j] & useful[j])
			}
			y.strong[i] |= word & -word & m.strong
			y.lonely += m.lonely
			y.pairs += m.pair
			y.cells[n] = c
			n++
			phase += m.phase
			total += at.place + m.mob.times(mob)
			if m.guard|m.siege != 0 {
				total += s.company(&m.nature, c, y, enemy)
			}
			if mob <= 1 {
				total += trapped
			}
			if enemy.takes[i]&(word&-word) != 0 {
				total += threat
			}
			for k := range royals {
				royal := enemy.royals[k]
				zone, takes := s.zone[royal], m.spots[royal].takes
				hits := 0
				for j := 0; j < len(s.all); j++ {
					hits += bits.OnesCount64(a[j] & zone[j])
					takes[j] &= a[j] &^ (y.own[j] | zone[j])
				}
				if hits > 0 {
					enemy.hits[k]++
					enemy.units[k] += m.units + hitUnits*hits
				}
				if m.even && takes != s.none {
					y.checkers = append(y.checkers, checker[S]{man: m, royal: k, from: takes})
				}
			}
		}
	}
	y.once, y.twice, y.weakly, y.n = once, twice, weakly, n
	y.total += total
	if y.pairs >= 2 {
		y.total += pair(t[PairMG], t[PairEG])
	}
	return phase
}

// checks finds the men of one side that can give check from a cell that the
// enemy does not guard, now that it is known which those are.
func (s *judge[S]) checks(side rules.Side) {
	y, enemy := &s.sides[side], &s.sides[side^1]
	for _, a := range y.checkers {
		free := a.from
		for j := 0; j < len(s.all); j++ {
			free[j] &^= enemy.once[j]
		}
		if free == s.none {
			continue
		}
		near := a.man.attacks(&a.man.spots[enemy.royals[a.royal]], s.all)
		if meet(&near, &free) {
			enemy.units[a.royal] += s.weights.Terms[CheckUnits]
		}
	}
}

// threats adds what a side's attacks on the enemy's men are worth.
func (s *judge[S]) threats(side rules.Side) {
	y, enemy := &s.sides[side], &s.sides[side^1]
	t := &s.weights.Terms
	hanging, pressed, harassed := 0, 0, 0
	for j := 0; j < len(s.all); j++ {
		hanging += bits.OnesCount64(y.once[j] & enemy.valued[j] &^ enemy.once[j])
		pressed += bits.OnesCount64(y.twice[j] & enemy.valued[j] & enemy.once[j] &^ enemy.twice[j])
		harassed += bits.OnesCount64(y.weakly[j] & enemy.strong[j])
	}
	y.total += pair(t[HangingMG], t[HangingEG]).times(hanging) + pair(t[PressedMG], t[PressedEG]).times(pressed) +
		pair(t[HarassedMG], t[HarassedEG]).times(harassed)
}

// danger subtracts what the attacks on a side's royals are worth. Where check
// is an attack on all of them, only the safest one is in danger of mate; each
// may be taken, which the search sees better than this.
func (s *judge[S]) danger(side rules.Side) {
	y, enemy := &s.sides[side], &s.sides[side^1]
	t := &s.weights.Terms
	worst, least := 0, -1
	for k := range min(y.royalN, maxRoyals) {
		u := y.units[k]
		zone := s.zone[y.royals[k]]
		weak, shelter := 0, 0
		for j := 0; j < len(s.all); j++ {
			weak += bits.OnesCount64(zone[j] & enemy.once[j] &^ y.once[j])
			shelter += bits.OnesCount64(zone[j] & y.pawns[j])
		}
		u += weak*t[WeakUnits] + shelter*t[ShelterUnits]
		if s.drops && weak > 0 {
			u += enemy.hand * t[DropUnits]
		}
		u = max(u, 0)
		if y.hits[k] < 2 {
			u /= 2
		}
		d := (u*u*t[DangerSquare] + u*t[DangerLine]*102) / 1024
		worst = max(worst, d)
		if least < 0 || d < least {
			least = d
		}
		if s.manyRoyals && y.royalN > 1 {
			y.total -= pair(u*t[LinearDanger], 0)
		}
	}
	d := worst
	if s.manyRoyals {
		d = max(least, 0)
	}
	d = min(d, 700)
	y.total -= pair(d, d/8)
}
