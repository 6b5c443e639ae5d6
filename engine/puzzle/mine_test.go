package puzzle_test

import (
	"context"
	"testing"

	"hoplite/engine/puzzle"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

func game(t testing.TB, key string) *rules.Rules {
	t.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	r, ok := set.Get(key)
	if !ok {
		t.Fatalf("no variant %s", key)
	}
	return r
}

func TestTmp(t *testing.T) {
	for _, key := range []string{"spartan", "seirawan"} {
		stats, err := puzzle.Generate(context.Background(), game(t, key), puzzle.Options{Want: 300, Games: 12, Tries: 2, Found: func(p puzzle.Puzzle) error {
			t.Logf("%+v", p)
			return nil
		}})
		t.Logf("%+v %v", stats, err)
	}
}
