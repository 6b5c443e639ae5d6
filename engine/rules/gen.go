package rules

import (
	"math/bits"

	"hoplite/engine/board"
)

// field is what generation reads of the board: the mover's enemies and all men.
type field struct{ foe, all board.Set }

func (p *Position) field(f *field) {
	r := p.rules
	us := p.turn & (maxSides - 1)
	for w := 0; w < r.words; w++ {
		var foe uint64
		for _, o := range r.foes[us] {
			foe |= p.men[o&(maxSides-1)][w&3]
		}
		f.foe[w&3] = foe
		f.all[w&3] = foe | p.men[us][w&3]
	}
}

// targets collects where the man q on c may go, castling and capture in passing apart, whatever becomes of its king.
func (p *Position) targets(q Piece, c Cell, f *field, t *board.Set) {
	r := p.rules
	at := int(q)*r.n + int(c)
	l := &r.leaps[at]
	for w := 0; w < r.words; w++ {
		t[w&3] = l.quiet[w&3]&^f.all[w&3] | l.take[w&3]&f.foe[w&3]
	}
	if s := r.rays[at]; s.n == 0 {
		// a leaper
	} else if info := &r.codes[q]; info.straight {
		t[0] |= r.slides(info, c, f.all[0]) & (f.foe[0] | ^f.all[0])
	} else {
		foe := &r.foe[p.turn&(maxSides-1)]
		for _, ray := range r.rayList[s.at : s.at+uint32(s.n)] {
			i := ray.at
			for ; ; i++ {
				to := r.path[i]
				if p.cell[to] != 0 {
					break
				}
				if ray.quiet {
					t.Add(to)
				}
			}
			if to := r.path[i]; ray.take && foe[p.cell[to]] {
				t.Add(to)
			}
		}
	}
	if s := r.lame[at]; s.n != 0 {
		for i := range r.lameList[s.at : s.at+uint32(s.n)] {
			if l := &r.lameList[s.at+uint32(i)]; p.cell[l.to] == 0 && p.wayFree(l) {
				t.Add(l.to)
			}
		}
	}
}

func (p *Position) wayFree(l *lameLeap) bool {
	for _, c := range l.via[:l.n] {
		if p.cell[c] != 0 {
			return false
		}
	}
	return true
}

// double reports whether the quiet move of q from one cell to another leaves a target for capture in passing.
func (r *Rules) double(q Piece, from, to Cell) bool {
	s := r.lame[int(q)*r.n+int(from)]
	for i := range r.lameList[s.at : s.at+uint32(s.n)] {
		if l := &r.lameList[s.at+uint32(i)]; l.to == to && l.double {
			return true
		}
	}
	return false
}

// safe reports whether the mover would not be in check after its man went from one cell to another, became another man
// there and took the man on victim, if one stands there. The board is as before afterwards.
func (p *Position) safe(from, to Cell, become Piece, victim Cell) bool {
	q, v := p.cell[from], p.cell[victim]
	if v != 0 {
		p.lift(v, victim)
	}
	p.lift(q, from)
	p.put(become, to)
	ok := !p.checked(p.turn)
	p.lift(become, to)
	p.put(q, from)
	if v != 0 {
		p.put(v, victim)
	}
	return ok
}

// keepSafe takes out of t the cells on which the lone royal man q, now on c, would be attacked. What it captures there
// plays no part: a man does not attack the cell that it stands on.
func (p *Position) keepSafe(q Piece, c Cell, t *board.Set) {
	us := p.turn
	p.lift(q, c)
	for w := 0; w < p.rules.words; w++ {
		for b := t[w&3]; b != 0; b &= b - 1 {
			if p.threatened(Cell(w<<6|bits.TrailingZeros64(b)), us) {
				t[w&3] &^= b & -b
			}
		}
	}
	p.put(q, c)
}

// allowed reports whether the limit of a promotion and the mechanisms permit one more such man. The promoting man itself
// is of another type.
func (p *Position) allowed(o *promotion) bool {
	may := p.rules.stages.mayPromote
	return (o.limit == 0 || p.count[o.piece] < o.limit) && (may == nil || may(p, o.typ))
}

// Moves appends all legal moves to dst. Their order depends on the position alone. Nothing is allocated if dst has room.
func (p *Position) Moves(dst []Move) []Move {
	if p.rules.stages.on {
		return p.openMoves(dst, allMoves)
	}
	var s scan
	p.look(&s)
	return p.generate(dst, &s, false)
}

// Noisy appends the legal captures and promotions to dst.
func (p *Position) Noisy(dst []Move) []Move {
	if p.rules.stages.on {
		return p.openMoves(dst, noisyMoves)
	}
	var s scan
	p.look(&s)
	return p.generate(dst, &s, true)
}

// MovesByTrial appends the legal moves in the order of Moves, trying each on the board. It is several times slower and
// exists so that tests can compare.
func (p *Position) MovesByTrial(dst []Move) []Move {
	if p.rules.stages.on {
		return p.openMovesByTrial(dst)
	}
	s := scan{check: p.checked(p.turn), suspects: p.men[p.turn]} // neither alone nor answered, so that each is tried
	return p.generate(dst, &s, false)
}

func (p *Position) generate(dst []Move, s *scan, noisy bool) []Move {
	r := p.rules
	us := p.turn & (maxSides - 1)
	var f field
	p.field(&f)
	for w := 0; w < r.words; w++ {
		for b := p.men[us][w&3]; b != 0; b &= b - 1 {
			dst = p.manMoves(dst, Cell(w<<6|bits.TrailingZeros64(b)), s, &f, noisy)
		}
	}
	if p.passed != board.Wall {
		dst = p.passMoves(dst)
	}
	if p.rights != 0 && !s.check && !noisy {
		dst = p.castles(dst)
	}
	return dst
}

// manMoves appends the moves of the man on c.
func (p *Position) manMoves(dst []Move, c Cell, s *scan, f *field, noisy bool) []Move {
	r := p.rules
	q := p.cell[c]
	info := &r.codes[q]
	var t board.Set
	p.targets(q, c, f, &t)
	if noisy {
		for w := 0; w < r.words; w++ {
			keep := f.foe[w&3]
			if info.promotes {
				keep |= info.zone[w&3]
			}
			t[w&3] &= keep
		}
	}
	if s.answered && !info.royal && !info.crowns {
		t = t.Intersect(s.answers)
	}
	suspect := s.suspects.Has(c) || s.answered && info.crowns
	if suspect && info.royal && s.alone {
		p.keepSafe(q, c, &t)
		suspect = false
	}
	lame := r.lame[int(q)*r.n+int(c)].n != 0
	gates := p.gate[p.turn&(maxSides-1)].Has(c)
	for w := 0; w < r.words; w++ {
		for b := t[w&3]; b != 0; b &= b - 1 {
			to := Cell(w<<6 | bits.TrailingZeros64(b))
			if info.promotes && info.zone.Has(to) {
				dst = p.promotions(dst, c, to, info, suspect)
				continue
			}
			if suspect && !p.safe(c, to, q, to) {
				continue
			}
			kind := Quiet
			if p.cell[to] != 0 {
				kind = Capture
			} else if lame && r.double(q, c, to) {
				kind = Double
			}
			dst = append(dst, NewMove(kind, c, to, 0, 0))
			if gates {
				dst = p.gatings(dst, c, to, kind)
			}
		}
	}
	return dst
}

func (p *Position) promotions(dst []Move, from, to Cell, info *code, suspect bool) []Move {
	kind := Promotion
	if p.cell[to] != 0 {
		kind = PromotionCapture
	}
	for i := range info.options {
		o := &info.options[i]
		if p.allowed(o) && (!suspect || p.safe(from, to, o.piece, to)) {
			dst = append(dst, NewMove(kind, from, to, o.typ, 0))
		}
	}
	return dst
}

// gatings appends a legal move once for each type in hand. What enters on the cell left plays no part in legality, since
// the move must be legal without it (seirawan.md, 5).
func (p *Position) gatings(dst []Move, from, to Cell, kind Kind) []Move {
	with := Gate
	if kind == Capture {
		with = GateCapture
	}
	for _, t := range p.rules.gateTypes {
		if p.hand[p.turn&(maxSides-1)][t] != 0 {
			dst = append(dst, NewMove(with, from, to, t, 0))
		}
	}
	return dst
}

// passMoves appends the captures in passing. Two cells become empty at once, so each is tried.
func (p *Position) passMoves(dst []Move) []Move {
	r := p.rules
	us := p.turn & (maxSides - 1)
	for w := 0; w < r.words; w++ {
		for b := r.passNear[us][p.passed][w&3] & p.men[us][w&3]; b != 0; b &= b - 1 {
			if from := Cell(w<<6 | bits.TrailingZeros64(b)); p.mayPass(from, target{p.passed, p.victim}) {
				dst = append(dst, NewMove(EnPassant, from, p.passed, 0, p.victim))
			}
		}
	}
	return dst
}

// mayPass reports whether the man on from can legally capture in passing on a target.
func (p *Position) mayPass(from Cell, t target) bool {
	q := p.cell[from]
	return p.rules.passing[int(q)*p.rules.n+int(from)].Has(t.cell) && p.safe(from, t.cell, q, t.victim)
}

// canPass reports whether the side to move has a legal capture on passed.
func (p *Position) canPass() bool {
	near := p.rules.passNear[p.turn][p.passed].Intersect(p.men[p.turn])
	for from := range near.All {
		if p.mayPass(from, target{p.passed, p.victim}) {
			return true
		}
	}
	return false
}

// castles appends castling. The caller knows that the king is not attacked.
func (p *Position) castles(dst []Move) []Move {
	r := p.rules
	us := p.turn
	for i := range r.wings {
		if p.rights>>i&1 == 0 || r.wings[i].side != us || !p.mayCastle(i) {
			continue
		}
		slot := &p.castle[i]
		dst = append(dst, NewMove(Castle, slot.king, slot.kingTo, 0, slot.rook))
		if p.inHand[us] == 0 {
			continue
		}
		for _, g := range []struct {
			kind Kind
			cell Cell
		}{{CastleGateKing, slot.king}, {CastleGateRook, slot.rook}} {
			if !p.gate[us].Has(g.cell) {
				continue
			}
			for _, t := range r.gateTypes {
				if p.hand[us][t] != 0 {
					dst = append(dst, NewMove(g.kind, slot.king, slot.kingTo, t, slot.rook))
				}
			}
		}
	}
	return dst
}

// mayCastle reports whether the side to move, which has the right and is not in check, may castle on a wing.
func (p *Position) mayCastle(i int) bool {
	r := p.rules
	us := p.turn
	slot := &p.castle[i]
	for s := range p.men {
		if meets(&slot.free, &p.men[s], r.words) {
			return false
		}
	}
	if !p.waySafe(slot, us) {
		return false
	}
	if !slot.tried {
		return true
	}
	king, rook := p.cell[slot.king], p.cell[slot.rook]
	p.lift(king, slot.king)
	p.lift(rook, slot.rook)
	p.put(king, slot.kingTo)
	p.put(rook, slot.rookTo)
	ok := !p.checked(us)
	p.lift(rook, slot.rookTo)
	p.lift(king, slot.kingTo)
	p.put(king, slot.king)
	p.put(rook, slot.rook)
	return ok
}

// waySafe reports whether no cell that the king of side us crosses or reaches in castling is attacked. Where an attack
// need not be a check, the king itself may stand before what is attacked, and steps out of the way; its goal is judged
// after the move, with the rook beside it.
func (p *Position) waySafe(slot *castleSlot, us Side) bool {
	r := p.rules
	if r.stages.haven != nil {
		king := p.cell[slot.king]
		p.lift(king, slot.king)
		way := slot.safe
		way.Remove(slot.kingTo)
		safe := true
		for c := range way.All {
			safe = safe && (!p.threatened(c, us) || r.stages.haven(p, c, us))
		}
		p.put(king, slot.king)
		return safe
	}
	for w := 0; w < r.words; w++ {
		for b := slot.safe[w&3]; b != 0; b &= b - 1 {
			if p.threatened(Cell(w<<6|bits.TrailingZeros64(b)), us) {
				return false
			}
		}
	}
	return true
}

// HasMove reports whether the side to move has a legal move.
func (p *Position) HasMove() bool {
	if st := &p.rules.stages; st.on {
		if !st.tabled || len(st.lawful) != 0 {
			return p.countStaged(anyMove) != 0
		}
		if _, over := p.decided(); over {
			return false
		}
	}
	var s scan
	p.look(&s)
	var f field
	p.field(&f)
	us := p.turn & (maxSides - 1)
	for w := 0; w < p.rules.words; w++ {
		for b := p.men[us][w&3]; b != 0; b &= b - 1 {
			if p.countMan(Cell(w<<6|bits.TrailingZeros64(b)), &s, &f) != 0 {
				return true
			}
		}
	}
	return p.passed != board.Wall || p.state.passes != 0 || !s.check && p.countCastles() != 0
}
