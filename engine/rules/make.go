package rules

import "hoplite/engine/board"

// Make plays m, which must be legal, and fills u for Unmake. With any other move the position is ruined; Play checks.
func (p *Position) Make(m Move, u *Undo) {
	r := p.rules
	if r.stages.on {
		p.makeStaged(m, u)
		return
	}
	k := &r.keys
	us := p.turn & (maxSides - 1)
	them := p.next(us) & (maxSides - 1)
	from, to, kind := m.From(), m.To(), m.Kind()
	q := p.cell[from]
	u.key, u.mover, u.captured = p.key, q, 0
	u.rights, u.passed, u.victim, u.clock = p.rights, p.passed, p.victim, p.clock
	n := r.n
	at := int(q) * n
	key := p.key ^ k.turn[us] ^ k.turn[them] ^ k.pass[p.passed] ^ k.man[at+int(from)]
	p.passed, p.victim = board.Wall, board.Wall
	p.clock++
	if r.codes[q].pawn {
		p.clock = 0
	}
	p.turn = them
	if them == 0 {
		p.fullMoves++
	}
	if lost := p.rights & (p.touch[from] | p.touch[to]); lost != 0 {
		key ^= p.dropRights(lost)
	}
	if r.gateTypes != nil {
		u.gates = [2]board.Set{p.gate[us], p.gate[them]}
		key ^= p.dropGate(us, from) ^ p.dropGate(them, to)
	}
	switch kind {
	case Quiet:
		p.shift(q, from, to)
		key ^= k.man[at+int(to)]
	case Capture:
		victim := p.cell[to]
		u.captured = victim
		p.clock = 0
		p.lift(victim, to)
		p.shift(q, from, to)
		key ^= k.man[at+int(to)] ^ k.man[int(victim)*n+int(to)]
	case Double:
		p.shift(q, from, to)
		key ^= k.man[at+int(to)]
		p.key = key
		p.setPassing(q, from, to)
		return
	default:
		key = p.makeRare(m, u, key)
	}
	p.key = key
}

// KeyAfter guesses the key after m: it is right for plain moves, captures and drops of most games, and serves to bring near
// what is known of the position before it is needed.
func (p *Position) KeyAfter(m Move) uint64 {
	k, n := &p.rules.keys, p.rules.n
	us := p.turn & (maxSides - 1)
	key := p.key ^ k.turn[us] ^ k.turn[p.next(us)&(maxSides-1)] ^ k.pass[p.passed]
	from, to := int(m.From()), int(m.To())
	switch {
	case to >= n:
		return key
	case m.Kind() == Drop:
		t := m.Arg()
		left := p.hand[us][t]
		return key ^ k.man[int(p.rules.Piece(us, t))*n+to] ^ k.inHand(us, t, left) ^ k.inHand(us, t, max(left, 1)-1)
	case from >= n:
		return key
	}
	q := int(p.cell[from])
	key ^= k.man[q*n+from] ^ k.man[q*n+to]
	if v := int(p.cell[to]); v != 0 {
		key ^= k.man[v*n+to]
	}
	return key
}

// makeRare plays the kinds that are not frequent and returns the key. The mover's own number is out of it already.
func (p *Position) makeRare(m Move, u *Undo, key uint64) uint64 {
	r := p.rules
	k := &r.keys
	from, to, q, n := m.From(), m.To(), u.mover, r.n
	us := r.codes[q].side
	take := func(c Cell) {
		u.captured = p.cell[c]
		p.clock = 0
		p.lift(u.captured, c)
		key ^= k.man[int(u.captured)*n+int(c)]
	}
	land := func(q Piece, c Cell) {
		key ^= k.man[int(q)*n+int(c)]
	}
	switch m.Kind() {
	case EnPassant:
		take(m.Second())
		p.shift(q, from, to)
		land(q, to)
	case PromotionCapture, Promotion:
		if m.Kind() == PromotionCapture {
			take(to)
		}
		become := r.Piece(us, m.Arg())
		p.clock = 0
		p.lift(q, from)
		p.put(become, to)
		land(become, to)
	case Gate, GateCapture:
		if m.Kind() == GateCapture {
			take(to)
		}
		p.shift(q, from, to)
		land(q, to)
		key ^= p.enter(us, m.Arg(), from)
	case Castle, CastleGateKing, CastleGateRook:
		rookFrom := m.Second()
		slot := p.slot(us, m)
		rook := p.cell[rookFrom]
		p.lift(q, from)
		p.lift(rook, rookFrom)
		p.put(q, slot.kingTo)
		p.put(rook, slot.rookTo)
		land(q, slot.kingTo)
		land(rook, rookFrom)
		land(rook, slot.rookTo)
		if r.gateTypes != nil {
			key ^= p.dropGate(us, rookFrom)
		}
		switch m.Kind() {
		case CastleGateKing:
			key ^= p.enter(us, m.Arg(), from)
		case CastleGateRook:
			key ^= p.enter(us, m.Arg(), rookFrom)
		}
	}
	return key
}

// slot returns the wing on which side s castles with m: the same men may have two goals.
func (p *Position) slot(s Side, m Move) *castleSlot {
	for i := range p.rules.wings {
		slot := &p.castle[i]
		if p.rules.wings[i].side == s && slot.rook == m.Second() && slot.kingTo == m.To() && slot.key != 0 {
			return slot
		}
	}
	return &p.castle[0]
}

// dropRights takes castling rights away and returns what that changes in the key.
func (p *Position) dropRights(lost uint8) (key uint64) {
	p.rights &^= lost
	for i := range p.rules.wings {
		if lost>>i&1 != 0 {
			key ^= p.castle[i].key
		}
	}
	return key
}

// dropGate takes the first-move right of a cell away and returns what that changes in the key.
func (p *Position) dropGate(s Side, c Cell) uint64 {
	if c == board.Wall || !p.gate[s].Has(c) {
		return 0
	}
	p.gate[s].Remove(c)
	return p.rules.keys.gate[int(s)*p.rules.n+int(c)]
}

// enter puts a man from hand on c and returns what that changes in the key. When the hand is empty the rights that are
// left have no meaning any more and go (seirawan.md, 3).
func (p *Position) enter(s Side, t PieceType, c Cell) uint64 {
	r := p.rules
	q := r.Piece(s, t)
	key := r.keys.man[int(q)*r.n+int(c)] ^ r.keys.inHand(s, t, p.hand[s][t])
	p.hand[s][t]--
	p.inHand[s]--
	key ^= r.keys.inHand(s, t, p.hand[s][t])
	p.put(q, c)
	if p.inHand[s] == 0 {
		for g := range p.gate[s].All {
			key ^= r.keys.gate[int(s)*r.n+int(g)]
		}
		p.gate[s] = board.Set{}
	}
	return key
}

// setPassing notes the cell that a double step has passed, if the side now to move can legally capture there.
func (p *Position) setPassing(q Piece, from, to Cell) {
	r := p.rules
	if r.def.EnPassant == EnPassantNone {
		return
	}
	at := int(q)*r.n + int(from)
	for _, l := range r.lameList[r.lame[at].at:][:r.lame[at].n] {
		if l.to != to || !l.double {
			continue
		}
		via := l.via[0]
		if near := r.passNear[p.turn][via]; !meets(&near, &p.men[p.turn], r.words) {
			return
		}
		p.passed, p.victim = via, to
		if p.canPass() {
			p.key ^= r.keys.pass[via]
		} else {
			p.passed, p.victim = board.Wall, board.Wall
		}
		return
	}
}

// Unmake takes m back, the last move made, with the undo that Make filled.
func (p *Position) Unmake(m Move, u *Undo) {
	r := p.rules
	if r.stages.on {
		p.unmakeStaged(u)
		return
	}
	us := r.codes[u.mover].side & (maxSides - 1)
	if p.turn == 0 {
		p.fullMoves--
	}
	them := p.turn & (maxSides - 1)
	p.turn = us
	from, to := m.From(), m.To()
	switch m.Kind() {
	case Quiet, Double:
		p.shift(u.mover, to, from)
	case Capture:
		p.shift(u.mover, to, from)
		p.put(u.captured, to)
	case EnPassant:
		p.shift(u.mover, to, from)
		p.put(u.captured, m.Second())
	case Promotion, PromotionCapture:
		p.lift(p.cell[to], to)
		p.put(u.mover, from)
		if u.captured != 0 {
			p.put(u.captured, to)
		}
	case Gate, GateCapture:
		p.leave(us, m.Arg(), from)
		p.shift(u.mover, to, from)
		if u.captured != 0 {
			p.put(u.captured, to)
		}
	case Castle, CastleGateKing, CastleGateRook:
		rookFrom := m.Second()
		switch m.Kind() {
		case CastleGateKing:
			p.leave(us, m.Arg(), from)
		case CastleGateRook:
			p.leave(us, m.Arg(), rookFrom)
		}
		slot := p.slot(us, m)
		rook := p.cell[slot.rookTo]
		p.lift(rook, slot.rookTo)
		p.lift(u.mover, slot.kingTo)
		p.put(u.mover, from)
		p.put(rook, rookFrom)
	}
	p.key, p.rights, p.passed, p.victim, p.clock = u.key, u.rights, u.passed, u.victim, u.clock
	if r.gateTypes != nil {
		p.gate[us], p.gate[them] = u.gates[0], u.gates[1]
	}
}

// leave takes a man that entered on c back into the hand.
func (p *Position) leave(s Side, t PieceType, c Cell) {
	p.lift(p.cell[c], c)
	p.hand[s][t]++
	p.inHand[s]++
}

// MakeNull passes the turn, for search. It must not be used in check.
func (p *Position) MakeNull(u *Undo) {
	if p.rules.stages.on {
		p.makeStaged(NewMove(Pass, board.Wall, board.Wall, 0, 0), u)
		return
	}
	k := &p.rules.keys
	u.key, u.passed, u.victim, u.clock = p.key, p.passed, p.victim, p.clock
	them := p.next(p.turn)
	p.key ^= k.turn[p.turn] ^ k.turn[them] ^ k.pass[p.passed]
	p.passed, p.victim = board.Wall, board.Wall
	p.clock++
	p.turn = them
	if them == 0 {
		p.fullMoves++
	}
}

// UnmakeNull takes MakeNull back.
func (p *Position) UnmakeNull(u *Undo) {
	if p.rules.stages.on {
		p.unmakeStaged(u)
		return
	}
	if p.turn == 0 {
		p.fullMoves--
		p.turn = Side(p.rules.sides)
	}
	p.turn--
	p.key, p.passed, p.victim, p.clock = u.key, u.passed, u.victim, u.clock
}
