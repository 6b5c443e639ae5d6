package board

import "strconv"

// rect is the geometry of rectangles in one or more layers. Coordinates are file, rank and layer.
type rect struct{ files, ranks, layers int }

// gap is the space between boards that are drawn beside each other.
const gap = 0.75

func (g rect) cells() []place {
	var list []place
	for z := range g.layers {
		for y := range g.ranks {
			for x := range g.files {
				list = append(list, place{at: vector(x, y, z), file: letter(x), rank: strconv.Itoa(y + 1)})
			}
		}
	}
	return list
}

func vector(x, y, z int) Vector { return Vector{X: int8(x), Y: int8(y), Z: int8(z)} }

func letter(file int) string { return string(rune('a' + file)) }

// off is a place that no board has.
var off = Vector{X: -128, Y: -128, Z: -128}

// plus adds vectors without leaving the range of their numbers.
func plus(a, b Vector) Vector {
	x, y, z := int(a.X)+int(b.X), int(a.Y)+int(b.Y), int(a.Z)+int(b.Z)
	if min(x, y, z) < -128 || max(x, y, z) > 127 {
		return off
	}
	return vector(x, y, z)
}

func (g rect) shift(at, v Vector) Vector { return plus(at, v) }

func (g rect) turn(v Vector, h Heading) Vector { return quarters(v, h) }

func quarters(v Vector, h Heading) Vector {
	for range h % 4 {
		v.X, v.Y = v.Y, -v.X
	}
	return v
}

func (g rect) directions() []Vector { return compass() }

// compass lists the eight directions of a square grid.
func compass() []Vector {
	return []Vector{{X: 0, Y: 1}, {X: 1, Y: 0}, {X: 0, Y: -1}, {X: -1, Y: 0},
		{X: 1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: -1}, {X: -1, Y: 1}}
}

// distance counts in the frame, so that a rank of a cross has one number on its whole width.
func (g rect) distance(_ *Board, at Vector, h Heading) int {
	switch h % 4 {
	case 0:
		return int(at.Y)
	case 1:
		return min(max(int(at.X), 0), g.files-1)
	case 2:
		return g.ranks - 1 - int(at.Y)
	}
	return min(max(g.files-1-int(at.X), 0), g.files-1)
}

func (g rect) square(at Vector) (file, rank int) { return int(at.X), int(at.Y) }

func (g rect) rows() []row {
	var rows []row
	for y := g.ranks - 1; y >= 0; y-- {
		r := row{separator: "/"}
		for x := range g.files {
			r.cells = append(r.cells, vector(x, y, 0))
		}
		rows = append(rows, r)
	}
	return rows
}

func (g rect) frame() (w, h float64) {
	return float64(g.files*g.layers) + gap*float64(g.layers-1), float64(g.ranks)
}

func (g rect) center(at Vector) (x, y float64) {
	layer := float64(at.Z) * (float64(g.files) + gap)
	return layer + float64(at.X) + 0.5, float64(g.ranks-int(at.Y)) - 0.5
}

func (g rect) outline(at Vector) [][2]float64 { return squareAt(g.center(at)) }

func squareAt(x, y float64) [][2]float64 {
	return [][2]float64{{x - 0.5, y - 0.5}, {x + 0.5, y - 0.5}, {x + 0.5, y + 0.5}, {x - 0.5, y + 0.5}}
}

func (g rect) shade(at Vector) int { return int(at.X+at.Y) & 1 }
