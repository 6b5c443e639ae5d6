package board_test

import (
	"slices"
	"strings"
	"testing"

	"hoplite/engine/board"
)

// specs are boards of every kind, with the number of their cells.
func specs() map[string]struct {
	spec  board.Spec
	cells int
} {
	type entry = struct {
		spec  board.Spec
		cells int
	}
	return map[string]entry{
		"chess":  {board.Spec{Shape: board.Rect, Files: 8, Ranks: 8}, 64},
		"layers": {board.Spec{Shape: board.Rect, Files: 8, Ranks: 8, Layers: 2}, 128},
		"citadels": {board.Spec{Shape: board.Rect, Files: 11, Ranks: 10, Extra: []board.ExtraCell{
			{Name: "l2", Neighbours: []string{"k1", "k2", "k3"}, File: 11, Rank: 1},
			{Name: "z9", Neighbours: []string{"a8", "a9", "a10"}, File: -1, Rank: 8},
		}}, 112},
		"palaces": {board.Spec{Shape: board.Rect, Files: 9, Ranks: 10, Lines: [][]string{
			{"d1", "e2", "f3"}, {"f1", "e2", "d3"}, {"d8", "e9", "f10"}, {"f8", "e9", "d10"}}}, 90},
		"cross": {board.Spec{Shape: board.Mask, Files: 7, Ranks: 7, Missing: []string{
			"a1", "b1", "a2", "b2", "f1", "g1", "f2", "g2", "a6", "b6", "a7", "b7", "f6", "g6", "f7", "g7"}}, 33},
		"ring":    {board.Spec{Shape: board.Ring, Files: 16, Ranks: 4}, 64},
		"hex91":   {board.Spec{Shape: board.Hex91}, 91},
		"hex70":   {board.Spec{Shape: board.Hex70}, 70},
		"cube":    {board.Spec{Shape: board.Cube}, 125},
		"seventy": {board.Spec{Shape: board.Hex70, Files: 9, Ranks: 10}, 70},
	}
}

func build(t *testing.T, spec board.Spec) *board.Board {
	t.Helper()
	b, err := board.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func cell(t *testing.T, b *board.Board, name string) board.Cell {
	t.Helper()
	c, ok := b.ParseCell(name)
	if !ok {
		t.Fatalf("no cell %q", name)
	}
	return c
}

func names(b *board.Board, cells []board.Cell) string {
	var list []string
	for _, c := range cells {
		list = append(list, b.CellName(c))
	}
	return strings.Join(list, " ")
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, s := range specs() {
		b := build(t, s.spec)
		if b.N() != s.cells {
			t.Errorf("%s: %d cells, want %d", name, b.N(), s.cells)
		}
		extra := b.Extra()
		for c := range board.Cell(b.N()) {
			text := b.CellName(c)
			if got, ok := b.ParseCell(text); !ok || got != c {
				t.Errorf("%s: %s reads as %d, want %d", name, text, got, c)
			}
			if got, want := b.FileName(c)+b.RankName(c), strings.TrimPrefix(text, "|"); got != want {
				t.Errorf("%s: %s is file %q and rank %q", name, text, b.FileName(c), b.RankName(c))
			}
			if extra.Has(c) {
				continue
			}
			want := c
			if b.Layer(c) == 1 {
				want = b.Across(c)
			}
			if file, rank := b.Coord(c); b.At(file, rank) != want {
				t.Errorf("%s: %s is not at %d, %d", name, text, file, rank)
			}
		}
		if _, ok := b.ParseCell("q77"); ok || b.At(-1, 0) != board.Wall || b.At(b.Files(), 0) != board.Wall {
			t.Errorf("%s: cells beyond the edge", name)
		}
	}
}

// Rows hold every cell of the first layer once, and the separators fit in between.
func TestRows(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"chess":    "8/8/8/8/8/8/8/8",
		"layers":   "8/8/8/8/8/8/8/8",
		"citadels": "11/11/11/11/11/11/11/11/11/11",
		"cross":    "7/7/7/7/7/7/7",
		"ring":     "16/16/16/16",
		"hex91":    "1/3/5/7/9/11/11/11/11/11/11",
		"hex70":    "5/6/7/8/9/9/8/7/6/5",
		"cube":     "5/5/5/5/5|5/5/5/5/5|5/5/5/5/5|5/5/5/5/5|5/5/5/5/5",
	} {
		b := build(t, specs()[name].spec)
		rows, separators := b.Rows(), b.RowSeparators()
		if len(separators) != len(rows)-1 {
			t.Fatalf("%s: %d rows, %d separators", name, len(rows), len(separators))
		}
		text, seen := "", board.Set{}
		for i, row := range rows {
			if i > 0 {
				text += separators[i-1]
			}
			text += itoa(len(row))
			for _, c := range row {
				if c != board.Wall && seen.Has(c) {
					t.Errorf("%s: %s twice", name, b.CellName(c))
				}
				seen = seen.Union(board.SetOf(c))
			}
		}
		extra := b.Extra()
		if text != want || (seen.Count()+extra.Count())*b.Layers() != b.N()+extra.Count()*(b.Layers()-1) {
			t.Errorf("%s: rows %s with %d cells, want %s", name, text, seen.Count(), want)
		}
	}
	first := func(name string) string { b := build(t, specs()[name].spec); return names(b, b.Rows()[1]) }
	for name, want := range map[string]string{"hex91": "e10 f10 g10", "hex70": "d9 e9 f9 g9 h9 i9",
		"cube": "Ea4 Eb4 Ec4 Ed4 Ee4", "cross": "- - c6 d6 e6 - -"} {
		if got := first(name); got != want {
			t.Errorf("%s: second row %s, want %s", name, got, want)
		}
	}
}

func itoa(n int) string {
	return strings.TrimLeft(string([]byte{byte('0' + n/10), byte('0' + n%10)}), "0")
}

// Steps lead back, and a full turn changes nothing.
func TestGraph(t *testing.T) {
	t.Parallel()
	for name, s := range specs() {
		b := build(t, s.spec)
		turns := board.Heading(4)
		if s.spec.Shape == board.Hex91 || s.spec.Shape == board.Hex70 {
			turns = 6
		}
		for i, v := range b.Directions() {
			back := b.Turn(v, turns/2)
			if back != (board.Vector{X: -v.X, Y: -v.Y, Z: -v.Z}) {
				t.Errorf("%s: half a turn makes %v into %v", name, v, back)
			}
			if b.Turn(v, turns) != v || b.Turn(b.Turn(v, 1), turns-1) != v && s.spec.Shape != board.Cube {
				t.Errorf("%s: a full turn changes %v", name, v)
			}
			for c := range board.Cell(b.N()) {
				to := b.Step(c, v)
				if to == board.Wall {
					continue
				}
				if b.Step(to, back) != c {
					t.Errorf("%s: no way back from %s to %s", name, b.CellName(to), b.CellName(c))
				}
				if sides := map[bool]int{true: 6, false: 4}[turns == 6 || s.spec.Shape == board.Cube]; i < sides && b.Shade(to) == b.Shade(c) {
					t.Errorf("%s: %s and %s have one colour", name, b.CellName(c), b.CellName(to))
				}
			}
		}
		for h := range turns {
			depth, cells := b.Depth(h), 0
			for d := range depth {
				row := b.Row(d, h)
				cells += row.Count()
			}
			extra := b.Extra()
			if cells != b.N()-extra.Count() {
				t.Errorf("%s: the rows for heading %d hold %d cells", name, h, cells)
			}
		}
	}
}

func TestEdges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		heading board.Heading
		want    string
	}{
		{"chess", 0, "a8 b8 c8 d8 e8 f8 g8 h8"},
		{"citadels", 2, "a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1"},
		{"cross", 1, "g3 g4 g5"},
		{"hex91", 0, "a6 b7 c8 d9 e10 f11 g10 h9 i8 k7 l6"},
		{"hex91", 3, "a1 b1 c1 d1 e1 f1 g1 h1 i1 k1 l1"},
		{"hex70", 0, "a6 b7 c8 d9 e10 f10 g10 h10 i10"},
		{"hex70", 3, "a1 b1 c1 d1 e1 f2 g3 h4 i5"},
		{"cube", 0, "Ea5 Eb5 Ec5 Ed5 Ee5"},
		{"cube", 2, "Aa1 Ab1 Ac1 Ad1 Ae1"},
	} {
		b := build(t, specs()[c.name].spec)
		edge := b.Edge(c.heading)
		if got := names(b, slices.Collect(edge.All)); got != c.want {
			t.Errorf("%s, heading %d: edge %s, want %s", c.name, c.heading, got, c.want)
		}
		if s := specs()[c.name].spec.Shape; s == board.Cube && b.Row(b.Depth(c.heading)-1, c.heading) != edge {
			t.Errorf("%s: the edge is not the last row", c.name)
		}
	}
	hex := build(t, board.Spec{Shape: board.Hex91})
	if got := hex.Distance(cell(t, hex, "a3"), 0); got != 2 {
		t.Errorf("a3 is in row %d", got)
	}
	if got := hex.Distance(cell(t, hex, "f9"), 3); got != 2 {
		t.Errorf("f9 is in row %d from above", got)
	}
	citadels := build(t, specs()["citadels"].spec)
	for h, want := range map[board.Heading]int{0: 8, 1: 0, 2: 1, 3: 10} {
		if got := citadels.Distance(cell(t, citadels, "z9"), h); got != want {
			t.Errorf("z9 is in row %d for heading %d, want %d", got, h, want)
		}
	}
}

func TestBetween(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, from, to, want string
		line                 bool
	}{
		{"hex70", "e1", "a1", "d1 c1 b1", true},
		{"hex70", "e1", "i5", "f2 g3 h4", true},
		{"hex70", "e10", "a6", "d9 c8 b7", true},
		{"hex91", "f6", "b4", "d5", true},
		{"hex91", "f6", "d7", "", false},
		{"ring", "b2", "n2", "a2 p2 o2", true},
		{"cube", "Aa1", "Ee5", "Bb2 Cc3 Dd4", true},
		{"cube", "Aa1", "Ab3", "", false},
		{"layers", "a1", "|a1", "", false},
		{"layers", "|a1", "|c3", "|b2", true},
		{"citadels", "a9", "z9", "", false},
		{"cross", "c3", "e5", "d4", true},
	} {
		b := build(t, specs()[c.name].spec)
		cells, line := b.Between(cell(t, b, c.from), cell(t, b, c.to))
		if names(b, cells) != c.want || line != c.line {
			t.Errorf("%s: between %s and %s got %q %t", c.name, c.from, c.to, names(b, cells), line)
		}
	}
}

// A ring has no end along a circle, and a ray does not come back to its start.
func TestRingRays(t *testing.T) {
	t.Parallel()
	b := build(t, specs()["ring"].spec)
	for v, want := range map[board.Vector]int{{X: 1}: 15, {X: -1}: 15, {Y: 1}: 3, {X: 1, Y: 1}: 3, {X: -17}: 15} {
		if got := b.Ray(cell(t, b, "a1"), v, 0); len(got) != want || slices.Contains(got, 0) {
			t.Errorf("%v: %s", v, names(b, got))
		}
	}
}

func TestExtraCells(t *testing.T) {
	t.Parallel()
	b := build(t, specs()["citadels"].spec)
	l2, k2 := cell(t, b, "l2"), cell(t, b, "k2")
	if got := names(b, b.Beside(l2)); got != "k1 k2 k3" {
		t.Errorf("beside l2: %s", got)
	}
	if got := names(b, b.Beside(k2)); got != "l2" {
		t.Errorf("beside k2: %s", got)
	}
	if b.Beside(cell(t, b, "e5")) != nil {
		t.Error("e5 has extra neighbours")
	}
	for _, v := range append(b.Directions(), board.Vector{X: 2, Y: 1}, board.Vector{X: -2, Y: 1}) {
		if to := b.Step(l2, v); to != board.Wall {
			t.Errorf("an ordinary step leads from l2 to %s", b.CellName(to))
		}
		for c := range board.Cell(b.N()) {
			if to := b.Step(c, v); to == l2 {
				t.Errorf("an ordinary step leads from %s to l2", b.CellName(c))
			}
		}
	}
}

func TestExtraLines(t *testing.T) {
	t.Parallel()
	b := build(t, specs()["palaces"].spec)
	for _, c := range []struct {
		from string
		v    board.Vector
		want string
	}{
		{"d1", board.Vector{X: 1, Y: 1}, "e2 f3"},
		{"e2", board.Vector{X: -1, Y: 1}, "d3"},
		{"e2", board.Vector{Y: 1}, ""},
		{"e1", board.Vector{X: 1, Y: 1}, ""},
		{"f10", board.Vector{X: -1, Y: -1}, "e9 d8"},
		{"f3", board.Vector{X: 1, Y: 1}, ""},
	} {
		if got := names(b, b.LineRay(cell(t, b, c.from), c.v, 0)); got != c.want {
			t.Errorf("from %s by %v: %q, want %q", c.from, c.v, got, c.want)
		}
	}
	if got := names(b, b.LineRay(cell(t, b, "d1"), board.Vector{X: 1, Y: 1}, 1)); got != "e2" || len(b.Lines()) != 4 {
		t.Errorf("one step: %s", got)
	}
}

func TestLayers(t *testing.T) {
	t.Parallel()
	b := build(t, specs()["layers"].spec)
	e4, behind := cell(t, b, "e4"), cell(t, b, "|e4")
	if b.Layers() != 2 || b.Layer(e4) != 0 || b.Layer(behind) != 1 || b.Across(e4) != behind || b.Across(behind) != e4 {
		t.Errorf("e4 is on layer %d, across lies %s", b.Layer(e4), b.CellName(b.Across(e4)))
	}
	if got := names(b, b.Ray(behind, board.Vector{X: 1, Y: 1}, 0)); got != "|f5 |g6 |h7" {
		t.Errorf("a ray on the second layer: %s", got)
	}
	one := build(t, specs()["chess"].spec)
	if one.Layers() != 1 || one.Across(0) != board.Wall {
		t.Error("a single layer has another side")
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	rect := func(change func(*board.Spec)) board.Spec {
		s := board.Spec{Shape: board.Rect, Files: 8, Ranks: 8}
		change(&s)
		return s
	}
	citadel := board.ExtraCell{Name: "z1", Neighbours: []string{"a1"}, File: -1}
	extra := func(change func(*board.ExtraCell)) board.Spec {
		e := citadel
		change(&e)
		return rect(func(s *board.Spec) { s.Extra = []board.ExtraCell{e} })
	}
	for want, s := range map[string]board.Spec{
		"unknown shape":               {Shape: "torus", Files: 8, Ranks: 8},
		"3 layers":                    rect(func(s *board.Spec) { s.Layers = 3 }),
		"no rectangle of 12 files":    {Shape: board.Rect, Files: 12, Ranks: 12, Layers: 2},
		"no ring of 3":                {Shape: board.Ring, Files: 3, Ranks: 3},
		"has 11 files":                {Shape: board.Hex91, Files: 8, Ranks: 8},
		"has no missing cells":        rect(func(s *board.Spec) { s.Missing = []string{"a1"} }),
		"has no extra cells":          {Shape: board.Cube, Layers: 2},
		"without missing cells":       {Shape: board.Mask, Files: 8, Ranks: 8},
		`missing cell "z9"`:           {Shape: board.Mask, Files: 8, Ranks: 8, Missing: []string{"z9"}},
		"0 cells":                     {Shape: board.Mask, Files: 1, Ranks: 1, Missing: []string{"a1"}},
		"a name is letters":           extra(func(e *board.ExtraCell) { e.Name = "9z" }),
		`two cells "a1"`:              extra(func(e *board.ExtraCell) { e.Name = "a1" }),
		"does not lie beside":         extra(func(e *board.ExtraCell) { e.File = 4 }),
		"without neighbours":          extra(func(e *board.ExtraCell) { e.Neighbours = nil }),
		`unknown neighbour "i1"`:      extra(func(e *board.ExtraCell) { e.Neighbours = []string{"i1"} }),
		`unknown cell "i1"`:           rect(func(s *board.Spec) { s.Lines = [][]string{{"h1", "i1"}} }),
		"an extra line of 1 cells":    rect(func(s *board.Spec) { s.Lines = [][]string{{"h1"}} }),
		"which are no neighbours":     rect(func(s *board.Spec) { s.Lines = [][]string{{"a1", "b3"}} }),
		"no rectangle of 27 files":    {Shape: board.Rect, Files: 27, Ranks: 1},
		"no rectangle of 2 files and": {Shape: board.Rect, Files: 2, Ranks: 200},
	} {
		if _, err := board.New(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want %q", s, err, want)
		}
	}
}
