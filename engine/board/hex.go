package board

import (
	"math"
	"strconv"
)

// hex is the geometry of hexagonal cells with a flat side towards the players. Coordinates are axial: X counts files
// to the right, Y cells up a file; a step to the right without Y goes half a cell up. File 0 is the middle one.
type hex struct {
	files string
	// first and last are the lowest and highest rank of each file.
	first, last []int
	// base returns the Y coordinate that rank 0 of a file would have.
	base func(file int) int
}

var hex91 = hex{files: "abcdefghikl", first: []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
	last: []int{6, 7, 8, 9, 10, 11, 10, 9, 8, 7, 6}, base: func(file int) int { return max(0, 5-file) - 6 }}

var hex70 = hex{files: "abcdefghi", first: []int{1, 1, 1, 1, 1, 2, 3, 4, 5},
	last: []int{6, 7, 8, 9, 10, 10, 10, 10, 10}, base: func(file int) int { return -file - 1 }}

// hexWide is half the width of a hexagon that is one high.
var hexWide = 1 / math.Sqrt(3)

func (g hex) middle() int { return len(g.files) / 2 }

func (g hex) at(file, rank int) Vector { return vector(file-g.middle(), g.base(file)+rank, 0) }

func (g hex) ranks() int {
	most := 0
	for _, last := range g.last {
		most = max(most, last)
	}
	return most
}

func (g hex) cells() []place {
	var list []place
	for file := range g.files {
		for rank := g.first[file]; rank <= g.last[file]; rank++ {
			list = append(list, place{at: g.at(file, rank), file: g.files[file : file+1], rank: strconv.Itoa(rank)})
		}
	}
	return list
}

func (g hex) shift(at, v Vector) Vector { return plus(at, v) }

func (g hex) turn(v Vector, h Heading) Vector {
	for range h % 6 {
		v.X, v.Y = v.X+v.Y, -v.X
	}
	return v
}

func (g hex) directions() []Vector {
	return []Vector{{X: 0, Y: 1}, {X: 1, Y: 0}, {X: 1, Y: -1}, {X: 0, Y: -1}, {X: -1, Y: 0}, {X: -1, Y: 1},
		{X: 1, Y: 1}, {X: 2, Y: -1}, {X: 1, Y: -2}, {X: -1, Y: -1}, {X: -2, Y: 1}, {X: -1, Y: 2}}
}

// distance counts the cells behind.
func (g hex) distance(b *Board, at Vector, h Heading) int {
	return len(b.Ray(b.at(at), g.turn(Vector{Y: -1}, h), 0))
}

func (g hex) square(at Vector) (file, rank int) {
	file = int(at.X) + g.middle()
	return file, int(at.Y) - g.base(file) - 1
}

func (g hex) rows() []row {
	var rows []row
	for rank := g.ranks(); rank > 0; rank-- {
		r := row{separator: "/"}
		for file := range g.files {
			if rank >= g.first[file] && rank <= g.last[file] {
				r.cells = append(r.cells, g.at(file, rank))
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// up returns the height of a cell's middle over that of the middle file's coordinate 0.
func up(at Vector) float64 { return float64(at.Y) + float64(at.X)/2 }

// extent returns the highest and lowest middle of a cell.
func (g hex) extent() (high, low float64) {
	high, low = math.Inf(-1), math.Inf(1)
	for file := range g.files {
		high = max(high, up(g.at(file, g.last[file])))
		low = min(low, up(g.at(file, g.first[file])))
	}
	return high, low
}

func (g hex) frame() (w, h float64) {
	high, low := g.extent()
	return float64(len(g.files)-1)*1.5*hexWide + 2*hexWide, high - low + 1
}

func (g hex) center(at Vector) (x, y float64) {
	high, _ := g.extent()
	return float64(int(at.X)+g.middle())*1.5*hexWide + hexWide, high - up(at) + 0.5
}

func (g hex) outline(at Vector) [][2]float64 {
	x, y := g.center(at)
	half := hexWide / 2
	return [][2]float64{{x - half, y - 0.5}, {x + half, y - 0.5}, {x + hexWide, y}, {x + half, y + 0.5},
		{x - half, y + 0.5}, {x - hexWide, y}}
}

// shade gives the middle cell of the board the middle colour.
func (g hex) shade(at Vector) int { return ((int(at.X)-int(at.Y)+1)%3 + 3) % 3 }
