// Package varianttest gives tests the games of the catalogue.
package varianttest

import (
	"testing"

	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// Rules returns the rules of the game with this key.
func Rules(tb testing.TB, key string) *rules.Rules {
	tb.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		tb.Fatal(err)
	}
	r, ok := set.Get(key)
	if !ok {
		tb.Fatalf("no game %s", key)
	}
	return r
}
