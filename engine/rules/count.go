package rules

import (
	"math/bits"

	"hoplite/engine/board"
)

// CountMoves returns the number of legal moves without listing them.
func (p *Position) CountMoves() int {
	if p.rules.stages.on {
		if p.rules.stages.tabled {
			return p.countTabled()
		}
		return p.countStaged(allMoves)
	}
	var s scan
	p.look(&s)
	if p.rules.lines.on {
		return p.count64(&s)
	}
	var f field
	p.field(&f)
	us := p.turn & (maxSides - 1)
	n := 0
	for w := 0; w < p.rules.words; w++ {
		for b := p.men[us][w&3]; b != 0; b &= b - 1 {
			n += p.countMan(Cell(w<<6|bits.TrailingZeros64(b)), &s, &f)
		}
	}
	return n + p.countSpecial(&s)
}

// countSpecial counts captures in passing and castling.
func (p *Position) countSpecial(s *scan) int {
	n := 0
	if p.passed != board.Wall {
		for from := range p.rules.passNear[p.turn][p.passed].Intersect(p.men[p.turn]).All {
			if p.mayPass(from, target{p.passed, p.victim}) {
				n++
			}
		}
	}
	if p.rights != 0 && !s.check {
		n += p.countCastles()
	}
	return n
}

// countMan counts the moves of the man on c.
func (p *Position) countMan(c Cell, s *scan, f *field) int {
	r := p.rules
	q := p.cell[c]
	var t board.Set
	p.targets(q, c, f, &t)
	info := &r.codes[q]
	n := p.countTargets(q, c, info, s, &t)
	if p.gate[p.turn&(maxSides-1)].Has(c) {
		n *= 1 + p.countHand()
	}
	return n
}

// countTargets counts the legal ones among the moves of a man to the cells in t.
func (p *Position) countTargets(q Piece, c Cell, info *code, s *scan, t *board.Set) int {
	if s.answered && !info.royal {
		if info.crowns {
			return p.countTried(q, c, t)
		}
		*t = t.Intersect(s.answers)
	}
	if s.suspects.Has(c) {
		if !info.royal || !s.alone {
			return p.countTried(q, c, t)
		}
		p.keepSafe(q, c, t)
	}
	n := t.Count()
	if info.promotes {
		if in := t.Intersect(info.zone); !in.Empty() {
			n += in.Count() * (p.countOptions(info) - 1)
		}
	}
	return n
}

// countTried counts the moves of a suspect man to the cells in t.
func (p *Position) countTried(q Piece, c Cell, t *board.Set) int {
	r := p.rules
	info := &r.codes[q]
	n := 0
	for w := 0; w < r.words; w++ {
		for b := t[w&3]; b != 0; b &= b - 1 {
			to := Cell(w<<6 | bits.TrailingZeros64(b))
			if !info.promotes || !info.zone.Has(to) {
				if p.safe(c, to, q, to) {
					n++
				}
				continue
			}
			for i := range info.options {
				if o := &info.options[i]; p.allowed(o) && p.safe(c, to, o.piece, to) {
					n++
				}
			}
		}
	}
	return n
}

func (p *Position) countOptions(info *code) int {
	n := 0
	for i := range info.options {
		if p.allowed(&info.options[i]) {
			n++
		}
	}
	return n
}

// countHand counts the types that the side to move may let in.
func (p *Position) countHand() int {
	n := 0
	for _, t := range p.rules.gateTypes {
		if p.hand[p.turn&(maxSides-1)][t] != 0 {
			n++
		}
	}
	return n
}

func (p *Position) countCastles() int {
	r := p.rules
	n := 0
	for i := range r.wings {
		if p.rights>>i&1 == 0 || r.wings[i].side != p.turn || !p.mayCastle(i) {
			continue
		}
		n++
		if p.inHand[p.turn] == 0 {
			continue
		}
		slot := &p.castle[i]
		for _, c := range [2]Cell{slot.king, slot.rook} {
			if p.gate[p.turn].Has(c) {
				n += p.countHand()
			}
		}
	}
	return n
}

// count64 is CountMoves by lines. Counting at the leaves is where perft spends its time, so men about whom there is
// nothing to ask are counted without a question, leapers apart from sliders.
func (p *Position) count64(s *scan) int {
	r := p.rules
	us := p.turn & (maxSides - 1)
	own := p.men[us][0]
	var foe uint64
	for _, o := range r.foes[us] {
		foe |= p.men[o&(maxSides-1)][0]
	}
	all := own | foe
	special := own
	if !s.answered {
		special &= s.suspects[0] | p.gate[us][0] | r.lines.promoting[us]
	}
	plain := own &^ special
	n := 0
	for b := plain &^ p.sliders[us][0]; b != 0; b &= b - 1 {
		c := bits.TrailingZeros64(b)
		l := &r.lines.man[int(p.cell[c])*r.n+c]
		n += bits.OnesCount64(l.quiet&^all | l.take&foe)
	}
	for b := plain & p.sliders[us][0]; b != 0; b &= b - 1 {
		c := Cell(bits.TrailingZeros64(b))
		q := p.cell[c]
		at := int(q)*r.n + int(c)
		l := &r.lines.man[at]
		t := l.quiet&^all | l.take&foe
		if l.steps&^own != 0 {
			t |= p.slideFrom(q, at, c, own, all)
		}
		n += bits.OnesCount64(t)
	}
	for b := plain & r.lines.lame[us]; b != 0; b &= b - 1 {
		c := bits.TrailingZeros64(b)
		n += bits.OnesCount64(p.lameFrom(int(p.cell[c])*r.n+c, all))
	}
	for b := special; b != 0; b &= b - 1 {
		c := Cell(bits.TrailingZeros64(b))
		q := p.cell[c]
		at := int(q)*r.n + int(c)
		l := &r.lines.man[at]
		t := board.Set{l.quiet&^all | l.take&foe | p.lameFrom(at, all) | p.slideFrom(q, at, c, own, all)}
		m := p.countTargets(q, c, &r.codes[q], s, &t)
		if p.gate[us][0]>>(c&63)&1 != 0 {
			m *= 1 + p.countHand()
		}
		n += m
	}
	if p.passed != board.Wall || p.rights != 0 {
		n += p.countSpecial(s)
	}
	return n
}

// slideFrom returns where the man q with table entry at may slide.
func (p *Position) slideFrom(q Piece, at int, c Cell, own, all uint64) uint64 {
	r := p.rules
	if info := &r.codes[q]; info.straight {
		return r.slides(info, c, all) &^ own
	}
	return p.crooked(at, &r.foe[p.turn&(maxSides-1)])
}

// lameFrom returns where the man with table entry at may leap over free cells.
func (p *Position) lameFrom(at int, all uint64) (t uint64) {
	r := p.rules
	lame := r.lame[at]
	for i := range r.lameList[lame.at : lame.at+uint32(lame.n)] {
		l := &r.lameList[lame.at+uint32(i)]
		if l.need&all == 0 {
			t |= 1 << (l.to & 63)
		}
	}
	return t
}

// crooked returns where a man of the table entry at may slide, walking its paths.
func (p *Position) crooked(at int, hostile *[256]bool) (t uint64) {
	r := p.rules
	for _, ray := range r.rayList[r.rays[at].at:][:r.rays[at].n] {
		i := ray.at
		for ; ; i++ {
			to := r.path[i]
			if p.cell[to] != 0 {
				break
			}
			if ray.quiet {
				t |= 1 << (to & 63)
			}
		}
		if to := r.path[i]; ray.take && hostile[p.cell[to]] {
			t |= 1 << (to & 63)
		}
	}
	return t
}
