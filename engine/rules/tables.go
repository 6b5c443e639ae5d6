package rules

import (
	"fmt"
	"slices"

	"hoplite/engine/betza"
	"hoplite/engine/board"
)

// mover is the movement of one man while the tables are built.
type mover struct {
	q     Piece
	side  Side
	atoms []atom
	def   *PieceDef
	// within are the cells that the man never leaves, or nil.
	within *board.Set
}

// atom is a way of moving with the cells on which the man has it; nil stands for all.
type atom struct {
	betza.Atom
	cells *board.Set
}

// tables builds the movement tables of Rules.
type tables struct {
	r      *Rules
	movers []mover
	slides []board.Vector
	next   int // first free place of Rules.path
}

func (r *Rules) compileMoves() error {
	size := (2 + r.sides*r.types) * r.n // that of the blocker, which stays empty, included
	r.leaps = make([]leaps, size)
	r.rays = make([]span, size)
	r.lame = make([]span, size)
	r.passing = make([]board.Set, size)
	r.path[0] = board.Wall // the empty ray
	t := &tables{r: r, next: 1}
	if err := t.collect(); err != nil {
		return err
	}
	if err := t.directions(); err != nil {
		return err
	}
	for i := range t.movers {
		m := &t.movers[i]
		for c := range Cell(r.n) {
			if err := t.man(m, c); err != nil {
				return fmt.Errorf("%s: %w", m.def.Name, err)
			}
		}
	}
	r.movers = t.movers
	t.keep()
	t.near()
	t.compileLines()
	return nil
}

// collect reads the movements and turns them to look the way that each side looks.
func (t *tables) collect() error {
	r := t.r
	for s := range Side(r.sides) {
		for typ := PieceType(1); int(typ) <= r.types; typ++ {
			if !r.InArmy(s, typ) {
				continue
			}
			def := r.PieceInfo(typ)
			m := mover{q: r.Piece(s, typ), side: s, def: def}
			if err := t.read(&m, def.Betza, nil); err != nil {
				return inPiece(def, "betza", err)
			}
			for _, power := range def.Powers {
				cells, err := r.region(power.Region, s)
				if err == nil {
					err = t.read(&m, power.Betza, &cells)
				}
				if err != nil {
					return inPiece(def, "powers", err)
				}
			}
			if def.Within != "" {
				cells, err := r.region(def.Within, s)
				if err != nil {
					return inPiece(def, "within", err)
				}
				m.within = &cells
				info := &r.codes[m.q]
				info.barred = info.barred.Union(r.everywhere().Without(cells))
			}
			var err error
			if r.codes[m.q].barsHop = r.typeSet(def.HopBars, &err); err != nil {
				return inPiece(def, "hopBars", err)
			}
			t.movers = append(t.movers, m)
		}
	}
	return nil
}

// read adds the atoms of a movement, turned to look the way that the man's side looks. cells, if not nil, are where the
// man has it.
func (t *tables) read(m *mover, text string, cells *board.Set) error {
	r := t.r
	if _, ok := r.Union(m.q); ok && text == "" {
		return nil // its men move it
	}
	atoms, err := betza.ParseOn(r.board.Shape(), text)
	if err != nil {
		return err
	}
	for _, a := range atoms {
		if err := playable(&a); err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
		a = a.Turn(r.board, r.def.Sides[m.side].Heading)
		m.atoms = append(m.atoms, atom{Atom: a, cells: cells})
		if walked(&a) {
			st := r.stage()
			st.hidden = true // looking outward shows no leaps over men and no ways that must be free
			if r.walks == nil {
				r.walks = make([]span, len(r.leaps))
			}
			continue
		}
		if a.Range == 1 {
			continue
		}
		for _, v := range a.Vectors {
			if !slices.Contains(t.slides, v) {
				t.slides = append(t.slides, v, board.Vector{X: -v.X, Y: -v.Y, Z: -v.Z})
			}
		}
	}
	return nil
}

// playable refuses atoms that the tables cannot hold.
func playable(a *betza.Atom) error {
	switch {
	case a.Other != "":
		return fmt.Errorf("the marks %q are not supported", a.Other)
	case a.Castling != 0:
		return fmt.Errorf("castling belongs into the castling rule")
	case a.Lame && (a.Passing || a.Range != 1):
		return fmt.Errorf("lame moves that slide or capture in passing are not supported")
	case a.Bend != nil && a.Range != 1:
		return fmt.Errorf("bent slides whose first leg is no step are not supported")
	case a.Range != 1 && (a.Passing || a.Initial):
		return fmt.Errorf("slides on the first move or in passing are not supported")
	}
	return nil
}

// directions lays out the rays of every direction in which some man slides. Directions come in pairs of opposites.
func (t *tables) directions() error {
	r := t.r
	r.dirs = len(t.slides)
	r.dirPath = make([]uint16, r.dirs*r.n)
	r.dirSet = make([]board.Set, r.dirs*r.n)
	r.opposite = make([]uint8, r.dirs)
	r.sight = make([]board.Set, r.n)
	r.reach = make([]uint8, (1+r.sides*r.types)*r.dirs)
	for d, v := range t.slides {
		r.opposite[d] = uint8(d ^ 1)
		for c := range Cell(r.n) {
			cells := r.board.Ray(c, v, 0)
			at, err := t.lay(cells)
			if err != nil {
				return err
			}
			r.dirPath[d*r.n+int(c)] = at
			set := board.SetOf(cells...)
			r.dirSet[d*r.n+int(c)] = set
			r.sight[c] = r.sight[c].Union(set)
		}
	}
	return nil
}

// lay appends a path and its wall and returns where it starts.
func (t *tables) lay(cells []Cell) (uint16, error) {
	if len(cells) == 0 {
		return 0, nil
	}
	if t.next+len(cells)+1 > len(t.r.path) {
		return 0, fmt.Errorf("the slides of this board are too long together")
	}
	at := t.next
	t.next += copy(t.r.path[at:], cells)
	t.r.path[t.next] = board.Wall
	t.next++
	return uint16(at), nil
}

// man fills in where one man may go from one cell.
func (t *tables) man(m *mover, c Cell) error {
	r := t.r
	at := int(m.q)*r.n + int(c)
	first := r.codes[m.q].first.Has(c)
	r.rays[at].at = uint32(len(r.rayList))
	r.lame[at].at = uint32(len(r.lameList))
	if r.walks != nil {
		r.walks[at].at = uint32(len(r.walkList))
		defer func() { r.walks[at].n = uint8(len(r.walkList) - int(r.walks[at].at)) }()
	}
	if m.within != nil && !m.within.Has(c) {
		return nil
	}
	for _, a := range m.atoms {
		if a.Initial && !first || a.cells != nil && !a.cells.Has(c) {
			continue
		}
		if walked(&a.Atom) {
			t.walks(m, c, &a.Atom)
			continue
		}
		for i := range a.Vectors {
			if err := t.step(m, at, c, &a.Atom, i); err != nil {
				return err
			}
		}
	}
	r.rays[at].n = uint8(len(r.rayList) - int(r.rays[at].at))
	r.lame[at].n = uint8(len(r.lameList) - int(r.lame[at].at))
	return nil
}

// step fills in the i-th vector of an atom.
func (t *tables) step(m *mover, at int, c Cell, a *betza.Atom, i int) error {
	r := t.r
	v := a.Vectors[i]
	if a.Range != 1 {
		return t.slide(m, c, a, v)
	}
	to := r.board.Step(c, v)
	if to == board.Wall || m.within != nil && !m.within.Has(to) {
		return nil
	}
	if a.Lame {
		return t.lameStep(m, c, to, a, a.Way[i])
	}
	if a.Quiet {
		r.leaps[at].quiet.Add(to)
	}
	if a.Take {
		r.leaps[at].take.Add(to)
	}
	if a.Passing {
		r.passing[at].Add(to)
	}
	return nil
}

// direction returns the number of the direction in which a slide goes.
func (t *tables) direction(v board.Vector) int { return slices.Index(t.slides, v) }

func (t *tables) slide(m *mover, c Cell, a *betza.Atom, v board.Vector) error {
	r := t.r
	if m.within != nil {
		return fmt.Errorf("slides within a region are not supported")
	}
	d := t.direction(v)
	start := r.dirPath[d*r.n+int(c)]
	limit := a.Range
	if limit == 0 {
		limit = 255
	} else if cells := r.board.Ray(c, v, limit); len(cells) == limit {
		var err error
		if start, err = t.lay(cells); err != nil {
			return err
		}
	}
	if a.Take {
		r.codes[m.q].slider = true
		if reach := &r.reach[int(m.q)*r.dirs+d]; *reach < uint8(limit) {
			*reach = uint8(limit)
		}
	}
	if start != 0 {
		r.rayList = append(r.rayList, ray{at: start, quiet: a.Quiet, take: a.Take})
	}
	return nil
}

// lameStep adds a leap that needs the cells on its way to be free; way leads to them.
func (t *tables) lameStep(m *mover, c, to Cell, a *betza.Atom, way []board.Vector) error {
	r := t.r
	var via []Cell
	for _, v := range way {
		if cell := r.board.Step(c, v); cell != board.Wall {
			via = append(via, cell)
		}
	}
	if len(via) != len(way) || len(via) == 0 || len(via) > len(lameLeap{}.via) {
		return fmt.Errorf("a lame leap with %d cells on its way", len(way))
	}
	unpassed := r.rows(m.def.Unpassed, r.def.Sides[m.side].Heading)
	leap := lameLeap{to: to, n: uint8(len(via)), double: a.Initial && !unpassed.Has(c)}
	copy(leap.via[:], via)
	r.lameList = append(r.lameList, leap)
	return nil
}

// near fills in the inverse question: from where is a cell attacked by leaps.
func (t *tables) near() {
	r := t.r
	for s := range Side(r.sides) {
		r.near[s] = make([]board.Set, r.n)
		r.passNear[s] = make([]board.Set, r.n)
		r.walkNear[s] = make([]board.Set, r.n)
	}
	for _, m := range t.movers {
		for c := range Cell(r.n) {
			at := int(m.q)*r.n + int(c)
			for to := range r.leaps[at].take.All {
				r.near[m.side][to].Add(c)
			}
			for to := range r.passing[at].All {
				r.passNear[m.side][to].Add(c)
			}
			if r.walks == nil {
				continue
			}
			for _, w := range r.walkList[r.walks[at].at:][:r.walks[at].n] {
				if w.take {
					for _, to := range r.walkPath[w.at+uint32(w.least)-1 : w.at+uint32(w.n)] {
						r.walkNear[m.side][to].Add(c)
					}
				}
			}
		}
	}
}
