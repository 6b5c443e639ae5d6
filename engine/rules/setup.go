package rules

import (
	"fmt"
	"slices"
	"strings"

	"hoplite/engine/board"
)

// Setup is anything that a position text can say, playable or not. Rules.Position makes it a Position.
type Setup struct {
	// Cells holds the man on each cell.
	Cells []Piece
	// Hands counts the men in hand by side and type; nil means none.
	Hands [][]int
	// Prisons counts the enemy men that each side holds by side and type; nil means none.
	Prisons [][]int
	Turn    Side
	// Castling lists the rights left.
	Castling []CastlingRight
	// Gates are the cells, by side, whose men have not moved yet; nil means none.
	Gates []board.Set
	// Passed is the cell that the last move's double step passed over, or board.Wall.
	Passed Cell
	// Swaps are the sides that may still exchange their royal man (SwapRule); nil means none.
	Swaps []bool
	// Clock counts the plies without progress.
	Clock int
	// FullMoves is the number of the turn, from 1.
	FullMoves int

	state    state // of staged games
	released Piece // the man in state.chain as the text names it
}

// CastlingRight is the right to castle on a wing with the man on Rook. Wing counts in CastlingRule.Wings.
type CastlingRight struct {
	Wing int
	Rook Cell
}

func (s *Setup) clone() Setup {
	c := *s
	c.Cells = slices.Clone(s.Cells)
	c.Castling = slices.Clone(s.Castling)
	c.Gates = slices.Clone(s.Gates)
	c.Swaps = slices.Clone(s.Swaps)
	c.Hands = slices.Clone(s.Hands)
	for i := range c.Hands {
		c.Hands[i] = slices.Clone(c.Hands[i])
	}
	c.Prisons = slices.Clone(s.Prisons)
	for i := range c.Prisons {
		c.Prisons[i] = slices.Clone(c.Prisons[i])
	}
	return c
}

// SetupReason is one thing that keeps a setup from being playable.
type SetupReason struct {
	// Field is the field of the position text at fault: board, hand, side, castling, en passant.
	Field string
	Text  string
}

// SetupError lists every reason why a setup is not playable.
type SetupError struct{ Reasons []SetupReason }

func (e *SetupError) Error() string {
	texts := make([]string, len(e.Reasons))
	for i, r := range e.Reasons {
		texts[i] = r.Field + ": " + r.Text
	}
	return "impossible position: " + strings.Join(texts, "; ")
}

func (e *SetupError) add(field, format string, args ...any) {
	e.Reasons = append(e.Reasons, SetupReason{Field: field, Text: fmt.Sprintf(format, args...)})
}

// Position checks a setup and makes it playable. It fails with *SetupError, which lists all reasons. An en passant
// target that no legal capture uses is dropped, and so are first-move rights of a side with an empty hand.
func (r *Rules) Position(s Setup) (*Position, error) {
	var e SetupError
	if len(s.Cells) != r.n {
		e.add("board", "%d cells instead of %d", len(s.Cells), r.n)
		return nil, &e
	}
	if int(s.Turn) >= r.sides {
		e.add("side", "no side %d", s.Turn)
		return nil, &e
	}
	p := &Position{rules: r, turn: s.Turn, passed: board.Wall, victim: board.Wall,
		clock: uint16(min(max(s.Clock, 0), maxClock)), fullMoves: uint32(max(s.FullMoves, 1))}
	for i := range p.cell {
		p.cell[i] = wallPiece
	}
	clear(p.cell[:r.n])
	for i, q := range s.Cells {
		if q == 0 {
			continue
		}
		c := Cell(i)
		t := r.Type(q)
		if t == 0 {
			e.add("board", "an unknown man on %s", r.board.CellName(c))
			continue
		}
		if r.codes[q].barred.Has(c) {
			e.add("board", "%s %s on %s", r.sideName(r.Side(q)), r.name(q), r.board.CellName(c))
		}
		p.put(q, c)
	}
	passed := s.state.passed
	passes := s.state.passes
	p.state = s.state
	p.state.passed, p.state.passes = [maxPassed]target{}, 0
	r.setPrisons(p, &s, &e) // what is attacked may depend on them
	r.setHands(p, &s, &e)
	r.checkRoyals(p, &e)
	r.setCastling(p, &s, &e)
	r.setGates(p, &s, &e)
	p.state.swaps = 0
	for side, may := range s.Swaps {
		if may && r.swapper == 0 {
			e.add("exchange", "a right of exchange in a game without it")
		} else if may {
			p.state.swaps |= 1 << side
		}
	}
	for _, check := range r.stages.setup {
		check(r, p, &s, &e)
	}
	if len(e.Reasons) == 0 {
		r.setPassed(p, &s, &e)
		for _, t := range passed[:passes] {
			s.Passed = t.cell
			r.setPassed(p, &s, &e)
		}
	}
	if len(e.Reasons) != 0 {
		return nil, &e
	}
	p.key = p.computeKey()
	return p, nil
}

// maxClock bounds the counter of plies without progress, far above any rule's limit.
const maxClock = 9999

func (r *Rules) sideName(s Side) string { return r.def.Sides[s].Name }

// name returns the name of a man as texts use it.
func (r *Rules) name(q Piece) string { return strings.ToLower(r.PieceInfo(r.Type(q)).Name) }

func (r *Rules) checkRoyals(p *Position, e *SetupError) {
	for s := range Side(r.sides) {
		most := max(r.def.Sides[s].Royals, 1)
		least := r.leastRoyals(s)
		n := p.royals[s].Count()
		for _, t := range r.handTypes {
			if r.PieceInfo(t).Royal { // before it is set up
				n += int(p.hand[s][t])
			}
		}
		switch {
		case n < least:
			e.add("board", "%s: no king", r.sideName(s))
		case n > most:
			e.add("board", "%s: %d kings, at most %d", r.sideName(s), n, most)
		}
	}
	if r.mayLoseRoyals() && !slices.ContainsFunc(p.royals[:r.sides], func(s board.Set) bool { return !s.Empty() }) {
		e.add("board", "no king on either side")
	}
	if len(e.Reasons) != 0 {
		return
	}
	for s := range Side(r.sides) {
		if s != p.turn && p.exposed(s) {
			e.add("side", "the side not to move (%s) is in check", r.sideName(s))
		}
	}
}

func (r *Rules) setHands(p *Position, s *Setup, e *SetupError) {
	for side, hand := range s.Hands {
		for t, n := range hand {
			if n == 0 {
				continue
			}
			t := PieceType(t)
			switch {
			case side >= r.sides || !slices.Contains(r.handTypes, t):
				e.add("hand", "a man in hand that this game has not")
			case n < 0 || n > maxHand:
				e.add("hand", "%d men of one type", n)
			default:
				p.hand[side][t] = uint8(n)
				p.inHand[side] += uint8(n)
			}
		}
	}
}

func (r *Rules) setCastling(p *Position, s *Setup, e *SetupError) {
	for _, right := range s.Castling {
		if right.Wing < 0 || right.Wing >= len(r.wings) {
			e.add("castling", "no such right")
			continue
		}
		w := &r.wings[right.Wing]
		if p.rights>>right.Wing&1 != 0 {
			e.add("castling", "%s may castle with one man only on each wing", r.sideName(w.side))
			continue
		}
		king := p.royals[w.side].First()
		if !r.def.Castling.Files {
			if p.cell[w.kingFrom] != w.king || p.part(w.rookFrom, w.side) != r.codes[w.rook].typ {
				e.add("castling", "%s may not castle with %s: king or rook is not on its first square", r.sideName(w.side),
					w.def.SAN)
				continue
			}
			king = w.kingFrom
		} else if king == board.Wall || !r.homeRow[w.side].Has(king) || right.Rook == board.Wall ||
			p.cell[right.Rook] != w.rook || !slices.Contains(r.board.Ray(king, r.towards(w), 0), right.Rook) {
			e.add("castling", "%s may not castle with %s: king or rook is not on its first square", r.sideName(w.side), w.def.SAN)
			continue
		}
		p.addRight(right.Wing, king, right.Rook)
	}
}

// addRight notes that the men on king and rook may castle.
func (p *Position) addRight(i int, king, rook Cell) {
	r := p.rules
	w := &r.wings[i]
	slot := castleSlot{king: king, rook: rook, kingTo: w.kingTo, rookTo: w.rookTo, key: r.keys.right[i*r.n+int(rook)]}
	way := func(from, to Cell) (cells board.Set) {
		between, _ := r.board.Between(from, to)
		cells = board.SetOf(between...)
		cells.Add(to)
		return cells
	}
	men := board.SetOf(king, rook)
	slot.free = way(king, w.kingTo).Union(way(rook, w.rookTo)).Without(men)
	slot.safe = way(king, w.kingTo)
	slot.safe.Remove(king)
	if r.def.Castling.Unsafe {
		slot.safe = board.Set{}
	}
	slot.tried = len(r.board.Ray(rook, r.towards(w), 0)) != 0
	p.castle[i] = slot
	bit := uint8(1) << i
	p.rights |= bit
	p.touch[king] |= bit
	p.touch[rook] |= bit
}

func (r *Rules) setGates(p *Position, s *Setup, e *SetupError) {
	for side, gates := range s.Gates {
		if gates.Empty() {
			continue
		}
		if side >= r.sides || r.gateTypes == nil {
			e.add("castling", "first-move rights in a game without them")
			continue
		}
		for c := range gates.All {
			q := p.cell[c]
			if !r.gateRow[side].Has(c) || q == 0 || q == wallPiece || r.Side(q) != Side(side) || r.codes[q].pawn {
				e.add("castling", "no unmoved man of %s on %s", r.sideName(Side(side)), r.board.CellName(c))
			}
		}
		if p.inHand[side] != 0 {
			p.gate[side] = gates
		}
	}
}

// setPassed checks the en passant target: it must be the cell that an enemy man has passed in its last move.
func (r *Rules) setPassed(p *Position, s *Setup, e *SetupError) {
	if s.Passed == board.Wall {
		return
	}
	if r.def.EnPassant == EnPassantNone {
		e.add("en passant", "this game has no en passant")
		return
	}
	for _, o := range r.foes[p.turn] {
		t, ok := target{}, false
		if passer := r.stages.passer; passer != nil {
			t, ok = passer(p, s.Passed, o)
		} else {
			t, ok = p.passerOf(s.Passed, o, false)
		}
		if ok {
			p.notePassed(t)
			return
		}
	}
	e.add("en passant", "no man has just passed %s", r.board.CellName(s.Passed))
}

// passerOf finds the man of side s that a first step has just taken past c. Within a turn of several moves others may
// stand meanwhile where the man came from or on its way.
func (p *Position) passerOf(c Cell, s Side, within bool) (target, bool) {
	r := p.rules
	for from := range Cell(r.n) {
		if q := p.cell[from]; q != 0 && q != r.blocker && !within { // a blocker may have been put there since
			continue
		}
		for t := PieceType(1); int(t) <= r.types; t++ {
			q := r.Piece(s, t)
			at := int(q)*r.n + int(from)
			for _, l := range r.lameList[r.lame[at].at:][:r.lame[at].n] {
				if l.double && slices.Contains(l.via[:l.n], c) && p.cell[l.to] == q && (within || p.wayFree(&l)) {
					return target{cell: c, victim: l.to}, true
				}
			}
		}
	}
	return target{}, false
}

// notePassed keeps a target of capture in passing if a legal capture uses it.
func (p *Position) notePassed(t target) {
	if p.rules.stages.on {
		if int(p.state.passes) < maxPassed && p.passable(t) {
			p.state.passed[p.state.passes] = t
			p.state.passes++
		}
		return
	}
	if p.passed, p.victim = t.cell, t.victim; !p.canPass() {
		p.passed, p.victim = board.Wall, board.Wall
	}
}

// mayLoseRoyals reports whether a game has just ended when a side has no royal man left.
func (r *Rules) mayLoseRoyals() bool {
	return r.def.Royal == RoyalCapture || r.def.Royal == RoyalExplodable || r.def.Royal == RoyalUnite
}

// leastRoyals returns how many royal men a side must have: none if its army has no such man or if the game goes on, or
// has just ended, without them.
func (r *Rules) leastRoyals(s Side) int {
	if r.def.Royal == RoyalNone || r.def.Royal == RoyalRanked || r.mayLoseRoyals() {
		return 0
	}
	for t := PieceType(1); int(t) <= r.types; t++ {
		if r.PieceInfo(t).Royal && r.InArmy(s, t) {
			return 1
		}
	}
	return 0
}
