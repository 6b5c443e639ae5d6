package rules

import "hoplite/engine/board"

// UnableRule lists, side by side, what cannot win. It is drawn if it holds for both sides, and for flag fall if it holds
// for the side with time left.
type UnableRule struct {
	// Bare is a side with nothing but its royal men.
	Bare bool
	// Single cannot win as the only man, and two of Pair cannot, against nothing but royal men.
	Single, Pair string
	// Opposed cannot win if all men but royal ones are of these types, those of each side on cells of one colour, and the
	// two colours differ.
	Opposed string
	// Stranded cannot win if all men are of these types, own ones stand on a colour on which the other side has none, and
	// all of the other side stand on one colour.
	Stranded string
	// Duel cannot win for the side to move if each side has one such man and nothing else and they stand on different
	// colours, and for the other side if they stand on one colour.
	Duel string
}

// unableTest is a compiled UnableRule.
type unableTest struct {
	bare                                  bool
	single, pair, opposed, stranded, duel [maxTypes + 1]bool
}

func (r *Rules) compileUnable(u *UnableRule) (*unableTest, error) {
	if u == nil {
		return nil, nil
	}
	var err error
	t := &unableTest{bare: u.Bare, single: r.typeSet(u.Single, &err), pair: r.typeSet(u.Pair, &err),
		opposed: r.typeSet(u.Opposed, &err), stranded: r.typeSet(u.Stranded, &err), duel: r.typeSet(u.Duel, &err)}
	return t, err
}

// all reports whether no side can win.
func (t *unableTest) all(p *Position) bool {
	for s := range Side(p.rules.sides) {
		if !t.holds(p, s) {
			return false
		}
	}
	return true
}

// holds reports whether side s cannot win.
func (t *unableTest) holds(p *Position, s Side) bool {
	r := p.rules
	o := r.foes[s][0]
	own, other := p.men[s].Without(p.royals[s]), p.men[o].Without(p.royals[o])
	n := own.Count()
	if n == 0 && t.bare {
		return true
	}
	if other.Empty() && !p.royals[o].Empty() {
		if n == 1 && p.consists(s, &t.single) || n > 0 && n <= 2 && p.consists(s, &t.pair) {
			return true
		}
	}
	if p.consists(s, &t.opposed) && p.consists(o, &t.opposed) && r.oneColour(own) && r.oneColour(other) &&
		!r.oneColour(own.Union(other)) { // so that both have men
		return true
	}
	if p.consists(s, &t.stranded) && p.consists(o, &t.stranded) && r.oneColour(other) && !other.Empty() {
		if off := r.offColour(own, other); !off.Empty() {
			return true
		}
	}
	if n == 1 && other.Count() == 1 && p.consists(s, &t.duel) && p.consists(o, &t.duel) {
		return r.oneColour(own.Union(other)) != (s == p.turn)
	}
	return false
}

// offColour returns the cells of set that are not of the colour of the cells of one, which all have one colour.
func (r *Rules) offColour(set, one board.Set) board.Set {
	if r.dark.Has(one.First()) {
		return set.Without(r.dark)
	}
	return set.Intersect(r.dark)
}
