package rules

import (
	"fmt"
	"slices"
	"strings"

	"hoplite/engine/board"
)

// ArrayRule is the mechanism setup(generator): all orders of men on the home row that keep to some conditions, numbered
// from 0 in the order of their letters from the first file to the last. The sides mirror each other file by file.
type ArrayRule struct {
	// Men are the tokens of the men, single letters, in any order.
	Men string
	// Coloured are pairs of letters; the two stand on cells of different colours.
	Coloured []string
	// Between is a man that stands between the two of another type: KR for a king between the rooks.
	Between string
	// Apart is a type whose two men do not stand side by side.
	Apart string
	// Guarded asks that every cell before the home row be attacked by some man of the row.
	Guarded bool
	// Unlike leaves out this order and all that an exchange of two men makes from it.
	Unlike string
}

// arrays are the orders of an ArrayRule while they are looked for.
type arrays struct {
	rule   *ArrayRule
	files  int
	left   []byte   // the letters to place, sorted
	row    []byte   // those placed
	guards [][]uint // by type and file: the files of the cells attacked before the row
	found  []string
	steps  int
	types  func(letter byte) PieceType
}

// maxArraySteps bounds the search for arrays, far above what the games of ten files need.
const maxArraySteps = 2_000_000

// compileArrays lists the orders of the game's array rule.
func (r *Rules) compileArrays() error {
	rule := r.def.Start.Arrays
	if rule == nil {
		return nil
	}
	a := &arrays{rule: rule, files: r.board.Files(), left: []byte(rule.Men),
		types: func(letter byte) PieceType { return r.TypeOf(string(rune(letter))) }}
	if r.board.Shape() != board.Rect || len(rule.Men) != a.files {
		return fmt.Errorf("arrays of %d men on %d files", len(rule.Men), a.files)
	}
	slices.Sort(a.left)
	for _, text := range append([]string{rule.Men, rule.Between, rule.Apart, rule.Unlike}, rule.Coloured...) {
		for _, letter := range []byte(text) {
			if a.types(letter) == 0 {
				return fmt.Errorf("arrays with an unknown man %q", rune(letter))
			}
		}
	}
	if rule.Between != "" && len(rule.Between) != 2 || len(rule.Apart) > 1 ||
		slices.ContainsFunc(rule.Coloured, func(pair string) bool { return len(pair) != 2 }) {
		return fmt.Errorf("arrays: a pair of letters each is needed for colours and for who stands between, one for apart")
	}
	if rule.Unlike != "" && len(rule.Unlike) != a.files {
		return fmt.Errorf("arrays unlike one of %d men on %d files", len(rule.Unlike), a.files)
	}
	a.guards = r.guards()
	if a.place(); a.steps > maxArraySteps {
		return fmt.Errorf("arrays of too many orders")
	}
	if len(a.found) == 0 {
		return fmt.Errorf("no array keeps to the conditions")
	}
	r.arrays = a.found
	return nil
}

// guards finds, for each type of the first side and each file of its home row, the files of the cells right before the
// row that such a man attacks when the row is full.
func (r *Rules) guards() [][]uint {
	heading := r.def.Sides[0].Heading
	before := r.board.Row(1, heading)
	list := make([][]uint, r.types+1)
	for t := PieceType(1); int(t) <= r.types; t++ {
		list[t] = make([]uint, r.board.Files())
		for c := range r.homeRow[0].All {
			at := int(r.Piece(0, t))*r.n + int(c)
			attacked := r.leaps[at].take
			for _, ray := range r.rayList[r.rays[at].at:][:r.rays[at].n] {
				if ray.take {
					attacked.Add(r.path[ray.at])
				}
			}
			file, _ := r.board.Coord(c)
			for to := range attacked.Intersect(before).All {
				f, _ := r.board.Coord(to)
				list[t][file] |= 1 << f
			}
		}
	}
	return list
}

// place goes through all orders in the order of their letters and keeps those that fit.
func (a *arrays) place() {
	if a.steps++; a.steps > maxArraySteps {
		return
	}
	if len(a.left) == 0 {
		if a.fits() {
			a.found = append(a.found, string(a.row))
		}
		return
	}
	last := byte(0)
	for i, letter := range a.left {
		if letter == last {
			continue // the same order again
		}
		last = letter
		a.row = append(a.row, letter)
		if a.begins() {
			left := a.left
			a.left = slices.Delete(slices.Clone(left), i, i+1)
			a.place()
			a.left = left
		}
		a.row = a.row[:len(a.row)-1]
	}
}

// begins reports whether the man placed last keeps to the conditions that show before the row is full.
func (a *arrays) begins() bool {
	n := len(a.row) - 1
	letter := a.row[n]
	for _, pair := range a.rule.Coloured {
		for i, other := range a.row[:n] {
			if (letter == pair[0] && other == pair[1] || letter == pair[1] && other == pair[0]) && (n-i)%2 == 0 {
				return false
			}
		}
	}
	if a.rule.Apart != "" && n > 0 && letter == a.rule.Apart[0] && a.row[n-1] == letter {
		return false
	}
	if a.rule.Between == "" {
		return true
	}
	middle, outer := a.rule.Between[0], a.rule.Between[1:]
	switch before := strings.Count(string(a.row[:n]), outer); letter {
	case middle:
		return before == 1
	case outer[0]:
		return before == 0 || slices.Contains(a.row[:n], middle)
	}
	return true
}

// fits reports whether the full row keeps to the other conditions.
func (a *arrays) fits() bool {
	if a.rule.Guarded {
		guarded := uint(0)
		for file, letter := range a.row {
			guarded |= a.guards[a.types(letter)][file]
		}
		if guarded != 1<<a.files-1 {
			return false
		}
	}
	different := 0
	for i := range a.rule.Unlike {
		if a.rule.Unlike[i] != a.row[i] {
			different++
		}
	}
	return a.rule.Unlike == "" || different > 2
}
