package betza

import (
	"fmt"
	"strings"

	"hoplite/engine/board"
)

// maxRange bounds the numbers that Parse accepts; no board is longer.
const maxRange = 99

type parser struct {
	text   string
	at     int
	shapes shapes
	atoms  []Atom
}

func (p *parser) fail(format string, args ...any) error {
	return &Error{Text: p.text, Offset: p.at, Reason: fmt.Sprintf(format, args...)}
}

// accept skips mark if it comes next.
func (p *parser) accept(mark string) bool {
	if !strings.HasPrefix(p.text[p.at:], mark) {
		return false
	}
	p.at += len(mark)
	return true
}

func (p *parser) atom() error {
	a := Atom{Min: 1}
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
		case m == 'p':
			a.Hop = true
		case m == 't' && strings.HasPrefix(p.text[p.at:], "t["):
			p.at++
			if !modes {
				a.Quiet, a.Take = true, true
			}
			return p.bent(a, dirs)
		case strings.IndexByte("gajyzoqudtxk", m) >= 0:
			a.Other += string(m)
		default:
			return p.fail("unknown mark %q", m)
		}
	}
	if !modes {
		a.Quiet, a.Take = true, true
	}
	switch {
	case p.at == len(p.text):
		return p.fail("marks without a capital")
	case p.text[p.at] == '(':
		return p.explicit(a, dirs)
	case p.accept("O"):
		rng, ok, err := p.number()
		if err != nil {
			return err
		}
		if !ok || rng == 0 {
			return p.fail("castling needs a number of cells")
		}
		if a.Hop {
			a.Hop, a.Other = false, a.Other+"p"
		}
		a.Castling, a.Range = rng, 0
		p.atoms = append(p.atoms, a)
		return nil
	}
	letter := p.text[p.at]
	parts, slides, ok := p.shapes.capital(letter)
	if !ok {
		return p.fail("unknown capital %q", letter)
	}
	p.at++
	if err := p.reach(&a, letter, slides); err != nil {
		return err
	}
	a.Lines = letter == 'X'
	for _, part := range parts {
		one := a
		if one.Vectors, ok = p.shapes.choose(part, dirs); !ok {
			return p.fail("directions %q select nothing", dirs)
		}
		if err := p.finish(one); err != nil {
			return err
		}
	}
	return nil
}

// reach reads the range after a capital: a number, a doubled letter, or "2-" and "2-5".
func (p *parser) reach(a *Atom, letter byte, slides bool) error {
	a.Range = 1
	if slides {
		a.Range = 0
	}
	doubled := letter != 0 && p.accept(string(rune(letter)))
	low, ok, err := p.number()
	switch {
	case err != nil:
		return err
	case doubled && ok:
		return p.fail("both a doubled letter and a range")
	case doubled:
		a.Range = 0
	case ok:
		a.Range = low
		if !p.accept("-") {
			break
		}
		if a.Range, _, err = p.number(); err != nil {
			return err
		}
		if a.Min = low; low == 0 || a.Range != 0 && a.Range < low {
			return p.fail("a range from %d to %d", low, a.Range)
		}
	}
	return nil
}

// finish fills in what follows from the vectors of an atom and keeps it.
func (p *parser) finish(a Atom) error {
	if a.Lame {
		for _, v := range a.Vectors {
			way, ok := p.shapes.way(v)
			if !ok {
				return p.fail("no way for a lame leap by %d,%d,%d", v.X, v.Y, v.Z)
			}
			a.Way = append(a.Way, way)
		}
	}
	p.atoms = append(p.atoms, a)
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

// explicit reads the displacements of one atom.
func (p *parser) explicit(a Atom, dirs string) error {
	if dirs != "" {
		return p.fail("directions %q before a displacement", dirs)
	}
	for p.accept("(") {
		var part [3]int8
		for i := range part {
			if i == 2 && strings.HasPrefix(p.text[p.at:], ")") {
				break
			}
			if i > 0 && !p.accept(",") {
				return p.fail("a displacement has two or three parts with commas between them")
			}
			negative := p.accept("-")
			n, ok, err := p.number()
			if err != nil {
				return err
			}
			if !ok {
				return p.fail("a part of a displacement is a number")
			}
			if part[i] = int8(n); negative {
				part[i] = -part[i]
			}
		}
		if !p.accept(")") {
			return p.fail("no closing bracket")
		}
		v := board.Vector{X: part[0], Y: part[1], Z: part[2]}
		if v == (board.Vector{}) {
			return p.fail("a displacement that leads nowhere")
		}
		a.Vectors = append(a.Vectors, v)
	}
	if err := p.reach(&a, 0, false); err != nil {
		return err
	}
	return p.finish(a)
}

// bent reads "[FR]" after the mark t.
func (p *parser) bent(a Atom, dirs string) error {
	if a.Lame || a.Hop || a.Passing || a.Other != "" {
		return p.fail("a bent slider is neither lame nor a hopper")
	}
	p.accept("[")
	leg := func(want bool) (parts [][]board.Vector, letter byte, err error) {
		if p.at == len(p.text) {
			return nil, 0, p.fail("no closing bracket")
		}
		letter = p.text[p.at]
		parts, slides, ok := p.shapes.capital(letter)
		if !ok || len(parts) != 1 || slides != want || letter == 'X' {
			return nil, 0, p.fail("a bent slider is a leap and one of R and B, not %q", letter)
		}
		p.at++
		return parts, letter, nil
	}
	first, _, err := leg(false)
	if err != nil {
		return err
	}
	bend := &Bend{Stop: !p.accept("-")}
	second, _, err := leg(true)
	if err != nil {
		return err
	}
	reach := Atom{Min: 1}
	if err := p.reach(&reach, 0, true); err != nil {
		return err
	}
	if !p.accept("]") {
		return p.fail("no closing bracket")
	}
	bend.Min, bend.Range = reach.Min, reach.Range
	var ok bool
	if a.Vectors, ok = p.shapes.choose(first[0], dirs); !ok {
		return p.fail("directions %q select nothing", dirs)
	}
	for _, v := range a.Vectors {
		bend.Then = append(bend.Then, p.shapes.outward(v, second[0]))
	}
	a.Bend, a.Range = bend, 1
	p.atoms = append(p.atoms, a)
	return nil
}
