package eval

import (
	"slices"

	"hoplite/engine/betza"
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// path is a row of cells that a man may go along until something stands
// there.
type path struct {
	cells       []rules.Cell
	quiet, take bool
	initial     bool
}

// movement knows where the men of a game go on the bare board: enough to
// judge them, not to decide what is legal. Marks beyond simple steps, leaps
// and slides are left out of account.
type movement struct {
	rules *rules.Rules
	board *board.Board
	atoms [][]betza.Atom // by type
}

func newMovement(r *rules.Rules) *movement {
	m := &movement{rules: r, board: r.Board()}
	def := r.Definition()
	m.atoms = make([][]betza.Atom, len(def.Pieces)+1)
	for i := range def.Pieces {
		// A text that does not parse was refused when the rules were compiled.
		m.atoms[i+1], _ = betza.ParseOn(r.Board().Shape(), def.Pieces[i].Betza)
	}
	return m
}

// paths returns where a man of the type and side may go from c.
func (m *movement) paths(t rules.PieceType, side rules.Side, c rules.Cell) []path {
	var out []path
	heading := m.rules.Definition().Sides[side].Heading
	for _, a := range m.atoms[t] {
		if a.Castling > 0 || a.Other != "" {
			continue
		}
		for _, v := range a.Vectors {
			cells := m.board.Ray(c, m.board.Turn(v, heading), a.Range)
			if len(cells) > 0 {
				out = append(out, path{cells: cells, quiet: a.Quiet, take: a.Take, initial: a.Initial})
			}
		}
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
	for c := range m.board.N() {
		sum += m.reach(t, 0, rules.Cell(c))
	}
	return sum / float64(m.board.N())
}

// colourBound reports whether a man can never reach some of the cells.
func (m *movement) colourBound(t rules.PieceType) bool {
	return len(m.closure(t, 0, 0)) < m.board.N()
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
	out := slices.Clone(b.Beside(c))
	for _, v := range b.Directions() {
		if to := b.Step(c, v); to != board.Wall {
			out = append(out, to)
		}
	}
	return out
}
