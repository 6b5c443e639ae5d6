package board

import "strconv"

// cube is the geometry of five levels of five by five cells. Coordinates are file, rank and level; cells are named by
// level, file and rank. As flat places, the levels lie beside each other.
type cube struct{}

const cubeSide = 5

func (g cube) cells() []place {
	var list []place
	for z := range cubeSide {
		for y := range cubeSide {
			for x := range cubeSide {
				list = append(list, place{at: vector(x, y, z), file: string(rune('A'+z)) + letter(x), rank: strconv.Itoa(y + 1)})
			}
		}
	}
	return list
}

func (g cube) shift(at, v Vector) Vector { return plus(at, v) }

// turn lets heading 2 and 3 look down the levels as well.
func (g cube) turn(v Vector, h Heading) Vector {
	if h%4 >= 2 {
		v.Z = -v.Z
	}
	return quarters(v, h)
}

func (g cube) directions() []Vector {
	var list []Vector
	for parts := int8(1); parts <= 3; parts++ {
		for z := int8(-1); z <= 1; z++ {
			for y := int8(-1); y <= 1; y++ {
				for x := int8(-1); x <= 1; x++ {
					if x*x+y*y+z*z == parts {
						list = append(list, Vector{X: x, Y: y, Z: z})
					}
				}
			}
		}
	}
	return list
}

// distance counts the steps ahead, along ranks and levels, from the own edge.
func (g cube) distance(_ *Board, at Vector, h Heading) int {
	levels := int(at.Z)
	if h%4 >= 2 {
		levels = cubeSide - 1 - levels
	}
	return levels + rect{files: cubeSide, ranks: cubeSide}.distance(nil, at, h)
}

func (g cube) square(at Vector) (file, rank int) { return int(at.Z)*cubeSide + int(at.X), int(at.Y) }

func (g cube) rows() []row {
	var rows []row
	for z := cubeSide - 1; z >= 0; z-- {
		for y := cubeSide - 1; y >= 0; y-- {
			r := row{separator: "/"}
			if y == cubeSide-1 {
				r.separator = "|"
			}
			for x := range cubeSide {
				r.cells = append(r.cells, vector(x, y, z))
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// The levels are drawn in two lines, A to C below, D and E above and between them.

func (g cube) frame() (w, h float64) { return 3*cubeSide + 2*gap, 2*cubeSide + gap }

func (g cube) center(at Vector) (x, y float64) {
	const pitch = cubeSide + gap
	x, y = float64(at.X)+0.5, float64(cubeSide-int(at.Y))-0.5
	if at.Z < 3 {
		return x + float64(at.Z)*pitch, y + pitch
	}
	return x + (float64(at.Z)-2.5)*pitch, y
}

func (g cube) outline(at Vector) [][2]float64 { return squareAt(g.center(at)) }

func (g cube) shade(at Vector) int { return int(at.X+at.Y+at.Z) & 1 }
