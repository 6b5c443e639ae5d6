package variant_test

import (
	"slices"
	"strings"
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// TestArrays counts the orders that the conditions of Capablanca Random leave, one after the other, and looks at some of
// the numbered arrays (T-gen-1 and T-gen-2 of its sheet).
func TestArrays(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(a *rules.ArrayRule)
		want int
	}{
		{"colours and king", func(a *rules.ArrayRule) { a.Guarded, a.Apart, a.Unlike = false, "", "" }, 48000},
		{"guarded", func(a *rules.ArrayRule) { a.Apart, a.Unlike = "", "" }, 21836},
		{"bishops apart", func(a *rules.ArrayRule) { a.Unlike = "" }, 12130},
		{"all", func(*rules.ArrayRule) {}, 12118},
	} {
		d := variant.CapablancaRandom()
		c.edit(d.Start.Arrays)
		r, err := rules.Compile(d)
		if err != nil {
			t.Fatal(err)
		}
		if r.Starts() != c.want {
			t.Errorf("%s: %d arrays, want %d", c.name, r.Starts(), c.want)
		}
	}
	r, _ := catalogue(t).Get("capablancaRandom")
	var rows []string
	for n := range r.Starts() {
		p, err := r.Start(n)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.CastlingRights()) != 4 {
			t.Errorf("array %d has %d castling rights", n, len(p.CastlingRights()))
		}
		place := notation.Placement(p)
		rows = append(rows, place[strings.LastIndexByte(place, '/')+1:])
	}
	if !slices.IsSorted(rows) || len(slices.Compact(slices.Clone(rows))) != len(rows) {
		t.Error("the arrays are not numbered in the order of their letters")
	}
	for n, want := range map[int]string{0: "ABCNBNRKRQ", 1: "ABCNBNRQKR", 2: "ABCNBQNRKR", 959: "BANCQNRBKR", 1000: "BANNRKCBQR",
		5000: "NBCNBRKRQA", 6000: "NRCBQKBNRA", 10867: "RNBAKCQBNR", 12000: "RQKNBRNBAC", 12033: "RQNBAKBNCR", 12116: "RQNNKCBRAB",
		12117: "RQNNKRBCAB"} {
		if rows[n] != want {
			t.Errorf("array %d is %s, want %s", n, rows[n], want)
		}
	}
	for _, row := range []string{"RNABQKBCNR", "RNBCQKABNR", "RANBQKBNCR", "RNBQCKABNR", "CNBQRKABNR", "RQBNCKABNR"} {
		if slices.Contains(rows, row) {
			t.Errorf("%s is among the arrays", row)
		}
	}
}
