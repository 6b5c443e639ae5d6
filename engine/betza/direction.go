package betza

import "hoplite/engine/board"

type selector func(board.Vector) bool

// groups splits direction marks into selectors, whose union is meant. Two marks at right angles make one selector on
// diagonal and oblique shapes; on orthogonal shapes each mark stands alone.
func groups(dirs string, x, y int8) []selector {
	var out []selector
	for i := 0; i < len(dirs); i++ {
		d := dirs[i]
		var next byte
		if i+1 < len(dirs) {
			next = dirs[i+1]
		}
		switch {
		case y == 0:
			out = append(out, func(v board.Vector) bool { return towards(v, d) })
		case x == y:
			if crosses(d, next) {
				out = append(out, func(v board.Vector) bool { return towards(v, d) && towards(v, next) })
				i++
			} else {
				out = append(out, func(v board.Vector) bool { return towards(v, d) })
			}
		case next == 'h': // the whole half of the oblique leaps
			out = append(out, func(v board.Vector) bool { return towards(v, d) })
			i++
		case d == next: // the two narrow ones, as a single mark
			out = append(out, func(v board.Vector) bool { return towards(v, d) && mainly(v, d) })
			i++
		case crosses(d, next):
			// The first mark names the long part, except that "s" and "v" always name what they say: fs is forward with the
			// long part sideways.
			long := d
			if next == 's' || next == 'v' {
				long = next
			}
			out = append(out, func(v board.Vector) bool { return towards(v, d) && towards(v, next) && mainly(v, long) })
			i++
		default:
			out = append(out, func(v board.Vector) bool { return towards(v, d) && mainly(v, d) })
		}
	}
	return out
}

func vertical(d byte) bool { return d == 'f' || d == 'b' || d == 'v' }

func crosses(d, next byte) bool {
	return next != 0 && next != 'h' && d != 'h' && vertical(d) != vertical(next)
}

// towards reports whether v has a part in direction d.
func towards(v board.Vector, d byte) bool {
	switch d {
	case 'f':
		return v.Y > 0
	case 'b':
		return v.Y < 0
	case 'l':
		return v.X < 0
	case 'r':
		return v.X > 0
	case 'v':
		return v.Y != 0
	case 's':
		return v.X != 0
	}
	return false
}

// mainly reports whether the longer part of v lies along the axis of d.
func mainly(v board.Vector, d byte) bool {
	if vertical(d) {
		return v.Y*v.Y > v.X*v.X
	}
	return v.X*v.X > v.Y*v.Y
}
