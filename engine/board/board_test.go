package board_test

import (
	"slices"
	"testing"

	"hoplite/engine/board"
)

func rectangle(t *testing.T, files, ranks int) *board.Board {
	t.Helper()
	b, err := board.Rectangle(files, ranks)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRectangle(t *testing.T) {
	for _, size := range [][2]int{{8, 8}, {4, 7}, {12, 10}, {26, 9}} {
		b := rectangle(t, size[0], size[1])
		if b.N() != size[0]*size[1] || b.Files() != size[0] || b.Ranks() != size[1] {
			t.Errorf("%v: %d cells", size, b.N())
		}
		for c := range board.Cell(b.N()) {
			if got, ok := b.ParseCell(b.CellName(c)); !ok || got != c {
				t.Errorf("%v: %s reads as %d, want %d", size, b.CellName(c), got, c)
			}
			if file, rank := b.Coord(c); b.At(file, rank) != c {
				t.Errorf("%v: %s is not where it is drawn", size, b.CellName(c))
			}
		}
	}
	for _, size := range [][2]int{{0, 8}, {8, 0}, {27, 1}, {16, 16}} {
		if _, err := board.Rectangle(size[0], size[1]); err == nil {
			t.Errorf("a board of %v was made", size)
		}
	}
}

func TestSteps(t *testing.T) {
	b := rectangle(t, 8, 8)
	at := func(name string) board.Cell {
		c, ok := b.ParseCell(name)
		if !ok {
			t.Fatal(name)
		}
		return c
	}
	names := func(cells []board.Cell) (s []string) {
		for _, c := range cells {
			s = append(s, b.CellName(c))
		}
		return s
	}
	for _, c := range []struct {
		from string
		v    board.Vector
		want string
	}{
		{"e4", board.Vector{X: 1, Y: 2}, "f6"},
		{"h1", board.Vector{X: 1}, "-"},
		{"a1", board.Vector{X: -1, Y: 2}, "-"},
		{"a8", board.Vector{Y: 1}, "-"},
		{"e4", board.Vector{Z: 1}, "-"},
	} {
		if got := b.CellName(b.Step(at(c.from), c.v)); got != c.want {
			t.Errorf("from %s by %v: got %s, want %s", c.from, c.v, got, c.want)
		}
	}
	if got, want := names(b.Ray(at("f6"), board.Vector{X: 1, Y: 1}, 0)), []string{"g7", "h8"}; !slices.Equal(got, want) {
		t.Errorf("ray: got %v, want %v", got, want)
	}
	if got := b.Ray(at("a1"), board.Vector{Y: 1}, 3); len(got) != 3 {
		t.Errorf("limited ray: got %v", names(got))
	}
	if got, ok := b.Between(at("b2"), at("e5")); !ok || !slices.Equal(names(got), []string{"c3", "d4"}) {
		t.Errorf("between: got %v %t", names(got), ok)
	}
	if _, ok := b.Between(at("b2"), at("c4")); ok {
		t.Error("a line between b2 and c4")
	}
	if b.Step(board.Wall, board.Vector{X: 1}) != board.Wall {
		t.Error("a step from the wall leads somewhere")
	}
}

func TestHeadings(t *testing.T) {
	b := rectangle(t, 4, 7)
	a7, _ := b.ParseCell("a7")
	for h, want := range map[board.Heading]int{0: 6, 1: 0, 2: 0, 3: 3} {
		if got := b.Distance(a7, h); got != want {
			t.Errorf("distance of a7 for heading %d: got %d, want %d", h, got, want)
		}
	}
	if b.Depth(0) != 7 || b.Depth(1) != 4 {
		t.Errorf("depths %d and %d", b.Depth(0), b.Depth(1))
	}
	if v := b.Turn(board.Vector{X: 1, Y: 2}, 2); v != (board.Vector{X: -1, Y: -2}) {
		t.Errorf("turned by half: %v", v)
	}
	row := b.Row(0, 2)
	if row.Count() != 4 || !row.Has(a7) {
		t.Errorf("the far side's own row: %v", row)
	}
}

func TestSet(t *testing.T) {
	s := board.SetOf(0, 63, 64, 200, board.Wall)
	if s.Count() != 4 || s.Has(1) || !s.Has(200) || s.First() != 0 {
		t.Errorf("got %v", s)
	}
	var cells []board.Cell
	for c := range s.All {
		cells = append(cells, c)
	}
	if !slices.Equal(cells, []board.Cell{0, 63, 64, 200}) {
		t.Errorf("got %v", cells)
	}
	for range s.All {
		break // stopping early must be possible
	}
	o := board.SetOf(63, 65)
	if u := s.Union(o); u.Count() != 5 {
		t.Errorf("union %v", u)
	}
	if x := s.Intersect(o); x != board.SetOf(63) {
		t.Errorf("intersection %v", x)
	}
	if d := s.Without(o); d != board.SetOf(0, 64, 200) {
		t.Errorf("difference %v", d)
	}
	s.Flip(0)
	s.Remove(63)
	s.Flip(5)
	if s != board.SetOf(5, 64, 200) || s.Empty() {
		t.Errorf("got %v", s)
	}
	var none board.Set
	if !none.Empty() || none.First() != board.Wall {
		t.Error("the empty set is not empty")
	}
}
