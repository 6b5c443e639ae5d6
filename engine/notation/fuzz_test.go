package notation_test

import (
	"errors"
	"strings"
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// FuzzFEN reads any text in every game: it fails with a typed error or gives a position that is written and read back
// the same.
func FuzzFEN(f *testing.F) {
	games := catalogue(f).List()
	for _, r := range games {
		f.Add(r.Definition().Start.FEN)
	}
	for _, s := range []string{"", "8/8/8/8/8/8/8/8 w - - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b HAha - 99 9999",
		"8/8/8/K2Pp2r/8/8/8/4k3 w - e6 0 2", "4k3/8/8/8/8/8/8/R3K2R[HE] w KQ - 0 1", "k3/4/4/1P2/4/4/3K w",
		"1k3k2/8/8/8/8/8/8/1R3R1K b - - 0 1", "4k3/8/8/8/8/8/8/1RK4R w BH - 0 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range games {
			p, err := notation.ParseFEN(r, text)
			if err != nil {
				var unread *notation.FENError
				var unplayable *rules.SetupError
				if !errors.As(err, &unread) && !errors.As(err, &unplayable) {
					t.Fatalf("%s: %q: error of type %T", r.Key(), text, err)
				}
				continue
			}
			fen := notation.FEN(p)
			q, err := notation.ParseFEN(r, fen)
			if err != nil {
				t.Fatalf("%s: %q is written as %q: %v", r.Key(), text, fen, err)
			}
			if q.Key() != p.Key() || notation.FEN(q) != fen {
				t.Fatalf("%s: %q is written as %q and read as %q", r.Key(), text, fen, notation.FEN(q))
			}
			if len(p.Moves(nil)) != len(p.MovesByTrial(nil)) {
				t.Fatalf("%s: %q: moves by suspicion and by trial differ", r.Key(), fen)
			}
		}
	})
}

var fuzzPositions = []struct{ key, fen string }{
	{"standard", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"},
	{"standard", "8/P5k1/8/K2Pp2r/8/8/8/8 w - e6 0 2"},
	{"chess960", "4k3/8/8/8/8/8/8/1RK4R w BH - 0 1"},
	{"spartan", "lgk1ckwl/1hh1hhhh/h7/3c4/2P1P3/5N2/PP1P1PPP/RNBQKB1R b KQ - 0 5"},
	{"seirawan", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/RN2K2R[EHeh] w KQBkq - 0 1"},
	{"spartan28", "3k/1P2/rnr1/1P2/4/4/3K w - - 0 1"},
}

// FuzzMoveText reads any text as a move: it fails with a typed error or gives a legal move whose own text reads back.
func FuzzMoveText(f *testing.F) {
	for _, s := range []string{"e2e4", "e1g1", "e1h1", "a7a8q", "b1c3h", "h1e1h", "d5e6", "0000", "c1b1", "a2a1k", "", "e2-e4"} {
		f.Add(s)
	}
	fuzzMoves(f, notation.ParseMove, notation.FormatMove)
}

// FuzzSAN does the same with algebraic notation.
func FuzzSAN(f *testing.F) {
	for _, s := range []string{"e4", "O-O", "0-0-0", "exd6", "Qxf6+", "a8=Q#", "Nc3/H", "O-O/Hh1", "Rad1", "xd5", "bxc5", ""} {
		f.Add(s)
	}
	fuzzMoves(f, notation.ParseSAN, notation.SAN)
}

func fuzzMoves(f *testing.F, read func(*rules.Position, string) (rules.Move, error), write func(*rules.Position, rules.Move) string) {
	var positions []*rules.Position
	for _, c := range fuzzPositions {
		positions = append(positions, parse(f, c.key, c.fen))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range positions {
			m, err := read(p, text)
			if err != nil {
				var e *notation.MoveError
				if !errors.As(err, &e) || e.Reason == "" {
					t.Fatalf("%q: error %v of type %T", text, err, err)
				}
				continue
			}
			if !p.IsLegal(m) {
				t.Fatalf("%s: %q gives an illegal move", notation.FEN(p), text)
			}
			own := write(p, m)
			if back, err := read(p, own); err != nil || back != m {
				t.Fatalf("%s: %q is written %q and reads as another move: %v", notation.FEN(p), text, own, err)
			}
		}
	})
}

// FuzzPGN reads any archive: what is read is written and read again the same.
func FuzzPGN(f *testing.F) {
	for _, s := range []string{
		"[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 {[%clk 0:01:02] good} Nc6 1-0\n",
		"[Variant \"S-chess\"]\n\n1. Nc3/H (1. e4 e5) Nf6 $5 *\n",
		"[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/6KR w H - 0 1\"]\n\n1. O-O ; line\n*\n",
		"[Variant \"Spartan\"]\n\n1. e4 b5 1/2-1/2\n\n1. d4 *\n", "{", "(", "[", "[a \"", "% \n1. e4", "1.e4e5", "1... e5 *",
	} {
		f.Add(s)
	}
	set := catalogue(f)
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		for rec, err := range notation.ReadPGN(set, strings.NewReader(text)) {
			if n++; n > len(text)+1 {
				t.Fatal("more games than bytes")
			}
			if err != nil {
				var e *notation.PGNError
				if !errors.As(err, &e) {
					t.Fatalf("error of type %T", err)
				}
				continue
			}
			var b strings.Builder
			if err := notation.WritePGN(&b, rec, notation.PGNOptions{}); err != nil {
				t.Fatal(err)
			}
			again := 0
			for back, err := range notation.ReadPGN(set, strings.NewReader(b.String())) {
				again++
				if err != nil {
					t.Fatalf("%q is written\n%s\nand not read: %v", text, b.String(), err)
				}
				if moves(back) != moves(rec) || back.Result != rec.Result || back.Rules != rec.Rules ||
					notation.FEN(back.Start) != notation.FEN(rec.Start) {
					t.Fatalf("%q is written\n%s\nand read as another game", text, b.String())
				}
			}
			if again != 1 {
				t.Fatalf("%q is written\n%s\nand read as %d games", text, b.String(), again)
			}
		}
	})
}
