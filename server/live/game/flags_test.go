package game_test

import (
	"testing"
	"time"

	"hoplite/server/live/clock"
)

// TestFlags lets the flag of the side to move fall: it loses, unless the other side cannot possibly win by the rules of the
// game.
func TestFlags(t *testing.T) {
	t.Parallel()
	const lost, drawn = "outoftime 1 flag", "outoftime -1 flag"
	for _, tc := range []struct{ name, variant, fen, want string }{
		{"a queen is left", "fromPosition", "4k2q/8/8/8/8/8/8/4K3 w - - 0 1", lost},
		{"a knight against a pawn may mate", "fromPosition", "4k2n/8/8/8/8/8/4P3/4K3 w - - 0 1", lost},
		{"a knight against a queen cannot", "fromPosition", "k6n/8/8/8/8/8/4Q3/4K3 w - - 0 1", drawn},
		{"a lone king", "fromPosition", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", drawn},
		{"two kings may win", "spartan", "2k2k2/8/8/8/8/8/4P3/4K3 w - - 0 1", lost},
		{"one king of the Spartans", "spartan", "2k5/8/8/8/8/8/4P3/4K3 w - - 0 1", drawn},
		{"a hawk at the gate", "seirawan", "rnbqk3/8/8/8/8/8/4P3/4K3[h] w q - 0 1", lost},
		{"a hawk that cannot come any more", "seirawan", "4k3/8/8/8/8/8/4P3/4K3[h] w - - 0 1", drawn},
		{"drops are never out", "crazyhouse", "4k3/8/8/8/8/8/4P3/4K3[] w - - 0 1", lost},
		{"an atom bomb needs a man", "atomic", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", drawn},
		{"a pawn is one", "atomic", "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", lost},
		{"bishops that cannot meet", "antichess", "2bb4/8/5B2/8/8/8/8/8 w - - 0 1", drawn},
		{"bishops that can", "antichess", "8/8/8/8/8/5b2/8/2BB4 w - - 0 1", lost},
		{"knights that never meet", "antichess", "8/8/8/8/8/4n3/8/2N5 w - - 0 1", drawn},
		{"the last two of a horde", "horde", "k7/8/8/8/8/8/8/NB6 b - - 0 1", drawn},
		{"two that can mate", "horde", "k7/8/8/8/8/8/8/NR6 b - - 0 1", "outoftime 0 flag"},
		{"there is no dead material", "xiangqi", "4k4/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", lost},
		{"nor in shogi", "shogi", "4k4/9/9/9/9/9/9/9/4K4[R] w - - 0 1", lost},
		{"a lone king may reach the hill", "kingOfTheHill", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", lost},
		{"a lone king cannot check three times", "threeCheck", "4k3/8/8/8/8/8/4P3/4K3 w - - 3+3 0 1", drawn},
		{"a lone king of makruk", "makruk", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", drawn},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			su := setup()
			su.Variant, su.InitialFEN, su.Control = tc.variant, tc.fen, clock.NewFischer(time.Minute, 0)
			newTable(t, su).run(`
				s start
				+60s
				s timeout
				= result ` + tc.want + `
				= deadline none`)
		})
	}
}

// TestDaysAlwaysEndAGame lets the days run out in every state that a correspondence game can be in.
func TestDaysAlwaysEndAGame(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"nobody has moved":         "= deadline 86400\n+24h\ns timeout\n= result aborted -1 noStart",
		"one has moved":            "w e2e4\n+23h\ns timeout ! not up\n+1h\ns timeout\n= result aborted -1 noStart",
		"both have moved":          "w e2e4\nb e7e5\n+24h\ns timeout\n= result outoftime 1 flag",
		"with an offer":            "w e2e4\nb e7e5\nw draw\n+24h\ns timeout\n= result outoftime 1 flag",
		"after a takeback":         "w e2e4\nb e7e5\nw g1f3\n+20h\nw takeback\nb takeback\n= deadline 86400\n+24h\ns timeout\n= result outoftime 1 flag",
		"to the first move":        "w e2e4\nb e7e5\nw takeback\nb takeback\n+24h\ns timeout\n= result aborted -1 noStart",
		"with conditional moves":   "w e2e4\nb e7e5\nb plan g1f3 b8c6\n+24h\ns timeout\n= result outoftime 1 flag\n= plans none",
		"after a conditional move": "w e2e4\nw plan e7e5 g1f3\n+20h\nb e7e5\n= deadline 86400\n+24h\ns timeout\n= result outoftime 0 flag",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			su := setup()
			su.Control = clock.NewCorrespondence(1)
			newTable(t, su).run(script)
		})
	}
}
