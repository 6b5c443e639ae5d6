package rules_test

import (
	"slices"
	"strings"
	"testing"

	"hoplite/engine/board"
	"hoplite/engine/enginetest"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// altered compiles chess with some facts changed and returns a position of it.
func altered(t *testing.T, fen string, edit func(d *rules.Definition)) *rules.Position {
	t.Helper()
	d := variant.Standard()
	d.Key, d.Castling, d.EnPassant = "altered", nil, rules.EnPassantNone
	edit(d)
	r, err := rules.Compile(d)
	if err != nil {
		t.Fatal(err)
	}
	p, err := notation.ParseFEN(r, fen)
	if err != nil {
		t.Fatal(err)
	}
	if err := enginetest.CheckPosition(p); err != nil {
		t.Fatal(err)
	}
	return p
}

// from lists where the man on a cell may go.
func from(t *testing.T, p *rules.Position, cell string) string {
	t.Helper()
	var names []string
	for _, m := range p.Moves(nil) {
		if m.From() == cellOf(t, p, cell) {
			names = append(names, p.Rules().Board().CellName(m.To()))
		}
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), " ")
}

// citadels gives chess two citadels, whose keepers are the queens, and royal men of three ranks.
func citadels(d *rules.Definition) {
	d.Board.Extra = []board.ExtraCell{
		{Name: "i1", Neighbours: []string{"h1", "h2"}, File: 8},
		{Name: "z8", Neighbours: []string{"a7", "a8"}, File: -1, Rank: 7},
	}
	d.Citadels = []rules.Citadel{{Cell: "i1", Side: 0, Keepers: "Q"}, {Cell: "z8", Side: 1, Keepers: "Q"}}
	d.Start.FEN = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1"
	d.Pieces[1].Royal, d.Pieces[3].Royal = true, true
	for i := range d.Sides {
		d.Sides[i].Royals = 4
	}
	d.Royal = rules.RoyalRanked
	d.Ends = []rules.EndRule{{Kind: rules.EndCitadel}, {Kind: rules.EndMate}, {Kind: rules.EndNoMove}}
}

func TestCitadels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, fen, cell, want string }{
		{"the only royal man comes in", "7k/K7/8/8/8/8/8/8 w - - 0 1", "a7", "a6 a8 b6 b7 b8 z8"},
		{"of two the first in rank", "7k/KQ6/8/8/8/8/8/8 w - - 0 1", "a7", "a6 a8 b6 b8 z8"},
		{"not the second", "6k1/Q7/8/8/8/8/8/6K1 w - - 0 1", "a7", "a1 a2 a3 a4 a5 a6 a8 b6 b7 b8 c5 c7 d4 d7 e3 e7 f2 f7 g7 h7"},
		{"not a full one", "7k/K7/8/8/8/8/8/8 w - z8q 0 1", "a7", "a6 b6 b7 b8"},
		{"nor the own one", "7k/8/8/8/8/8/7K/8 w - - 0 1", "h2", "g1 g2 g3 h1 h3"},
		{"a keeper comes in", "k7/8/8/8/8/8/P6Q/7K w - - 0 1", "h2", "b2 b8 c2 c7 d2 d6 e2 e5 f2 f4 g1 g2 g3 h3 h4 h5 h6 h7 h8 i1"},
		{"and out, capturing", "k7/8/8/8/8/8/P6r/K7 w - i1Q 0 1", "i1", "h1 h2"},
	} {
		p := altered(t, c.fen, citadels)
		if got := from(t, p, c.cell); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	p := altered(t, "8/8/8/8/8/8/8/K6k b - i1Q 0 1", citadels)
	if !p.InCheck() {
		t.Error("a keeper does not attack from inside")
	}
	if got := from(t, p, "h1"); got != "g1 g2" {
		t.Errorf("a king beside a full citadel goes to %s", got)
	}
	p = altered(t, "7k/8/8/8/8/8/8/8 b - z8K 0 1", citadels)
	if o, over := p.Outcome(); !over || o.Reason != rules.Goal || o.Winner != rules.NoWinner || p.HasMove() {
		t.Errorf("a royal man in the enemy's citadel: %v %t", o, over)
	}
}

// TestRankedRoyals: only the last royal man is in check, whatever its rank.
func TestRankedRoyals(t *testing.T) {
	t.Parallel()
	for fen, want := range map[string]bool{
		"4r2k/8/8/8/4K3/8/8/8 w - - 0 1":     true,
		"4r2k/8/8/8/4Q3/8/8/8 w - - 0 1":     true,
		"4r2k/8/8/8/4K3/8/8/1B6 w - - 0 1":   false,
		"4r2k/8/4q3/8/4K3/4Q3/8/8 b - - 0 1": false,
	} {
		if p := altered(t, fen, citadels); p.InCheck() != want {
			t.Errorf("%s: check %t", fen, p.InCheck())
		}
	}
	p := altered(t, "3kr3/8/8/8/4K3/8/8/B7 w - - 0 1", citadels)
	if m, err := notation.ParseMove(p, "e4e5"); err != nil || p.Play(m) != nil {
		t.Errorf("a king that is not the last may stay attacked: %v", err)
	}
}
