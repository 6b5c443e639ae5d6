package rules

import (
	"fmt"
	"sync"

	"hoplite/engine/board"
)

// UnionRule is the mechanism union: nothing is captured. A man that goes where a single enemy stands unites with him, and
// either side moves a union as its own man in it. A man that goes onto a union takes the place of the own man there, who
// is released and must move on at once. A turn is as many moves as that takes.
type UnionRule struct {
	// Types gives, for the token of each union among the types of men, the tokens of its two men. Written as a man of one
	// side, a union holds the first man for that side and the second for the other. Two royal men form no union.
	Types map[string]string
}

// union is a compiled UnionRule.
type union struct {
	// pair[q] are the types of the men in a union by side, zeros if q is none; code finds the union of two types.
	pair [256][2]PieceType
	code [maxTypes + 1][maxTypes + 1]Piece
	// seen holds lists of keys of positions for searches through chains.
	seen sync.Pool
}

// chain is the place within a turn of several moves.
type chain struct {
	// at is where the released man is, and man who; 0 is nobody.
	at  Cell
	man PieceType
	// begun counts the moves that the turn has had.
	begun uint8
}

// Released returns the man that has been released and must move on, with the cell above which it is.
func (p *Position) Released() (q Piece, c Cell, ok bool) {
	if p.state.chain.man == 0 {
		return 0, 0, false
	}
	return p.rules.Piece(p.turn, p.state.chain.man), p.state.chain.at, true
}

// Union returns the men of the two sides that q is a union of.
func (r *Rules) Union(q Piece) (men [2]Piece, ok bool) {
	if r.union == nil || r.union.pair[q][0] == 0 {
		return men, false
	}
	pair := r.union.pair[q]
	return [2]Piece{r.Piece(0, pair[0]), r.Piece(1, pair[1])}, true
}

// SwapUnion returns the union with the men of the two sides exchanged.
func (r *Rules) SwapUnion(q Piece) Piece {
	if r.union == nil {
		return 0
	}
	return r.union.code[r.union.pair[q][1]][r.union.pair[q][0]]
}

// Unites reports whether men form unions.
func (r *Rules) Unites() bool { return r.union != nil }

// part returns the type of the man of side s that stands on c, alone or in a union, or 0.
func (p *Position) part(c Cell, s Side) PieceType {
	q := p.cell[c]
	if u := p.rules.union; u != nil && u.pair[q][0] != 0 {
		return u.pair[q][s&1]
	}
	if info := &p.rules.codes[q]; info.side == s {
		return info.typ
	}
	return 0
}

// united reports whether a union stands on c.
func (p *Position) united(c Cell) bool { return p.rules.union.pair[p.cell[c]][0] != 0 }

// unite returns the union of a man of side s and one of the other.
func (r *Rules) unite(s Side, own, other PieceType) Piece {
	if s == 0 {
		return r.union.code[own][other]
	}
	return r.union.code[other][own]
}

func (r *Rules) compileUnion() error {
	rule := r.def.Union
	drawn := r.def.EnPassant == EnPassantDrawBack
	if rule == nil {
		if r.def.Royal == RoyalUnite || drawn {
			return fmt.Errorf("there are no unions to form")
		}
		return nil
	}
	if r.def.Royal != RoyalUnite || r.def.EnPassant != EnPassantNone && !drawn {
		return fmt.Errorf("unions with royal rule %q and en passant %q", r.def.Royal, r.def.EnPassant)
	}
	u := &union{}
	u.seen.New = func() any {
		list := make([]uint64, 0, 256)
		return &list
	}
	r.union = u
	for token, men := range rule.Types {
		if err := r.compileUnionType(token, men); err != nil {
			return err
		}
	}
	if err := r.completeUnions(); err != nil {
		return err
	}
	st := r.stage()
	st.mailbox, st.cyclic = true, true
	st.replace = func(p *Position, dst []Move) []Move { return p.unionMoves(dst, true) }
	st.lawful = append(st.lawful, func(p *Position, m Move, _ Side) bool { return m.Kind() != TakeOver || p.completable() })
	st.wary = append(st.wary, func(_ *Position, m Move) verdict {
		if m.Kind() == TakeOver {
			return doubtful
		}
		return harmless
	})
	st.settled = func(p *Position) bool { return p.state.chain.man == 0 }
	st.turn = (*Position).unionTurn
	st.rights = (*Position).unionRights
	st.passing = (*Position).unionPassing
	st.passer = (*Position).unionPasser
	st.passable = (*Position).unionPassable
	st.keys = append(st.keys, func(p *Position) uint64 { return mix(saltChain, uint64(p.state.chain.man)<<8|uint64(p.state.chain.at)) })
	st.abovePart = &fenPart{read: (*Rules).readReleased, write: (*Position).writeReleased}
	st.setup = append(st.setup, (*Rules).setUnions)
	r.unionActs()
	return nil
}

// compileUnionType makes the codes of a type unions.
func (r *Rules) compileUnionType(token, men string) error {
	t, list := r.TypeOf(token), tokens(men)
	if t == 0 || len(list) != 2 || r.TypeOf(list[0]) == 0 || r.TypeOf(list[1]) == 0 {
		return fmt.Errorf("union %s of %q: a type of its own and two others are needed", token, men)
	}
	a, b := r.TypeOf(list[0]), r.TypeOf(list[1])
	for s := range Side(2) {
		if !r.InArmy(s, t) || !r.InArmy(s, a) || !r.InArmy(s, b) {
			return fmt.Errorf("union %s of %q: both sides need all three in their armies", token, men)
		}
		q := r.Piece(s, t)
		info := &r.codes[q]
		*info = code{side: neutral, typ: t}
		for o := range r.foe {
			r.foe[o][q] = false
		}
		r.union.pair[q] = [2]PieceType{a, b}
		if s == 1 {
			r.union.pair[q] = [2]PieceType{b, a}
		}
		if pair := r.union.pair[q]; s == 0 || a != b {
			r.union.code[pair[0]][pair[1]] = q
		}
	}
	return nil
}

// completeUnions asks for a union of every two types that may meet.
func (r *Rules) completeUnions() error {
	single := func(t PieceType) bool { return r.union.pair[r.Piece(0, t)][0] == 0 }
	for a := PieceType(1); int(a) <= r.types; a++ {
		for b := PieceType(1); int(b) <= r.types; b++ {
			both := r.PieceInfo(a).Royal && r.PieceInfo(b).Royal
			if single(a) && single(b) && !both && r.union.code[a][b] == 0 {
				return fmt.Errorf("no union of %s and %s", r.PieceInfo(a).Letter, r.PieceInfo(b).Letter)
			}
		}
	}
	return nil
}

// canonical returns the one code that stands for a union, whichever way it is written.
func (r *Rules) canonical(q Piece) Piece {
	if r.union == nil || r.union.pair[q][0] == 0 {
		return q
	}
	return r.union.code[r.union.pair[q][0]][r.union.pair[q][1]]
}

// unionTurn lets the side go on while a man is released, and after a promotion at the start of its turn.
func (p *Position) unionTurn(m Move) Side {
	c := &p.state.chain
	if c.begun > 0 && p.clock > 0 {
		p.clock-- // the clock counts turns
	}
	if m.Kind() != Pass && (c.man != 0 || m.Kind() == Gift) {
		c.begun = min(c.begun, 254) + 1
		return p.turn
	}
	*c = chain{}
	return p.next(p.turn)
}

// unionRights ends the rights of men that have left their cells: by a move, carried by the other side, or replaced.
func (p *Position) unionRights(m Move) {
	for i := range p.rules.wings {
		w, slot := &p.rules.wings[i], &p.castle[i]
		if p.rights>>i&1 == 0 {
			continue
		}
		replaced := m.Kind() == TakeOver && w.side == p.turn && m.To() == slot.rook
		if replaced || p.cell[slot.king] != w.king || p.part(slot.rook, w.side) != p.rules.codes[w.rook].typ {
			p.key ^= p.dropRights(1 << i)
		}
	}
}

// readReleased reads what follows the board: the released man and the cell above which it is.
func (r *Rules) readReleased(s *Setup, text string) error {
	c, rest, ok := r.cutCell(text)
	if !ok {
		return badFEN("released man", "no cell in %q", text)
	}
	q, length, err := r.readMan(rest, "released man")
	if err != nil {
		return err
	}
	if length != len(rest) {
		return badFEN("released man", "%q is more than one man", rest)
	}
	s.state.chain = chain{at: c, man: r.Type(q), begun: 1}
	s.released = q
	return nil
}

func (p *Position) writeReleased() string {
	q, c, ok := p.Released()
	if !ok {
		return ""
	}
	return "^" + p.rules.board.CellName(c) + p.rules.token(q)
}

// setUnions checks what is peculiar to positions with unions.
func (r *Rules) setUnions(p *Position, s *Setup, e *SetupError) {
	for side := range Side(r.sides) {
		kings := 0
		for c := range Cell(r.n) {
			t := p.part(c, side)
			if t == 0 {
				continue
			}
			kings += btoi(r.PieceInfo(t).Royal)
			if zone := &r.codes[r.Piece(side, t)].zone; p.united(c) && zone.Has(c) && side != p.turn {
				e.add("board", "%s %s on %s has not been promoted", r.sideName(side), r.name(r.Piece(side, t)), r.board.CellName(c))
			}
		}
		if kings != 1 {
			e.add("board", "%s: %d kings instead of 1", r.sideName(side), kings)
		}
	}
	at := &p.state.chain
	if at.man == 0 || len(e.Reasons) != 0 {
		return
	}
	own := r.Piece(p.turn, at.man)
	switch name := r.board.CellName(at.at); {
	case s.released != 0 && s.released != own || r.PieceInfo(at.man).Royal || r.union.pair[own][0] != 0:
		e.add("released man", "no such man of %s is released above %s", r.sideName(p.turn), name)
	case !p.united(at.at) || r.codes[own].zone.Has(at.at) || r.PieceInfo(p.part(at.at, p.turn)).Royal:
		e.add("released man", "no man has been released above %s", name)
	case !p.completable():
		e.add("released man", "the man above %s cannot move on", name)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// unionPasser finds the man or union of side s whose man has just passed c.
func (p *Position) unionPasser(c Cell, s Side) (target, bool) {
	r := p.rules
	for from := range Cell(r.n) {
		for t := PieceType(1); int(t) <= r.types && p.cell[from] == 0; t++ {
			at := int(r.Piece(s, t))*r.n + int(from)
			for _, l := range r.lameList[r.lame[at].at:][:r.lame[at].n] {
				if l.double && l.via[0] == c && p.part(l.to, s) == t && p.wayFree(&l) {
					return target{cell: c, victim: l.to}, true
				}
			}
		}
	}
	return target{}, false
}

// unionPassing keeps the target of a double step, and that of the last turn while this one goes on without using it.
func (p *Position) unionPassing(m Move, us Side, before state) {
	r := p.rules
	if p.turn == us {
		if (m.Kind() == Unite || m.Kind() == TakeOver) && m.Second() != board.Wall {
			return
		}
		p.state.passed, p.state.passes = before.passed, before.passes
		return
	}
	t := before.chain.man
	if t == 0 && p.log.mover != 0 && m.Kind() != Pass {
		t = r.codes[p.log.mover].typ
		if pair := r.union.pair[p.log.mover]; pair[0] != 0 {
			t = pair[us&1]
		}
	}
	if r.def.EnPassant == EnPassantNone || t == 0 {
		return
	}
	if via := r.passedBy(r.Piece(us, t), m.From(), m.To()); via != nil && (m.Kind() == Quiet || m.Kind() == Double || m.Kind() == Settle) {
		p.state.passed[0], p.state.passes = target{cell: via[0], victim: m.To()}, 1
	}
}
