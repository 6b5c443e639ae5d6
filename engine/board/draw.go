package board

// Center returns where the middle of c is drawn, in units of one cell's side from the upper left corner of the frame:
// x grows to the right, y downwards.
func (b *Board) Center(c Cell) (x, y float64) {
	file, rank := b.Coord(c)
	return float64(file) + 0.5, float64(b.ranks-rank) - 0.5
}

// Outline returns the corners of c in order, in the units of Center.
func (b *Board) Outline(c Cell) [][2]float64 {
	x, y := b.Center(c)
	return [][2]float64{{x - 0.5, y - 0.5}, {x + 0.5, y - 0.5}, {x + 0.5, y + 0.5}, {x - 0.5, y + 0.5}}
}

// Shade returns the colour of c as a small number: neighbours along the ranks and files differ, and cell 0 is dark (0).
func (b *Board) Shade(c Cell) int {
	file, rank := b.Coord(c)
	return (file + rank) & 1
}
