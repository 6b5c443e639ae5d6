package rules

import (
	"math/bits"
	"slices"
)

// compileTabled finds out whether a staged game has no moves but those of the tables, so that they are found and counted
// as in a plain game, though they are played in stages.
func (r *Rules) compileTabled() error {
	st := &r.stages
	plain := func(c code) bool { return !c.declines && !c.leaves && !c.deferred }
	st.tabled = st.on && !st.tried && st.doubt == nil && len(st.doubts)+len(st.bans)+len(st.sources) == 0 &&
		st.mayPromote == nil && st.replace == nil && st.expand == nil && st.attacks == nil && st.judge == nil &&
		r.walks == nil &&
		(st.check == nil || st.fearless && r.royalTypes() == 0) && r.handTypes == nil &&
		(r.def.EnPassant == EnPassantNone || r.def.EnPassant == EnPassantOne) &&
		!slices.ContainsFunc(r.codes[:], func(c code) bool { return !plain(c) })
	return nil
}

// royalTypes counts the types that the definition marks as royal.
func (r *Rules) royalTypes() (n int) {
	for i := range r.def.Pieces {
		if r.def.Pieces[i].Royal {
			n++
		}
	}
	return n
}

// tabledMoves is generateStaged for a tabled game. Where captures are compulsory they are looked for first.
func (p *Position) tabledMoves(dst []Move, noisy bool) []Move {
	if p.rules.stages.compelled && !noisy {
		start := len(dst)
		if dst = p.fromTables(dst, true); len(dst) > start && p.IsCapture(dst[start]) {
			return dst
		}
		dst = dst[:start]
	}
	return p.fromTables(dst, noisy)
}

// fromTables appends the legal moves, or captures and promotions only.
func (p *Position) fromTables(dst []Move, noisy bool) []Move {
	r := p.rules
	us := p.turn & (maxSides - 1)
	var s scan
	p.look(&s)
	var f field
	p.field(&f)
	start := len(dst)
	for w := 0; w < r.words; w++ {
		for b := p.men[us][w&3]; b != 0; b &= b - 1 {
			dst = p.manMoves(dst, Cell(w<<6|bits.TrailingZeros64(b)), &s, &f, noisy)
		}
	}
	for _, t := range p.state.passed[:p.state.passes] {
		for from := range r.passNear[us][t.cell].Intersect(p.men[us]).All {
			if p.mayPass(from, t) {
				dst = append(dst, NewMove(EnPassant, from, t.cell, 0, t.victim))
			}
		}
	}
	if p.rights != 0 && !s.check && !noisy {
		dst = p.castles(dst)
	}
	if len(r.stages.lawful) != 0 {
		kept := start
		for _, m := range dst[start:] {
			if known := p.foresee(m); known == harmless || known == doubtful && p.stands(m) {
				dst[kept] = m
				kept++
			}
		}
		dst = dst[:kept]
	}
	return p.chosen(dst, start)
}

// countTabled returns the number of legal moves of a tabled game.
func (p *Position) countTabled() int {
	r := p.rules
	if _, over := p.decided(); over {
		return 0
	}
	st := &r.stages
	compelled := st.compelled && st.fearless && len(st.choose) == 1
	if !r.lines.on || len(st.lawful) != 0 || len(st.choose) != 0 && !compelled {
		return p.countStaged(allMoves)
	}
	passing := 0
	for _, t := range p.state.passed[:p.state.passes] {
		for from := range r.passNear[p.turn][t.cell].Intersect(p.men[p.turn]).All {
			if p.mayPass(from, t) {
				passing++
			}
		}
	}
	if compelled {
		if n := passing + p.countCaptures64(); n != 0 {
			return n
		}
	}
	var s scan
	p.look(&s)
	return p.count64(&s) + passing
}

// countCaptures64 counts the captures, those in passing apart, by lines, in a game without check.
func (p *Position) countCaptures64() int {
	r := p.rules
	us := p.turn & (maxSides - 1)
	own := p.men[us][0]
	var foe uint64
	for _, o := range r.foes[us] {
		foe |= p.men[o&(maxSides-1)][0]
	}
	n := 0
	for b := own; b != 0; b &= b - 1 {
		c := Cell(bits.TrailingZeros64(b))
		q := p.cell[c]
		at := int(q)*r.n + int(c)
		l := &r.lines.man[at]
		t := l.take & foe
		if l.steps&^own != 0 {
			t |= p.slideFrom(q, at, c, own, own|foe) & foe
		}
		n += bits.OnesCount64(t)
		if info := &r.codes[q]; info.promotes {
			n += bits.OnesCount64(t&info.zone[0]) * (p.countOptions(info) - 1)
		}
	}
	return n
}
