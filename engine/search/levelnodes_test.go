package search

import (
	"strings"
	"testing"

	"hoplite/engine/variant"
)

// Every line of the data is of a game of the catalogue and holds a rising
// limit and rating for each level below full strength.
func TestLevelLimits(t *testing.T) {
	t.Parallel()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	lines, first := 0, Levels()[0].Rating
	for _, r := range set.List() {
		nodes := LevelNodes(r)
		if !ValidLevelNodes(nodes) {
			t.Errorf("%s: %v", r.Key(), nodes)
		}
		if _, ratings, ok := calibrated(r); ok {
			lines++
			if ratings[0] != first {
				t.Errorf("%s: the first level is rated %d, want %d as in all games", r.Key(), ratings[0], first)
			}
		}
	}
	if want := dataLines(); lines != want {
		t.Errorf("%d games have limits of their own, of %d lines", lines, want)
	}
}

func TestScaleOfLevels(t *testing.T) {
	t.Parallel()
	twice := usualNodes()
	for i := range twice {
		twice[i] *= 2
	}
	s := newScale(twice)
	for from, want := range map[uint64]uint64{0: 0, 40: 80, 10: 20, 150: 300, 3000: 6000, 80_000: 160_000, 200_000: 400_000} {
		if got := s.nodes(from); got != want {
			t.Errorf("%d becomes %d, want %d", from, got, want)
		}
	}
	for _, none := range [][]uint64{nil, {1, 2}, {7, 6, 5, 4, 3, 2, 1}, usualNodes()} {
		if got := newScale(none).nodes(123); got != 123 {
			t.Errorf("%v: 123 becomes %d", none, got)
		}
	}
}

func dataLines() int {
	n := 0
	for line := range strings.Lines(levelData) {
		if !strings.HasPrefix(line, "#") {
			n++
		}
	}
	return n
}
