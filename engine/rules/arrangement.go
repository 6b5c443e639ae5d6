package rules

import (
	"fmt"
	"strings"
)

// ChoiceRule is the mechanism setup(choice): before the first move each side picks one of several placements of some of
// its men. The start positions are numbered; the choice of the last side counts most.
type ChoiceRule struct {
	// Cells are the cells of the men, by side, separated by blanks, in the order in which the side sees them from the left.
	Cells []string
	// Placements are open to each side. The first is that of the start position.
	Placements []Placement
}

// Placement is one way of placing the men of a ChoiceRule.
type Placement struct {
	Name string
	// Men are the tokens of the men, cell by cell.
	Men string
}

// choices returns the number of start positions that the sides can choose.
func (c *ChoiceRule) choices(sides int) int {
	n := 1
	for range sides {
		n *= len(c.Placements)
	}
	return n
}

func (r *Rules) compileChoice() error {
	rule := r.def.Start.Choice
	if rule == nil {
		return nil
	}
	if len(rule.Placements) == 0 || len(rule.Cells) != r.sides {
		return fmt.Errorf("a choice of %d placements for %d sides", len(rule.Placements), len(rule.Cells))
	}
	for s := range Side(r.sides) {
		for i := range rule.Placements {
			men, cells := tokens(rule.Placements[i].Men), strings.Fields(rule.Cells[s])
			if len(men) != len(cells) {
				return fmt.Errorf("placement %q has %d men for %d cells", rule.Placements[i].Name, len(men), len(cells))
			}
			for j, token := range men {
				_, ok := r.board.ParseCell(cells[j])
				if t := r.TypeOf(token); !ok || !r.InArmy(s, t) {
					return fmt.Errorf("placement %q puts %q on %q", rule.Placements[i].Name, token, cells[j])
				}
			}
		}
	}
	return nil
}

// arranged returns the start position in which the sides have chosen as the number says.
func (r *Rules) arranged(number int) Setup {
	rule := r.def.Start.Choice
	s := r.start.clone()
	for side := range Side(r.sides) {
		men := tokens(rule.Placements[number%len(rule.Placements)].Men)
		number /= len(rule.Placements)
		for i, name := range strings.Fields(rule.Cells[side]) {
			c, _ := r.board.ParseCell(name)
			s.Cells[c] = r.Piece(side, r.TypeOf(men[i]))
		}
	}
	return s
}

// StartName names a start position that the sides can choose; other start positions have no names.
func (r *Rules) StartName(number int) string {
	rule := r.def.Start.Choice
	if rule == nil || number < 0 || number >= r.Starts() {
		return ""
	}
	var names []string
	for side := range Side(r.sides) {
		names = append(names, r.sideName(side)+": "+rule.Placements[number%len(rule.Placements)].Name)
		number /= len(rule.Placements)
	}
	return strings.Join(names, ", ")
}

// Shuffled reports whether a start position is to be drawn at random unless one is asked for.
func (r *Rules) Shuffled() bool { return r.def.Start.Choice == nil && r.Starts() > 1 }
