package betza_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hoplite/engine/betza"
	"hoplite/engine/board"
)

func boardOf(t *testing.T, spec board.Spec) *board.Board {
	t.Helper()
	b, err := board.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// targets lists the cells that a movement reaches when full cells hold men that block and can be captured.
func targets(t *testing.T, b *board.Board, movement, from string, full ...string) []string {
	t.Helper()
	atoms, err := betza.ParseOn(b.Shape(), movement)
	if err != nil {
		t.Fatal(err)
	}
	start, ok := b.ParseCell(from)
	if !ok {
		t.Fatal(from)
	}
	filled := func(c board.Cell) bool { return slices.Contains(full, b.CellName(c)) }
	reached := map[string]bool{}
	arrive := func(a betza.Atom, c board.Cell) {
		if filled(c) && a.Take || !filled(c) && a.Quiet {
			reached[b.CellName(c)] = true
		}
	}
	slide := func(a betza.Atom, from board.Cell, v board.Vector, least, most int) {
		step := b.Ray
		if a.Lines {
			step = b.LineRay
		}
		screens := 0
		for i, c := range step(from, v, most) {
			if i+1 >= least && (!a.Hop && screens == 0 || a.Hop && screens == 1) && c != start {
				arrive(a, c)
			}
			if filled(c) {
				screens++
			}
		}
	}
	for _, a := range atoms {
		for i, v := range a.Vectors {
			clear := !slices.ContainsFunc(wayOf(a, i), func(w board.Vector) bool {
				c := b.Step(start, w)
				return c == board.Wall || filled(c)
			})
			switch {
			case !clear:
			case a.Bend != nil:
				bend := b.Step(start, v)
				if bend == board.Wall {
					continue
				}
				if a.Bend.Stop {
					arrive(a, bend)
				}
				if !filled(bend) {
					for _, w := range a.Bend.Then[i] {
						slide(a, bend, w, a.Bend.Min, a.Bend.Range)
					}
				}
			default:
				slide(a, start, v, a.Min, a.Range)
			}
		}
	}
	var list []string
	for name := range reached {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

func wayOf(a betza.Atom, i int) []board.Vector {
	if a.Way == nil {
		return nil
	}
	return a.Way[i]
}

// The cells are those that the rule sheets list in their test positions.
func TestTargets(t *testing.T) {
	t.Parallel()
	hex91 := board.Spec{Shape: board.Hex91}
	hex70 := board.Spec{Shape: board.Hex70}
	ring := board.Spec{Shape: board.Ring, Files: 16, Ranks: 4}
	large := board.Spec{Shape: board.Rect, Files: 11, Ranks: 10}
	palace := board.Spec{Shape: board.Rect, Files: 9, Ranks: 10, Lines: [][]string{{"d1", "e2", "f3"}, {"f1", "e2", "d3"}}}
	for _, c := range []struct {
		name       string
		spec       board.Spec
		movement   string
		from, full string
		want       string
	}{
		{"glinski T2", hex91, "K", "f6", "", "d5 e4 e5 e6 e7 f5 f7 g4 g5 g6 g7 h5"},
		{"glinski T3", hex91, "N", "f6", "", "c4 c5 d3 d7 e3 e8 g3 g8 h3 h7 i4 i5"},
		{"glinski T5", hex91, "B", "f6", "", "b4 d2 d5 d8 e4 e7 g4 g7 h2 h5 h8 k4"},
		{"glinski T6", hex91, "mfWcflfrWimfnD", "e4", "f5", "e5 e6 f5"},
		{"glinski T7", hex91, "mfWcflfrWifmnD", "f5", "", "f6 f7"},
		{"glinski T7, blocked", hex91, "mfWcflfrWifmnD", "f5", "f6", ""},
		{"shafran, pawn takes", hex70, "mfWcfF", "e4", "d5 d4 f6 g5 f5", "d5 e5 f6"},
		{"shafran, three ahead", hex70, "mfWR3", "a1", "a3 b1 b2", "a2 a3 b1 b2"},
		{"byzantine T2", ring, "R", "a1", "", "a2 a3 a4 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1 l1 m1 n1 o1 p1"},
		{"byzantine T3", ring, "R", "a1", "b1 n1", "a2 a3 a4 b1 n1 o1 p1"},
		{"byzantine T5", ring, "N", "a2", "", "b4 c1 c3 o1 o3 p4"},
		{"byzantine T6", ring, "A", "a1", "", "c3 o3"},
		{"byzantine T10", ring, "mrWcrF", "p2", "a1 a3", "a1 a2 a3"},
		{"byzantine, the other way", ring, "mlWclF", "a2", "p1 o2 b1", "p1 p2"},
		{"tamerlane T2", large, "t[F-R3-]", "a1", "", "b10 b5 b6 b7 b8 b9 e2 f2 g2 h2 i2 j2 k2"},
		{"tamerlane T3", large, "t[F-R3-]", "a1", "b3", "e2 f2 g2 h2 i2 j2 k2"},
		{"tamerlane, full bend", large, "t[F-R3-]", "a1", "b2", ""},
		{"tamerlane T4", large, "B2-", "c2", "", "a4 e4 f5 g6 h7 i8 j9 k10"},
		{"tamerlane T5", large, "B2-", "c2", "d3", "a4"},
		{"at most four", large, "B2-4", "c2", "", "a4 e4 f5 g6"},
		{"gryphon", board.Spec{Shape: board.Rect, Files: 5, Ranks: 5}, "t[FR]", "b2", "c4",
			"a1 a3 a4 a5 c1 c3 c4 d1 d3 e1 e3"},
		{"bent knight", board.Spec{Shape: board.Rect, Files: 6, Ranks: 6}, "ft[NB]", "b1", "", "a3 c3 d4 e5 f6"},
		{"horse", large, "nN", "d4", "d5", "b3 b5 c2 e2 f3 f5"},
		{"elephant", large, "nA", "d4", "c3", "b6 f2 f6"},
		{"janggi elephant", large, "nZ", "d4", "e4 b5 f6", "a2 b1 b7 f1 f7"},
		{"janggi elephant, second cell", large, "nZ", "d4", "c6", "a2 a6 b1 f1 f7 g2 g6"},
		{"xiangqi cannon", large, "mRcpR", "a1", "a4 a8 c1", "a2 a3 a8 b1"},
		{"janggi cannon", large, "pR", "a1", "a4 a6 a8 c1", "a5 a6 d1 e1 f1 g1 h1 i1 j1 k1"},
		{"palace step", palace, "X", "e2", "", "d1 d3 f1 f3"},
		{"palace chariot", palace, "XX", "d1", "", "e2 f3"},
		{"palace cannon", palace, "pXX", "d1", "e2", "f3"},
		{"palace soldier", palace, "fX", "e2", "", "d3 f3"},
		{"off the lines", palace, "XX", "d2", "", ""},
		{"displacements", large, "m(0,1)c(1,0)(-1,1)", "d4", "e4 d5", "e4"},
		{"a sliding displacement", large, "(2,1)0", "a1", "e3", "c2 e3"},
		{"a displacement of two at most", large, "(2,1)2", "a1", "", "c2 e3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			want := strings.Fields(c.want)
			slices.Sort(want)
			if got := targets(t, boardOf(t, c.spec), c.movement, c.from, strings.Fields(c.full)...); !slices.Equal(got, want) {
				t.Errorf("%s from %s:\n got %v\nwant %v", c.movement, c.from, got, want)
			}
		})
	}
}

// The cube's men reach as many cells from its middle as raumschach's test position T2 says, and glinski's rook 30.
func TestCounts(t *testing.T) {
	t.Parallel()
	cube := boardOf(t, board.Spec{Shape: board.Cube})
	for movement, want := range map[string]int{"R": 12, "B": 24, "UU": 16, "N": 24, "BRUU": 52, "Q": 52, "K": 26, "W": 6, "F": 12, "U": 8,
		"m(0,1,0)(0,0,1)c(1,1,0)(-1,1,0)(1,0,1)(-1,0,1)(0,1,1)": 2} {
		if got := targets(t, cube, movement, "Cc3"); len(got) != want {
			t.Errorf("%s reaches %d cells, want %d: %v", movement, len(got), want, got)
		}
	}
	if got := targets(t, boardOf(t, board.Spec{Shape: board.Hex91}), "R", "f6"); len(got) != 30 {
		t.Errorf("glinski T4: %d cells: %v", len(got), got)
	}
}

func TestTurn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spec     board.Spec
		heading  board.Heading
		movement string
		want     string
	}{
		{board.Spec{Shape: board.Rect, Files: 8, Ranks: 8}, 2, "fmWfcF", "[{0 -1 0}] [] | [{-1 -1 0} {1 -1 0}] []"},
		{board.Spec{Shape: board.Rect, Files: 8, Ranks: 8}, 1, "ffnN", "[{2 -1 0} {2 1 0}] [[{1 0 0}] [{1 0 0}]]"},
		{board.Spec{Shape: board.Hex91}, 3, "fW", "[{0 -1 0}] []"},
		{board.Spec{Shape: board.Cube}, 2, "(0,1,0)(1,0,1)", "[{0 -1 0} {-1 0 -1}] []"},
	} {
		atoms, err := betza.ParseOn(c.spec.Shape, c.movement)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range atoms {
			turned := a.Turn(boardOf(t, c.spec), c.heading)
			got = append(got, fmt.Sprint(turned.Vectors, " ", turned.Way))
		}
		if s := strings.Join(got, " | "); s != c.want {
			t.Errorf("%s for heading %d: %s, want %s", c.movement, c.heading, s, c.want)
		}
	}
	atoms, err := betza.Parse("frt[FR]")
	if err != nil {
		t.Fatal(err)
	}
	turned := atoms[0].Turn(boardOf(t, board.Spec{Shape: board.Rect, Files: 8, Ranks: 8}), 2)
	if got := fmt.Sprint(turned.Vectors, turned.Bend.Then, atoms[0].Bend.Then); got != "[{-1 -1 0}] [[{0 -1 0} {-1 0 0}]] [[{0 1 0} {1 0 0}]]" {
		t.Errorf("a bent slider turned: %s", got)
	}
}

func TestParseOnErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shape board.Shape
		text  string
	}{
		{board.Rect, "U"}, {board.Rect, "(0,0)"}, {board.Rect, "(1)"}, {board.Rect, "(1,2"}, {board.Rect, "(1,2,3,4)"},
		{board.Rect, "(a,b)"}, {board.Rect, "f(1,2)"}, {board.Rect, "(1,200)"}, {board.Rect, "n(1,2,1)"},
		{board.Rect, "B0-"}, {board.Rect, "B5-2"}, {board.Rect, "t[F"}, {board.Rect, "t[FR"}, {board.Rect, "t[RF]"},
		{board.Rect, "t[KR]"}, {board.Rect, "t[FQ]"}, {board.Rect, "nt[FR]"}, {board.Rect, "t[F-"}, {board.Rect, "t["},
		{board.Rect, "sbt[FR]x"}, {board.Hex91, "U"}, {board.Hex91, "nN"}, {board.Hex91, "fbX"}, {board.Cube, "fW"}, {board.Cube, "X"},
		{board.Cube, "nW"},
	} {
		if atoms, err := betza.ParseOn(c.shape, c.text); err == nil {
			t.Errorf("%s: %q reads as %v", c.shape, c.text, atoms)
		}
	}
}
