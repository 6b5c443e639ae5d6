package rules

import (
	"hoplite/engine/board"
)

// Way is a row of cells that a man may go along from a cell, nearest first, on a board without other men. It is for
// those who judge or draw a man; what is legal in a position only Moves says.
type Way struct {
	Cells []Cell
	// Least is the number of the first cell, counted from 1, on which the man may arrive. Those before it must be free.
	Least int
	// Hop needs exactly one man on the way.
	Hop         bool
	Quiet, Take bool
	// Initial ways exist on the man's first cells only; they are returned for every cell.
	Initial bool
}

// Ways returns where the man q may go from c, by the notation of its movement. Movement that a mechanism of the game
// adds or replaces is not among them.
func (r *Rules) Ways(q Piece, c Cell) []Way {
	var ways []Way
	for i := range r.movers {
		if r.movers[i].q == q {
			ways = r.movers[i].ways(r.board, c)
		}
	}
	return ways
}

func (m *mover) ways(b *board.Board, c Cell) []Way {
	if m.within != nil && !m.within.Has(c) {
		return nil
	}
	var ways []Way
	add := func(a *atom, cells []Cell, least int) {
		for i, to := range cells {
			if m.within != nil && !m.within.Has(to) {
				cells = cells[:i]
				break
			}
		}
		if len(cells) >= least {
			ways = append(ways, Way{Cells: cells, Least: least, Hop: a.Hop, Quiet: a.Quiet, Take: a.Take, Initial: a.Initial})
		}
	}
	for i := range m.atoms {
		a := &m.atoms[i]
		if a.cells != nil && !a.cells.Has(c) {
			continue
		}
		for j, v := range a.Vectors {
			switch {
			case a.Bend != nil:
				bend := b.Step(c, v)
				if bend == board.Wall {
					continue
				}
				if a.Bend.Stop {
					add(a, []Cell{bend}, 1)
				}
				for _, then := range a.Bend.Then[j] {
					add(a, append([]Cell{bend}, b.Ray(bend, then, a.Bend.Range)...), 1+max(a.Bend.Min, 1))
				}
			case a.Lame:
				to := b.Step(c, v)
				if to == board.Wall {
					continue
				}
				var cells []Cell
				for _, way := range a.Way[j] {
					cells = append(cells, b.Step(c, way))
				}
				add(a, append(cells, to), len(cells)+1)
			case a.Lines:
				add(a, b.LineRay(c, v, a.Range), max(a.Min, 1))
			default:
				add(a, b.Ray(c, v, a.Range), max(a.Min, 1))
			}
		}
	}
	return ways
}

// HandTypes lists the types that may be in hand.
func (r *Rules) HandTypes() []PieceType { return r.handTypes }

// Cyclic reports whether a position may come again after captures.
func (r *Rules) Cyclic() bool { return r.stages.cyclic }

// KeepsTurn reports whether a side may move again right after its own move.
func (r *Rules) KeepsTurn() bool { return r.stages.turn != nil }

// Decided returns the result if the game is over in a way that shows without looking at the moves: a king is gone, a
// goal is reached.
func (p *Position) Decided() (Outcome, bool) {
	if p.state.claimed != 0 {
		return p.claimed()
	}
	return p.decided()
}

// EndsByMoves reports whether all ends of the game are decisive, have to do with having no move, dead material or the
// clock, so that a search need not ask for the outcome of each position.
func (r *Rules) EndsByMoves() bool {
	for i := range r.ends {
		switch r.def.Ends[i].Kind {
		case EndMate, EndNoMove, EndMaterial, EndClock:
		default:
			if !r.ends[i].decisive {
				return false
			}
		}
	}
	return true
}
