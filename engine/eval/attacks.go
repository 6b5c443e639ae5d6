package eval

import (
	"math/bits"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// geometry is where a man of one type and side attacks from each cell. Slides
// on boards of up to 64 cells, along which the numbers of the cells only rise
// or only fall, are single words; others are walked cell by cell.
type geometry[S cells] struct {
	spots []spot[S] // by cell
	lines []uint64
	// Slides that are walked: runs of a length and that many cells, nearest
	// first.
	rays []uint8
	// Ways that other men bar or open, as runs of at least two bytes each: how
	// many cells must be free first, or overHop, the length, and the cells.
	ways []uint8
	even bool // it attacks from a cell whatever attacks that cell
}

// spot is what is known of a man on a cell.
type spot[S cells] struct {
	leaps S // cells attacked whatever stands elsewhere
	takes S // cells attacked on the bare board
	place score
	// Where the slides from it are, rising ones before falling ones, and the
	// rays and ways.
	line, falling, lineEnd   uint16
	ray, rayEnd, way, wayEnd uint16
}

func (g *geometry[S]) compile(mv *movement, t rules.PieceType, side rules.Side) {
	n := mv.board.N()
	g.spots = make([]spot[S], n)
	lame := false
	for c := range n {
		at := &g.spots[c]
		at.ray, at.way = uint16(len(g.rays)), uint16(len(g.ways))
		var rising, falling []uint64
		for _, p := range mv.paths(t, side, rules.Cell(c)) {
			if !p.take || p.initial {
				continue
			}
			way := board.SetOf(p.cells...)
			for _, to := range p.cells {
				add(&at.takes, to)
			}
			switch up, down := monotonous(rules.Cell(c), p.cells); {
			case p.hop:
				g.addWay(overHop, p)
			case len(p.before) > 0:
				g.addWay(uint8(len(p.before)), p)
				lame = true
			case len(p.cells) == 1:
				add(&at.leaps, p.cells[0])
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
		at.line = uint16(len(g.lines))
		g.lines = append(g.lines, rising...)
		at.falling = uint16(len(g.lines))
		g.lines = append(g.lines, falling...)
		at.lineEnd = uint16(len(g.lines))
		at.rayEnd, at.wayEnd = uint16(len(g.rays)), uint16(len(g.ways))
	}
	g.even = !lame // a man that bars the way there need not bar the way back
	for c := range n {
		for to := range n {
			if has(&g.spots[c].takes, rules.Cell(to)) {
				g.even = g.even && has(&g.spots[to].takes, rules.Cell(c))
			}
		}
	}
}

// overHop stands for the number of cells that must be free on ways on which the
// first man is leaped over.
const overHop = 255

func (g *geometry[S]) addWay(free uint8, p path) {
	g.ways = append(g.ways, free, uint8(len(p.before)+len(p.cells)))
	for _, c := range p.before {
		g.ways = append(g.ways, uint8(c))
	}
	for _, c := range p.cells {
		g.ways = append(g.ways, uint8(c))
	}
}

// along fills in what a man attacks on ways that others bar or open.
func along[S cells](ways []uint8, all, a *S) {
	for len(ways) > 0 {
		free, cells := int(ways[0]), ways[2:2+int(ways[1])]
		ways = ways[2+len(cells):]
		i := 0
		if free == overHop {
			for i < len(cells) && !has(all, rules.Cell(cells[i])) {
				i++
			}
			i++
		} else {
			for i < free && !has(all, rules.Cell(cells[i])) {
				i++
			}
			if i < free {
				continue
			}
		}
		for ; i < len(cells); i++ {
			add(a, rules.Cell(cells[i]))
			if has(all, rules.Cell(cells[i])) {
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

// attacks returns what a man attacks from a spot, the men on all standing
// where they do.
func (g *geometry[S]) attacks(at *spot[S], all S) S {
	a := at.leaps
	if at.line != at.lineEnd {
		a[0] |= g.slides(at, all[0])
	}
	if at.ray != at.rayEnd {
		alongRays(g.rays[at.ray:at.rayEnd], &all, &a)
	}
	if at.way != at.wayEnd {
		along(g.ways[at.way:at.wayEnd], &all, &a)
	}
	return a
}

// alongRays fills in what a man attacks on slides that are walked.
func alongRays[S cells](rays []uint8, all, a *S) {
	for len(rays) > 0 {
		n := int(rays[0])
		for _, to := range rays[1 : n+1] {
			add(a, rules.Cell(to))
			if has(all, rules.Cell(to)) {
				break
			}
		}
		rays = rays[n+1:]
	}
}

// slides returns the cells on slides up to the first man on each.
func (g *geometry[S]) slides(at *spot[S], all uint64) (a uint64) {
	for _, line := range g.lines[at.line:at.falling] {
		on := line & all
		a |= line & (on ^ (on - 1)) // up to the lowest one
	}
	for _, line := range g.lines[at.falling:at.lineEnd] {
		on := line & all
		a |= line & -(1 << 63 >> (bits.LeadingZeros64(on|1) & 63)) // down to the highest one
	}
	return a
}

// seen reports whether the man on from attacks to as the board of p stands.
func (b *tables[S]) seen(p *rules.Position, from, to rules.Cell) bool {
	m := b.men[p.At(from)]
	if m == nil || !has(&m.spots[from].takes, to) {
		return false
	}
	a := m.attacks(&m.spots[from], b.occupied(p))
	return has(&a, to)
}

// occupied returns the cells on which men stand.
func (b *tables[S]) occupied(p *rules.Position) (all S) {
	first, second := narrow[S](p.Men(0)), narrow[S](p.Men(1))
	for j := 0; j < len(all); j++ {
		all[j] = first[j] | second[j]
	}
	for _, side := range b.others {
		men := narrow[S](p.Men(side))
		for j := 0; j < len(all); j++ {
			all[j] |= men[j]
		}
	}
	return all
}
