package rules

import (
	"fmt"
	"math/rand/v2"
)

// The mechanism chance: what is random in a game follows from a seed alone, so that everybody can check it afterwards.

// ChanceRule says what a seed decides.
type ChanceRule string

const (
	// ChanceNone leaves nothing to chance.
	ChanceNone ChanceRule = ""
	// ChanceRows puts the men of each home row into an order drawn by the seed, for each side by itself.
	ChanceRows ChanceRule = "rows"
)

// Seed decides all chance of a game.
type Seed [32]byte

// Chance reports whether the game needs a seed.
func (r *Rules) Chance() bool { return r.def.Start.Chance != ChanceNone }

// StartBy returns the start position that a seed makes.
func (r *Rules) StartBy(seed Seed) (*Position, error) {
	if !r.Chance() {
		return nil, fmt.Errorf("rules of %s: nothing is left to chance", r.def.Key)
	}
	s := r.start
	s.Cells = append([]Piece(nil), s.Cells...)
	source := rand.NewChaCha8(seed)
	for side := range Side(r.sides) {
		var cells []Cell
		for c := range r.homeRow[side].All {
			if q := s.Cells[c]; q != 0 && r.Side(q) == side {
				cells = append(cells, c)
			}
		}
		for i := len(cells) - 1; i > 0; i-- {
			j := below(source, uint64(i+1))
			a, b := cells[i], cells[j]
			s.Cells[a], s.Cells[b] = s.Cells[b], s.Cells[a]
		}
	}
	return r.Position(s)
}

// below draws a number below n, all equally likely. It is part of how a seed is read, so it does not change.
func below(source *rand.ChaCha8, n uint64) uint64 {
	limit := ^uint64(0) - ^uint64(0)%n
	for {
		if x := source.Uint64(); x < limit {
			return x % n
		}
	}
}

func (r *Rules) compileChance() error {
	switch c := r.def.Start.Chance; c {
	case ChanceNone:
	case ChanceRows:
		if r.Shuffled() || r.def.Start.Choice != nil {
			return fmt.Errorf("a start by chance that is numbered too")
		}
	default:
		return fmt.Errorf("unknown chance %q", c)
	}
	return nil
}
