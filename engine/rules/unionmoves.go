package rules

import "hoplite/engine/board"

// unionActs are the kinds of move of games with unions, apart from plain moves and castling. Second is where the man or
// union stands that is drawn back before it is met, or the wall.
func (r *Rules) unionActs() {
	st := &r.stages
	released := func(p *Position) bool { return p.state.chain.man != 0 }
	text := func(p *Position, m Move) string {
		text := r.board.CellName(m.To())
		if !released(p) {
			text = r.board.CellName(m.From()) + text
		}
		if m.Arg() != 0 && m.Kind() == TakeOver {
			text += "="
		}
		return text + r.promotionLetter(m.Arg())
	}
	path := func(p *Position, m Move) []Step {
		if released(p) {
			return []Step{{Cell: m.To()}}
		}
		return []Step{{Cell: m.From()}, {Cell: m.To()}}
	}
	san := func(p *Position, m Move) string {
		if !released(p) {
			return ""
		}
		text := ">"
		if info := r.PieceInfo(p.state.chain.man); !info.Pawn {
			text += info.Letter
		}
		if m.Kind() != Settle {
			text += "x"
		}
		text += r.board.CellName(m.To())
		if m.Arg() != 0 {
			text += "=" + r.PieceInfo(m.Arg()).Letter
		}
		return text
	}
	st.acts[Settle] = &act{play: (*Position).playSettle, text: text, path: path, san: san}
	st.acts[Unite] = &act{play: (*Position).playUnite, text: text, path: path, san: san,
		captured: func(p *Position, m Move) Piece {
			if q := p.cell[m.To()]; r.codes[q].royal {
				return q // who unites with the king has won
			}
			return 0
		}}
	st.acts[TakeOver] = &act{play: (*Position).playTakeOver, text: text, path: path, san: san}
	st.acts[Gift] = &act{
		play: func(p *Position, m Move) {
			p.clock = 0
			p.place(r.unite(p.turn, m.Arg(), p.part(m.From(), 1-p.turn)), m.From())
		},
		text:     func(_ *Position, m Move) string { return "=" + r.promotionLetter(m.Arg()) },
		san:      func(_ *Position, m Move) string { return "=" + r.PieceInfo(m.Arg()).Letter },
		path:     func(_ *Position, m Move) []Step { return []Step{{Cell: m.From()}} },
		promotes: true,
	}
}

// promotionLetter is how move strings name what a man becomes.
func (r *Rules) promotionLetter(t PieceType) string {
	if t == 0 {
		return ""
	}
	return r.token(r.Piece(1, t))
}

// depart takes the man that moves off its cell, or out of the hand, and returns what it arrives as.
func (p *Position) depart(m Move) PieceType {
	us := p.turn
	t := p.state.chain.man
	if t == 0 {
		t = p.part(m.From(), us)
		p.place(0, m.From())
	}
	p.state.chain.man, p.state.chain.at = 0, 0
	if m.Arg() != 0 {
		p.clock = 0
		return m.Arg()
	}
	return t
}

// playSettle plays a move to an empty cell by a released man, or one that promotes a man in a union.
func (p *Position) playSettle(m Move) {
	r, us := p.rules, p.turn
	if p.state.chain.man == 0 && p.united(m.From()) {
		other := p.part(m.From(), 1-us)
		p.place(r.unite(us, p.depart(m), other), m.To())
		return
	}
	p.place(r.Piece(us, p.depart(m)), m.To())
}

// drawBack brings who is met where it is met: the man or union on Second goes back to To.
func (p *Position) drawBack(m Move) {
	if m.Second() != board.Wall {
		p.walk(p.cell[m.Second()], m.Second(), m.To())
	}
}

func (p *Position) playUnite(m Move) {
	p.drawBack(m)
	other := p.part(m.To(), 1-p.turn)
	t := p.depart(m)
	p.clock = 0
	p.place(p.rules.unite(p.turn, t, other), m.To())
}

func (p *Position) playTakeOver(m Move) {
	p.drawBack(m)
	own, other := p.part(m.To(), p.turn), p.part(m.To(), 1-p.turn)
	t := p.depart(m)
	p.place(p.rules.unite(p.turn, t, other), m.To())
	p.state.chain.man, p.state.chain.at = own, m.To()
}

// unionMoves appends the pseudo-legal moves of a game with unions: those of the released man, or the promotion of a man
// that the other side has carried to its last row, or all.
func (p *Position) unionMoves(dst []Move, castling bool) []Move {
	us := p.turn
	if c := &p.state.chain; c.man != 0 {
		return p.metMoves(p.freeMoves(dst, c.man, c.at), c.man, c.at)
	}
	if c, t := p.gift(); t != 0 {
		info := &p.rules.codes[p.rules.Piece(us, t)]
		for i := range info.options {
			dst = append(dst, NewMove(Gift, c, c, info.options[i].typ, 0))
		}
		return dst
	}
	for c := range p.men[us].Union(p.men[neutral]).All {
		t := p.part(c, us)
		dst = p.freeMoves(dst, t, c)
		if !p.united(c) && !p.rules.codes[p.cell[c]].royal {
			dst = p.metMoves(dst, t, c)
		}
	}
	if castling && p.rights != 0 {
		dst = p.unionCastles(dst)
	}
	return dst
}

// gift finds a man of the side to move in a union on its last row.
func (p *Position) gift() (Cell, PieceType) {
	for c := range p.men[neutral].All {
		if t := p.part(c, p.turn); t != 0 {
			if info := &p.rules.codes[p.rules.Piece(p.turn, t)]; info.promotes && info.zone.Has(c) {
				return c, t
			}
		}
	}
	return 0, 0
}

// freeMoves appends the moves of a man of type t on c, or released above it, to empty cells.
func (p *Position) freeMoves(dst []Move, t PieceType, c Cell) []Move {
	r := p.rules
	q := r.Piece(p.turn, t)
	info := &r.codes[q]
	plain := p.state.chain.man == 0
	var f field
	p.field(&f)
	f.foe = board.Set{}
	for w := range f.all {
		f.all[w] |= p.men[neutral][w]
	}
	var cells board.Set
	p.targets(q, c, &f, &cells)
	for to := range cells.Intersect(p.emptyCells(&f)).All {
		if info.promotes && info.zone.Has(to) {
			kind := Settle
			if plain && !p.united(c) {
				kind = Promotion
			}
			for i := range info.options {
				dst = append(dst, NewMove(kind, c, to, info.options[i].typ, 0))
			}
			continue
		}
		kind := Quiet
		switch {
		case !plain:
			kind = Settle
		case r.double(q, c, to):
			kind = Double
		}
		dst = append(dst, NewMove(kind, c, to, 0, 0))
	}
	return dst
}

func (p *Position) emptyCells(f *field) (cells board.Set) {
	for c := range Cell(p.rules.n) {
		if !f.all.Has(c) {
			cells.Add(c)
		}
	}
	return cells
}

// metMoves appends the moves of a man of type t on c, or released above it, onto single enemies and unions.
func (p *Position) metMoves(dst []Move, t PieceType, c Cell) []Move {
	r := p.rules
	q := r.Piece(p.turn, t)
	for to := range p.onto(q, c).All {
		switch {
		case p.cell[to] == 0 || p.friendOf(to, p.turn):
		case p.united(to):
			dst = p.meet(dst, TakeOver, c, to, q, board.Wall)
		default:
			dst = p.meet(dst, Unite, c, to, q, board.Wall)
		}
	}
	for _, t := range p.state.passed[:p.state.passes] {
		if p.cell[t.cell] != 0 || !r.passing[int(q)*r.n+int(c)].Has(t.cell) {
			continue
		}
		kind := Unite
		if p.united(t.victim) {
			kind = TakeOver
		}
		dst = p.meet(dst, kind, c, t.cell, q, t.victim)
	}
	return dst
}

// meet appends a move onto others, one for each type that the man becomes.
func (p *Position) meet(dst []Move, kind Kind, from, to Cell, q Piece, second Cell) []Move {
	info := &p.rules.codes[q]
	if !info.promotes || !info.zone.Has(to) {
		return append(dst, NewMove(kind, from, to, 0, second))
	}
	for i := range info.options {
		dst = append(dst, NewMove(kind, from, to, info.options[i].typ, second))
	}
	return dst
}

// onto returns the cells onto which the man q on c, or released above it, could go in the way it captures.
func (p *Position) onto(q Piece, c Cell) board.Set {
	r := p.rules
	at := int(q)*r.n + int(c)
	t := r.leaps[at].take
	for _, ray := range r.rayList[r.rays[at].at:][:r.rays[at].n] {
		if !ray.take {
			continue
		}
		i := ray.at
		for p.cell[r.path[i]] == 0 {
			t.Add(r.path[i])
			i++
		}
		if to := r.path[i]; to != board.Wall {
			t.Add(to)
		}
	}
	return t
}

// unionCastles appends castling: through cells that no enemy could come onto, be it by a chain.
func (p *Position) unionCastles(dst []Move) []Move {
	for i := range p.rules.wings {
		if p.rights>>i&1 == 0 || p.rules.wings[i].side != p.turn {
			continue
		}
		slot := &p.castle[i]
		free := true
		for s := range p.men {
			free = free && !meets(&slot.free, &p.men[s], p.rules.words)
		}
		cells := slot.safe
		cells.Add(slot.king)
		if free && !p.chainStrikes(&cells) {
			dst = append(dst, NewMove(Castle, slot.king, slot.kingTo, 0, slot.rook))
		}
	}
	return dst
}
