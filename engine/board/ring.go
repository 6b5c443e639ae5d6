package board

import "math"

// ring is a rectangle whose files are joined: file arithmetic is modulo their number. It is drawn clockwise, rank 1
// outside, with the quarter of the files at the bottom.
type ring struct{ rect }

// hole is the radius of the middle of a ring, in widths of a circle.
const hole = 2.0

func (g ring) shift(at, v Vector) Vector {
	to := plus(at, v)
	if to != off {
		to.X = int8(((int(at.X)+int(v.X))%g.files + g.files) % g.files)
	}
	return to
}

func (g ring) frame() (w, h float64) { return 2 * g.radius(0), 2 * g.radius(0) }

// radius returns the outer radius of a circle, counted from the outermost.
func (g ring) radius(rank float64) float64 { return hole + float64(g.ranks) - rank }

// point returns the place at a distance from the middle; file is counted in widths of a file.
func (g ring) point(file, radius float64) (x, y float64) {
	sin, cos := math.Sincos(2*math.Pi*file/float64(g.files) - 3*math.Pi/2)
	return g.radius(0) + radius*sin, g.radius(0) - radius*cos
}

func (g ring) center(at Vector) (x, y float64) {
	return g.point(float64(at.X)+0.5, g.radius(float64(at.Y)+0.5))
}

// outline follows the outer arc clockwise and the inner one back.
func (g ring) outline(at Vector) [][2]float64 {
	const parts = 8
	var corners [][2]float64
	for i := range parts + 1 {
		x, y := g.point(float64(at.X)+float64(i)/parts, g.radius(float64(at.Y)))
		corners = append(corners, [2]float64{x, y})
	}
	for i := parts; i >= 0; i-- {
		x, y := g.point(float64(at.X)+float64(i)/parts, g.radius(float64(at.Y)+1))
		corners = append(corners, [2]float64{x, y})
	}
	return corners
}
