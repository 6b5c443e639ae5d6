package rules

import (
	"math/bits"

	"hoplite/engine/board"
)

// CountMoves returns the number of legal moves without listing them.
func (p *Position) CountMoves() int {
	var s scan
	p.look(&s)
	if p.rules.words == 1 {
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
			if p.mayPass(from) {
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
	n := 0
	if s.suspects.Has(c) {
		n = p.countTried(q, c, &t)
	} else {
		n = t.Count()
		if info := &r.codes[q]; info.promotes {
			if in := t.Intersect(info.zone); !in.Empty() {
				n += in.Count() * (p.countOptions(info) - 1)
			}
		}
	}
	if p.gate[p.turn&(maxSides-1)].Has(c) {
		n *= 1 + p.countHand()
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

// count64 is CountMoves for boards of up to 64 cells, where a set is one word. Counting at the leaves is where perft
// spends its time.
func (p *Position) count64(s *scan) int {
	r := p.rules
	us := p.turn & (maxSides - 1)
	own := p.men[us][0]
	var foe uint64
	for _, o := range r.foes[us] {
		foe |= p.men[o&(maxSides-1)][0]
	}
	all := own | foe
	hostile := &r.foe[us]
	gate := p.gate[us][0]
	suspects := s.suspects[0]
	n := 0
	for b := own; b != 0; b &= b - 1 {
		c := Cell(bits.TrailingZeros64(b))
		q := p.cell[c]
		at := int(q)*r.n + int(c)
		l := &r.leaps[at]
		t := l.quiet[0]&^all | l.take[0]&foe
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
		if lame := r.lame[at]; lame.n != 0 {
			for i := range r.lameList[lame.at : lame.at+uint32(lame.n)] {
				if l := &r.lameList[lame.at+uint32(i)]; p.cell[l.to] == 0 && p.wayFree(l) {
					t |= 1 << (l.to & 63)
				}
			}
		}
		bit := uint64(1) << (c & 63)
		m := 0
		if suspects&bit != 0 {
			m = p.countTried(q, c, &board.Set{t})
		} else {
			m = bits.OnesCount64(t)
			if info := &r.codes[q]; info.promotes && t&info.zone[0] != 0 {
				m += bits.OnesCount64(t&info.zone[0]) * (p.countOptions(info) - 1)
			}
		}
		if gate&bit != 0 {
			m *= 1 + p.countHand()
		}
		n += m
	}
	return n + p.countSpecial(s)
}
