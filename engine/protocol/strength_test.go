package protocol

import (
	"testing"

	"hoplite/engine/search"
	"hoplite/engine/variant"
)

// A rating asked for is one on the scale of the levels in the game that is
// played: the rating of a level is that level, and beyond the last one nothing
// holds the engine back.
func TestStrengthByRating(t *testing.T) {
	t.Parallel()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range set.List() {
		c := defaults()
		c.limited = true
		levels := search.LevelsIn(r)
		last := len(levels) - 1
		for _, l := range levels[:last] {
			c.elo = l.Rating
			if got, limited := c.strength(r); !limited || got != l {
				t.Errorf("%s: %d gives %+v, want %+v", r.Key(), c.elo, got, l)
			}
		}
		c.elo = levels[last].Rating
		if got, limited := c.strength(r); limited {
			t.Errorf("%s: %d, full strength, gives %+v", r.Key(), c.elo, got)
		}
		c.limited = false
		if got, limited := c.strength(r); limited {
			t.Errorf("%s: %+v without being asked", r.Key(), got)
		}
	}
}
