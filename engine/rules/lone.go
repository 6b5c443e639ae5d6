package rules

import "hoplite/engine/board"

// LoneRule are the parameters of EndLone. A side left with one royal man loses to one with more if it cannot take a royal
// man at once, and if the other side has at least three men or none next to that royal man, so that it cannot be left
// with one man, too.
type LoneRule struct {
	// Dead lists types that do not count on their farthest row, where they can never move again.
	Dead string
	// Light lists types that do not count as men of the stronger side.
	Light string
}

// endLone compiles an end test of kind EndLone.
func (r *Rules) endLone(e *EndRule) (endTest, error) {
	r.stage()
	var err error
	dead, light := r.typeSet(e.Lone.Dead, &err), r.typeSet(e.Lone.Light, &err)
	var far [maxSides]board.Set
	for s := range Side(r.sides) {
		far[s] = r.rows([]int{-1}, r.def.Sides[s].Heading)
	}
	// men returns the men of a side that count.
	men := func(p *Position, s Side, strong bool) board.Set {
		all := p.men[s]
		for c := range p.men[s].All {
			if t := r.Type(p.cell[c]); dead[t] && far[s].Has(c) || strong && light[t] {
				all.Remove(c)
			}
		}
		return all
	}
	return endTest{decisive: true, test: func(p *Position) (Outcome, bool) {
		for weak := range Side(r.sides) {
			strong := r.foes[weak][0]
			if p.royals[weak].Count() != 1 || men(p, weak, false) != p.royals[weak] || p.royals[strong].Empty() {
				continue
			}
			others := men(p, strong, true)
			king := p.royals[weak].First()
			near := r.leaps[int(p.cell[king])*r.n+int(king)].take.Intersect(others)
			if n := others.Count(); n > 1 && (n > 2 || near.Empty()) && !p.royalAttacked(strong) {
				return won(strong, r.sides, BareKing), true
			}
		}
		return Outcome{}, false
	}}, err
}
