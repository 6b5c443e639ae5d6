package rules

import (
	"math/bits"
	"slices"

	"hoplite/engine/board"
)

// wish says which moves generation is asked for.
type wish uint8

const (
	allMoves wish = iota
	noisyMoves
	anyMove // one is enough
)

// openMoves appends the legal moves of a staged game, which is none once the game is over by a rule that needs no count of
// moves.
func (p *Position) openMoves(dst []Move, want wish) []Move {
	if _, over := p.decided(); over {
		return dst
	}
	return p.stagedMoves(dst, want)
}

// openMovesByTrial is openMoves with each pseudo-legal move tried.
func (p *Position) openMovesByTrial(dst []Move) []Move {
	if _, over := p.decided(); over {
		return dst
	}
	return p.generateStaged(dst, allMoves, true)
}

// stagedMoves appends the legal moves of a staged game, whether or not the game is over: pseudo-legal moves from the
// tables and the mechanisms, those that may break a rule tried on the board.
func (p *Position) stagedMoves(dst []Move, want wish) []Move {
	if p.rules.stages.tabled && want != anyMove {
		return p.tabledMoves(dst, want == noisyMoves)
	}
	return p.generateStaged(dst, want, p.tried())
}

// tried reports whether each move must be tried, because looking outward from the royal men is not enough.
func (p *Position) tried() bool {
	st := &p.rules.stages
	return st.tried || st.doubt != nil && st.doubt(p)
}

// generateStaged is stagedMoves; tried asks for each move to be tried.
func (p *Position) generateStaged(dst []Move, want wish, tried bool) []Move {
	st := &p.rules.stages
	start := len(dst)
	if st.replace != nil {
		dst = st.replace(p, dst)
	} else {
		dst = p.pseudo(dst)
	}
	for _, source := range st.sources {
		dst = source(p, dst)
	}
	var s scan
	if !tried && !st.fearless {
		p.look(&s)
	}
	from := start
	if st.expand != nil {
		from = len(dst)
		for _, m := range dst[start:from] {
			dst = st.expand(p, dst, m)
		}
	}
	kept := start
	for i := from; i < len(dst); i++ {
		m := dst[i]
		if want == noisyMoves && !p.IsCapture(m) && !p.IsPromotion(m) || p.banned(m) || !p.passes(m, s, tried) {
			continue
		}
		dst[kept] = m
		kept++
		if want == anyMove {
			break
		}
	}
	dst = dst[:kept]
	if want != anyMove {
		dst = p.chosen(dst, start)
	}
	return dst
}

// chosen leaves out of the legal moves from start on those that other moves forbid.
func (p *Position) chosen(dst []Move, start int) []Move {
	for _, choose := range p.rules.stages.choose {
		dst = dst[:start+len(choose(p, dst[start:]))]
	}
	return dst
}

// banned reports whether a mechanism takes a pseudo-legal move away.
func (p *Position) banned(m Move) bool {
	for _, ban := range p.rules.stages.bans {
		if ban(p, m) {
			return true
		}
	}
	return false
}

// passes reports whether a pseudo-legal move is legal.
func (p *Position) passes(m Move, s scan, tried bool) bool {
	if !tried {
		known := p.rules.stages.judge
		if known == nil {
			known = (*Position).suspicion
		}
		switch known(p, m, s) {
		case refused:
			return false
		case harmless:
			if known := p.foresee(m); known != doubtful {
				return known == harmless
			}
		}
	}
	return p.stands(m)
}

// foresee says what the tests of the position after m will say, which leaves the mover safe.
func (p *Position) foresee(m Move) verdict {
	st := &p.rules.stages
	if len(st.wary) < len(st.lawful) {
		return doubtful
	}
	for _, f := range st.wary {
		if known := f(p, m); known != harmless {
			return known
		}
	}
	return harmless
}

// countStaged returns the number of legal moves, at most one if any is enough.
func (p *Position) countStaged(want wish) int {
	list := p.rules.stages.scratch.Get().(*[]Move)
	moves := p.openMoves((*list)[:0], want)
	*list = moves
	p.rules.stages.scratch.Put(list)
	return len(moves)
}

// legalStaged reports whether m is one of Moves.
func (p *Position) legalStaged(m Move) bool {
	list := p.rules.stages.scratch.Get().(*[]Move)
	moves := p.openMoves((*list)[:0], allMoves)
	legal := slices.Contains(moves, m)
	*list = moves
	p.rules.stages.scratch.Put(list)
	return legal
}

// verdict is what the scan knows about a move.
type verdict uint8

const (
	doubtful verdict = iota // must be tried
	harmless                // cannot leave the mover in check
	refused                 // surely leaves the mover in check
)

func (p *Position) suspicion(m Move, s scan) verdict {
	switch kind := m.Kind(); kind {
	case Quiet, Capture, Double, Promotion, PromotionCapture, Gate, GateCapture:
		info := &p.rules.codes[p.cell[m.From()]]
		if s.answered && !info.royal && !info.crowns && !s.answers.Has(m.To()) {
			return refused
		}
		if s.suspects.Has(m.From()) || s.between.Has(m.To()) || s.check && !s.answered || info.crowns {
			return doubtful
		}
		for _, doubt := range p.rules.stages.doubts {
			if doubt(p, m) {
				return doubtful
			}
		}
		return harmless
	case Exchange: // the man given back may end a check
		if !s.check {
			return harmless
		}
	case Drop:
		switch {
		case p.rules.PieceInfo(m.Arg()).Royal || s.between.Has(m.To()):
			return doubtful
		case s.answered && !s.answers.Has(m.To()):
			return refused
		case s.answered || !s.check:
			return harmless
		}
	}
	return doubtful
}

// stands tries a pseudo-legal move and reports whether it is legal.
func (p *Position) stands(m Move) bool {
	st := &p.rules.stages
	us := p.turn
	probing := p.probing
	p.probing = true
	var u Undo
	p.Make(m, &u)
	ok := !p.checked(us)
	for _, test := range st.lawful {
		ok = ok && test(p, m, us)
	}
	p.Unmake(m, &u)
	p.probing = probing
	return ok
}

// pseudo appends the pseudo-legal moves that the tables know, captures in passing and castling with them.
func (p *Position) pseudo(dst []Move) []Move {
	r := p.rules
	us := p.turn & (maxSides - 1)
	var f field
	p.field(&f)
	for w := 0; w < r.words; w++ {
		f.all[w&3] |= p.men[neutral][w&3]
		for b := p.men[us][w&3]; b != 0; b &= b - 1 {
			dst = p.pseudoMan(dst, Cell(w<<6|bits.TrailingZeros64(b)), &f)
		}
	}
	for _, t := range p.state.passed[:p.state.passes] {
		for from := range r.passNear[us][t.cell].Intersect(p.men[us]).All {
			if q := p.cell[from]; r.passing[int(q)*r.n+int(from)].Has(t.cell) {
				dst = append(dst, NewMove(EnPassant, from, t.cell, 0, t.victim))
			}
		}
	}
	if p.rights != 0 && !p.checked(us) {
		dst = p.castles(dst)
	}
	return dst
}

// reach is targets with the walks of the man.
func (p *Position) reach(q Piece, c Cell, f *field, t *board.Set) {
	p.targets(q, c, f, t)
	if p.rules.walks != nil {
		p.walkTargets(q, c, t)
	}
}

// pseudoMan appends the pseudo-legal moves of the man on c.
func (p *Position) pseudoMan(dst []Move, c Cell, f *field) []Move {
	r := p.rules
	q := p.cell[c]
	info := &r.codes[q]
	var t board.Set
	p.reach(q, c, f, &t)
	lame := r.lame[int(q)*r.n+int(c)].n != 0
	gates := p.gate[p.turn&(maxSides-1)].Has(c)
	for w := 0; w < r.words; w++ {
		for b := t[w&3]; b != 0; b &= b - 1 {
			to := Cell(w<<6 | bits.TrailingZeros64(b))
			if info.promotes && info.promotesAt(c, to, p.cell[to] != 0) {
				dst = p.promotions(dst, c, to, info, false)
				if !info.declines || info.must.Has(to) {
					continue
				}
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

// promotesAt reports whether a man may promote with a move from one cell to another.
func (info *code) promotesAt(from, to Cell, taking bool) bool {
	if !info.deferred {
		return info.zone.Has(to) || info.leaves && info.zone.Has(from)
	}
	if info.zone.Has(from) {
		return taking || info.again.Has(to)
	}
	return info.zone.Has(to)
}
