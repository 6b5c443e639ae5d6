package betza_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hoplite/engine/betza"
	"hoplite/engine/board"
)

// show lists an atom's facts in a compact form: marks, range, then the vectors sorted.
func show(a betza.Atom) string {
	var b strings.Builder
	for _, f := range []struct {
		on   bool
		mark string
	}{{a.Initial, "i"}, {a.Quiet, "m"}, {a.Take, "c"}, {a.Passing, "e"}, {a.Lame, "n"}, {a.Hop, "p"}} {
		if f.on {
			b.WriteString(f.mark)
		}
	}
	fmt.Fprintf(&b, "%s %d", a.Other, a.Range)
	if a.Castling != 0 {
		fmt.Fprintf(&b, " O%d", a.Castling)
	}
	var vs []string
	for _, v := range a.Vectors {
		vs = append(vs, fmt.Sprintf("%d,%d", v.X, v.Y))
	}
	slices.Sort(vs)
	return b.String() + " " + strings.Join(vs, " ")
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"W", "mc 1 -1,0 0,-1 0,1 1,0"},
		{"F", "mc 1 -1,-1 -1,1 1,-1 1,1"},
		{"K", "mc 1 -1,0 0,-1 0,1 1,0|mc 1 -1,-1 -1,1 1,-1 1,1"},
		{"R", "mc 0 -1,0 0,-1 0,1 1,0"},
		{"R4", "mc 4 -1,0 0,-1 0,1 1,0"},
		{"N", "mc 1 -1,-2 -1,2 -2,-1 -2,1 1,-2 1,2 2,-1 2,1"},
		{"NN", "mc 0 -1,-2 -1,2 -2,-1 -2,1 1,-2 1,2 2,-1 2,1"},
		{"ffN", "mc 1 -1,2 1,2"},
		{"fN", "mc 1 -1,2 1,2"},
		{"fhN", "mc 1 -1,2 -2,1 1,2 2,1"},
		{"fsN", "mc 1 -2,1 2,1"},
		{"flN", "mc 1 -1,2"},
		{"lfN", "mc 1 -2,1"},
		{"vN", "mc 1 -1,-2 -1,2 1,-2 1,2"},
		{"flF", "mc 1 -1,1"},
		{"fsW", "mc 1 -1,0 0,1 1,0"},
		{"msW", "m 1 -1,0 1,0"},
		{"fmWfceFifmnD", "m 1 0,1|ce 1 -1,1 1,1|imn 1 0,2"},
		{"fmFfcWifmA", "m 1 -1,1 1,1|c 1 0,1|im 1 -2,2 2,2"},
		{"ispO2", "imcp 0 O2 "},
		{"mpR", "mp 0 -1,0 0,-1 0,1 1,0"},
		{"nN", "mcn 1 -1,-2 -1,2 -2,-1 -2,1 1,-2 1,2 2,-1 2,1"},
	} {
		atoms, err := betza.Parse(c.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", c.text, err)
			continue
		}
		var got []string
		for _, a := range atoms {
			got = append(got, show(a))
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("Parse(%q)\n got %s\nwant %s", c.text, s, c.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{"", "f", "fm", "U", "w", "W100", "NN2", "O", "Wé", "W ", "[W-F]", "hW"} {
		_, err := betza.Parse(text)
		var e *betza.Error
		if !errors.As(err, &e) {
			t.Errorf("Parse(%q): got %v, want *betza.Error", text, err)
		}
	}
}

func FuzzBetza(f *testing.F) {
	for _, s := range []string{"fmWfceFifmnD", "fmFfcWifmA", "FAmsW", "BN", "ispO2", "NN", "R4", "fhN", "[W-F]", "t[F-R3-]",
		"m(0,1)c(1,0)(-1,1)2", "B2-5", "nZ", "cpR", "fXX", "frW", "UU"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, shape := range []board.Shape{board.Rect, board.Hex91, board.Cube} {
			atoms, err := betza.ParseOn(shape, text)
			if err != nil {
				continue
			}
			for _, a := range atoms {
				if a.Castling == 0 && len(a.Vectors) == 0 {
					t.Errorf("%s: %q: an atom that goes nowhere", shape, text)
				}
				if !a.Quiet && !a.Take && !a.Passing {
					t.Errorf("%s: %q: an atom that does nothing", shape, text)
				}
				if a.Lame && a.Castling == 0 && len(a.Way) != len(a.Vectors) || a.Min < 1 || a.Range != 0 && a.Castling == 0 && a.Range < a.Min {
					t.Errorf("%s: %q: an atom that contradicts itself: %+v", shape, text, a)
				}
			}
		}
	})
}
