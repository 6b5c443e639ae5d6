package board

// Frame returns the size of the drawing, in the units of Center.
func (b *Board) Frame() (w, h float64) { return b.w, b.h }

// Center returns where the middle of c is drawn, from the upper left corner of the frame: x grows to the right, y
// downwards. A cell is one unit high; on rings this is the width of a circle.
func (b *Board) Center(c Cell) (x, y float64) {
	x, y = b.geo.center(b.coord[c])
	return x + b.left, y
}

// Outline returns the corners of c in order, clockwise as drawn, in the units of Center. The cells of a ring have
// enough corners to look round.
func (b *Board) Outline(c Cell) [][2]float64 {
	corners := b.geo.outline(b.coord[c])
	for i := range corners {
		corners[i][0] += b.left
	}
	return corners
}

// Shade returns the colour of c as a small number: neighbours through the sides of a cell differ, and cells that a
// diagonal step joins have one colour. Hexagons have three colours, the others two, where cell 0 is dark (0).
func (b *Board) Shade(c Cell) int { return b.geo.shade(b.coord[c]) }
