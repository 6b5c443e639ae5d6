// Package betza reads Betza's notation for the movement of men, with the later XBetza marks and what other boards than
// rectangles need.
//
// A movement is a row of atoms: lower-case marks, a capital that names a displacement, and a range. The marks choose
// directions (f b l r v s h, seen by the man's own side), what may happen on arrival (m moves, c captures, e captures
// in passing) and conditions (i on the first move, n the way must be free, p over exactly one man). Marks that need a
// second leg are read and kept, so that a caller can refuse what it cannot play. The notation is described in Ralph
// Betza, "Betza's funny notation", and H. G. Muller, "Betza 2.0", both at chessvariants.com.
//
// The capitals stand for the like displacements of each board. On squares W is the step to the four sides and F that
// to the four corners; on hexagons these are six and six, and N is the leap to the nearest twelve cells that neither
// slides to. In the cube W leads through faces, F through edges and U through corners of a cell, K is all three.
//
// Where capitals do not say it, the notation goes on:
//
//	R4        a rook of at most four cells
//	B2-       a bishop of at least two cells, the first of which must be empty; B2-5 of two to five
//	(1,2)     the displacement itself, with a range as any capital: m(0,1)c(1,0)(-1,1). A third part is the level.
//	          Displacements that follow each other belong to one atom.
//	t[FR]     bent: one step F, and from there outward as R; it may stop on the bend
//	t[F-R3-]  the same without stopping on the bend, and only after at least three steps outward
//	X         one step along the extra lines of the board (palace diagonals), in all eight directions of a square;
//	          with a range or doubled it slides along them, fX goes forward only
package betza

import (
	"fmt"

	"hoplite/engine/board"
)

// Atom is one way of moving.
type Atom struct {
	// Vectors are the single steps, for a side that looks up the board.
	Vectors []board.Vector
	// Range is how often the step may be repeated: 1 is a leap, 0 without limit. Min is how often it must be, at least 1.
	Range, Min int
	// Quiet atoms reach empty cells, Take atoms take enemies.
	Quiet, Take bool
	// Passing atoms also take men that have just passed the cell of arrival.
	Passing bool
	// Initial atoms exist only on the first move.
	Initial bool
	// Lame atoms need the way to be empty. For each vector, Way lists the displacements from the start to the cells that
	// must be: first the steps through sides, then those through corners that make up the leap.
	Lame bool
	Way  [][]board.Vector
	// Hop atoms go over exactly one man and on; before it and after it the way must be empty.
	Hop bool
	// Lines atoms step along the extra lines of the board only.
	Lines bool
	// Bend is what follows the first step, or nil.
	Bend *Bend
	// Castling is the number of cells that a king goes in castling, for the letter O.
	Castling int
	// Other holds the remaining marks as written: g hoppers, a several legs, j y z q o u d t x and their kin; p with O.
	Other string
}

// Bend is the second leg of a bent slider. The cell where the first leg ends must be empty for it.
type Bend struct {
	// Then lists, for each vector of the atom, the directions of the second leg.
	Then [][]board.Vector
	// Min and Range are the least and the greatest number of its steps; Range 0 is without limit.
	Min, Range int
	// Stop lets the man end its move on the bend.
	Stop bool
}

// Turn returns the atom as a side with heading h on board b plays it.
func (a Atom) Turn(b *board.Board, h board.Heading) Atom {
	turn := func(list []board.Vector) []board.Vector {
		out := make([]board.Vector, len(list))
		for i, v := range list {
			out[i] = b.Turn(v, h)
		}
		return out
	}
	all := func(lists [][]board.Vector) [][]board.Vector {
		var out [][]board.Vector
		for _, list := range lists {
			out = append(out, turn(list))
		}
		return out
	}
	a.Vectors, a.Way = turn(a.Vectors), all(a.Way)
	if a.Bend != nil {
		bend := *a.Bend
		bend.Then = all(bend.Then)
		a.Bend = &bend
	}
	return a
}

// Error is a text that is no movement.
type Error struct {
	Text string
	// Offset is the byte at which reading stopped.
	Offset int
	Reason string
}

func (e *Error) Error() string {
	return fmt.Sprintf("betza %q, at byte %d: %s", e.Text, e.Offset, e.Reason)
}

// Parse reads a movement on a rectangle. It fails with *Error.
func Parse(text string) ([]Atom, error) { return ParseOn(board.Rect, text) }

// ParseOn reads a movement with the displacements of a shape of boards. It fails with *Error.
func ParseOn(shape board.Shape, text string) ([]Atom, error) {
	p := parser{text: text, shapes: shapesOf(shape)}
	for p.at < len(text) {
		if err := p.atom(); err != nil {
			return nil, err
		}
	}
	if len(p.atoms) == 0 {
		return nil, p.fail("no movement")
	}
	return p.atoms, nil
}
