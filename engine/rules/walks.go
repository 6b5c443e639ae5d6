package rules

import (
	"fmt"
	"math/bits"
	"strings"

	"hoplite/engine/betza"
	"hoplite/engine/board"
)

// A walk is a way of moving that depends on what stands before the cell of arrival in other ways than a plain slide
// does: a lame leap that may capture, a hopper, a slide of a least length, a bent slide. Its cells lie in a row in
// Rules.walkPath.
type walk struct {
	at uint32
	n  uint8
	// least is the number of the first cell of arrival, counted from 1; the cells before it must be empty.
	least uint8
	// hop needs exactly one man on the way, which must not be of a type that its game bars.
	hop         bool
	quiet, take bool
}

// Region is a named part of the board, such as a palace.
type Region struct {
	Name string
	// Cells are the names of its cells, separated by blanks: one text for each side, or one for all.
	Cells []string
}

// Power is movement that a man has only while it stands in a region.
type Power struct {
	Region string
	Betza  string
}

// region returns the cells of a region as it is meant for side s.
func (r *Rules) region(name string, s Side) (board.Set, error) {
	for _, region := range r.def.Regions {
		if region.Name != name {
			continue
		}
		text := region.Cells[min(int(s), len(region.Cells)-1)]
		var cells board.Set
		for _, cell := range strings.Fields(text) {
			c, ok := r.board.ParseCell(cell)
			if !ok {
				return cells, fmt.Errorf("region %s: unknown cell %q", name, cell)
			}
			cells.Add(c)
		}
		return cells, nil
	}
	return board.Set{}, fmt.Errorf("unknown region %q", name)
}

// walked reports whether an atom needs walks.
func walked(a *betza.Atom) bool {
	return a.Hop || a.Bend != nil || a.Lines || a.Min > 1 || a.Lame && a.Take
}

// walks lays the walks of an atom from c out.
func (t *tables) walks(m *mover, c Cell, a *betza.Atom) {
	for i, v := range a.Vectors {
		switch {
		case a.Bend != nil:
			bend := t.r.board.Step(c, v)
			if bend == board.Wall {
				continue
			}
			if a.Bend.Stop {
				t.addWalk(m, a, []Cell{bend}, 1)
			}
			for _, then := range a.Bend.Then[i] {
				cells := append([]Cell{bend}, t.r.board.Ray(bend, then, a.Bend.Range)...)
				t.addWalk(m, a, cells, 1+max(a.Bend.Min, 1))
			}
		case a.Lame:
			to := t.r.board.Step(c, v)
			if to == board.Wall {
				continue
			}
			var cells []Cell
			for _, way := range a.Way[i] {
				cells = append(cells, t.r.board.Step(c, way))
			}
			t.addWalk(m, a, append(cells, to), len(cells)+1)
		case a.Lines:
			t.addWalk(m, a, t.r.board.LineRay(c, v, a.Range), max(a.Min, 1))
		default:
			t.addWalk(m, a, t.r.board.Ray(c, v, a.Range), max(a.Min, 1))
		}
	}
}

func (t *tables) addWalk(m *mover, a *betza.Atom, cells []Cell, least int) {
	r := t.r
	if len(cells) < least {
		return
	}
	within := m.within
	if within != nil {
		for i, c := range cells {
			if !within.Has(c) {
				cells = cells[:i]
				break
			}
		}
		if len(cells) < least {
			return
		}
	}
	r.walkList = append(r.walkList, walk{at: uint32(len(r.walkPath)), n: uint8(len(cells)), least: uint8(least), hop: a.Hop,
		quiet: a.Quiet, take: a.Take})
	r.walkPath = append(r.walkPath, cells...)
}

// walkTargets adds to t where the man q on c may go by walks.
func (p *Position) walkTargets(q Piece, c Cell, t *board.Set) {
	r := p.rules
	foe := &r.foe[p.turn&(maxSides-1)]
	s := r.walks[int(q)*r.n+int(c)]
	for i := s.at; i < s.at+uint32(s.n); i++ {
		w := &r.walkList[i]
		cells := r.walkPath[w.at : w.at+uint32(w.n)]
		first, last := p.stretch(q, w, cells)
		if w.quiet {
			for _, to := range cells[first:last] {
				t.Add(to)
			}
		}
		if w.take && last < len(cells) && last >= first && foe[p.cell[cells[last]]] && p.mayHop(q, w, cells[last]) {
			t.Add(cells[last])
		}
	}
}

// stretch returns the range of the empty cells of arrival of a walk; a man on the cell after it may be taken. A walk that
// leads nowhere has an empty range beyond its end.
func (p *Position) stretch(q Piece, w *walk, cells []Cell) (first, last int) {
	i := 0
	if w.hop {
		for i < len(cells) && p.cell[cells[i]] == 0 {
			i++
		}
		if i == len(cells) || !p.mayHop(q, w, cells[i]) {
			return len(cells), len(cells)
		}
		i++
		first = i
	} else {
		for ; i < int(w.least)-1; i++ {
			if p.cell[cells[i]] != 0 {
				return len(cells), len(cells)
			}
		}
		first = i
	}
	for i < len(cells) && p.cell[cells[i]] == 0 {
		i++
	}
	return first, i
}

// mayHop reports whether a walk may go over the man on c, or take it.
func (p *Position) mayHop(q Piece, w *walk, c Cell) bool {
	return !w.hop || !p.rules.codes[q].barsHop[p.rules.codes[p.cell[c]].typ]
}

// walkedTo reports whether a man of side by attacks c by a walk.
func (p *Position) walkedTo(c Cell, by Side) bool {
	r := p.rules
	near := &r.walkNear[by&(maxSides-1)][c]
	for w := 0; w < r.words; w++ {
		for b := near[w&3] & p.men[by&(maxSides-1)][w&3]; b != 0; b &= b - 1 {
			if from := Cell(w<<6 | bits.TrailingZeros64(b)); p.walksTo(from, c) {
				return true
			}
		}
	}
	return false
}

// walksTo reports whether the man on from could take a man on c by a walk.
func (p *Position) walksTo(from, c Cell) bool {
	r := p.rules
	q := p.cell[from]
	s := r.walks[int(q)*r.n+int(from)]
	for i := s.at; i < s.at+uint32(s.n); i++ {
		w := &r.walkList[i]
		if !w.take {
			continue
		}
		cells := r.walkPath[w.at : w.at+uint32(w.n)]
		first, last := p.stretch(q, w, cells)
		if last < first {
			continue
		}
		for j := first; j <= last && j < len(cells); j++ {
			if cells[j] == c && (j < last || p.mayHop(q, w, c)) {
				return true
			}
		}
	}
	return false
}
