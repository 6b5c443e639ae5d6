package rules

import (
	"math/bits"

	"hoplite/engine/board"
)

// meets reports whether two sets have a cell in common, looking at the words in use only.
func meets(a, b *board.Set, words int) bool {
	for w := 0; w < words; w++ {
		if a[w&3]&b[w&3] != 0 {
			return true
		}
	}
	return false
}

// Attacked reports whether a man of side by could capture on c as the board stands, whether or not that would be legal.
func (p *Position) Attacked(c Cell, by Side) bool {
	return p.leapt(c, by) || p.slidTo(c, by)
}

// leapt reports whether a man of side by attacks c by a leap.
func (p *Position) leapt(c Cell, by Side) bool {
	r := p.rules
	by &= maxSides - 1
	near := &r.near[by][c]
	for w := 0; w < r.words; w++ {
		for b := near[w&3] & p.men[by][w&3]; b != 0; b &= b - 1 {
			from := Cell(w<<6 | bits.TrailingZeros64(b))
			if r.leaps[int(p.cell[from])*r.n+int(from)].take.Has(c) {
				return true
			}
		}
	}
	return false
}

// slidTo reports whether a man of side by attacks c by a slide: in each direction with such men somewhere on the way,
// the first man is looked at.
func (p *Position) slidTo(c Cell, by Side) bool {
	r := p.rules
	by &= maxSides - 1
	if !meets(&r.sight[c], &p.sliders[by], r.words) {
		return false
	}
	for d := 0; d < r.dirs; d++ {
		at := d*r.n + int(c)
		if !meets(&r.dirSet[at], &p.sliders[by], r.words) {
			continue
		}
		start := r.dirPath[at]
		i := start
		for p.cell[r.path[i]] == 0 {
			i++
		}
		q := p.cell[r.path[i]]
		if q != wallPiece && r.codes[q].side == by && uint16(r.reach[int(q)*r.dirs+int(r.opposite[d])]) > i-start {
			return true
		}
	}
	return false
}

// threatened reports whether any enemy of side s attacks c.
func (p *Position) threatened(c Cell, s Side) bool {
	for _, by := range p.rules.foes[s&(maxSides-1)] {
		if p.Attacked(c, by) {
			return true
		}
	}
	return false
}

// checked reports whether side s is in check: it has royal men, and all of them are attacked.
func (p *Position) checked(s Side) bool {
	royals := &p.royals[s&(maxSides-1)]
	any := false
	for w := 0; w < p.rules.words; w++ {
		for b := royals[w&3]; b != 0; b &= b - 1 {
			if !p.threatened(Cell(w<<6|bits.TrailingZeros64(b)), s) {
				return false
			}
			any = true
		}
	}
	return any
}

// InCheck reports whether the side to move is in check, in the game's own sense.
func (p *Position) InCheck() bool { return p.checked(p.turn) }

// scan is what looking outward from the royal men finds.
type scan struct {
	check bool // every royal man is attacked
	// suspects are the men whose moves must be tried.
	suspects board.Set
}

// look fills s for the side to move.
func (p *Position) look(s *scan) {
	r := p.rules
	us := p.turn & (maxSides - 1)
	var royals [maxRoyals]royal
	n := 0
	for w := 0; w < r.words; w++ {
		for b := p.royals[us][w&3]; b != 0 && n < maxRoyals; b &= b - 1 {
			royals[n].at = Cell(w<<6 | bits.TrailingZeros64(b))
			p.lookFrom(&royals[n], us)
			n++
		}
	}
	if n == 1 { // the usual case, written out
		s.check = royals[0].attacked
		if s.check {
			s.suspects = p.men[us]
		} else {
			s.suspects = royals[0].shields
			s.suspects.Add(royals[0].at)
		}
		return
	}
	s.check = n > 0
	s.suspects = board.Set{}
	if n == 0 {
		return
	}
	men := p.men[us]
	for i := range royals[:n] {
		if !royals[i].attacked {
			s.check = false
			men = men.Intersect(royals[i].shields)
		}
	}
	s.suspects = men
	for i := range royals[:n] {
		suspect := true
		for j := range royals[:n] {
			if j != i && !royals[j].attacked && !royals[j].shields.Has(royals[i].at) {
				suspect = false
			}
		}
		if suspect {
			s.suspects.Add(royals[i].at)
		} else {
			s.suspects.Remove(royals[i].at)
		}
	}
}

// royal is one royal man with what looking outward from it finds.
type royal struct {
	at       Cell
	attacked bool
	shields  board.Set // own men that stand alone between it and an attacker
}

func (p *Position) lookFrom(k *royal, us Side) {
	r := p.rules
	for _, by := range r.foes[us] {
		by &= maxSides - 1
		if p.leapt(k.at, by) {
			k.attacked = true
		}
		if !meets(&r.sight[k.at], &p.sliders[by], r.words) {
			continue
		}
		for d := 0; d < r.dirs; d++ {
			at := d*r.n + int(k.at)
			if !meets(&r.dirSet[at], &p.sliders[by], r.words) {
				continue
			}
			start := r.dirPath[at]
			i := start
			for p.cell[r.path[i]] == 0 {
				i++
			}
			first := r.path[i]
			q := p.cell[first]
			if q == wallPiece {
				continue
			}
			own := r.codes[q].side == us
			if own {
				for i++; p.cell[r.path[i]] == 0; i++ {
				}
				q = p.cell[r.path[i]]
			}
			if q == wallPiece || r.codes[q].side != by ||
				uint16(r.reach[int(q)*r.dirs+int(r.opposite[d])]) <= i-start {
				continue
			}
			if own {
				k.shields.Add(first)
			} else {
				k.attacked = true
			}
		}
	}
}
