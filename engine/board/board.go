// Package board holds the playing fields: graphs of cells.
//
// A cell is a small number. What leads from a cell to another is a Vector, read in the geometry of the board; Step
// answers where it ends, or Wall when it leaves the board. Nothing outside this package and the text formats may
// assume files, ranks or 64 cells: everything above works on the cells that Step returns. The rectangle is the only
// geometry so far; others add a constructor that fills the same type.
package board

import (
	"fmt"
	"strconv"
)

// Cell is the number of a cell, 0 to N-1.
type Cell uint8

// Wall is the cell beyond the edge. It is no cell of any board; every path ends in it.
const Wall Cell = 255

// MaxCells is the greatest number of cells that a board may have.
const MaxCells = 254

// Vector is a displacement in the coordinates of a geometry. On flat boards Z is zero.
type Vector struct{ X, Y, Z int8 }

// Heading is the direction that a side looks in, in turns of the board. Forward is away from the side's own edge.
// On rectangles it counts quarter turns: 0 looks up the ranks, 2 looks down.
type Heading uint8

// Shape names the geometry of a board.
type Shape string

// Rect is the shape of rectangular boards.
const Rect Shape = "rect"

// Board is a graph of cells with their names. It never changes after it was made and is safe to share.
type Board struct {
	shape        Shape
	files, ranks int
	names        []string
	index        map[string]Cell
	coord        []Vector
	step         func(c Cell, v Vector) Cell
	turn         func(v Vector, h Heading) Vector
}

// Rectangle returns the board of the given width and height. Cell numbers rise along the files, then along the ranks,
// so cell 0 is a1 and cell 1 is b1.
func Rectangle(files, ranks int) (*Board, error) {
	if files < 1 || ranks < 1 || files > 26 || files*ranks > MaxCells {
		return nil, fmt.Errorf("board: no rectangle of %d files and %d ranks", files, ranks)
	}
	b := &Board{shape: Rect, files: files, ranks: ranks, index: make(map[string]Cell, files*ranks)}
	for y := range ranks {
		for x := range files {
			name := string(rune('a'+x)) + strconv.Itoa(y+1)
			b.index[name] = Cell(len(b.names))
			b.names = append(b.names, name)
			b.coord = append(b.coord, Vector{X: int8(x), Y: int8(y)})
		}
	}
	b.step = func(c Cell, v Vector) Cell {
		at := b.coord[c]
		x, y := int(at.X)+int(v.X), int(at.Y)+int(v.Y)
		if v.Z != 0 || x < 0 || y < 0 || x >= files || y >= ranks {
			return Wall
		}
		return Cell(y*files + x)
	}
	b.turn = func(v Vector, h Heading) Vector {
		for range h % 4 {
			v.X, v.Y = v.Y, -v.X
		}
		return v
	}
	return b, nil
}

// N returns the number of cells.
func (b *Board) N() int { return len(b.names) }

// Shape returns the name of the board's geometry.
func (b *Board) Shape() Shape { return b.shape }

// Files returns the width of the frame in which the board is drawn.
func (b *Board) Files() int { return b.files }

// Ranks returns the height of the frame in which the board is drawn.
func (b *Board) Ranks() int { return b.ranks }

// CellName returns the name of c, such as "e4", or "-" for Wall.
func (b *Board) CellName(c Cell) string {
	if int(c) >= len(b.names) {
		return "-"
	}
	return b.names[c]
}

// ParseCell returns the cell with the given name.
func (b *Board) ParseCell(name string) (Cell, bool) {
	c, ok := b.index[name]
	return c, ok
}

// Coord returns the drawing position of c, counted from the lower left corner.
func (b *Board) Coord(c Cell) (file, rank int) {
	v := b.coord[c]
	return int(v.X), int(v.Y)
}

// At returns the cell drawn at the given position, or Wall if there is none.
func (b *Board) At(file, rank int) Cell {
	if file < 0 || rank < 0 || file >= b.files || rank >= b.ranks {
		return Wall
	}
	return b.step(0, Vector{X: int8(file), Y: int8(rank)})
}

// Step returns the cell that v leads to from c, or Wall.
func (b *Board) Step(c Cell, v Vector) Cell {
	if c == Wall {
		return Wall
	}
	return b.step(c, v)
}

// Turn returns v, given for a side that looks up the board, as seen by a side with heading h.
func (b *Board) Turn(v Vector, h Heading) Vector { return b.turn(v, h) }

// Ray returns the cells that repeated steps of v lead to from c, nearest first, at most limit of them (0: no limit).
// It never returns to c.
func (b *Board) Ray(c Cell, v Vector, limit int) []Cell {
	var ray []Cell
	for to := b.Step(c, v); to != Wall && to != c; to = b.Step(to, v) {
		if ray = append(ray, to); len(ray) == limit {
			break
		}
	}
	return ray
}

// Distance returns the rank of c as seen by a side with heading h: 0 on the side's own edge of the board.
func (b *Board) Distance(c Cell, h Heading) int {
	n := 0
	for to := c; ; n++ {
		if to = b.Step(to, b.turn(Vector{Y: -1}, h)); to == Wall {
			return n
		}
	}
}

// Row returns the cells at the given distance from the own edge of a side with heading h.
func (b *Board) Row(distance int, h Heading) Set {
	var row Set
	for i := range b.names {
		if b.Distance(Cell(i), h) == distance {
			row.Add(Cell(i))
		}
	}
	return row
}

// Depth returns the number of rows of the board as seen by a side with heading h.
func (b *Board) Depth(h Heading) int {
	depth := 0
	for i := range b.names {
		depth = max(depth, b.Distance(Cell(i), h)+1)
	}
	return depth
}

// Between returns the cells strictly between a and c on a straight line of the board, and whether there is such a line.
// Two equal or neighbouring cells have an empty line.
func (b *Board) Between(a, c Cell) ([]Cell, bool) {
	if a == c {
		return nil, true
	}
	for dx := int8(-1); dx <= 1; dx++ {
		for dy := int8(-1); dy <= 1; dy++ {
			ray := b.Ray(a, Vector{X: dx, Y: dy}, 0)
			for i, cell := range ray {
				if cell == c {
					return ray[:i], true
				}
			}
		}
	}
	return nil, false
}
