package search_test

import (
	"context"
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant/varianttest"
)

// The engine plays both sides: it must mate against its own best defence,
// well before the counter of moves without progress ends the game.
func TestMatesWithLittleMaterial(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, key, fen string
		winner         int
		nodes          uint64
	}{
		{"king and captain", "spartan", "8/8/3kc3/8/8/3K4/8/8 b - - 0 1", 1, 60_000},
		{"king and captain in a corner", "spartan", "k7/1c6/8/8/8/8/6K1/8 w - - 0 1", 1, 60_000},
		{"two kings", "spartan", "8/8/3kk3/8/8/3K4/8/8 b - - 0 1", 1, 60_000},
		{"two kings, far apart", "spartan", "k7/8/8/8/3K4/8/8/7k w - - 0 1", 1, 60_000},
		{"rook", "standard", "8/8/8/3k4/8/8/8/R3K3 w - - 0 1", 0, 30_000},
		{"queen", "standard", "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1", 0, 30_000},
		{"two bishops", "standard", "8/8/8/3k4/8/8/8/2B1KB2 w - - 0 1", 0, 60_000},
		{"lieutenant and second king", "spartan", "8/2kkl3/8/8/8/3K4/8/8 w - - 0 1", 1, 30_000},
		{"hawk", "seirawan", "8/8/8/3k4/8/8/8/H3K3[] w - - 0 1", 0, 60_000},
		{"rook on the small board", "spartan28", "k3/4/1K2/4/4/4/3R w - - 0 1", 0, 30_000},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := varianttest.Rules(t, c.key)
			g := rules.NewGame(position(t, r, c.fen))
			e := search.New(r, search.Options{Hash: 8})
			for {
				out, over := g.Outcome()
				if over {
					if out.Winner != c.winner {
						t.Errorf("after %d plies: winner %d by %s at %s", len(g.Moves()), out.Winner, out.Reason, notation.FEN(g.Position()))
					}
					t.Logf("%s after %d plies", out.Reason, len(g.Moves()))
					return
				}
				res := e.Search(context.Background(), g, search.Limits{Nodes: c.nodes}, nil)
				if err := g.Play(res.Best); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Two royal men that stand together hold against a single strong man: neither
// side finds a win.
func TestConnectedKingsHoldAgainstAQueen(t *testing.T) {
	t.Parallel()
	for _, fen := range []string{
		"8/8/3kk3/8/8/3K4/8/5Q2 w - - 0 1",
		"1kk5/8/8/8/8/2K5/8/7Q w - - 0 1",
		"8/8/8/8/4Q3/8/3K2kk/8 b - - 0 1",
	} {
		t.Run(fen, func(t *testing.T) {
			t.Parallel()
			r := varianttest.Rules(t, "spartan")
			g := rules.NewGame(position(t, r, fen))
			e := search.New(r, search.Options{Hash: 4})
			for !g.CanClaimDraw() {
				if out, over := g.Outcome(); over {
					if out.Winner != rules.NoWinner {
						t.Errorf("after %d plies: winner %d by %s at %s", len(g.Moves()), out.Winner, out.Reason, notation.FEN(g.Position()))
					}
					return
				}
				res := e.Search(context.Background(), g, search.Limits{Nodes: 5_000}, nil)
				if res.Score.CP > 300 || res.Score.CP < -300 {
					t.Errorf("%s is taken for %s", notation.FEN(g.Position()), res.Score)
				}
				if err := g.Play(res.Best); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Where captures are compulsory chains of them branch: they must not swallow
// the search.
func TestChainsOfCapturesEnd(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "antichess")
	g := rules.NewGame(position(t, r, "rnbqkbnr/p1pp1ppp/4p3/1p6/8/1P2P3/P1PP1PPP/RNBQKBNR w - - 0 3"))
	res := search.New(r, search.Options{}).Search(context.Background(), g, search.Limits{Depth: 10, Nodes: 3_000_000}, nil)
	if res.Depth < 10 || res.Nodes > 1_500_000 {
		t.Errorf("depth %d after %d nodes", res.Depth, res.Nodes)
	}
}
