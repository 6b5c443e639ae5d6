package rules_test

import (
	"slices"
	"strings"
	"testing"

	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// TestWalks puts one man with a movement beside the plain ones on d4 and lists where it may go. Small letters are
// enemies that only stand there, capitals beside K and Q are own pawns.
func TestWalks(t *testing.T) {
	for _, c := range []struct {
		name, betza, fen, want string
	}{
		{"a horse is lame", "nN", "k7/8/8/3p4/3Q4/8/8/7K w - - 0 1", "b3 b5 c2 e2 f3 f5"},
		{"a cannon moves freely and takes over one man", "mRcpR", "k7/3p4/8/3p4/3Q1P1p/8/8/K7 w - - 0 1",
			"a4 b4 c4 d1 d2 d3 d7 e4 h4"},
		{"a cannon takes over no two men", "mRcpR", "k2n4/3p4/3p4/8/3Q4/8/8/K7 w - - 0 1",
			"a4 b4 c4 d1 d2 d3 d5 d7 e4 f4 g4 h4"},
		{"a hopper always leaps", "pR", "k7/8/8/3p4/3Q4/8/3P4/K7 w - - 0 1", "d1 d6 d7 d8"},
		{"a picket goes two cells at least", "B2-", "k7/8/1p6/4p3/3Q4/8/5p2/K7 w - - 0 1", "b2 b6 f2"},
		{"a giraffe bends", "t[F-R3-]", "k7/p7/4p3/2p5/3Q4/8/8/7K w - - 0 1", "h3 h5"},
		{"a bent slide may stop on the bend", "t[FR]", "k7/8/2p1p3/2P1p3/3Q4/2P1p3/4p3/7K w - - 0 1", "e5 e3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := variant.Standard()
			d.Key, d.Castling = "walks", nil
			d.Pieces[1].Betza = c.betza
			d.Start.FEN = c.fen
			r, err := rules.Compile(d)
			if err != nil {
				t.Fatal(err)
			}
			s, err := r.ParseSetup(c.fen)
			if err != nil {
				t.Fatal(err)
			}
			p, err := r.Position(s)
			if err != nil {
				t.Fatal(err)
			}
			from, _ := r.Board().ParseCell("d4")
			var got []string
			for _, m := range p.Moves(nil) {
				if m.From() == from {
					got = append(got, r.Board().CellName(m.To()))
				}
			}
			want := strings.Fields(c.want)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("moves to %v, want %v", got, want)
			}
			for cell := range rules.Cell(r.Board().N()) {
				takes := r.Side(p.At(cell)) == 1 && p.At(cell) != 0 && slices.Contains(got, r.Board().CellName(cell))
				if p.At(cell) != 0 && r.Side(p.At(cell)) == 1 && p.Attacked(cell, 0) != takes {
					t.Errorf("%s attacked: %t, taken: %t", r.Board().CellName(cell), !takes, takes)
				}
			}
		})
	}
}
