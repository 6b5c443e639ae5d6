package search_test

import (
	"testing"

	"hoplite/engine/search"
	"hoplite/engine/variant"
)

func TestLevelOfRating(t *testing.T) {
	t.Parallel()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	usual := search.Levels()
	for _, r := range set.List() {
		levels := search.LevelsIn(r)
		for i, l := range levels {
			if got := search.LevelOf(r, l.Rating); got != l {
				t.Errorf("%s: %d: %+v, want %+v", r.Key(), l.Rating, got, l)
			}
			if l.Nodes != usual[i].Nodes || l.Rating < usual[0].Rating || l.Rating > usual[len(usual)-1].Rating {
				t.Errorf("%s: %+v is off the scale that programs are told of, or no level", r.Key(), l)
			}
		}
		last := levels[len(levels)-1]
		if got := search.LevelOf(r, last.Rating+1000); got != last {
			t.Errorf("%s: above all: %+v", r.Key(), got)
		}
		if got := search.LevelOf(r, -1); got != levels[0] {
			t.Errorf("%s: below all: %+v", r.Key(), got)
		}
		before := levels[0]
		for rating := before.Rating + 1; rating < last.Rating; rating++ {
			l := search.LevelOf(r, rating)
			if l.Nodes < before.Nodes || l.Spread > before.Spread || l.Oversight > before.Oversight || l.Noise > before.Noise {
				t.Fatalf("%s: %d is not at least as strong as %d: %+v after %+v", r.Key(), rating, rating-1, l, before)
			}
			before = l
		}
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
