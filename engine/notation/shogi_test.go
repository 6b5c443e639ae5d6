package notation_test

import (
	"errors"
	"strings"
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

func TestSFEN(t *testing.T) {
	for _, c := range []struct{ key, sfen, fen string }{
		{"shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
			"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w - - 0 1"},
		{"shogi", "4k4/9/9/9/4+P4/9/9/9/4K4 w R2B13P2n 24", "4k4/9/9/9/4+P4/9/9/9/4K4[RBBPPPPPPPPPPPPPnn] b - - 0 12"},
		{"toriShogi", "rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR b - 1",
			"rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR[] w - - 0 1"},
		{"chuShogi", "11k/12/12/12/12/4r7/12/12/9n2/4+o7/12/6B4K b 8j 25",
			"11k/12/12/12/12/4r7/12/12/9n2/4+o7/12/6B4K w - e3 0 13"},
	} {
		r := game(t, c.key)
		p, err := notation.ParseSFEN(r, c.sfen)
		if err != nil {
			t.Fatal(c.sfen, err)
		}
		if got := notation.FEN(p); got != c.fen {
			t.Errorf("%s: got %s, want %s", c.sfen, got, c.fen)
		}
		if got, err := notation.SFEN(p); err != nil || got != c.sfen {
			t.Errorf("%s: written %s, %v", c.sfen, got, err)
		}
		for _, text := range []string{c.sfen, "sfen " + c.sfen} {
			if q, err := notation.ParseSFEN(r, text); err != nil || q.Key() != p.Key() {
				t.Errorf("%s: %v", text, err)
			}
		}
		// Where a FEN is read SFEN is read, too.
		if q, err := notation.ParseFEN(r, c.sfen); err != nil || q.Key() != p.Key() || q.Turn() != p.Turn() {
			t.Errorf("%s as FEN: %v", c.sfen, err)
		}
	}
	if q, err := notation.ParseSFEN(game(t, "shogi"), "4k4/9/9/9/9/9/9/9/4K4 w"); err != nil || q.Turn() != 1 || q.FullMoves() != 1 {
		t.Errorf("short form: %v", err)
	}
}

func TestBadSFEN(t *testing.T) {
	r := game(t, "shogi")
	for _, text := range []string{"", "x", "4k4/9/9/9/9/9/9/9/4K4", "4k4/9/9/9/9/9/9/9/4K4 x - 1", "4k4/9/9/9/9/9/9/9/4K4 b 3 1",
		"4k4/9/9/9/9/9/9/9/4K4 b 0P 1", "4k4/9/9/9/9/9/9/9/4K4 b 123P 1", "4k4/9/9/9/9/9/9/9/4K4 b P x", "4k4/9/9/9/9/9/9/9/4K4 b - 1 1",
		"4k4/9/9 b - 1", "4k4/9/9/9/9/9/9/9/4K4 b Z 1", strings.Repeat("9", 2000) + " b - 1"} {
		var unread *notation.FENError
		if _, err := notation.ParseSFEN(r, text); !errors.As(err, &unread) {
			t.Errorf("%.40q: error %v", text, err)
		}
	}
	for _, text := range []string{"4k4/9/9/9/9/9/9/9/4K4 b K 1", "9/9/9/9/9/9/9/9/4K4 b - 1", "4k4/9/9/9/9/9/9/9/4K4 b 99P 1"} {
		var impossible *rules.SetupError
		if _, err := notation.ParseSFEN(r, text); !errors.As(err, &impossible) {
			t.Errorf("%q: error %v", text, err)
		}
	}
	if _, err := notation.ParseSFEN(game(t, "chuShogi"), "11k/12/12/12/12/12/12/12/12/12/12/11K b 99z 1"); err == nil {
		t.Error("a square off the board was read")
	}
	if _, err := notation.ParseSFEN(game(t, "chuShogi"), "11k/12/12/12/12/12/12/12/12/12/12/11K b P 1"); err == nil {
		t.Error("a hand was read in a game without")
	}
}

func TestUSI(t *testing.T) {
	for _, c := range []struct{ key, fen, usi, own string }{
		{"shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w - - 0 1", "7g7f", "c3c4"},
		{"shogi", "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL[] w - - 0 2", "8h2b+", "b2h8+"},
		{"shogi", "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL[] w - - 0 2", "8h2b", "b2h8"},
		{"shogi", "4k4/9/9/9/9/9/9/9/4K4[P] w", "P*5e", "P@e5"},
		{"toriShogi", "3k3/7/3S3/7/7/7/3K3[] w", "4c4b+", "d5d6+"},
		{"chuShogi", "k11/12/12/12/7g4/6n5/5N6/12/12/12/12/11K w - - 0 1", "7g6f5e", "f6g7h8"},
		{"chuShogi", "k11/12/12/12/7g4/6n5/5N6/12/12/12/12/11K w - - 0 1", "7g6f7g", "f6g7f6"},
		{"chuShogi", "k11/12/12/12/7g4/6n5/5N6/12/12/12/12/11K w - - 0 1", "7g8h7g", "f6f6"},
		{"chuShogi", "k11/12/12/12/7g4/6n5/5N6/12/12/12/12/11K w - - 0 1", "7g5i", "f6h4"},
	} {
		p := parse(t, c.key, c.fen)
		m, err := notation.ParseUSI(p, c.usi)
		if err != nil {
			t.Fatal(c.usi, err)
		}
		if got := notation.FormatMove(p, m); got != c.own {
			t.Errorf("%s: got %s, want %s", c.usi, got, c.own)
		}
		if got, err := notation.FormatUSI(p, m); err != nil || got != c.usi {
			t.Errorf("%s: written %s, %v", c.usi, got, err)
		}
	}
	p := parse(t, "shogi", "4k4/9/9/9/9/9/9/9/4K4[P] w")
	for _, text := range []string{"", "7", "7g", "7g7", "0a1a", "99z1a", "5i5i", "5i5h5g5f", "P*", "P*5a", "X*5e", "5i5h+", "*5e", "P*5e5d", "resign"} {
		var bad *notation.MoveError
		if _, err := notation.ParseUSI(p, text); !errors.As(err, &bad) || bad.Text != text {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

// TestShogiDialectsOnly refuses other games, which are written in other ways.
func TestShogiDialectsOnly(t *testing.T) {
	p := parse(t, "standard", "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
	var other *notation.DialectError
	if _, err := notation.SFEN(p); !errors.As(err, &other) {
		t.Errorf("SFEN: %v", err)
	}
	if _, err := notation.ParseSFEN(p.Rules(), "4k3/8/8/8/8/8/8/4K2R b - 1"); !errors.As(err, &other) {
		t.Errorf("SFEN read: %v", err)
	}
	if _, err := notation.ParseUSI(p, "1h1g"); !errors.As(err, &other) {
		t.Errorf("USI read: %v", err)
	}
	if _, err := notation.FormatUSI(p, p.Moves(nil)[0]); !errors.As(err, &other) {
		t.Errorf("USI: %v", err)
	}
}

// FuzzSFEN reads any text in every game of the family: it fails with a typed error or gives a position that is written
// and read back the same.
func FuzzSFEN(f *testing.F) {
	for _, s := range []string{"", "4k4/9/9/9/4+P4/9/9/9/4K4 w R2B13P2n 24", "rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR b - 1",
		"11k/12/12/12/12/4r7/12/12/9n2/4+o7/12/6B4K b 8j 25", "sfen 4k4/9/9/9/9/9/9/9/4K4 b 2P3p 1"} {
		f.Add(s)
	}
	games := []*rules.Rules{game(f, "shogi"), game(f, "toriShogi"), game(f, "chuShogi")}
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range games {
			p, err := notation.ParseSFEN(r, text)
			if err != nil {
				var unread *notation.FENError
				var impossible *rules.SetupError
				if !errors.As(err, &unread) && !errors.As(err, &impossible) {
					t.Fatalf("%s: %q: error of type %T", r.Key(), text, err)
				}
				continue
			}
			own, err := notation.SFEN(p)
			if err != nil {
				t.Fatal(err)
			}
			if q, err := notation.ParseSFEN(r, own); err != nil || q.Key() != p.Key() {
				t.Fatalf("%s: %q is written as %q: %v", r.Key(), text, own, err)
			}
		}
	})
}

// FuzzUSI reads any text as a move: it fails with a typed error or gives a legal move whose own text reads back.
func FuzzUSI(f *testing.F) {
	for _, s := range []string{"7g7f", "8h2b+", "P*5e", "7g6f5e", "7g6f7g", "", "1a1a"} {
		f.Add(s)
	}
	positions := []*rules.Position{parse(f, "shogi", "8k/9/9/9/B8/9/9/9/4K4[PLN] w"),
		parse(f, "toriShogi", "3k3/6F/7/7/7/7/3K3[S] w"), parse(f, "chuShogi", "k11/12/12/12/7g4/6n5/5N6/12/12/12/12/11K w - - 0 1")}
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range positions {
			m, err := notation.ParseUSI(p, text)
			if err != nil {
				var bad *notation.MoveError
				if !errors.As(err, &bad) {
					t.Fatalf("%q: error of type %T", text, err)
				}
				continue
			}
			own, err := notation.FormatUSI(p, m)
			if back, again := notation.ParseUSI(p, own); err != nil || again != nil || back != m {
				t.Fatalf("%q is written %q and reads as another move: %v, %v", text, own, err, again)
			}
		}
	})
}
