package board_test

import (
	"math"
	"testing"

	"hoplite/engine/board"
)

// The cells lie in the frame, none covers another, and together they have the area of the board.
func TestOutlines(t *testing.T) {
	t.Parallel()
	ring := 8 * 16 * math.Sin(2*math.Pi/128) * (36 - 4) / 2 // regular polygons of 128 corners, radius 6 and 2
	for name, want := range map[string]float64{"chess": 64, "layers": 128, "citadels": 112, "palaces": 90, "cross": 33,
		"ring": ring, "hex91": 91 * math.Sqrt(3) / 2, "hex70": 70 * math.Sqrt(3) / 2, "cube": 125} {
		b := build(t, specs()[name].spec)
		w, h := b.Frame()
		area := 0.0
		low, high := [2]float64{w, h}, [2]float64{}
		for c := range board.Cell(b.N()) {
			corners := b.Outline(c)
			for i, p := range corners {
				q := corners[(i+1)%len(corners)]
				area += (p[0]*q[1] - q[0]*p[1]) / 2
				low = [2]float64{min(low[0], p[0]), min(low[1], p[1])}
				high = [2]float64{max(high[0], p[0]), max(high[1], p[1])}
			}
			x, y := b.Center(c)
			for o := range c {
				if ox, oy := b.Center(o); math.Hypot(x-ox, y-oy) < 0.75 {
					t.Errorf("%s: %s is drawn over %s", name, b.CellName(c), b.CellName(o))
				}
			}
		}
		if math.Abs(area-want) > 1e-6 {
			t.Errorf("%s: the outlines cover %v, want %v", name, area, want)
		}
		if math.Abs(low[0])+math.Abs(low[1])+math.Abs(high[0]-w)+math.Abs(high[1]-h) > 1e-6 {
			t.Errorf("%s: drawn from %v to %v in a frame of %v, %v", name, low, high, w, h)
		}
	}
}

// White sits at the bottom of each drawing.
func TestPlacesOfDrawing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, low, high, left, right string }{
		{"hex91", "f1", "f11", "a1", "l6"},
		{"hex70", "e1", "e10", "a6", "i5"},
		{"ring", "d1", "m1", "h1", "p1"},
		{"cube", "Aa1", "Ea5", "Aa1", "Ce1"},
		{"citadels", "f1", "f10", "z9", "l2"},
		{"layers", "e1", "|e8", "a4", "|h4"},
	} {
		b := build(t, specs()[c.name].spec)
		_, low := b.Center(cell(t, b, c.low))
		_, high := b.Center(cell(t, b, c.high))
		left, _ := b.Center(cell(t, b, c.left))
		right, _ := b.Center(cell(t, b, c.right))
		for o := range board.Cell(b.N()) {
			if x, y := b.Center(o); x < left-1e-6 || x > right+1e-6 || y > low+1e-6 || y < high-1e-6 {
				t.Errorf("%s: %s at %v, %v is beyond", c.name, b.CellName(o), x, y)
			}
		}
	}
}
