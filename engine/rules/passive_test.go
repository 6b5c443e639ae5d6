package rules_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"hoplite/engine/board"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// TestPassiveAttacks holds the question who could be taken, which check is made of, against the list of all moves, on
// boards with few men and with many and by both readings of freezing.
func TestPassiveAttacks(t *testing.T) {
	for _, cancelled := range []bool{false, true} {
		d := variant.Ultima()
		d.Passive.Cancelled = cancelled
		r, err := rules.Compile(d)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(11, 12))
		taken, boards := 0, 0
		for boards < 6000 {
			p, ok := scattered(r, rng, 4+rng.IntN(24))
			if !ok {
				continue
			}
			boards++
			for by := range rules.Side(2) {
				want := rules.Takable(p, by)
				taken += want.Count()
				for c := range p.Men(1 - by).All {
					if got := p.Attacked(c, by); got != want.Has(c) {
						t.Fatalf("%s: side %d can take on %s: %t by question, %t by its moves", notation.FEN(p), by,
							r.Board().CellName(c), got, want.Has(c))
					}
				}
			}
		}
		if taken < boards {
			t.Errorf("only %d men could be taken on %d boards", taken, boards)
		}
	}
}

// scattered puts men of all types on cells at random, with one king a side.
func scattered(r *rules.Rules, rng *rand.Rand, men int) (*rules.Position, bool) {
	s := rules.Setup{Cells: make([]rules.Piece, r.Board().N()), Passed: board.Wall, FullMoves: 1}
	for i, c := range rng.Perm(len(s.Cells))[:men] {
		side, typ := rules.Side(i%2), r.TypeOf("K")
		if i > 1 {
			side, typ = rules.Side(rng.IntN(2)), rules.PieceType(2+rng.IntN(r.Types()-1))
		}
		s.Cells[c] = r.Piece(side, typ)
	}
	s.Turn = rules.Side(rng.IntN(2))
	p, err := r.Position(s)
	return p, err == nil
}

func TestPassiveErrors(t *testing.T) {
	for _, c := range []struct {
		change func(d *rules.Definition)
		want   string
	}{
		{func(d *rules.Definition) { d.Passive.Leaping = "X" }, "unknown man"},
		{func(d *rules.Definition) { d.Passive.Freezing = "K" }, "captures by displacement"},
	} {
		d := variant.Ultima()
		c.change(d)
		if _, err := rules.Compile(d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestPassiveReadings compares the two readings of freezing and the switch for removals.
func TestPassiveReadings(t *testing.T) {
	for _, c := range []struct {
		fen                string
		removal, cancelled bool
		moves              int
	}{
		{"7k/8/8/2Rm4/3M4/8/8/K7 w - - 0 1", true, false, 5},
		{"7k/8/8/2Rm4/3M4/8/8/K7 w - - 0 1", false, false, 3},
		// The rook is free by the white immobilizer, which stays frozen.
		{"k7/8/8/3mR3/3M4/8/8/7K w - - 0 1", false, true, 3 + 19},
	} {
		d := variant.Ultima()
		d.Passive.Removal, d.Passive.Cancelled = c.removal, c.cancelled
		if n := positionOf(t, d, c.fen).CountMoves(); n != c.moves {
			t.Errorf("%s, removal %t, cancelled %t: %d moves, want %d", c.fen, c.removal, c.cancelled, n, c.moves)
		}
	}
}
