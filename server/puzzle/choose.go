package puzzle

import (
	"math"
	"math/rand/v2"
	"slices"
)

// wish is what a solver asks for.
type wish struct {
	variant string // "" for any
	theme   string // "" for any
	color   string // "" for any
	delta   float64
	// rating returns the solver's rating in the puzzles of a game.
	rating func(variant string) float64
	// tried are puzzles that the solver has tried, true if solved.
	tried map[string]bool
}

const (
	firstBand  = 75.0
	bandStep   = 50.0
	enough     = 20    // candidates, before the band stops widening
	closeness  = 120.0 // rating points over which a candidate's weight falls to 1/e
	widestBand = 4000.0
)

// choose picks a puzzle about as hard as asked for, that the solver has not tried; if all were
// tried, one that was not solved, and at last any.
func choose(pool []*entry, w wish, rnd *rand.Rand) *entry {
	fitting := slices.DeleteFunc(slices.Clone(pool), func(e *entry) bool {
		return w.theme != "" && !slices.Contains(e.puzzle.Themes, w.theme) || w.color != "" && e.color != w.color
	})
	for _, allowed := range []func(*entry) bool{
		func(e *entry) bool { _, tried := w.tried[e.puzzle.ID]; return !tried },
		func(e *entry) bool { return !w.tried[e.puzzle.ID] },
		func(*entry) bool { return true },
	} {
		var candidates []candidate
		for _, e := range fitting {
			if allowed(e) {
				candidates = append(candidates, candidate{e, math.Abs(e.puzzle.Rating - w.rating(e.puzzle.Variant) - w.delta)})
			}
		}
		if len(candidates) > 0 {
			return draw(candidates, rnd)
		}
	}
	return nil
}

type candidate struct {
	entry    *entry
	distance float64 // from the wanted rating
}

// draw takes one of those in the band around the wanted rating, the closer the likelier.
func draw(candidates []candidate, rnd *rand.Rand) *entry {
	slices.SortStableFunc(candidates, func(a, b candidate) int {
		switch {
		case a.distance < b.distance:
			return -1
		case a.distance > b.distance:
			return 1
		}
		return 0
	})
	band, n := firstBand, 0
	for {
		for n < len(candidates) && candidates[n].distance <= band {
			n++
		}
		if n >= enough || n == len(candidates) || n > 0 && band >= widestBand {
			break
		}
		band += bandStep
	}
	near := candidates[0].distance
	total := 0.0
	for _, c := range candidates[:n] {
		total += weight(c, near)
	}
	at := rnd.Float64() * total
	for _, c := range candidates[:n] {
		if at -= weight(c, near); at < 0 {
			return c.entry
		}
	}
	return candidates[n-1].entry
}

// weight is relative to the nearest candidate, so that a solver far outside the pool's range still
// gets a choice. A puzzle whose rating is uncertain is a little likelier, so that it gets rated.
func weight(c candidate, near float64) float64 {
	w := math.Exp(-(c.distance - near) / closeness)
	if c.entry.puzzle.RD > 120 {
		w *= 1.1
	}
	return w
}
