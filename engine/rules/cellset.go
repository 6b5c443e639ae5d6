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
