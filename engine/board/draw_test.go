package board

import "testing"

// Every point of the frame belongs to one cell, and the first cell lies at the lower left.
func TestDrawing(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{8, 8}, {10, 8}, {3, 5}} {
		b, err := Rectangle(size[0], size[1])
		if err != nil {
			t.Fatal(err)
		}
		area := 0.0
		seen := map[[2]float64]bool{}
		for i := range b.N() {
			c := Cell(i)
			x, y := b.Center(c)
			if x < 0 || y < 0 || x > float64(b.Files()) || y > float64(b.Ranks()) || seen[[2]float64{x, y}] {
				t.Errorf("%v: center of %s at %v, %v is outside or taken", size, b.CellName(c), x, y)
			}
			seen[[2]float64{x, y}] = true
			corners := b.Outline(c)
			for j, p := range corners {
				q := corners[(j+1)%len(corners)]
				area += (p[0]*q[1] - q[0]*p[1]) / 2
			}
			if up := b.Step(c, Vector{Y: 1}); up != Wall && b.Shade(up) == b.Shade(c) {
				t.Errorf("%v: %s and the cell above have one colour", size, b.CellName(c))
			}
		}
		if area != float64(b.N()) {
			t.Errorf("%v: the outlines cover %v cells, want %d", size, area, b.N())
		}
		if x, y := b.Center(0); x != 0.5 || y != float64(b.Ranks())-0.5 || b.Shade(0) != 0 {
			t.Errorf("%v: the first cell is at %v, %v with shade %d", size, x, y, b.Shade(0))
		}
	}
}
