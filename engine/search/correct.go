package search

import (
	"hoplite/engine/eval"
	"hoplite/engine/rules"
)

// shape is what the correction of the evaluation knows a position by: hashes
// of its pawns and of the other men of each side.
type shape struct {
	pawns uint64
	men   [2]uint64
}

// shapeOf computes the shape of a position.
func shapeOf(p *rules.Position) (s shape) {
	for side := range rules.Side(2) {
		men := p.Men(side)
		for c := range men.All {
			s.toggle(p.Rules(), p.At(c), c)
		}
	}
	return s
}

// toggle adds a man or takes it away.
func (s *shape) toggle(r *rules.Rules, q rules.Piece, c rules.Cell) {
	if q == 0 {
		return
	}
	h := scramble(uint64(q)<<8 | uint64(c))
	if r.PieceInfo(r.Type(q)).Pawn {
		s.pawns ^= h
	} else {
		s.men[r.Side(q)&1] ^= h
	}
}

// corrections remember by how much the evaluation was wrong in positions with
// the same pawns or the same men of a side.
type corrections struct {
	pawns [2][correctionSize]int16
	men   [2][2][correctionSize]int16
}

const (
	correctionSize  = 1 << 14
	correctionLimit = 1024
	// correctionParts of an error make a centipawn.
	correctionParts = 24
)

// rowsBefore are the rows of the history of replies to the two moves before.
func (w *worker) rowsBefore(ply int) (rows [2]int32) {
	if ply >= 1 {
		rows[0] = w.stack[ply-1].row
	}
	if ply >= 2 {
		rows[1] = w.stack[ply-2].row
	}
	return rows
}

// follow notes where a move that is about to be made leads, in the frame that
// it is made from and in the shape of the position.
func (w *worker) follow(m rules.Move, f *frame, s *shape) {
	p := w.pos
	q, to := w.actor(m), m.To()
	f.slot = w.history.slot(q, to)
	f.row = w.history.row(f.slot)
	r := p.Rules()
	if m.Kind() != rules.Drop {
		s.toggle(r, q, m.From())
	}
	if v := p.Captured(m); v != 0 {
		at := to
		if m.Kind() == rules.EnPassant {
			at = m.Second()
		}
		s.toggle(r, v, at)
	}
	if p.IsPromotion(m) {
		q = r.Piece(r.Side(q), m.Arg())
	}
	s.toggle(r, q, to)
}

// corrected is the evaluation with the errors that it made in like positions
// taken away.
func (w *worker) corrected(raw int) int {
	sum := 0
	for _, e := range w.errors() {
		sum += int(*e)
	}
	return min(max(raw+sum/correctionParts, -eval.Limit), eval.Limit)
}

// errors are what is remembered about positions like the one on the board.
func (w *worker) errors() [3]*int16 {
	e := &w.history.errors
	us := w.pos.Turn() & 1
	s := &w.shapes[w.top]
	return [3]*int16{&e.pawns[us][s.pawns%correctionSize], &e.men[us][0][s.men[0]%correctionSize],
		&e.men[us][1][s.men[1]%correctionSize]}
}

// correct learns from the score that a search found.
func (w *worker) correct(depth, off int) {
	bonus := min(max(off*depth/8, -correctionLimit/4), correctionLimit/4)
	for _, e := range w.errors() {
		v := int(*e)
		*e = int16(v + bonus - v*abs(bonus)/correctionLimit)
	}
}
