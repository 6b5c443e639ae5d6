package rules

import "hoplite/engine/board"

// Outcome returns the result if the game is over in this position, by everything but repetition.
func (p *Position) Outcome() (Outcome, bool) {
	r := p.rules
	canMove := p.HasMove()
	for i := range r.def.Ends {
		switch e := &r.def.Ends[i]; e.Kind {
		case EndMate:
			if !canMove && p.InCheck() {
				return won(p.opponent(), r.sides, Mate), true
			}
		case EndNoMove:
			if !canMove && !p.InCheck() {
				if e.Lost {
					return won(p.opponent(), r.sides, NoMove), true
				}
				return drawn(r.sides, NoMove), true
			}
		case EndMaterial:
			if p.deadMaterial() {
				return drawn(r.sides, Material), true
			}
		case EndClock:
			if int(p.clock) >= e.Plies {
				return drawn(r.sides, Clock), true
			}
		}
	}
	return Outcome{}, false
}

// opponent returns the side that gains what the side to move loses.
func (p *Position) opponent() Side { return p.rules.foes[p.turn][0] }

// usableHand reports whether a side has men in hand that can still come in.
func (p *Position) usableHand(s Side) bool { return p.inHand[s] != 0 && !p.gate[s].Empty() }

// deadMaterial reports whether neither side can win by the game's table of material.
func (p *Position) deadMaterial() bool {
	r := p.rules
	test := r.material
	others, coloured := 0, true
	single := false
	var bishops board.Set
	for s := range Side(r.sides) {
		if p.royals[s].Count() != 1 || test.handCounts && p.usableHand(s) {
			return false
		}
		for c := range p.men[s].Without(p.royals[s]).All {
			others++
			t := r.Type(p.cell[c])
			single = test.single[t]
			if test.oneColour[t] {
				bishops.Add(c)
			} else {
				coloured = false
			}
			if others > 1 && !coloured {
				return false
			}
		}
	}
	return others == 0 || others == 1 && single || coloured && r.oneColour(bishops)
}

// oneColour reports whether all cells have the same colour.
func (r *Rules) oneColour(s board.Set) bool {
	dark := s.Intersect(r.dark)
	return dark.Empty() || dark == s
}

// CanMate reports whether side s has material that can win, so that its opponent loses by running out of time.
func (p *Position) CanMate(s Side) bool {
	r := p.rules
	men := p.men[s].Without(p.royals[s])
	if p.royals[s].Count() > 1 || p.usableHand(s) {
		return true
	}
	if men.Empty() {
		return false
	}
	f := &r.flag
	if men.Count() == 1 && f.lone[r.Type(p.cell[men.First()])] && p.consists(r.foes[s][0], &f.against) {
		return false
	}
	if !p.consists(s, &f.oneColour) || !r.oneColour(men) {
		return true
	}
	// Men of the other side may block their own king's way out.
	for o := range Side(r.sides) {
		for c := range p.men[o].Without(p.royals[o]).All {
			t := r.Type(p.cell[c])
			if f.helpers[t] || f.oneColour[t] && r.dark.Has(c) != r.dark.Has(men.First()) {
				return true
			}
		}
	}
	return false
}

// consists reports whether a side has only men of the listed types beside its royal men.
func (p *Position) consists(s Side, types *[maxTypes + 1]bool) bool {
	for c := range p.men[s].Without(p.royals[s]).All {
		if !types[p.rules.Type(p.cell[c])] {
			return false
		}
	}
	return true
}
