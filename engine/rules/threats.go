package rules

import (
	"math/bits"
	"slices"

	"hoplite/engine/board"
)

// compileHidden sees to games with threats that looking outward along slides does not show: leaps over men, ways that must
// be free, royal men that must not face each other. Where no other mechanism has a say in what is attacked, moves that
// change no cell on the way of such a threat need not be tried; elsewhere all must be.
func (r *Rules) compileHidden() error {
	st := &r.stages
	if !st.hidden {
		return nil
	}
	st.traced = st.attacks == nil && st.judge == nil && st.replace == nil && st.expand == nil &&
		(st.check == nil || r.ahead != nil) && len(st.doubts)+len(st.passage)+len(st.effects) == 0
	st.tried = st.tried || !st.traced
	return nil
}

// traceHidden adds to s, for the side to move, the cells on the ways of threats to its royal man: a move that neither leaves
// nor comes to one of them can neither open such a way nor put a man to leap over on it.
func (p *Position) traceHidden(s *scan, us Side) {
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
				p.traceWalks(s, Cell(w<<6|bits.TrailingZeros64(b)), k)
			}
		}
	}
	if r.ahead != nil {
		p.traceFacing(s)
	}
	s.suspects = s.suspects.Union(s.between.Intersect(p.men[us]))
}

// traceWalks adds the cells before k on the walks by which the man on from could take there.
func (p *Position) traceWalks(s *scan, from, k Cell) {
	r := p.rules
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
					s.between.Add(c)
				}
				break
			}
		}
	}
}

// traceFacing adds the cells between the royal men of the two sides, if they are on one line.
func (p *Position) traceFacing(s *scan) {
	own, other := p.royals[0].First(), p.royals[1].First()
	if own == board.Wall || other == board.Wall {
		return
	}
	ahead := p.rules.ahead[own]
	if i := slices.Index(ahead, other); i >= 0 {
		for _, c := range ahead[:i] {
			s.between.Add(c)
		}
	}
}
