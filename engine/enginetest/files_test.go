package enginetest_test

import (
	"os"
	"strings"
	"testing"

	"hoplite/engine/enginetest"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// TestExplosionsWithFiles replays the rows of the data in which atomic chess castles as Chess960 does. The mechanisms are
// independent, so that this game is atomic chess with one fact changed.
func TestExplosionsWithFiles(t *testing.T) {
	d := variant.Atomic()
	d.Castling.Files = true
	d.Start.FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"
	d.Notation.CastlingByRook, d.Notation.RightsByFile = true, true
	set, err := variant.Compile([]*rules.Definition{d})
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile("testdata/perft.tsv")
	if err != nil {
		t.Fatal(err)
	}
	v := &enginetest.Verifier{Set: set, MaxNodes: shortNodes, OnDifference: func(d enginetest.Difference) { t.Error(d) }}
	if err := v.PerftTable("perft.tsv", strings.NewReader(string(table))); err != nil {
		t.Fatal(err)
	}
	if v.Rows < 90 {
		t.Errorf("%d rows replayed", v.Rows)
	}
}
