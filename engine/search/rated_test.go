package search_test

import (
	"testing"

	"hoplite/engine/search"
)

func TestLevelOfRating(t *testing.T) {
	t.Parallel()
	levels := search.Levels()
	for _, l := range levels {
		if got := search.LevelOf(l.Rating); got != l {
			t.Errorf("%d: %+v, want %+v", l.Rating, got, l)
		}
	}
	last := levels[len(levels)-1]
	if got := search.LevelOf(last.Rating + 1000); got != last {
		t.Errorf("above all: %+v", got)
	}
	if got := search.LevelOf(-1); got != levels[0] {
		t.Errorf("below all: %+v", got)
	}
	before := levels[0]
	for rating := before.Rating + 1; rating < last.Rating; rating++ {
		l := search.LevelOf(rating)
		if l.Nodes < before.Nodes || l.Spread > before.Spread || l.Oversight > before.Oversight || l.Noise > before.Noise {
			t.Fatalf("%d is not at least as strong as %d: %+v after %+v", rating, rating-1, l, before)
		}
		before = l
	}
}

func TestWDL(t *testing.T) {
	t.Parallel()
	before := 0
	for cp := -3000; cp <= 3000; cp++ {
		win, draw, loss := search.WDL(search.Score{CP: cp})
		otherWin, otherDraw, otherLoss := search.WDL(search.Score{CP: -cp})
		if win+draw+loss != 1000 || win < before || draw < 0 || win != otherLoss || loss != otherWin || draw != otherDraw {
			t.Fatalf("%d: %d %d %d after %d", cp, win, draw, loss, before)
		}
		before = win
	}
	if win, _, _ := search.WDL(search.Score{Mate: 3}); win != 1000 {
		t.Errorf("a mate wins in %d of 1000", win)
	}
	if _, _, loss := search.WDL(search.Score{Mate: -1}); loss != 1000 {
		t.Errorf("being mated loses in %d of 1000", loss)
	}
}
