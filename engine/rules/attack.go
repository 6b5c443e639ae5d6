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
	by &= maxSides - 1
	if p.rules.stages.on {
		return p.attackedStaged(c, by)
	}
	return p.attackedPlain(c, by)
}

func (p *Position) attackedPlain(c Cell, by Side) bool {
	if p.rules.lines.on {
		return p.leapt(c, by) || p.slidTo64(c, by)
	}
	return p.leapt(c, by) || p.slidTo(c, by)
}

func (p *Position) attackedStaged(c Cell, by Side) bool {
	r := p.rules
	if r.stages.attacks != nil {
		return r.stages.attacks(p, c, by)
	}
	return p.attackedByTables(c, by)
}

// attackedByTables asks the tables, those of the walks among them.
func (p *Position) attackedByTables(c Cell, by Side) bool {
	return p.attackedPlain(c, by) || p.rules.walks != nil && p.walkedTo(c, by)
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
	if check := p.rules.stages.check; check != nil {
		return check(p, s)
	}
	return p.royalsAttacked(s)
}

// royalsAttacked reports whether side s has royal men and all of them are attacked.
func (p *Position) royalsAttacked(s Side) bool {
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
	alone bool // there is one royal man
	// suspects are the men whose moves must be tried.
	suspects board.Set
	// answered: a lone royal man has one attacker, and only moves to the cells of answers can help, those of the royal man,
	// of men that become royal and captures in passing apart.
	answered bool
	answers  board.Set
	// between are cells whose men decide whether the royal man is attacked, beside those between it and sliders.
	between board.Set
}

// look fills s, which is empty, for the side to move.
func (p *Position) look(s *scan) {
	us := p.turn & (maxSides - 1)
	p.lookOutward(s, us)
	if p.rules.stages.traced {
		p.traceHidden(s, us)
	}
}

// lookOutward fills s with what looking along slides and back along leaps shows.
func (p *Position) lookOutward(s *scan, us Side) {
	royals := &p.royals[us]
	if royals.Count() != 1 {
		p.lookMany(s, us)
		return
	}
	k := royal{at: royals.First()}
	p.lookFrom(&k, us)
	s.alone = true
	s.check = k.attackers != 0
	s.suspects = k.shields
	s.suspects.Add(k.at)
	if k.attackers == 1 {
		s.answered = true
		s.answers = k.line
	} else if s.check {
		s.suspects = p.men[us]
	}
}

// lookMany is look for a side with several royal men or none.
func (p *Position) lookMany(s *scan, us Side) {
	r := p.rules
	var royals [maxRoyals]royal
	n := 0
	for w := 0; w < r.words; w++ {
		for b := p.royals[us][w&3]; b != 0 && n < maxRoyals; b &= b - 1 {
			royals[n].at = Cell(w<<6 | bits.TrailingZeros64(b))
			p.lookFrom(&royals[n], us)
			n++
		}
	}
	if n == 0 {
		return
	}
	s.check = true
	men := p.men[us]
	for i := range royals[:n] {
		if royals[i].attackers == 0 {
			s.check = false
			men = men.Intersect(royals[i].shields)
		}
	}
	s.suspects = men
	for i := range royals[:n] {
		suspect := true
		for j := range royals[:n] {
			if j != i && royals[j].attackers == 0 && !royals[j].shields.Has(royals[i].at) {
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
	at        Cell
	attackers int
	line      board.Set // the last attacker found and the cells between
	shields   board.Set // own men that stand alone between it and an attacker
}

func (p *Position) lookFrom(k *royal, us Side) {
	r := p.rules
	for _, by := range r.foes[us] {
		by &= maxSides - 1
		near := &r.near[by][k.at]
		for w := 0; w < r.words; w++ {
			for b := near[w&3] & p.men[by][w&3]; b != 0; b &= b - 1 {
				from := Cell(w<<6 | bits.TrailingZeros64(b))
				if r.leaps[int(p.cell[from])*r.n+int(from)].take.Has(k.at) {
					k.attackers++
					k.line = board.SetOf(from)
				}
			}
		}
		if !meets(&r.sight[k.at], &p.sliders[by], r.words) {
			continue
		}
		if r.lines.on {
			p.lookAlong64(k, us, by)
		} else {
			p.lookAlong(k, us, by)
		}
	}
}

// lookAlong finds the sliders of side by that attack a royal man of side us, and the men that shield it.
func (p *Position) lookAlong(k *royal, us, by Side) {
	r := p.rules
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
			continue
		}
		k.attackers++
		k.line = board.SetOf(r.path[start : i+1]...)
	}
}

// lookAlong64 is lookAlong by lines.
func (p *Position) lookAlong64(k *royal, us, by Side) {
	r := p.rules
	sliders, own := p.sliders[by][0], p.men[us][0]
	var all uint64
	for s := 0; s < r.sides; s++ {
		all |= p.men[s&(maxSides-1)][0]
	}
	for d := 0; d < r.dirs; d++ {
		m := r.lines.ray[d&(maxLines-1)][k.at&63]
		if m&sliders == 0 {
			continue
		}
		first := r.lines.first(d, k.at, all)
		at := first
		shielded := own>>(first&63)&1 != 0
		if shielded {
			rest := all &^ (1 << (first & 63))
			if m&rest == 0 {
				continue
			}
			at = r.lines.first(d, k.at, rest)
		}
		if sliders>>(at&63)&1 == 0 || !r.slidesTo(p.cell[at], d, m, at) {
			continue
		}
		if shielded {
			k.shields.Add(first)
			continue
		}
		k.attackers++
		k.line = board.Set{m ^ r.lines.ray[d&(maxLines-1)][at&63]}
	}
}
