package enginetest_test

import (
	"testing"

	"hoplite/engine/enginetest"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// TestChaturangaWithCheck gives chaturanga the check and mate that the reference program plays it with. Then its data must
// agree without exception, which proves the moves of the men; that nobody is bound by check is for the rules of the game
// itself.
func TestChaturangaWithCheck(t *testing.T) {
	t.Parallel()
	d := variant.Chaturanga()
	d.Royal = rules.RoyalOne
	d.Ends[0] = rules.EndRule{Kind: rules.EndMate}
	set, err := variant.Compile([]*rules.Definition{d})
	if err != nil {
		t.Fatal(err)
	}
	v := &enginetest.Verifier{Set: set, OnDifference: func(d enginetest.Difference) { t.Error(d) },
		OnEarly: func(e enginetest.Early) { t.Error(e) }}
	if !enginetest.Long() {
		v.MaxNodes = shortNodes
	}
	for _, file := range []string{"testdata/perft.tsv", "testdata/games/chaturanga.jsonl.gz"} {
		if err := v.File(file); err != nil {
			t.Fatal(err)
		}
	}
	if v.Rows < 60 || v.Games < 40 {
		t.Errorf("%d rows and %d games compared", v.Rows, v.Games)
	}
}
