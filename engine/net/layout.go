// Package net holds small neural networks that correct the evaluation: what a
// network says of a position is added to what the evaluation says. It knows no
// game; what a network sees is laid out from the game's definition.
//
// The form is that of the efficiently updatable networks of computer shogi
// (Yu Nasu, 2018), made as small as can be: one layer, computed for the view of
// either side and kept up to date by what changed on the board, and one output.
package net

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Layout numbers what can be true of a position of a game: a man on a cell, a
// number of men in hand, a right to let a man in. Such a fact is a row. Either
// side sees it as a feature: of its own or of the enemy, on the cell where its
// player sees it.
type Layout struct {
	cells  int
	codes  int32      // men that can stand on a cell
	number [256]int32 // of men, from 1
	hands  []hand
	gates  [2]int32 // row of the first cell's right; 0 in games without
	// seen has, by row, the features for the first and the second side. Row 0
	// is no fact.
	seen     [][2]uint16
	features int
	flipped  []uint16 // by feature, see Flipped
}

// hand is where the numbers of men of a type in a hand are laid out, from 1 to
// mostInHand.
type hand struct {
	side rules.Side
	kind rules.PieceType
	row  int32
}

// mostInHand is from where on one man more in hand makes no difference.
const mostInHand = 4

// Fits reports whether a game can be laid out: two sides on a rectangle, all
// of which they see.
func Fits(r *rules.Rules) bool {
	return r.Sides() == 2 && !r.Hides() && r.Board().Shape() == board.Rect && r.Board().Layers() == 1
}

// NewLayout lays out a game that fits.
func NewLayout(r *rules.Rules) *Layout {
	l := &Layout{cells: r.Board().N(), seen: make([][2]uint16, 1)}
	l.layMen(r)
	l.layHands(r)
	l.layGates(r)
	l.flip(r)
	return l
}

// layMen lays out the men on the board.
func (l *Layout) layMen(r *rules.Rules) {
	types, n := r.Types(), l.cells
	var men [][2]int // side and type from 0
	for side := range 2 {
		for t := range types {
			if q := r.Piece(rules.Side(side), rules.PieceType(t+1)); q != 0 {
				men = append(men, [2]int{side, t})
				l.number[q] = int32(len(men))
			}
		}
	}
	l.codes = int32(len(men))
	mirror := mirrored(r.Board())
	for c := range n {
		for _, m := range men {
			side, t := m[0], m[1]
			l.see((side*types+t)*n+c, ((side^1)*types+t)*n+mirror[c])
		}
	}
	l.features = 2 * types * n
}

// layHands lays out the men in hand.
func (l *Layout) layHands(r *rules.Rules) {
	all := len(r.HandTypes()) * mostInHand
	for side := range 2 {
		for i, t := range r.HandTypes() {
			l.hands = append(l.hands, hand{side: rules.Side(side), kind: t, row: int32(len(l.seen))})
			for k := range mostInHand {
				at := l.features + i*mostInHand + k
				l.see(at+side*all, at+(side^1)*all)
			}
		}
	}
	l.features += 2 * all
}

// layGates lays out the rights to let a man in.
func (l *Layout) layGates(r *rules.Rules) {
	if r.Definition().Gate == nil {
		return
	}
	mirror := mirrored(r.Board())
	for side := range 2 {
		l.gates[side] = int32(len(l.seen))
		for c := range l.cells {
			l.see(l.features+side*l.cells+c, l.features+(side^1)*l.cells+mirror[c])
		}
	}
	l.features += 2 * l.cells
}

// flip fills in which features change places when left and right do.
func (l *Layout) flip(r *rules.Rules) {
	b := r.Board()
	l.flipped = make([]uint16, l.features)
	men := 2 * r.Types() * l.cells
	hands := len(l.hands) * mostInHand
	for f := range l.flipped {
		l.flipped[f] = uint16(f)
		at := f
		if f >= men {
			if at = f - men - hands; at < 0 {
				continue
			}
		}
		file, rank := b.Coord(rules.Cell(at % l.cells))
		l.flipped[f] = uint16(f - at%l.cells + int(b.At(b.Files()-1-file, rank)))
	}
}

// Flipped is the feature that is seen in place of f when left and right change
// places, for which most games hardly care.
func (l *Layout) Flipped(f uint16) uint16 { return l.flipped[f] }

// see adds a row.
func (l *Layout) see(first, second int) {
	l.seen = append(l.seen, [2]uint16{uint16(first), uint16(second)})
}

// mirrored has, by cell, the one on which the second player sees what the
// first sees there.
func mirrored(b *board.Board) []int {
	m := make([]int, b.N())
	for c := range m {
		file, rank := b.Coord(rules.Cell(c))
		m[c] = int(b.At(file, b.Ranks()-1-rank))
	}
	return m
}

// Features is the number of features.
func (l *Layout) Features() int { return l.features }

// Active appends the features that the side to move sees in a position to us,
// and those that the other sees to them.
func (l *Layout) Active(p *rules.Position, us, them []uint16) (ours, theirs []uint16) {
	s := int(p.Turn() & 1)
	l.each(p, func(row int32) {
		us = append(us, l.seen[row][s])
		them = append(them, l.seen[row][s^1])
	})
	return us, them
}

// each calls f with the rows that are true of a position.
func (l *Layout) each(p *rules.Position, f func(row int32)) {
	for c, q := range p.Cells()[:l.cells] {
		if row := l.cellRow(c, q); row != 0 {
			f(row)
		}
	}
	for i := range l.hands {
		h := &l.hands[i]
		if row := h.rowOf(p.Hand(h.side, h.kind)); row != 0 {
			f(row)
		}
	}
	if l.gates[0] != 0 {
		for side := range rules.Side(2) {
			rights := p.GateRights(side)
			for c := range rights.All {
				f(l.gates[side] + int32(c))
			}
		}
	}
}

// cellRow is the row of a man on a cell, 0 of none.
func (l *Layout) cellRow(c int, q rules.Piece) int32 {
	if k := l.number[q]; k != 0 {
		return int32(c)*l.codes + k
	}
	return 0
}

func (h *hand) rowOf(n int) int32 {
	if n == 0 {
		return 0
	}
	return h.row + int32(min(n, mostInHand)) - 1
}
