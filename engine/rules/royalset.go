package rules

import "hoplite/engine/board"

// RoyalRanked is the mechanism royal(ranked-set): a side may own several royal men, of ranks in the order of
// Definition.Pieces. Only the last of them can be in check; while it has more, they are men like the others.
const RoyalRanked RoyalRule = "ranked-set"

// lastRoyalChecked reports whether side s has one royal man left and it is attacked.
func (p *Position) lastRoyalChecked(s Side) bool {
	royals := p.royals[s&(maxSides-1)]
	return royals.Count() == 1 && p.threatened(royals.First(), s)
}

// highestRoyal returns the cell of a side's royal man of the first rank that it has, or the wall.
func (p *Position) highestRoyal(s Side) Cell {
	best := board.Wall
	for c := range p.royals[s&(maxSides-1)].All {
		if best == board.Wall || p.rules.codes[p.cell[c]].typ < p.rules.codes[p.cell[best]].typ {
			best = c
		}
	}
	return best
}
