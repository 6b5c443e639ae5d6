// Package betza reads Betza's notation for the movement of men, with the later XBetza marks.
//
// A movement is a row of atoms: lower-case marks, a capital that names a displacement, and a range. The marks choose
// directions (f b l r v s h, seen by the man's own side), what may happen on arrival (m moves, c captures, e captures
// in passing) and conditions (i on the first move, n the way must be free). Marks that need a second leg or a man to
// jump over are read and kept, so that a caller can refuse what it cannot play. The notation is described in Ralph
// Betza, "Betza's funny notation", and H. G. Muller, "Betza 2.0", both at chessvariants.com.
package betza

import (
	"fmt"
	"slices"
	"strings"

	"hoplite/engine/board"
)

// Atom is one way of moving.
type Atom struct {
	// Vectors are the single steps, for a side that looks up the board.
	Vectors []board.Vector
	// Range is how often the step may be repeated: 1 is a leap, 0 without limit.
	Range int
	// Quiet atoms reach empty cells, Take atoms take enemies.
	Quiet, Take bool
	// Passing atoms also take men that have just passed the cell of arrival.
	Passing bool
	// Initial atoms exist only on the first move.
	Initial bool
	// Lame atoms need every cell on the straight way to be empty.
	Lame bool
	// Castling is the number of cells that a king goes in castling, for the letter O.
	Castling int
	// Other holds the remaining marks as written: p g hoppers, a several legs, j y z q o u d t x and their kin.
	Other string
}

// Error is a text that is no movement.
type Error struct {
	Text string
	// Offset is the byte at which reading stopped.
	Offset int
	Reason string
}

func (e *Error) Error() string {
	return fmt.Sprintf("betza %q, at byte %d: %s", e.Text, e.Offset, e.Reason)
}

// maxRange bounds the numbers that Parse accepts; no board is longer.
const maxRange = 99

// leaps are the displacements that capitals stand for, as (longer, shorter) part.
func leap(letter byte) (x, y int8, ok bool) {
	switch letter {
	case 'W':
		return 1, 0, true
	case 'F':
		return 1, 1, true
	case 'D':
		return 2, 0, true
	case 'N':
		return 2, 1, true
	case 'A':
		return 2, 2, true
	case 'H':
		return 3, 0, true
	case 'C', 'L':
		return 3, 1, true
	case 'Z', 'J':
		return 3, 2, true
	case 'G':
		return 3, 3, true
	}
	return 0, 0, false
}

// Parse reads a movement. It fails with *Error.
func Parse(text string) ([]Atom, error) {
	p := parser{text: text}
	for p.at < len(text) {
		if err := p.atom(); err != nil {
			return nil, err
		}
	}
	if len(p.atoms) == 0 {
		return nil, p.fail("no movement")
	}
	return p.atoms, nil
}

type parser struct {
	text  string
	at    int
	atoms []Atom
}

func (p *parser) fail(format string, args ...any) error {
	return &Error{Text: p.text, Offset: p.at, Reason: fmt.Sprintf(format, args...)}
}

func (p *parser) atom() error {
	var a Atom
	dirs, modes := "", false
	for ; p.at < len(p.text) && p.text[p.at] >= 'a' && p.text[p.at] <= 'z'; p.at++ {
		switch m := p.text[p.at]; {
		case strings.IndexByte("fblrvsh", m) >= 0:
			dirs += string(m)
		case m == 'm':
			a.Quiet, modes = true, true
		case m == 'c':
			a.Take, modes = true, true
		case m == 'e':
			a.Passing, modes = true, true
		case m == 'i':
			a.Initial = true
		case m == 'n':
			a.Lame = true
		case strings.IndexByte("pgajyzoqudtxk", m) >= 0:
			a.Other += string(m)
		default:
			return p.fail("unknown mark %q", m)
		}
	}
	if !modes {
		a.Quiet, a.Take = true, true
	}
	if p.at == len(p.text) {
		return p.fail("marks without a capital")
	}
	letter := p.text[p.at]
	p.at++
	doubled := p.at < len(p.text) && p.text[p.at] == letter && letter != 'O'
	if doubled {
		p.at++
	}
	rng, hasRange, err := p.number()
	if err != nil {
		return err
	}
	if doubled && hasRange {
		return p.fail("both a doubled letter and a range")
	}
	if doubled {
		rng, hasRange = 0, true
	}
	if letter == 'O' {
		if !hasRange || rng == 0 {
			return p.fail("castling needs a number of cells")
		}
		a.Castling = rng
		p.atoms = append(p.atoms, a)
		return nil
	}
	parts := ""
	switch letter {
	case 'K':
		parts = "WF"
	case 'R':
		parts = "W"
	case 'B':
		parts = "F"
	case 'Q':
		parts = "WF"
	default:
		parts = string(letter)
	}
	a.Range = 1
	if letter == 'R' || letter == 'B' || letter == 'Q' {
		a.Range = 0
	}
	if hasRange {
		a.Range = rng
	}
	for i := range len(parts) {
		x, y, ok := leap(parts[i])
		if !ok {
			p.at--
			return p.fail("unknown capital %q", letter)
		}
		part := a
		if part.Vectors, err = p.vectors(x, y, dirs); err != nil {
			return err
		}
		p.atoms = append(p.atoms, part)
	}
	return nil
}

func (p *parser) number() (n int, ok bool, err error) {
	for ; p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9'; p.at++ {
		if n, ok = n*10+int(p.text[p.at]-'0'), true; n > maxRange {
			return 0, false, p.fail("range above %d", maxRange)
		}
	}
	return n, ok, nil
}

// vectors returns the displacements of one shape that the direction marks select, in a fixed order.
func (p *parser) vectors(x, y int8, dirs string) ([]board.Vector, error) {
	var all []board.Vector
	for _, v := range []board.Vector{{X: y, Y: x}, {X: x, Y: y}, {X: x, Y: -y}, {X: y, Y: -x},
		{X: -y, Y: -x}, {X: -x, Y: -y}, {X: -x, Y: y}, {X: -y, Y: x}} {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	if dirs == "" {
		return all, nil
	}
	var chosen []board.Vector
	for _, v := range all {
		for _, d := range groups(dirs, x, y) {
			if d(v) {
				chosen = append(chosen, v)
				break
			}
		}
	}
	if len(chosen) == 0 {
		return nil, p.fail("directions %q select nothing", dirs)
	}
	return chosen, nil
}

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
