package rules

import (
	"math/bits"

	"hoplite/engine/board"
)

// compileWays sees to games with threats that looking outward along slides does not show: leaps over men, ways that must
// be free, royal men that must not face each other. Where no other mechanism has a say in what is attacked, moves that
// change no cell on the way of such a threat need not be tried; elsewhere all must be.
func (r *Rules) compileWays() error {
	st := &r.stages
	if !st.hidden {
		return nil
	}
	st.ways = st.attacks == nil && st.judge == nil && st.replace == nil && st.expand == nil &&
		(st.check == nil || r.ahead != nil) && len(st.doubts)+len(st.passage)+len(st.effects) == 0
	st.tried = st.tried || !st.ways
	return nil
}

// lookWays adds to s, for the side to move, the cells on the ways of threats to its royal man: a move that neither leaves
// nor comes to one of them can neither open such a way nor put a man to leap over on it.
func (p *Position) lookWays(s *scan, us Side) {
	r := p.rules
	if !s.alone || s.check || p.checked(us) {
		s.check, s.answered, s.suspects = true, false, p.men[us]
		return
	}
	k := p.royals[us].First()
	for _, by := range r.foes[us] {
		by &= maxSides - 1
		near := &r.walkNear[by][k]
		for w := 0; w < r.words; w++ {
			for b := near[w&3] & p.men[by][w&3]; b != 0; b &= b - 1 {
				p.addWays(s, Cell(w<<6|bits.TrailingZeros64(b)), k)
			}
		}
	}
	if r.ahead != nil {
		p.addFacing(s, k, us)
	}
	s.suspects = s.suspects.Union(s.ways.Intersect(p.men[us]))
}

// addWays adds the cells before k on the walks by which the man on from could take there.
func (p *Position) addWays(s *scan, from, k Cell) {
	r := p.rules
	if r.walks == nil {
		return
	}
	list := r.walks[int(p.cell[from])*r.n+int(from)]
	for i := list.at; i < list.at+uint32(list.n); i++ {
		w := &r.walkList[i]
		if !w.take {
			continue
		}
		cells := r.walkPath[w.at : w.at+uint32(w.n)]
		for j := int(w.least) - 1; j < len(cells); j++ {
			if cells[j] == k {
				for _, c := range cells[:j] {
					s.ways.Add(c)
				}
				break
			}
		}
	}
}

// addFacing adds the cells between the royal man on k and the one that it must not face, if they are on one line.
func (p *Position) addFacing(s *scan, k Cell, us Side) {
	other := p.royals[us^1].First()
	near, far := k, other
	if us != 0 {
		near, far = far, near
	}
	if near == board.Wall || far == board.Wall {
		return
	}
	for i, c := range p.rules.ahead[near] {
		if c == far {
			for _, between := range p.rules.ahead[near][:i] {
				s.ways.Add(between)
			}
			return
		}
	}
}
