package eval

import (
	"math/bits"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// activity adds mobility and finds the attacks on royal zones.
func (s *Scorer) activity(side rules.Side) {
	y, enemy := &s.sides[side], &s.sides[side^1]
	t := &s.weights.Terms
	var useful board.Set // cells where it is of use to go
	for j := range s.words {
		useful[j] = ^(y.own[j] | enemy.takes[j])
	}
	threat := pair(t[PawnThreatMG], t[PawnThreatEG])
	trapped := pair(t[TrappedMG], t[TrappedEG])
	for i := range y.n {
		m, a := y.list[i], &y.reach[i]
		mob := 0
		for j := range s.words {
			mob += bits.OnesCount64(a[j] & useful[j])
		}
		y.total += m.mob.times(mob)
		if m.guard|m.siege != 0 {
			y.total += s.company(m, y.cells[i], y, enemy)
		}
		if mob <= 1 {
			y.total += trapped
		}
		if enemy.takes.Has(y.cells[i]) {
			y.total += threat
		}
		for k := range min(enemy.royalN, maxRoyals) {
			s.approach(m, a, y, enemy, k)
		}
	}
	if y.pairs >= 2 {
		y.total += pair(t[PairMG], t[PairEG])
	}
}

// approach notes the danger that a man attacking a means for a royal of the
// enemy: attacks on its zone, and checks that nobody else can answer.
func (s *Scorer) approach(m *man, a *board.Set, y, enemy *tally, k int) {
	t := &s.weights.Terms
	royal := enemy.royals[k]
	zone := &s.zone[royal]
	hits := 0
	for j := range s.words {
		hits += bits.OnesCount64(a[j] & zone[j])
	}
	if hits > 0 {
		enemy.hits[k]++
		enemy.units[k] += m.units + t[HitUnits]*hits
	}
	if !m.even {
		return
	}
	// Cells from which it would give check on the bare board come first: that
	// there is none is the rule.
	for j := range s.words {
		checks := m.takes[royal][j] & a[j] &^ (enemy.once[j] | y.own[j] | zone[j])
		if checks == 0 {
			continue
		}
		var near board.Set
		if m.attacks(royal, &s.all, &near); near[j]&checks != 0 {
			enemy.units[k] += t[CheckUnits]
			break
		}
	}
}

// threats adds what a side's attacks on the enemy's men are worth.
func (s *Scorer) threats(side rules.Side) {
	y, enemy := &s.sides[side], &s.sides[side^1]
	t := &s.weights.Terms
	hanging, pressed, harassed := 0, 0, 0
	for j := range s.words {
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
func (s *Scorer) danger(side rules.Side) {
	y, enemy := &s.sides[side], &s.sides[side^1]
	t := &s.weights.Terms
	worst, least := 0, -1
	for k := range min(y.royalN, maxRoyals) {
		u := y.units[k]
		zone := &s.zone[y.royals[k]]
		weak, shelter := 0, 0
		for j := range s.words {
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
