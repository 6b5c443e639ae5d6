package catalogue

import (
	"strings"

	"hoplite/engine/board"
	"hoplite/engine/rules"
	"hoplite/openapi"
)

func shape(r *rules.Rules) openapi.BoardShape {
	b := r.Board()
	s := openapi.BoardShape{Shape: string(b.Shape()), Files: b.Files(), Ranks: b.Ranks(), Cells: b.N()}
	look := r.Definition().Look
	if look.Plain {
		s.Style = openapi.BoardShapeStylePlain
	}
	if look.Points {
		s.Style = openapi.BoardShapeStylePoints
		s.Lines = append(grid(b, look.River), along(b, b.Lines())...)
	}
	return s
}

// grid joins the middles of the cells along ranks and files. Over a river only the outermost files go on.
func grid(b *board.Board, river int) [][]float32 {
	var lines [][]float32
	join := func(x1, y1, x2, y2 int) {
		from, to := b.At(x1, y1), b.At(x2, y2)
		if from == board.Wall || to == board.Wall {
			return
		}
		fx, fy := b.Center(from)
		tx, ty := b.Center(to)
		lines = append(lines, []float32{float32(fx), float32(fy), float32(tx), float32(ty)})
	}
	last := b.Files() - 1
	for y := range b.Ranks() {
		join(0, y, last, y)
	}
	for x := range b.Files() {
		if river == 0 || x == 0 || x == last {
			join(x, 0, x, b.Ranks()-1)
			continue
		}
		join(x, 0, x, river-1)
		join(x, river, x, b.Ranks()-1)
	}
	return lines
}

// along joins the middles of the cells of each line.
func along(b *board.Board, lines [][]board.Cell) [][]float32 {
	var drawn [][]float32
	for _, line := range lines {
		for i := 1; i < len(line); i++ {
			fx, fy := b.Center(line[i-1])
			tx, ty := b.Center(line[i])
			drawn = append(drawn, []float32{float32(fx), float32(fy), float32(tx), float32(ty)})
		}
	}
	return drawn
}

func cells(r *rules.Rules) []openapi.VariantCell {
	b := r.Board()
	zone := make(map[string]string)
	for _, z := range r.Definition().Look.Zones {
		for _, name := range strings.Fields(z.Cells) {
			zone[name] = z.Name
		}
	}
	list := make([]openapi.VariantCell, 0, b.N())
	for i := range b.N() {
		c := board.Cell(i)
		x, y := b.Center(c)
		v := openapi.VariantCell{Name: b.CellName(c), X: float32(x), Y: float32(y), Shade: b.Shade(c), Zone: zone[b.CellName(c)]}
		for _, p := range b.Outline(c) {
			v.Outline = append(v.Outline, []float32{float32(p[0]), float32(p[1])})
		}
		list = append(list, v)
	}
	return list
}
