package rules_test

import (
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

func swapping(d *rules.Definition) {
	d.Start.FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kk - 0 1"
	d.Swap = &rules.SwapRule{Man: "K"}
	d.Pieces[5].Barred = nil
}

func TestSwap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, fen, want string }{
		{"out of check", "4r2k/8/8/8/8/8/N7/4K3 w K - 0 1", "a2 d1 d2 f1 f2"},
		{"without the right", "4r2k/8/8/8/8/8/N7/4K3 w k - 0 1", "d1 d2 f1 f2"},
		{"not without need", "3r3k/8/8/8/8/8/N7/4K3 w K - 0 1", "e2 f1 f2"},
		{"out of stalemate", "8/8/8/8/8/p1k5/P7/K7 w K - 0 1", "b1"},
		{"when nothing else goes", "8/8/8/8/p7/P7/2q5/K6k w K - 0 1", "a3"},
		{"not into check", "4r2k/8/8/8/4N3/8/8/4K3 w K - 0 1", "d1 d2 e2 f1 f2"},
		{"no pawn to the last row", "r3K2k/8/8/8/8/8/1P1N4/8 w K - 0 1", "d2 d7 e7 f7"},
	} {
		p := altered(t, c.fen, swapping)
		king := p.Rules().Board().CellName(func() rules.Cell { k := p.Royals(0); return k.First() }())
		if got := from(t, p, king); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	p := altered(t, "4r2k/8/8/8/8/8/N7/4K3 w Kk - 7 1", swapping)
	key := p.Key()
	m, err := notation.ParseMove(p, "e1a2")
	if err != nil {
		t.Fatal(err)
	}
	if got := notation.SAN(p, m); got != "K<>Na2" {
		t.Errorf("written %s", got)
	}
	var u rules.Undo
	p.Make(m, &u)
	if got, want := notation.FEN(p), "4r2k/8/8/8/8/8/K7/4N3 b k - 0 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p.Unmake(m, &u)
	if p.Key() != key {
		t.Error("taken back, the key differs")
	}
	spent := altered(t, "4r2k/8/8/8/8/8/N7/4K3 w k - 7 1", swapping)
	if spent.Key() == key {
		t.Error("the right has no part in the key")
	}
}
