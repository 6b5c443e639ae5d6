package eval

import (
	"math/bits"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// geometry is where a man of one type and side attacks from each cell. Slides
// on boards of up to 64 cells, along which the numbers of the cells only rise
// or only fall, are single words; others are walked cell by cell.
type geometry struct {
	leaps []board.Set // by cell
	at    []lineSpan  // by cell
	lines []uint64
	// Slides that are walked from c: runs of a length and that many cells,
	// nearest first, at rays[rayAt[c]:rayAt[c+1]].
	rayAt []uint16
	rays  []uint8
	// Ways that other men bar or open, as runs of at least two bytes each: how
	// many cells must be free first, or overHop, the length, and the cells.
	wayAt []uint16
	ways  []uint8

	takes []board.Set // cells attacked on the bare board
	even  bool        // it attacks from a cell whatever attacks that cell
}

// lineSpan is where the slides from a cell are: rising ones, then falling.
type lineSpan struct{ from, falling, to uint16 }

func (g *geometry) compile(mv *movement, t rules.PieceType, side rules.Side) {
	n := mv.board.N()
	g.leaps, g.takes = make([]board.Set, n), make([]board.Set, n)
	g.at, g.rayAt, g.wayAt = make([]lineSpan, n), make([]uint16, n+1), make([]uint16, n+1)
	lame := false
	for c := range n {
		var rising, falling []uint64
		for _, p := range mv.paths(t, side, rules.Cell(c)) {
			if !p.take || p.initial {
				continue
			}
			way := board.SetOf(p.cells...)
			g.takes[c] = g.takes[c].Union(way)
			switch up, down := monotonous(rules.Cell(c), p.cells); {
			case p.hop:
				g.addWay(overHop, p)
			case len(p.before) > 0:
				g.addWay(uint8(len(p.before)), p)
				lame = true
			case len(p.cells) == 1:
				g.leaps[c].Add(p.cells[0])
			case n <= 64 && up:
				rising = append(rising, way[0])
			case n <= 64 && down:
				falling = append(falling, way[0])
			default:
				g.rays = append(g.rays, uint8(len(p.cells)))
				for _, to := range p.cells {
					g.rays = append(g.rays, uint8(to))
				}
			}
		}
		g.at[c].from = uint16(len(g.lines))
		g.lines = append(g.lines, rising...)
		g.at[c].falling = uint16(len(g.lines))
		g.lines = append(g.lines, falling...)
		g.at[c].to = uint16(len(g.lines))
		g.rayAt[c+1] = uint16(len(g.rays))
		g.wayAt[c+1] = uint16(len(g.ways))
	}
	g.even = !lame // a man that bars the way there need not bar the way back
	for c := range n {
		for to := range g.takes[c].All {
			g.even = g.even && g.takes[to].Has(rules.Cell(c))
		}
	}
}

// overHop stands for the number of cells that must be free on ways on which the
// first man is leaped over.
const overHop = 255

func (g *geometry) addWay(free uint8, p path) {
	g.ways = append(g.ways, free, uint8(len(p.before)+len(p.cells)))
	for _, c := range p.before {
		g.ways = append(g.ways, uint8(c))
	}
	for _, c := range p.cells {
		g.ways = append(g.ways, uint8(c))
	}
}

// along fills in what a man attacks on ways that others bar or open.
func along(ways []uint8, all, a *board.Set) {
	for len(ways) > 0 {
		free, cells := int(ways[0]), ways[2:2+int(ways[1])]
		ways = ways[2+len(cells):]
		i := 0
		if free == overHop {
			for i < len(cells) && !all.Has(rules.Cell(cells[i])) {
				i++
			}
			i++
		} else {
			for i < free && !all.Has(rules.Cell(cells[i])) {
				i++
			}
			if i < free {
				continue
			}
		}
		for ; i < len(cells); i++ {
			a.Add(rules.Cell(cells[i]))
			if all.Has(rules.Cell(cells[i])) {
				break
			}
		}
	}
}

// monotonous reports whether the numbers of the cells from c only rise or only
// fall.
func monotonous(c rules.Cell, cells []rules.Cell) (up, down bool) {
	up, down = true, true
	for _, to := range cells {
		up, down = up && to > c, down && to < c
		c = to
	}
	return up, down
}

// attacks fills in what a man on c attacks, the men on all standing where they
// do.
func (g *geometry) attacks(c rules.Cell, all, a *board.Set) {
	*a = g.leaps[c]
	if span := &g.at[c]; span.from != span.to {
		a[0] |= g.slides(span, all[0])
	}
	for rays := g.rays[g.rayAt[c]:g.rayAt[c+1]]; len(rays) > 0; {
		n := int(rays[0])
		for _, to := range rays[1 : n+1] {
			a.Add(rules.Cell(to))
			if all.Has(rules.Cell(to)) {
				break
			}
		}
		rays = rays[n+1:]
	}
	if from, to := g.wayAt[c], g.wayAt[c+1]; from != to {
		along(g.ways[from:to], all, a)
	}
}

// slides returns the cells on slides up to the first man on each.
func (g *geometry) slides(span *lineSpan, all uint64) (a uint64) {
	for _, line := range g.lines[span.from:span.falling] {
		on := line & all
		a |= line & (on ^ (on - 1)) // up to the lowest one
	}
	for _, line := range g.lines[span.falling:span.to] {
		on := line & all
		a |= line & -(1 << 63 >> (bits.LeadingZeros64(on|1) & 63)) // down to the highest one
	}
	return a
}

// Attacks reports whether the man on from attacks to as the board of p stands.
func (e *Evaluator) Attacks(p *rules.Position, from, to rules.Cell) bool {
	m := e.men[p.At(from)]
	if m == nil || !m.takes[from].Has(to) {
		return false
	}
	all := e.occupied(p)
	var a board.Set
	m.attacks(from, &all, &a)
	return a.Has(to)
}

// occupied returns the cells on which men stand.
func (e *Evaluator) occupied(p *rules.Position) board.Set {
	all := p.Men(0).Union(p.Men(1))
	for _, side := range e.others {
		all = all.Union(p.Men(side))
	}
	return all
}
