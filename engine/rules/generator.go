package rules

import (
	"fmt"

	"hoplite/engine/board"
)

// scharnaglStarts is the number of arrays with the king between the rooks and the bishops on both colours.
const scharnaglStarts = 960

// StartError is a request for a start position that does not exist.
type StartError struct{ Number, Count int }

func (e *StartError) Error() string {
	if e.Count == 1 {
		return fmt.Sprintf("no start position %d: this game has one only", e.Number)
	}
	return fmt.Sprintf("no start position %d: they are numbered 0 to %d", e.Number, e.Count-1)
}

// generate returns the start position with the given number.
func (r *Rules) generate(number int) (Setup, error) {
	s := r.start.clone()
	row := ""
	if r.arrays != nil {
		row = r.arrays[number]
	} else {
		row = scharnagl(number)
	}
	if len(row) != r.board.Files() {
		return s, fmt.Errorf("rules of %s: the arrays need %d files", r.def.Key, len(row))
	}
	for side := range Side(r.sides) {
		for file := range len(row) {
			// Both armies stand alike, file by file: the home rows mirror each other.
			for c := range r.homeRow[side].All {
				if f, _ := r.board.Coord(c); f == file {
					s.Cells[c] = r.Piece(side, r.TypeOf(row[file:file+1]))
				}
			}
		}
	}
	s.Castling = nil
	for i := range r.wings {
		if c, ok := r.outermostRook(&s, i); ok {
			s.Castling = append(s.Castling, CastlingRight{Wing: i, Rook: c})
		}
	}
	return s, nil
}

// scharnagl returns the back row with the given number (chess960.md, Setup).
func scharnagl(n int) string {
	row := [8]byte{}
	place := func(man byte, free int) { // on the free-th free file
		for i := range row {
			if row[i] != 0 {
				continue
			}
			if free == 0 {
				row[i] = man
				return
			}
			free--
		}
	}
	row[1+2*(n%4)] = 'B'
	n /= 4
	row[2*(n%4)] = 'B'
	n /= 4
	place('Q', n%6)
	n /= 6
	first := 0
	for ; n >= 4-first; first++ { // pairs of five: (0,1) (0,2) … (3,4)
		n -= 4 - first
	}
	place('N', first)
	place('N', first+n) // one free file fewer after the first knight
	for _, man := range []byte("RKR") {
		place(man, 0)
	}
	return string(row[:])
}

// outermostRook finds the rook of a castling wing that stands farthest from the king on the wing's side of it.
func (r *Rules) outermostRook(s *Setup, w int) (Cell, bool) {
	wing := &r.wings[w]
	king := r.homeKing(s, wing)
	found := board.Wall
	if king != board.Wall {
		for _, c := range r.board.Ray(king, r.towards(wing), 0) {
			if s.Cells[c] == wing.rook {
				found = c
			}
		}
	}
	return found, found != board.Wall
}

// homeKing returns the cell of the king of a wing if it stands on its home row, or Wall.
func (r *Rules) homeKing(s *Setup, w *wing) Cell {
	for c := range r.homeRow[w.side].All {
		if s.Cells[c] == w.king {
			return c
		}
	}
	return board.Wall
}

// towards returns the step along the home row from the king to the rook of a wing.
func (r *Rules) towards(w *wing) board.Vector {
	kf, _ := r.board.Coord(w.kingFrom)
	rf, _ := r.board.Coord(w.rookFrom)
	if rf > kf {
		return board.Vector{X: 1}
	}
	return board.Vector{X: -1}
}

// IsOutermost reports whether the rook of a castling right is the one farthest from the king on its wing, which is what
// the letter of the wing means where rooks may start anywhere.
func (r *Rules) IsOutermost(p *Position, right CastlingRight) bool {
	w := &r.wings[right.Wing]
	king := p.castle[right.Wing].king
	found := board.Wall
	for _, c := range r.board.Ray(king, r.towards(w), 0) {
		if p.cell[c] == w.rook {
			found = c
		}
	}
	return found == right.Rook
}
