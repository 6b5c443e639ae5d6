package rules

import (
	"fmt"
	"strings"

	"hoplite/engine/board"
)

// cellSet reads the names of cells, separated by blanks.
func (r *Rules) cellSet(names string) (cells board.Set, err error) {
	for _, name := range strings.Fields(names) {
		c, ok := r.board.ParseCell(name)
		if !ok {
			return cells, fmt.Errorf("unknown cell %q", name)
		}
		cells.Add(c)
	}
	return cells, nil
}

// compileBarred finds the cells on which a man can never stand.
func (r *Rules) compileBarred(q Piece, def *PieceDef) error {
	c := &r.codes[q]
	c.barred = r.rows(def.Barred, r.def.Sides[c.side].Heading)
	if def.BarredCells == nil {
		return nil
	}
	if len(def.BarredCells) != r.sides {
		return fmt.Errorf("%s: barred cells for %d sides", def.Name, len(def.BarredCells))
	}
	cells, err := r.cellSet(def.BarredCells[c.side])
	if err != nil {
		return fmt.Errorf("%s: barred cells: %w", def.Name, err)
	}
	c.barred = c.barred.Union(cells)
	return nil
}
