package board

import "strings"

// Coord returns the file and the rank of c as numbers from 0. The levels of a cube follow each other along the files;
// the two layers of a board share the coordinates. An extra cell has the place where it is drawn, beside the others.
func (b *Board) Coord(c Cell) (file, rank int) { return b.geo.square(b.coord[c]) }

// At returns the cell with the given file and rank, on the first layer, or Wall if there is none.
func (b *Board) At(file, rank int) Cell {
	if file < 0 || rank < 0 || file >= b.spec.Files || rank >= b.spec.Ranks {
		return Wall
	}
	return b.flat[rank*b.spec.Files+file]
}

// FileName returns the part of c's name that stands for its file: "e" of "e4", "Cc" of "Cc3". Followed by RankName it
// is the name of the cell, without the mark of the second layer.
func (b *Board) FileName(c Cell) string {
	return strings.TrimRight(strings.TrimPrefix(b.CellName(c), "|"), "0123456789")
}

// Square returns the name of c without the mark of the second layer.
func (b *Board) Square(c Cell) string { return strings.TrimPrefix(b.CellName(c), "|") }

// RankName returns the part of c's name that stands for its rank: "4" of "e4".
func (b *Board) RankName(c Cell) string {
	return strings.TrimLeft(b.CellName(c), "|abcdefghijklmnopqrstuvwxyzABCDE")
}

// Rows returns the cells as position texts list them: rows from the top, each from the left. Hexagons list the ranks
// by number, the cube its levels from the top. Wall stands for a place of the frame without a cell. Extra cells and
// the second layer are left out. The caller must not change the rows.
func (b *Board) Rows() [][]Cell { return b.rows }

// RowSeparators returns what stands between the rows in position texts: its element i between rows i and i+1.
func (b *Board) RowSeparators() []string { return b.separators }

func (b *Board) layRows() {
	for i, r := range b.geo.rows() {
		cells := make([]Cell, len(r.cells))
		for j, v := range r.cells {
			cells[j] = b.at(v)
		}
		b.rows = append(b.rows, cells)
		if i > 0 {
			b.separators = append(b.separators, r.separator)
		}
	}
}
