package rules

import "hoplite/engine/board"

// passiveMoves appends the pseudo-legal moves of a game with passive captures.
func (p *Position) passiveMoves(dst []Move) []Move {
	r := p.rules
	ps := r.passive
	us := p.turn
	var f field
	p.field(&f)
	for c := range p.men[us].All {
		info := &r.codes[p.cell[c]]
		if p.frozen(c) {
			if ps.rule.Removal && !info.royal {
				dst = append(dst, NewMove(Remove, c, c, 0, 0))
			}
			continue
		}
		var t board.Set
		p.targets(p.cell[c], c, &f, &t)
		for to := range t.All {
			dst = append(dst, p.passiveMove(c, to))
		}
		if ps.ways[info.typ]&(byLeaping|byMimicry) == 0 {
			continue
		}
		for d := range uint8(8) {
			dst = p.leapMoves(dst, c, d)
		}
		if ps.ways[info.typ]&byMimicry != 0 {
			dst = p.royalSteps(dst, c)
		}
	}
	return dst
}

// passiveMove returns the move to a cell that the tables know.
func (p *Position) passiveMove(from, to Cell) Move {
	kind := Quiet
	if p.cell[to] != 0 {
		kind = Capture
	} else if p.rules.passive.ways[p.rules.codes[p.cell[from]].typ] != 0 {
		var s seized
		if p.seize(from, to, &s); s.n > 0 {
			kind = Seize
		}
	}
	return NewMove(kind, from, to, 0, 0)
}

// leapMoves appends the moves in one direction that leap over enemies.
func (p *Position) leapMoves(dst []Move, from Cell, d uint8) []Move {
	ps := p.rules.passive
	leapt := false
	for c := ps.next(from, d); c != board.Wall; c = ps.next(c, d) {
		switch {
		case p.cell[c] == 0:
			if leapt {
				dst = append(dst, NewMove(Seize, from, c, 0, 0))
			}
		case p.leapable(from, c, d):
			leapt = true
		default:
			return dst
		}
	}
	return dst
}

// leapable reports whether the man on from, coming along d, may leap over the man on c.
func (p *Position) leapable(from, c Cell, d uint8) bool {
	r := p.rules
	ps := r.passive
	info := &r.codes[p.cell[from]]
	own := ps.ways[info.typ]
	return p.enemyOf(c, info.side) && p.cell[ps.next(c, d)] == 0 &&
		(own&byLeaping != 0 || own&byMimicry != 0 && ps.ways[r.codes[p.cell[c]].typ]&byLeaping != 0)
}

// royalSteps appends the steps of a man of Mimicry onto enemy royal men, which no legal position offers.
func (p *Position) royalSteps(dst []Move, from Cell) []Move {
	r := p.rules
	side := r.codes[p.cell[from]].side
	for d := range uint8(8) {
		if c := r.passive.next(from, d); p.enemyOf(c, side) && r.codes[p.cell[c]].royal {
			dst = append(dst, NewMove(Capture, from, c, 0, 0))
		}
	}
	return dst
}

// passiveAttacks reports whether side by could capture the man on c in its next move, or a royal man if nobody or one of
// its own stands there.
func (p *Position) passiveAttacks(c Cell, by Side) bool {
	r := p.rules
	kind := ways(0)
	royal := true
	if p.enemyOf(c, by) {
		info := &r.codes[p.cell[c]]
		kind, royal = r.passive.ways[info.typ], info.royal
	}
	for from := range p.men[by&(maxSides-1)].All {
		if from != c && p.couldTake(from, c, kind, royal) && !p.frozen(from) {
			return true
		}
	}
	return false
}

// couldTake reports whether the man on from, if it is not frozen, could take a man on c that has certain ways of capture
// of its own.
func (p *Position) couldTake(from, c Cell, kind ways, royal bool) bool {
	r := p.rules
	ps := r.passive
	info := &r.codes[p.cell[from]]
	d := ps.heading[int(from)*r.n+int(c)]
	beside := d != noHeading && ps.next(from, d) == c
	own := ps.ways[info.typ]
	if own&byMimicry != 0 {
		if beside && royal {
			return true
		}
		own = kind&^freezing | byMimicry
	}
	switch {
	case info.royal:
		return beside
	case own&byWithdrawal != 0 && beside && p.goesOn(from, c, d^1):
		return true
	case own&byLeaping != 0 && d != noHeading && p.leapsOver(from, c, d):
		return true
	case own&byCustody != 0 && p.couldHold(from, c, info.side):
		return true
	case own&byCoordination != 0:
		return p.couldCross(from, c, info.side)
	}
	return false
}

// goesOn reports whether the man on from can go anywhere along d, where c counts as occupied.
func (p *Position) goesOn(from, c Cell, d uint8) bool {
	to := p.rules.passive.next(from, d)
	return to != board.Wall && to != c && (p.cell[to] == 0 || p.mayLeap(from, to, c, d))
}

// mayLeap is leapable for men that may leap, where c counts as occupied.
func (p *Position) mayLeap(from, over, c Cell, d uint8) bool {
	return over != c && p.rules.passive.next(over, d) != c && p.leapable(from, over, d)
}

// leapsOver reports whether the man on from could leap over a man on c.
func (p *Position) leapsOver(from, c Cell, d uint8) bool {
	ps := p.rules.passive
	for at := ps.next(from, d); at != c; at = ps.next(at, d) {
		if p.cell[at] != 0 && !p.mayLeap(from, at, c, d) {
			return false
		}
	}
	return p.cell[ps.next(c, d)] == 0
}

// reaches reports whether the man on from could come to an empty cell, where c counts as occupied. The tables say
// whether it moves along that line.
func (p *Position) reaches(from, to, c Cell) bool {
	r := p.rules
	ps := r.passive
	d := ps.heading[int(from)*r.n+int(to)]
	if d == noHeading || p.cell[to] != 0 || !r.slidesAlong(p.cell[from], from, to) {
		return false
	}
	for at := ps.next(from, d); at != to; at = ps.next(at, d) {
		if at == c || p.cell[at] != 0 && !p.mayLeap(from, at, c, d) {
			return false
		}
	}
	return true
}

// slidesAlong reports whether a man could go from one cell to another on an empty board.
func (r *Rules) slidesAlong(q Piece, from, to Cell) bool {
	at := int(q)*r.n + int(from)
	for _, ray := range r.rayList[r.rays[at].at:][:r.rays[at].n] {
		for i := ray.at; ray.quiet && r.path[i] != board.Wall; i++ {
			if r.path[i] == to {
				return true
			}
		}
	}
	return r.leaps[at].quiet.Has(to)
}

// couldHold reports whether the man on from could come next to c so that a friend stands straight behind c.
func (p *Position) couldHold(from, c Cell, us Side) bool {
	ps := p.rules.passive
	mimics := ps.ways[p.rules.codes[p.cell[from]].typ]&byMimicry != 0
	for o := range uint8(orthogonal) {
		far, to := ps.next(c, o^1), ps.next(c, o)
		if to == board.Wall || far == from || !p.friendOf(far, us) || !p.reaches(from, to, c) {
			continue
		}
		if !mimics || ps.heading[int(from)*p.rules.n+int(to)] < orthogonal {
			return true
		}
	}
	return false
}

// couldCross reports whether the man on from could go where its line and that of its royal man cross on c.
func (p *Position) couldCross(from, c Cell, us Side) bool {
	r := p.rules
	ps := r.passive
	king := p.royals[us].First()
	if king == board.Wall {
		return false
	}
	file := ps.corner[int(king)*r.n+int(c)] == c // the king's file leads through c
	rank := ps.corner[int(c)*r.n+int(king)] == c
	if !file && !rank {
		return false
	}
	for to := range Cell(r.n) {
		crosses := file && ps.corner[int(c)*r.n+int(to)] == c || rank && ps.corner[int(to)*r.n+int(c)] == c
		if crosses && to != from && to != c && p.reaches(from, to, c) {
			return true
		}
	}
	return false
}
