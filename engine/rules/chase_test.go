package rules_test

import (
	"strings"
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// bare is chess without castling and rights from a position, for tests of one mechanism.
func bare(fen string) *rules.Definition {
	d := variant.Standard()
	d.Key, d.Castling, d.EnPassant = "bare", nil, rules.EnPassantNone
	d.Ends = []rules.EndRule{{Kind: rules.EndMate}, {Kind: rules.EndNoMove}}
	d.Start.FEN = fen
	return d
}

// played compiles a definition and plays moves from its start.
func played(t *testing.T, d *rules.Definition, moves string) *rules.Game {
	t.Helper()
	r, err := rules.Compile(d)
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Start(0)
	if err != nil {
		t.Fatal(err)
	}
	g := rules.NewGame(p)
	for _, text := range strings.Fields(moves) {
		m, err := notation.ParseMove(g.Position(), text)
		if err == nil {
			err = g.Play(m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return g
}

func ended(g *rules.Game) string {
	o, over := g.Outcome()
	if !over {
		return "none"
	}
	return o.Result() + " " + string(o.Reason)
}

// TestChase repeats positions in which one side goes after a man of the other.
func TestChase(t *testing.T) {
	const twice = 2
	for _, c := range []struct{ name, fen, moves, want string }{
		{"a rook after a bishop", "7k/2b5/8/8/8/8/8/1R5K w - - 0 1", "b1c1 c7b8 c1b1 b8c7", "0-1 perpetual"},
		{"a bishop that is protected", "1rr4k/2b5/8/8/8/8/8/1R5K w - - 0 1", "b1c1 c7b6 c1b1 b6c7", "1/2-1/2 repetition"},
		{"a queen is worth more than its protection", "1r5k/8/8/8/1q2P3/2N5/3P4/6K1 w - - 0 1", "c3d5 b4b5 d5c3 b5b4", "0-1 perpetual"},
		{"a rook after a rook", "2r4k/8/8/8/8/8/8/1R5K w - - 0 1", "b1c1 c8b8 c1b1 b8c8", "1/2-1/2 repetition"},
		{"a king after a bishop", "7k/8/8/8/1b6/8/1K6/8 w - - 0 1", "b2b3 b4c5 b3b2 c5b4", "1/2-1/2 repetition"},
		{"a rook after a pawn that nobody chases", "7k/8/8/8/8/p7/8/R6K w - - 0 1", "a1a2 h8g8 a2a1 g8h8", "1/2-1/2 repetition"},
		{"along the line of the move", "7k/8/8/8/b7/8/8/R6K w - - 0 1", "a1a2 h8g8 a2a1 g8h8", "1/2-1/2 repetition"},
		{"by a man that steps aside", "7k/8/8/8/R1N4b/R1n4b/8/7K w - - 0 1", "h1g1 h8g8 g1h1 g8h8", "1/2-1/2 repetition"},
		{"a king that walks away", "7k/8/8/8/8/8/8/1R5K w - - 0 1", "b1c1 h8g8 c1b1 g8h8", "1/2-1/2 repetition"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := bare(c.fen)
			d.Repeat = rules.RepeatRule{Draw: 3, Perpetual: rules.PerpetualChase,
				Chase: rules.ChaseRule{Idle: "KP", Safe: "KP", Sliders: "QRB", Greater: map[string]string{"N": "RQ"}}}
			g := played(t, d, strings.Repeat(c.moves+" ", twice))
			if got := ended(g); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
