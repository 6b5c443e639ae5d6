package view

import (
	"fmt"
	"slices"
	"strings"

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
	// Hop goes over exactly one man and on.
	Hop How = "hop"
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
// everything that could happen there, captures too; one that holds an enemy only if he can be captured. Where nobody
// stands in a row to be hopped over, the cells are listed that a hop over somebody could lead to. Castling, and what
// promotion or a royal man's safety ask for, are no part of a man's movement.
func Diagram(r *rules.Rules, s rules.Side, t rules.PieceType, at rules.Cell, way map[rules.Cell]Other) ([]Reach, error) {
	def := r.PieceInfo(t)
	d := diagram{board: r.Board(), way: way}
	var err error
	if def.Within != "" {
		if d.within, err = region(r, def.Within, s); err != nil || !d.within[at] {
			return nil, err
		}
	}
	if err := d.walkAll(r, s, t, at, def.Betza); err != nil {
		return nil, err
	}
	for _, power := range def.Powers {
		where, err := region(r, power.Region, s)
		if err != nil {
			return nil, err
		}
		if !where[at] {
			continue
		}
		if err := d.walkAll(r, s, t, at, power.Betza); err != nil {
			return nil, err
		}
	}
	// The steps to and from cells beside the board are no part of the notation.
	quiet, take := r.Targets(r.Piece(s, t), at)
	for _, to := range d.board.Beside(at) {
		if quiet.Has(to) || take.Has(to) {
			d.reach(to, Step, &betza.Atom{Quiet: quiet.Has(to), Take: take.Has(to)})
		}
	}
	return d.list, nil
}

// region returns the cells of a region as it is meant for a side.
func region(r *rules.Rules, name string, s rules.Side) (map[rules.Cell]bool, error) {
	for _, found := range r.Definition().Regions {
		if found.Name != name || len(found.Cells) == 0 {
			continue
		}
		cells := make(map[rules.Cell]bool)
		for _, text := range strings.Fields(found.Cells[min(int(s), len(found.Cells)-1)]) {
			if c, ok := r.Board().ParseCell(text); ok {
				cells[c] = true
			}
		}
		return cells, nil
	}
	return nil, fmt.Errorf("unknown region %q", name)
}

type diagram struct {
	board  *board.Board
	way    map[rules.Cell]Other
	within map[rules.Cell]bool // nil is the whole board
	list   []Reach
}

func (d *diagram) walkAll(r *rules.Rules, s rules.Side, t rules.PieceType, at rules.Cell, text string) error {
	if text == "" {
		return nil // a union, which its men move
	}
	atoms, err := betza.ParseOn(d.board.Shape(), text)
	if err != nil {
		return err
	}
	first := r.InitialCells(r.Piece(s, t))
	for _, a := range atoms {
		if a.Initial && !first.Has(at) {
			continue
		}
		a = a.Turn(d.board, r.Definition().Sides[s].Heading)
		for i := range a.Vectors {
			d.walk(at, i, &a)
		}
	}
	return nil
}

// walk follows an atom in one of its directions.
func (d *diagram) walk(at rules.Cell, i int, a *betza.Atom) {
	v := a.Vectors[i]
	switch {
	case a.Bend != nil:
		corner := d.board.Step(at, v)
		if corner == board.Wall {
			return
		}
		if a.Bend.Stop {
			d.reach(corner, Step, a)
		}
		for _, then := range a.Bend.Then[i] {
			cells := append([]rules.Cell{corner}, d.board.Ray(corner, then, a.Bend.Range)...)
			d.slide(cells, 1+max(a.Bend.Min, 1), a)
		}
	case a.Hop:
		d.hop(d.ray(at, v, a), a)
	case a.Range != 1 || a.Min > 1:
		d.slide(d.ray(at, v, a), max(a.Min, 1), a)
	case a.Lines:
		if to := d.board.LineStep(at, v); to != board.Wall {
			d.reach(to, Step, a)
		}
	default:
		d.leap(at, v, i, a)
	}
}

func (d *diagram) ray(at rules.Cell, v board.Vector, a *betza.Atom) []rules.Cell {
	if a.Lines {
		return d.board.LineRay(at, v, a.Range)
	}
	return d.board.Ray(at, v, a.Range)
}

// slide goes along cells and may stop from the one numbered least on, counted from 1.
func (d *diagram) slide(cells []rules.Cell, least int, a *betza.Atom) {
	for i, c := range cells {
		if !d.inside(c) {
			return
		}
		if i+1 >= least {
			d.reach(c, Slide, a)
		}
		if _, blocked := d.way[c]; blocked {
			return
		}
	}
}

func (d *diagram) hop(cells []rules.Cell, a *betza.Atom) {
	screen := slices.IndexFunc(cells, func(c rules.Cell) bool { _, there := d.way[c]; return there })
	for i, c := range cells {
		if !d.inside(c) {
			return
		}
		if i <= max(screen, 0) {
			continue
		}
		d.reach(c, Hop, a)
		if _, blocked := d.way[c]; blocked {
			return
		}
	}
}

func (d *diagram) leap(at rules.Cell, v board.Vector, i int, a *betza.Atom) {
	to := d.board.Step(at, v)
	if to == board.Wall {
		return
	}
	between, straight := d.board.Between(at, to)
	switch {
	case a.Lame:
		for _, on := range a.Way[i] {
			if _, blocked := d.way[d.board.Step(at, on)]; blocked {
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

func (d *diagram) inside(c rules.Cell) bool { return d.within == nil || d.within[c] }

func (d *diagram) reach(c rules.Cell, how How, a *betza.Atom) {
	found := Reach{
		Cell: d.board.CellName(c), How: how, Initial: a.Initial,
		Quiet: a.Quiet, Take: a.Take, Passing: a.Passing,
	}
	if !d.inside(c) {
		return
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

// DiagramCell returns the cell on which a diagram shows a man best: where it reaches most cells, or if some of its moves
// exist on the first move only, most from the cells of such a move. Of several, it is the one in the middle of the drawing.
func DiagramCell(r *rules.Rules, s rules.Side, t rules.PieceType) (rules.Cell, error) {
	def := r.PieceInfo(t)
	b := r.Board()
	if def.Betza == "" {
		return 0, nil
	}
	atoms, err := betza.ParseOn(b.Shape(), def.Betza)
	if err != nil {
		return board.Wall, err
	}
	var within map[rules.Cell]bool
	if def.Within != "" {
		if within, err = region(r, def.Within, s); err != nil {
			return board.Wall, err
		}
	}
	initial := slices.ContainsFunc(atoms, func(a betza.Atom) bool { return a.Initial })
	first := r.InitialCells(r.Piece(s, t))
	w, h := b.Frame()
	best, most, least := board.Wall, -1, 0.0
	for c := range rules.Cell(b.N()) {
		if within != nil && !within[c] || initial && !first.Has(c) {
			continue
		}
		quiet, take := r.Targets(r.Piece(s, t), c)
		all := quiet.Union(take)
		reached := all.Count()
		x, y := b.Center(c)
		// Of several cells in the middle, the first: on an even board that is the one nearest to the first player's left.
		away := (x-w/2)*(x-w/2) + (y-h/2)*(y-h/2)
		if reached > most || reached == most && away < least-1e-9 {
			best, most, least = c, reached, away
		}
	}
	return best, nil
}
