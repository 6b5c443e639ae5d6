// Package board holds the playing fields: graphs of cells.
//
// A cell is a small number. What leads from a cell to another is a Vector, read in the geometry of the board; Step
// answers where it ends, or Wall when it leaves the board. Nothing outside this package and the text formats may
// assume files, ranks or 64 cells: everything above works on the cells that Step returns.
//
// The geometries are rectangles (with missing cells, extra cells beside them, extra lines across them, or in two
// layers), rings, hexagons and cubes. A Spec describes a board and New makes it.
package board

import "slices"

// Cell is the number of a cell, 0 to N-1.
type Cell uint8

// Wall is the cell beyond the edge. It is no cell of any board; every path ends in it.
const Wall Cell = 255

// MaxCells is the greatest number of cells that a board may have.
const MaxCells = 254

// Vector is a displacement in the coordinates of a geometry: file and rank on rectangles and rings, the axial
// coordinates of hex.go on hexagons; file, rank and level in cubes. On flat boards Z is zero; on boards of two layers
// it leads from one to the other.
type Vector struct{ X, Y, Z int8 }

// Heading is the direction that a side looks in, in turns of the board to the right. Forward is away from the side's
// own edge. It counts quarter turns (0 looks up the ranks, 2 looks down) and on hexagons sixth turns (3 looks down).
type Heading uint8

// Board is a graph of cells with their names. It never changes after it was made and is safe to share.
type Board struct {
	spec  Spec
	geo   geometry
	names []string
	index map[string]Cell
	coord []Vector
	// low and size bound the coordinates of the ordinary cells; place holds these cells, x fastest.
	low   Vector
	size  [3]int
	place []Cell
	// flat holds the cells of the first layer by file and rank, files fastest.
	flat []Cell
	// rows and separators are those of position texts.
	rows       [][]Cell
	separators []string
	// left is how far the drawing reaches beyond the geometry's frame on the left; w and h are its whole size.
	left, w, h float64
	extra      Set
	beside     map[Cell][]Cell
	lines      [][]Cell
}

// N returns the number of cells.
func (b *Board) N() int { return len(b.names) }

// Spec returns what the board was made from.
func (b *Board) Spec() Spec { return b.spec }

// Shape returns the name of the board's geometry.
func (b *Board) Shape() Shape { return b.spec.Shape }

// Files returns the number of files, in the cube those of all levels.
func (b *Board) Files() int { return b.spec.Files }

// Ranks returns the number of ranks.
func (b *Board) Ranks() int { return b.spec.Ranks }

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

// at returns the ordinary cell with the given coordinates.
func (b *Board) at(v Vector) Cell {
	x, y, z := int(v.X)-int(b.low.X), int(v.Y)-int(b.low.Y), int(v.Z)-int(b.low.Z)
	if x < 0 || y < 0 || z < 0 || x >= b.size[0] || y >= b.size[1] || z >= b.size[2] {
		return Wall
	}
	return b.place[(z*b.size[1]+y)*b.size[0]+x]
}

// Step returns the cell that v leads to from c, or Wall. No step leads to or from an extra cell; see Beside.
func (b *Board) Step(c Cell, v Vector) Cell {
	if c == Wall || b.extra.Has(c) {
		return Wall
	}
	return b.at(b.geo.shift(b.coord[c], v))
}

// Turn returns v, given for a side that looks up the board, as seen by a side with heading h.
func (b *Board) Turn(v Vector, h Heading) Vector { return b.geo.turn(v, h) }

// Opposite returns the heading of a side that looks against h.
func (b *Board) Opposite(h Heading) Heading {
	if b.spec.Shape == Hex91 || b.spec.Shape == Hex70 {
		return (h + 3) % 6
	}
	return (h + 2) % 4
}

// Ray returns the cells that repeated steps of v lead to from c, nearest first, at most limit of them (0: no limit).
// It never returns to c.
func (b *Board) Ray(c Cell, v Vector, limit int) []Cell {
	return ray(c, limit, func(at Cell) Cell { return b.Step(at, v) })
}

func ray(c Cell, limit int, step func(Cell) Cell) []Cell {
	var cells []Cell
	for to := step(c); to != Wall && to != c; to = step(to) {
		if cells = append(cells, to); len(cells) == limit {
			break
		}
	}
	return cells
}

// Directions returns the vectors of the board's straight lines: those through the sides of a cell first, then those
// through its edges and corners.
func (b *Board) Directions() []Vector { return b.geo.directions() }

// Distance returns the row of c as seen by a side with heading h: 0 on the side's own edge of the board. An extra cell
// counts as belonging to the row beside which it lies.
func (b *Board) Distance(c Cell, h Heading) int { return b.geo.distance(b, b.coord[c], h) }

// Row returns the ordinary cells at the given distance from the own edge of a side with heading h.
func (b *Board) Row(distance int, h Heading) Set {
	var row Set
	for c := range Cell(b.N()) {
		if !b.extra.Has(c) && b.Distance(c, h) == distance {
			row.Add(c)
		}
	}
	return row
}

// Depth returns the number of rows of the board as seen by a side with heading h.
func (b *Board) Depth(h Heading) int {
	depth := 0
	for c := range Cell(b.N()) {
		depth = max(depth, b.Distance(c, h)+1)
	}
	return depth
}

// Edge returns the far edge as seen by a side with heading h, the opposite side's first row. On hexagons it is the last
// cell of each file, in the cube the farthest rank of the farthest level.
func (b *Board) Edge(h Heading) Set { return b.Row(0, b.Opposite(h)) }

// Between returns the cells strictly between a and c on a straight line of the board, and whether there is such a line.
// Two equal or neighbouring cells have an empty line. Where two lines join them, as on a ring, it is the shorter.
func (b *Board) Between(a, c Cell) ([]Cell, bool) {
	if a == c {
		return nil, true
	}
	var best []Cell
	found := false
	for _, v := range b.geo.directions() {
		cells := b.Ray(a, v, 0)
		if i := slices.Index(cells, c); i >= 0 && (!found || i < len(best)) {
			best, found = cells[:i], true
		}
	}
	return best, found
}

// Extra returns the extra cells.
func (b *Board) Extra() Set { return b.extra }

// Beside returns the neighbours of c that only extra cells give: all neighbours of an extra cell, and the extra cells
// next to an ordinary one.
func (b *Board) Beside(c Cell) []Cell { return b.beside[c] }

// Lines returns the extra lines as chains of cells.
func (b *Board) Lines() [][]Cell { return b.lines }

// LineStep returns the cell that v leads to from c if an extra line joins the two, or Wall.
func (b *Board) LineStep(c Cell, v Vector) Cell {
	to := b.Step(c, v)
	if to == Wall {
		return Wall
	}
	for _, line := range b.lines {
		for i := 1; i < len(line); i++ {
			if line[i-1] == c && line[i] == to || line[i-1] == to && line[i] == c {
				return to
			}
		}
	}
	return Wall
}

// LineRay is Ray along the extra lines.
func (b *Board) LineRay(c Cell, v Vector, limit int) []Cell {
	return ray(c, limit, func(at Cell) Cell { return b.LineStep(at, v) })
}

// Layers returns the number of layers, 1 or 2.
func (b *Board) Layers() int { return max(b.spec.Layers, 1) }

// Layer returns the layer of c, from 0.
func (b *Board) Layer(c Cell) int {
	if b.spec.Layers < 2 {
		return 0
	}
	return int(b.coord[c].Z)
}

// Across returns the cell with the place of c on the other layer, or Wall if there is none.
func (b *Board) Across(c Cell) Cell {
	if b.spec.Layers < 2 {
		return Wall
	}
	return b.Step(c, Vector{Z: 1 - 2*b.coord[c].Z})
}
