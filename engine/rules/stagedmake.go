package rules

import "hoplite/engine/board"

// makeStaged plays m in a staged game, step by step in the order of the rule sheets (rules README 4.4).
func (p *Position) makeStaged(m Move, u *Undo) {
	r := p.rules
	st := &r.stages
	us := p.turn
	from, to, kind := m.From(), m.To(), m.Kind()
	q := p.cell[from]
	u.key = p.key
	u.rights, u.clock, u.turn, u.fullMoves = p.rights, p.clock, us, p.fullMoves
	u.state = p.state
	p.log.mover, p.log.captured, p.log.answers, p.log.changed, p.log.handed = q, 0, false, 0, 0
	if r.gateTypes != nil {
		u.gates = [2]board.Set{p.gate[0], p.gate[1]}
	}
	if kind == Retire {
		p.makeRetirement(m)
		u.log.changed, u.log.handed = 0, 0
		return
	}
	if kind == Declare {
		p.makeDeclaration(m)
		u.log.changed, u.log.handed = 0, 0
		return
	}
	for _, f := range st.before {
		f(p, m)
	}
	p.key ^= p.stateKey() ^ r.keys.turn[us]
	p.state.passes = 0
	p.clock++
	if st.pawnsProgress && r.codes[q].pawn {
		p.clock = 0
	}
	switch kind {
	case Quiet, Double:
		p.walk(q, from, to)
	case Capture:
		p.take(to)
		p.walk(q, from, to)
	case EnPassant:
		p.take(m.Second())
		p.walk(q, from, to)
	case Promotion, PromotionCapture:
		p.take(to)
		p.clock = 0
		p.walk(r.Piece(us, m.Arg()), from, to)
	case Gate, GateCapture:
		p.take(to)
		p.walk(q, from, to)
		if !p.probing { // legal without the man that enters (rules README 4.4, 7)
			p.admit(us, m.Arg(), from)
		}
	case Castle, CastleGateKing, CastleGateRook:
		slot := p.slot(us, m)
		rook := p.cell[m.Second()]
		p.place(0, from)
		p.place(0, m.Second())
		p.place(q, slot.kingTo)
		p.place(rook, slot.rookTo)
		switch {
		case p.probing:
		case kind == CastleGateKing:
			p.admit(us, m.Arg(), from)
		case kind == CastleGateRook:
			p.admit(us, m.Arg(), m.Second())
		}
	default:
		if a := st.acts[kind]; a != nil {
			a.play(p, m)
		}
	}
	for _, f := range st.passage {
		f(p, m)
	}
	for _, f := range st.effects {
		f(p, m)
	}
	if st.rights != nil {
		st.rights(p, m)
	} else {
		p.loseRights()
	}
	for _, f := range st.after {
		f(p, m)
	}
	u.log = p.log
	next := p.next(us)
	if st.turn != nil {
		next = st.turn(p, m)
	}
	p.turn = next
	if next < us {
		p.fullMoves++
	}
	switch {
	case st.passing != nil:
		st.passing(p, m, us, u.state)
	case kind == Double && r.def.EnPassant != EnPassantNone:
		p.leavePassed(q, from, to)
	}
	if p.state.passes != 0 && !p.probing {
		p.keepPassed()
	}
	p.key ^= p.stateKey() ^ r.keys.turn[next]
}

// walk moves a man, which may become another on the way, to an empty cell.
func (p *Position) walk(become Piece, from, to Cell) {
	p.place(0, from)
	p.place(become, to)
}

// admit lets a man from hand in. When the hand is empty the first-move rights that are left have no meaning any more and
// go (seirawan.md, 3).
func (p *Position) admit(s Side, t PieceType, c Cell) {
	p.setHand(s, t, p.hand[s][t]-1)
	p.place(p.rules.Piece(s, t), c)
	if p.inHand[s] == 0 {
		for g := range p.gate[s].All {
			p.key ^= p.dropGate(s, g)
		}
	}
}

// loseRights ends the rights that hang on cells which this move has changed.
func (p *Position) loseRights() {
	r := p.rules
	for _, ch := range p.log.changes[:p.log.changed] {
		if lost := p.rights & p.touch[ch.cell]; lost != 0 {
			p.key ^= p.dropRights(lost)
		}
		if r.gateTypes != nil {
			for s := range Side(r.sides) {
				p.key ^= p.dropGate(s, ch.cell)
			}
		}
	}
}

// leavePassed notes the cells that a first step of several cells has passed: all of them or, with EnPassantOne, one.
func (p *Position) leavePassed(q Piece, from, to Cell) {
	r := p.rules
	via := r.passedBy(q, from, to)
	if r.def.EnPassant != EnPassantPath && len(via) > 1 {
		via = via[:1]
	}
	for _, via := range via {
		if int(p.state.passes) < maxPassed {
			p.state.passed[p.state.passes] = target{cell: via, victim: to}
			p.state.passes++
		}
	}
}

// passedBy returns the cells that the first step of a man has passed.
func (r *Rules) passedBy(q Piece, from, to Cell) []Cell {
	at := int(q)*r.n + int(from)
	list := r.lameList[r.lame[at].at:][:r.lame[at].n]
	for i := range list {
		if l := &list[i]; l.to == to && l.double {
			return l.via[:l.n]
		}
	}
	return nil
}

// keepPassed drops the targets that no legal capture of the side to move uses.
func (p *Position) keepPassed() {
	kept := uint8(0)
	all := p.state
	for _, t := range all.passed[:all.passes] {
		if p.passable(t) {
			p.state.passed[kept] = t
			kept++
		}
	}
	clear(p.state.passed[kept:])
	p.state.passes = kept
}

// passable reports whether the side to move has a legal capture on the target.
func (p *Position) passable(t target) bool {
	r := p.rules
	if f := r.stages.passable; f != nil {
		return f(p, t)
	}
	near := r.passNear[p.turn][t.cell].Intersect(p.men[p.turn])
	for from := range near.All {
		q := p.cell[from]
		if p.cell[t.cell] == 0 && r.passing[int(q)*r.n+int(from)].Has(t.cell) && p.stands(NewMove(EnPassant, from, t.cell, 0, t.victim)) {
			return true
		}
	}
	return false
}

// unmakeStaged takes back what makeStaged did.
func (p *Position) unmakeStaged(u *Undo) {
	r := p.rules
	for i := int(u.log.changed) - 1; i >= 0; i-- {
		ch := u.log.changes[i]
		if now := p.cell[ch.cell]; now != 0 {
			p.lift(now, ch.cell)
		}
		if ch.was != 0 {
			p.put(ch.was, ch.cell)
		}
	}
	for i := int(u.log.handed) - 1; i >= 0; i-- {
		h := u.log.hands[i]
		p.inHand[h.side] += h.was - p.hand[h.side][h.typ]
		p.hand[h.side][h.typ] = h.was
	}
	p.log = record{}
	p.key, p.rights, p.clock, p.turn, p.fullMoves, p.state = u.key, u.rights, u.clock, u.turn, u.fullMoves, u.state
	if r.gateTypes != nil {
		p.gate[0], p.gate[1] = u.gates[0], u.gates[1]
	}
}
