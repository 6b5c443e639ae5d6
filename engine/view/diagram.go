package view

import (
	"slices"

	"hoplite/engine/betza"
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// How is the way in which a man gets to a cell.
type How string

// The ways of moving that a diagram tells apart.
const (
	// Step goes to the next cell.
	Step How = "step"
	// Leap goes over whatever stands between.
	Leap How = "leap"
	// Pace goes a fixed number of cells, all of which must be free.
	Pace How = "pace"
	// Slide goes on until something is in the way.
	Slide How = "slide"
)

// Reach is one way to one cell in the diagram of a man.
type Reach struct {
	Cell string `json:"cell"`
	How  How    `json:"how"`
	// Quiet moves go to the cell while it is empty, Take moves capture there. Passing ones also take a man that has just
	// passed the cell.
	Quiet   bool `json:"quiet,omitempty"`
	Take    bool `json:"take,omitempty"`
	Passing bool `json:"passing,omitempty"`
	// Initial moves exist on the first move only.
	Initial bool `json:"initial,omitempty"`
}

// Other is a man that stands in the way in a diagram.
type Other bool

// Men of the diagram's own side, and of any other.
const (
	Own   Other = false
	Enemy Other = true
)

// Diagram returns where a man of type t gets from a cell, alone but for the men in the way. An empty cell is listed with
// everything that could happen there, captures too; one that holds an enemy only if he can be captured. Castling, and
// what promotion or a royal man's safety ask for, are no part of a man's movement.
func Diagram(r *rules.Rules, s rules.Side, t rules.PieceType, at rules.Cell, way map[rules.Cell]Other) ([]Reach, error) {
	def := r.PieceInfo(t)
	atoms, err := betza.ParseOn(r.Board().Shape(), def.Betza)
	if err != nil {
		return nil, err
	}
	d := diagram{board: r.Board(), way: way}
	heading := r.Definition().Sides[s].Heading
	first := r.InitialCells(r.Piece(s, t))
	for _, a := range atoms {
		if a.Initial && !first.Has(at) {
			continue
		}
		for _, v := range a.Vectors {
			d.walk(at, r.Board().Turn(v, heading), &a)
		}
	}
	return d.list, nil
}

type diagram struct {
	board *board.Board
	way   map[rules.Cell]Other
	list  []Reach
}

func (d *diagram) walk(at rules.Cell, v board.Vector, a *betza.Atom) {
	if a.Range != 1 {
		for _, c := range d.board.Ray(at, v, a.Range) {
			d.reach(c, Slide, a)
			if _, blocked := d.way[c]; blocked {
				return
			}
		}
		return
	}
	to := d.board.Step(at, v)
	if to == board.Wall {
		return
	}
	between, straight := d.board.Between(at, to)
	switch {
	case a.Lame:
		for _, c := range between {
			if _, blocked := d.way[c]; blocked {
				return
			}
		}
		d.reach(to, Pace, a)
	case straight && len(between) == 0:
		d.reach(to, Step, a)
	default:
		d.reach(to, Leap, a)
	}
}

func (d *diagram) reach(c rules.Cell, how How, a *betza.Atom) {
	found := Reach{
		Cell: d.board.CellName(c), How: how, Initial: a.Initial,
		Quiet: a.Quiet, Take: a.Take, Passing: a.Passing,
	}
	if other, occupied := d.way[c]; occupied {
		if other == Own || !a.Take {
			return
		}
		found.Quiet, found.Passing = false, false
	}
	for i := range d.list {
		if had := &d.list[i]; had.Cell == found.Cell && had.How == how && had.Initial == a.Initial {
			had.Quiet = had.Quiet || found.Quiet
			had.Take = had.Take || found.Take
			had.Passing = had.Passing || found.Passing
			return
		}
	}
	d.list = append(d.list, found)
}

// DiagramCell returns the cell on which a diagram shows a man best: the middle of the board, or of the row where the man
// starts if some of its moves exist on the first move only.
func DiagramCell(r *rules.Rules, s rules.Side, t rules.PieceType) (rules.Cell, error) {
	def := r.PieceInfo(t)
	atoms, err := betza.ParseOn(r.Board().Shape(), def.Betza)
	if err != nil {
		return board.Wall, err
	}
	b := r.Board()
	cells := make([]rules.Cell, 0, b.N())
	for c := range rules.Cell(b.N()) {
		cells = append(cells, c)
	}
	var midX, midY float64
	for _, c := range cells {
		x, y := b.Center(c)
		midX += x / float64(b.N())
		midY += y / float64(b.N())
	}
	for _, a := range atoms {
		if a.Initial {
			cells = cells[:0]
			first := r.InitialCells(r.Piece(s, t))
			cells = slices.AppendSeq(cells, first.All)
			break
		}
	}
	best, least := board.Wall, 0.0
	for _, c := range cells {
		x, y := b.Center(c)
		// Of several cells in the middle, the first: on an even board that is the one nearest to the first player's left.
		if away := (x-midX)*(x-midX) + (y-midY)*(y-midY); best == board.Wall || away < least-1e-9 {
			best, least = c, away
		}
	}
	return best, nil
}
