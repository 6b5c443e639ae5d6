package betza

import (
	"slices"

	"hoplite/engine/board"
)

// shapes names the displacements of a geometry.
type shapes interface {
	// base returns the displacements of one letter, in a fixed order.
	base(letter byte) []board.Vector
	// capital returns the parts that a capital stands for, and whether it slides by itself.
	capital(letter byte) (parts [][]board.Vector, slides, ok bool)
	// choose returns the vectors of a part that the direction marks select.
	choose(part []board.Vector, dirs string) ([]board.Vector, bool)
	// way returns the cells that a lame leap by v passes.
	way(v board.Vector) ([]board.Vector, bool)
	// outward returns the directions among then that lead on, away from the start, after a step by v.
	outward(v board.Vector, then []board.Vector) []board.Vector
}

func shapesOf(shape board.Shape) shapes {
	switch shape {
	case board.Hex91, board.Hex70:
		return hexes{}
	case board.Cube:
		return cubes{}
	}
	return squares{}
}

// compound takes the capitals apart that stand for several letters: kings, queens and sliders.
func compound(s shapes, steps string, letter byte) (parts [][]board.Vector, slides, ok bool) {
	letters := string(rune(letter))
	switch letter {
	case 'K':
		letters = steps
	case 'Q':
		letters, slides = steps, true
	case 'R':
		letters, slides = "W", true
	case 'B':
		letters, slides = "F", true
	}
	for i := range len(letters) {
		part := s.base(letters[i])
		if part == nil {
			return nil, false, false
		}
		parts = append(parts, part)
	}
	return parts, slides, true
}

// squares are the shapes of square cells: rectangles, crosses and rings.
type squares struct{}

func (s squares) capital(letter byte) ([][]board.Vector, bool, bool) {
	return compound(s, "WF", letter)
}

// base turns and mirrors the displacement that a letter stands for, given as its longer and shorter part.
func (s squares) base(letter byte) []board.Vector {
	x, y := int8(0), int8(0)
	switch letter {
	case 'W':
		x, y = 1, 0
	case 'F':
		x, y = 1, 1
	case 'D':
		x, y = 2, 0
	case 'N':
		x, y = 2, 1
	case 'A':
		x, y = 2, 2
	case 'H':
		x, y = 3, 0
	case 'C', 'L':
		x, y = 3, 1
	case 'Z', 'J':
		x, y = 3, 2
	case 'G':
		x, y = 3, 3
	case 'X':
		return append(s.base('W'), s.base('F')...)
	default:
		return nil
	}
	var all []board.Vector
	for _, v := range []board.Vector{{X: y, Y: x}, {X: x, Y: y}, {X: x, Y: -y}, {X: y, Y: -x},
		{X: -y, Y: -x}, {X: -x, Y: -y}, {X: -x, Y: y}, {X: -y, Y: x}} {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

func (s squares) choose(part []board.Vector, dirs string) ([]board.Vector, bool) {
	longer, shorter := max(abs(part[0].X), abs(part[0].Y)), min(abs(part[0].X), abs(part[0].Y))
	turned := slices.ContainsFunc(part, func(v board.Vector) bool { return v.X != 0 && v.Y != 0 })
	if turned && shorter == 0 { // steps of both kinds
		shorter = longer
	}
	return choose(part, groups(dirs, longer, shorter), dirs)
}

func choose(part []board.Vector, by []selector, dirs string) ([]board.Vector, bool) {
	if dirs == "" {
		return part, true
	}
	var chosen []board.Vector
	for _, v := range part {
		for _, d := range by {
			if d(v) {
				chosen = append(chosen, v)
				break
			}
		}
	}
	return chosen, len(chosen) > 0
}

// way goes through sides as long as the parts of v differ, then through corners.
func (s squares) way(v board.Vector) ([]board.Vector, bool) {
	if v.Z != 0 {
		return nil, false
	}
	way := []board.Vector{}
	at := board.Vector{}
	for at != v {
		left := board.Vector{X: v.X - at.X, Y: v.Y - at.Y}
		if abs(left.X) >= abs(left.Y) {
			at.X += sign(left.X)
		}
		if abs(left.Y) >= abs(left.X) {
			at.Y += sign(left.Y)
		}
		if at != v {
			way = append(way, at)
		}
	}
	return way, true
}

func (s squares) outward(v board.Vector, then []board.Vector) []board.Vector { return outward(v, then) }

// outward keeps the directions that lead away in some part and back in none.
func outward(v board.Vector, then []board.Vector) []board.Vector {
	parts := func(a, b board.Vector) [3]int {
		return [3]int{int(a.X) * int(b.X), int(a.Y) * int(b.Y), int(a.Z) * int(b.Z)}
	}
	var out []board.Vector
	for _, w := range then {
		p := parts(v, w)
		if slices.Min(p[:]) >= 0 && slices.Max(p[:]) > 0 {
			out = append(out, w)
		}
	}
	return out
}

// multiple returns the cells that a leap over several equal steps passes.
func multiple(v board.Vector) ([]board.Vector, bool) {
	parts := int8(gcd(gcd(int(abs(v.X)), int(abs(v.Y))), int(abs(v.Z))))
	var way []board.Vector
	for i := int8(1); i < parts; i++ {
		way = append(way, board.Vector{X: v.X / parts * i, Y: v.Y / parts * i, Z: v.Z / parts * i})
	}
	return way, parts > 1
}

// hexes are the shapes of hexagons in axial coordinates.
type hexes struct{}

func (s hexes) capital(letter byte) ([][]board.Vector, bool, bool) { return compound(s, "WF", letter) }

func (s hexes) base(letter byte) []board.Vector {
	var one []board.Vector // clockwise from straight ahead, as far as the next turn by a sixth
	switch letter {
	case 'W':
		one = []board.Vector{{Y: 1}}
	case 'F':
		one = []board.Vector{{X: 1, Y: 1}}
	case 'D':
		one = []board.Vector{{Y: 2}}
	case 'N':
		one = []board.Vector{{X: 1, Y: 2}, {X: 2, Y: 1}}
	case 'A':
		one = []board.Vector{{X: 2, Y: 2}}
	case 'H':
		one = []board.Vector{{Y: 3}}
	case 'G':
		one = []board.Vector{{X: 3, Y: 3}}
	default:
		return nil
	}
	var all []board.Vector
	for range 6 {
		all = append(all, one...)
		for i, v := range one {
			one[i] = board.Vector{X: v.X + v.Y, Y: -v.X}
		}
	}
	return all
}

// choose reads directions as drawn: a single mark selects what lies mainly that way, so that fW is straight ahead; two
// marks at right angles select what has a part of both, so that frW is the step to the upper right.
func (s hexes) choose(part []board.Vector, dirs string) ([]board.Vector, bool) {
	seen := func(v board.Vector) (x, y int) { return int(v.X), 2*int(v.Y) + int(v.X) } // y in units of x times the root of 3
	to := func(v board.Vector, d byte) bool {
		x, y := seen(v)
		return towards(board.Vector{X: int8(x), Y: int8(y)}, d)
	}
	by := []selector{}
	for i := 0; i < len(dirs); i++ {
		d := dirs[i]
		var next byte
		if i+1 < len(dirs) {
			next = dirs[i+1]
		}
		if crosses(d, next) {
			by = append(by, func(v board.Vector) bool { return to(v, d) && to(v, next) })
			i++
			continue
		}
		by = append(by, func(v board.Vector) bool {
			x, y := seen(v)
			return to(v, d) && (y*y > 3*x*x) == vertical(d)
		})
	}
	return choose(part, by, dirs)
}

func (s hexes) way(v board.Vector) ([]board.Vector, bool) {
	way, ok := multiple(v)
	return way, ok && v.Z == 0
}

// outward keeps the directions at less than a right angle.
func (s hexes) outward(v board.Vector, then []board.Vector) []board.Vector {
	var out []board.Vector
	for _, w := range then {
		if 3*int(v.X)*int(w.X)+(2*int(v.Y)+int(v.X))*(2*int(w.Y)+int(w.X)) > 0 {
			out = append(out, w)
		}
	}
	return out
}

// cubes are the shapes of the cells of a cube.
type cubes struct{}

func (s cubes) capital(letter byte) ([][]board.Vector, bool, bool) {
	return compound(s, "WFU", letter)
}

func (s cubes) base(letter byte) []board.Vector {
	var parts [3]int8
	switch letter {
	case 'W':
		parts = [3]int8{0, 0, 1}
	case 'F':
		parts = [3]int8{0, 1, 1}
	case 'U':
		parts = [3]int8{1, 1, 1}
	case 'D':
		parts = [3]int8{0, 0, 2}
	case 'N':
		parts = [3]int8{0, 1, 2}
	case 'A':
		parts = [3]int8{0, 2, 2}
	default:
		return nil
	}
	var all []board.Vector
	for z := -parts[2]; z <= parts[2]; z++ {
		for y := -parts[2]; y <= parts[2]; y++ {
			for x := -parts[2]; x <= parts[2]; x++ {
				have := [3]int8{abs(x), abs(y), abs(z)}
				if slices.Sort(have[:]); have == parts {
					all = append(all, board.Vector{X: x, Y: y, Z: z})
				}
			}
		}
	}
	return all
}

// choose knows no directions in space: displacements say them better.
func (s cubes) choose(part []board.Vector, dirs string) ([]board.Vector, bool) {
	return part, dirs == ""
}

func (s cubes) way(v board.Vector) ([]board.Vector, bool) { return multiple(v) }

func (s cubes) outward(v board.Vector, then []board.Vector) []board.Vector { return outward(v, then) }

func abs(x int8) int8 { return max(x, -x) }

func sign(x int8) int8 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
