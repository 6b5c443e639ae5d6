package eval

import (
	"slices"

	"hoplite/engine/rules"
)

// reweighed returns an evaluator that differs in its weights alone: what was
// decided by the values of men, such as which are strong and how much each
// counts for the phase of the game, stays.
func (e *Evaluator) reweighed(w Weights) *Evaluator {
	o := *e
	o.weights = w
	o.sets = e.sets.copied(&o)
	o.sets.weigh()
	return &o
}

// copied returns tables of another evaluator of the same game, whose men may
// be weighed anew.
func (b *tables[S]) copied(e *Evaluator) sets {
	o := *b
	o.Evaluator = e
	for code, m := range b.men {
		if m != nil {
			own := *m
			own.spots = slices.Clone(m.spots)
			o.men[code] = &own
		}
	}
	return &o
}

// weigh computes the tables that depend on the weights.
func (b *tables[S]) weigh() {
	b.escorts = false
	for _, m := range b.men {
		if m != nil {
			b.weighMan(m)
			b.escorts = b.escorts || m.pawn && m.guard|m.siege != 0
		}
	}
	b.inHand = make([]int, len(b.typeValues))
	for t := range b.inHand {
		b.inHand[t] = b.weights.Types[t][TypeHand]
	}
}

// weighMan computes what a man is worth on each cell, and its attacks.
func (b *tables[S]) weighMan(m *man[S]) {
	w := &b.weights
	own := &w.Types[m.kind]
	m.mob = pair(w.Terms[MobilityMG]+own[TypeMobilityMG], w.Terms[MobilityEG]+own[TypeMobilityEG])
	if m.strong != 0 {
		m.mob = pair(w.Terms[MobilityStrongMG]+own[TypeMobilityMG], w.Terms[MobilityStrongEG]+own[TypeMobilityEG])
	}
	if m.royal || m.pawn {
		m.mob = 0
	} else {
		m.units = w.Terms[AttackerUnits] * (m.value + 200) / 500
	}
	m.guard, m.siege = pair(own[TypeGuardMG], own[TypeGuardEG]), pair(own[TypeSiegeMG], own[TypeSiegeEG])
	worth := pair(own[TypeValueMG], own[TypeValueEG])
	if b.aims.losing {
		// Men are a burden; the freedom to move them is not.
		worth = pair(-own[TypeValueMG]/losingShare, -own[TypeValueEG]/losingShare)
	}
	worth -= m.mob.times(int(m.mean/2 + 0.5))
	heading := b.rules.Definition().Sides[m.side].Heading
	depth := b.rules.Board().Depth(heading)
	for c := range m.spots {
		m.spots[c].place = worth + b.place(&m.nature, rules.Cell(c), depth)
	}
}

// place is what it counts for a man to stand on c, on a board so many rows
// deep.
func (e *Evaluator) place(m *nature, c rules.Cell, depth int) score {
	w := &e.weights
	own := &w.Types[m.kind]
	row, beyond, remote := int(m.rows[c]), int(m.rows[c])-(depth-1)/2, e.remote[c]
	s := pair(own[TypeAdvanceMG], own[TypeAdvanceEG]).times(beyond)
	s -= pair(own[TypeCentreMG]*remote/10, own[TypeCentreEG]*remote/10)
	s += pair(int(float64(own[TypePlaceMG])*m.above[c]), int(float64(own[TypePlaceEG])*m.above[c]))
	switch {
	case m.royal:
		s += pair(w.Terms[RoyalHomeMG]*row, -w.Terms[RoyalCentreEG]*remote/10)
		s += pair(remote/4, 0) // a corner is a good shelter
	case m.pawn:
		s += pair(w.Terms[AdvanceMG], w.Terms[AdvanceEG]).times(beyond)
		s += pair(w.Terms[CentreMG]*(10-min(remote, 20))/10*btoi(row > 1), 0)
	default:
		d := m.above[c]
		if m.strong != 0 {
			d /= 2
		}
		s += pair(int(float64(w.Terms[PlaceMG])*d), int(float64(w.Terms[PlaceEG])*d))
	}
	return s
}
