package notation_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// beginning is a position of a game, the usual start if fen is empty.
func beginning(tb testing.TB, key, fen string) *rules.Position {
	tb.Helper()
	if fen == "" {
		fen = game(tb, key).Definition().Start.FEN
	}
	return parse(tb, key, fen)
}

func TestNative(t *testing.T) {
	for _, c := range []struct{ key, fen, move, want string }{
		{"xiangqi", "", "h3e3", "C2=5"},
		{"xiangqi", "", "h1g3", "H2+3"},
		{"xiangqi", "", "c1e3", "E7+5"},
		{"xiangqi", "", "a1a3", "R9+2"},
		{"xiangqi", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1", "h10g8", "H8+7"},
		{"xiangqi", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1", "b8b1", "C2+7"},
		{"xiangqi", "3k5/9/9/9/4C4/9/4C4/9/9/5K3 w - - 0 1", "e6e8", "C++2"},
		{"xiangqi", "3k5/9/9/9/4C4/9/4C4/9/9/5K3 w - - 0 1", "e4c4", "C-=7"},
		{"xiangqi", "3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1", "e7d7", "P2=6"},
		{"xiangqi", "3k5/9/4P4/4P4/4P3P/9/9/9/9/5K3 w - - 0 1", "e6d6", "P1=6"},
		{"xiangqi", "3k5/9/4P4/4P4/4P4/7P1/9/9/9/5K3 w - - 0 1", "e8e9", "P3+1"},
		{"xiangqi", "3k5/9/4P4/4P3P/4P4/7P1/9/9/9/5K3 w - - 0 1", "e7d7", "P2=6"},
		{"xiangqi", "3k5/9/4P4/4P4/4P1P2/9/9/9/9/5K3 w - - 0 1", "g6g7", "P3+1"},
		{"xiangqi", "3k5/9/4P4/4P4/4P1P2/9/9/9/9/5K3 w - - 0 1", "e8e9", "P35+1"},
		{"xiangqi", "3k5/9/9/2P1P4/2P1P4/9/9/9/9/5K3 w - - 0 1", "c7c8", "P+7+1"},
		{"janggi", "", "a1a3", "R01-81"},
		{"janggi", "", "e2e2", "K95-95"},
	} {
		p := beginning(t, c.key, c.fen)
		m, err := notation.ParseMove(p, c.move)
		if err != nil {
			t.Fatal(err)
		}
		if got := notation.Native(p, m); got != c.want {
			t.Errorf("%s %s: %s is written %s, want %s", c.key, c.fen, c.move, got, c.want)
		}
		if back, err := notation.ParseNative(p, c.want); err != nil || back != m {
			t.Errorf("%s %s: %s reads as another move: %v", c.key, c.fen, c.want, err)
		}
	}
}

func TestNativeSpellings(t *testing.T) {
	for _, c := range []struct{ key, text, want string }{
		{"xiangqi", "c2=5", "h3e3"}, {"xiangqi", "C2.5", "h3e3"}, {"xiangqi", "N2+3", "h1g3"}, {"xiangqi", "B7+5", "c1e3"},
		{"xiangqi", "h2e2", "h3e3"}, {"xiangqi", "H2-E2", "h3e3"}, {"xiangqi", "h3e3", ""}, {"xiangqi", "C2=2", ""},
		{"xiangqi", "", ""}, {"xiangqi", "j0j1", ""}, {"janggi", "N02-83", "b1c3"}, {"janggi", "a0a2", ""}, {"standard", "e4", ""},
	} {
		p := beginning(t, c.key, "")
		m, err := notation.ParseNative(p, c.text)
		got := ""
		if err == nil {
			got = notation.FormatMove(p, m)
		}
		if got != c.want {
			t.Errorf("%s: %q reads as %q, want %q", c.key, c.text, got, c.want)
		}
	}
}

// TestNativeIsUnique writes every legal move of random games in the notation of the game's home and reads it back.
func TestNativeIsUnique(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	games := 0
	for _, r := range catalogue(t).List() {
		if r.Definition().Notation.Native == "" {
			continue
		}
		games++
		for range 4 {
			p, err := r.Start(0)
			if err != nil {
				t.Fatal(err)
			}
			for range 60 {
				moves := p.Moves(nil)
				if len(moves) == 0 {
					break
				}
				seen := map[string]bool{}
				for _, m := range moves {
					text := notation.Native(p, m)
					if back, err := notation.ParseNative(p, text); err != nil || back != m || seen[text] {
						t.Fatalf("%s: %s is written %s: %v", notation.FEN(p), notation.FormatMove(p, m), text, err)
					}
					seen[text] = true
				}
				var u rules.Undo
				p.Make(moves[rng.IntN(len(moves))], &u)
			}
		}
	}
	if games < 2 {
		t.Errorf("%d games with a notation of their own", games)
	}
}

// TestZeroRanks writes moves with ranks from 0 and reads them back.
func TestZeroRanks(t *testing.T) {
	p := beginning(t, "xiangqi", "")
	for _, m := range p.Moves(nil) {
		if back, err := notation.ParseNative(p, notation.CountFromZero(notation.FormatMove(p, m))); err != nil || back != m {
			t.Errorf("%s is written %s: %v", notation.FormatMove(p, m), notation.CountFromZero(notation.FormatMove(p, m)), err)
		}
	}
}

// TestRecordsInNativeNotation reads a record as other programs write it.
func TestRecordsInNativeNotation(t *testing.T) {
	const text = "[Variant \"Xiangqi\"]\n[Result \"*\"]\n\n1. C2=5 H8+7 2. H0-G2 b9c7 *\n"
	n := 0
	for rec, err := range notation.ReadPGN(catalogue(t), strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		n += len(rec.Moves)
	}
	if n != 4 {
		t.Errorf("%d moves read", n)
	}
}

// FuzzNative reads any text: what is read is legal, written again and read the same.
func FuzzNative(f *testing.F) {
	for _, s := range []string{"C2=5", "H2+3", "h2e2", "H2-E2", "P+7+1", "R01-81", "K95-95", "c2.5", "P35+1", ""} {
		f.Add(s)
	}
	var positions []*rules.Position
	for _, c := range []struct{ key, fen string }{
		{"xiangqi", ""}, {"xiangqi", "3k5/9/9/2P1P4/2P1P4/9/9/9/9/5K3 w - - 0 1"}, {"xiangqi", "3k5/9/4P4/4P4/4P1P2/9/9/9/9/5K3 w - - 0 1"},
		{"janggi", ""}, {"standard", ""},
	} {
		positions = append(positions, beginning(f, c.key, c.fen))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range positions {
			m, err := notation.ParseNative(p, text)
			if err != nil {
				continue
			}
			if own := notation.Native(p, m); !p.IsLegal(m) {
				t.Fatalf("%s: %q gives an illegal move", notation.FEN(p), text)
			} else if back, err := notation.ParseNative(p, own); err != nil || back != m {
				t.Fatalf("%s: %q is written %q and reads as another move: %v", notation.FEN(p), text, own, err)
			}
		}
	})
}
