package eval

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// path is a row of cells that a man may go along until something stands
// there. The first cells of some lead only on to the others.
type path struct {
	before      []rules.Cell // cells that it only passes
	cells       []rules.Cell
	quiet, take bool
	initial     bool
	hop         bool // over just one man
}

// movement knows where the men of a game go on the bare board: enough to
// judge them, not to decide what is legal. A man that leaps over others is
// taken to find one to leap over on every second way.
type movement struct {
	rules *rules.Rules
	board *board.Board
}

func newMovement(r *rules.Rules) *movement {
	return &movement{rules: r, board: r.Board()}
}

// paths returns where a man of the type and side may go from c. A type that
// the side has not goes nowhere.
func (m *movement) paths(t rules.PieceType, side rules.Side, c rules.Cell) []path {
	var out []path
	for _, w := range m.rules.Ways(m.rules.Piece(side, t), c) {
		out = append(out, path{before: w.Cells[:w.Least-1], cells: w.Cells[w.Least-1:],
			quiet: w.Quiet && !w.Hop, take: w.Take, initial: w.Initial, hop: w.Hop})
	}
	return out
}

// emptyShare is the part of the cells that is taken to be empty when the
// reach of a slider is averaged, after Betza.
const emptyShare = 0.69

// reach is the number of cells that a man attacks from c on a board that is
// partly full. A cell that it may only go to or only take on counts half.
func (m *movement) reach(t rules.PieceType, side rules.Side, c rules.Cell) float64 {
	sum := 0.0
	for _, p := range m.paths(t, side, c) {
		if p.initial {
			continue
		}
		w := 1.0
		if !p.quiet || !p.take {
			w = 0.5
		}
		for range p.cells {
			sum += w
			w *= emptyShare
		}
	}
	return sum
}

// average is the mean reach over the board.
func (m *movement) average(t rules.PieceType) float64 {
	sum := 0.0
	side := rules.Side(0)
	if !m.rules.InArmy(0, t) {
		side = 1
	}
	for c := range m.board.N() {
		sum += m.reach(t, side, rules.Cell(c))
	}
	return sum / float64(m.board.N())
}

// colourBound reports whether a man keeps to a half or a third of the cells.
func (m *movement) colourBound(t rules.PieceType, side rules.Side) bool {
	extra := m.board.Extra() // no ordinary man comes there
	cells := m.board.N() - extra.Count()
	most := 0
	var seen board.Set
	for c := range rules.Cell(m.board.N()) {
		if seen.Has(c) {
			continue // what it comes to, that from which it was seen comes to as well
		}
		reached := m.closure(t, side, c)
		seen = seen.Union(board.SetOf(reached...))
		most = max(most, len(reached))
	}
	return most < cells && 4*most > cells
}

// closure returns the cells that a man can come to from c by any number of
// moves without taking, c included.
func (m *movement) closure(t rules.PieceType, side rules.Side, c rules.Cell) []rules.Cell {
	var seen board.Set
	seen.Add(c)
	queue := []rules.Cell{c}
	for i := 0; i < len(queue); i++ {
		for _, p := range m.paths(t, side, queue[i]) {
			if !p.quiet {
				continue
			}
			for _, to := range p.cells {
				if !seen.Has(to) {
					seen.Add(to)
					queue = append(queue, to)
				}
			}
		}
	}
	return queue
}

// distances returns the least number of steps between cells for a man that
// steps to every neighbour, as distance[from*n+to].
func (m *movement) distances() []uint8 {
	n := m.board.N()
	d := make([]uint8, n*n)
	for from := range n {
		row := d[from*n : (from+1)*n]
		for i := range row {
			row[i] = 255
		}
		row[from] = 0
		queue := []rules.Cell{rules.Cell(from)}
		for i := 0; i < len(queue); i++ {
			for _, to := range neighbours(m.board, queue[i]) {
				if row[to] == 255 {
					row[to] = row[queue[i]] + 1
					queue = append(queue, to)
				}
			}
		}
	}
	return d
}

// neighbours returns the cells a king's step from c.
func neighbours(b *board.Board, c rules.Cell) []rules.Cell {
	var out []rules.Cell
	for _, v := range b.Directions() {
		if to := b.Step(c, v); to != board.Wall && to != c {
			out = append(out, to)
		}
	}
	if to := b.Across(c); to != board.Wall {
		out = append(out, to)
	}
	return append(out, b.Beside(c)...)
}
