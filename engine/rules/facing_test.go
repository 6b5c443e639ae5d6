package rules_test

import (
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// meeting lets rooks that step one cell up and knights that step one down leave the board when they meet.
func meeting(d *rules.Definition) {
	d.Facing = "RN"
	d.Pieces[2].Betza = "fW" // rooks
	d.Pieces[4].Betza = "bWsW"
	d.Start.FEN = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
	d.Ends = d.Ends[:2]
}

func TestFacing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, fen, move, want string }{
		{"they meet", "4k3/8/8/N7/8/R7/8/4K3 w - - 5 1", "a3a4", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"},
		{"the other comes", "4k3/8/8/N7/8/R7/8/4K3 w - - 5 1", "a5a4", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"},
		{"from the side", "4k3/8/8/8/1N6/R7/8/4K3 w - - 5 1", "b4a4", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"},
		{"by a capture", "4k3/8/8/N7/n7/R7/8/4K3 w - - 5 1", "a3a4", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"},
		{"enemies do not", "4k3/8/8/r7/8/R7/8/4K3 w - - 5 1", "a3a4", "4k3/8/8/r7/R7/8/8/4K3 b - - 6 1"},
		{"back to back they stay", "4k3/8/8/R7/8/1N6/8/4K3 w - - 5 1", "b3a3", "4k3/8/8/R7/8/N7/8/4K3 b - - 6 1"},
		{"pairs that stand stay", "4k3/8/8/8/N7/R7/8/4K3 w - - 5 1", "e1e2", "4k3/8/8/8/N7/R7/4K3/8 b - - 6 1"},
	} {
		p := altered(t, c.fen, meeting)
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
	// The pair shields its king only as long as it stands.
	p := altered(t, "4k3/8/8/8/8/8/q1N1K3/2R5 w - - 0 1", meeting)
	if _, err := notation.ParseMove(p, "c2b2"); err != nil {
		t.Error(err)
	}
	p = altered(t, "4k3/8/8/2N5/q3K3/2R5/8/8 w - - 0 1", meeting)
	for _, move := range []string{"c3c4", "c5c4"} {
		if _, err := notation.ParseMove(p, move); err == nil {
			t.Errorf("%s leaves the king attacked", move)
		}
	}
}
