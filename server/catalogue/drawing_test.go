package catalogue

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hoplite/engine/board"
)

// Men on points stand on the crossings of lines, and only the outermost files lead over the river.
func TestGrid(t *testing.T) {
	b, err := board.Rectangle(3, 4)
	if err != nil {
		t.Fatal(err)
	}
	ranks := [][]float32{{0.5, 3.5, 2.5, 3.5}, {0.5, 2.5, 2.5, 2.5}, {0.5, 1.5, 2.5, 1.5}, {0.5, 0.5, 2.5, 0.5}}
	for _, c := range []struct {
		river int
		files [][]float32
	}{
		{0, [][]float32{{0.5, 3.5, 0.5, 0.5}, {1.5, 3.5, 1.5, 0.5}, {2.5, 3.5, 2.5, 0.5}}},
		{2, [][]float32{{0.5, 3.5, 0.5, 0.5}, {1.5, 3.5, 1.5, 2.5}, {1.5, 1.5, 1.5, 0.5}, {2.5, 3.5, 2.5, 0.5}}},
	} {
		if diff := cmp.Diff(append(ranks[:4:4], c.files...), grid(b, c.river)); diff != "" {
			t.Errorf("river %d (-want +got):\n%s", c.river, diff)
		}
	}
	name := func(text string) board.Cell { c, _ := b.ParseCell(text); return c }
	want := [][]float32{{0.5, 3.5, 1.5, 2.5}, {1.5, 2.5, 2.5, 1.5}}
	if diff := cmp.Diff(want, along(b, [][]board.Cell{{name("a1"), name("b2"), name("c3")}})); diff != "" {
		t.Errorf("along a diagonal (-want +got):\n%s", diff)
	}
}
