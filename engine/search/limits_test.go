package search_test

import (
	"testing"

	"hoplite/engine/search"
)

func TestScoresAreOrderedOnBothScales(t *testing.T) {
	t.Parallel()
	worse := []search.Score{{Mate: -1}, {Mate: -9}, {CP: -3000}, {CP: 0}, {CP: 3000}, {Mate: 9}, {Mate: 1}}
	for i := 1; i < len(worse); i++ {
		if worse[i-1].Centipawns() >= worse[i].Centipawns() || !worse[i-1].Less(worse[i]) {
			t.Errorf("%+v is not below %+v", worse[i-1], worse[i])
		}
	}
}
