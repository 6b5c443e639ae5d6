package rules_test

import (
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// lives lets chess's pawns live three times, the third beginning on c3 and c6.
func lives(d *rules.Definition) {
	pawn := rules.PieceDef{Letter: "P", Name: "Pawn", Betza: "mfWcfF", Value: 1, Pawn: true}
	second, third := pawn, pawn
	second.Letter, third.Letter = "P'", "P''"
	third.Promotion = &rules.PromotionRule{To: "Q"}
	d.Pieces[5] = pawn
	d.Pieces = append(d.Pieces, second, third)
	for i := range d.Sides {
		d.Sides[i].Army += "P'P''"
	}
	d.Start.FEN = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
	d.Ends = d.Ends[:2]
	d.Lives = &rules.LivesRule{First: "P", Second: "P'", Third: "P''", Home: []string{"c3", "c6"}}
}

func TestLives(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, fen, move, want string }{
		{"it waits", "4k3/P7/8/8/8/8/8/4K3 w - - 5 1", "a7a8", "P3k3/8/8/8/8/8/8/4K3 b - - 0 1"},
		{"its third life", "4k3/P'7/8/8/8/8/8/4K3 w - - 5 1", "a7a8", "4k3/8/8/8/8/2P''5/8/4K3 b - - 0 1"},
		{"in place of an enemy", "4k3/P'7/8/8/8/2r5/8/4K3 w - - 5 1", "a7a8", "4k3/8/8/8/8/2P''5/8/4K3 b - - 0 1"},
		{"in place of an own man", "4k3/P'7/8/8/8/2R5/8/4K3 w - - 5 1", "a7a8", "4k3/8/8/8/8/2P''5/8/4K3 b - - 0 1"},
		{"by a capture", "1r2k3/P'7/8/8/8/8/8/4K3 w - - 5 1", "a7b8", "4k3/8/8/8/8/2P''5/8/4K3 b - - 0 1"},
		{"Black's", "4k3/8/8/8/8/8/p'7/4K3 b - - 5 1", "a2a1", "4k3/8/2p''5/8/8/8/8/4K3 w - - 0 2"},
		{"put where it forks", "P3k3/8/8/r1b5/8/8/8/4K3 w - - 5 1", "a8b4", "4k3/8/8/r1b5/1P'6/8/8/4K3 b - - 0 1"},
		{"in place of an enemy there", "P3k3/8/8/r1b5/1q6/8/8/3K4 w - - 5 1", "a8b4", "4k3/8/8/r1b5/1P'6/8/8/3K4 b - - 0 1"},
		{"or of an own man", "P3k3/8/8/r1b5/1N6/8/8/4K3 w - - 5 1", "a8b4", "4k3/8/8/r1b5/1P'6/8/8/4K3 b - - 0 1"},
	} {
		p := altered(t, c.fen, lives)
		m, err := notation.ParseMove(p, c.move)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p.Make(m, &rules.Undo{})
		if got := notation.FEN(p); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	for _, c := range []struct{ name, fen, cell, want string }{
		{"nothing to fork", "P3k3/8/8/r7/8/8/8/4K3 w - - 5 1", "a8", ""},
		{"pawns do not count", "P3k3/8/8/r1p5/8/8/8/4K3 w - - 5 1", "a8", ""},
		{"the king does", "P3k1r1/8/8/8/8/8/8/4K3 w - - 5 1", "a8", "f7"},
		{"a single man that cannot move", "P6n/5p2/6p1/3k4/8/8/8/4K3 w - - 5 1", "a8", "g7"},
		{"a single man that can", "P6n/5p2/8/3k4/8/8/8/4K3 w - - 5 1", "a8", ""},
		{"a single man, in place of a pawn", "P6n/5pp1/6p1/3k4/8/8/8/4K3 w - - 5 1", "a8", "g7"},
		{"not in place of a king", "P6n/5pk1/6p1/8/8/8/8/4K3 w - - 5 1", "a8", ""},
		{"home is a king's", "4k3/P'7/8/8/8/2K5/8/8 w - - 5 1", "a7", ""},
	} {
		p := altered(t, c.fen, lives)
		if got := from(t, p, c.cell); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	p := altered(t, "P3k3/8/8/8/8/8/4K3/r7 b - - 5 1", lives)
	if got := from(t, p, "a1"); got != "a2 a3 a4 a5 a6 a7 b1 c1 d1 e1 f1 g1 h1" {
		t.Errorf("a rook below a waiting pawn goes to %s", got)
	}
}
