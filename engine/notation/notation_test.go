package notation_test

import (
	"errors"
	"strings"
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

func catalogue(tb testing.TB) *variant.Set {
	tb.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

func game(tb testing.TB, key string) *rules.Rules {
	tb.Helper()
	r, ok := catalogue(tb).Get(key)
	if !ok {
		tb.Fatalf("no game %s", key)
	}
	return r
}

func parse(tb testing.TB, key, fen string) *rules.Position {
	tb.Helper()
	p, err := notation.ParseFEN(game(tb, key), fen)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func TestFENForms(t *testing.T) {
	for _, c := range []struct{ name, key, in, want string }{
		{"fields missing", "standard", "4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"target dropped", "standard", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"},
		{"move number 0", "standard", "4k3/8/8/8/8/8/8/4K3 b - - 3 0", "4k3/8/8/8/8/8/8/4K3 b - - 3 1"},
		{"rook files where rooks are fixed", "standard", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
		{"empty brackets", "standard", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"outermost rooks", "chess960", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"},
		{"hand order", "seirawan", "4k3/8/8/8/8/8/8/4K3[HEhe] w E - 0 1", "4k3/8/8/8/8/8/8/4K3[EHeh] w E - 0 1"},
		{"dash for an empty hand", "seirawan", "4k3/8/8/8/8/8/8/4K3[-] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1"},
		{"rights without a hand", "seirawan", "4k3/8/8/8/8/8/8/R3K2R[he] w KQ - 0 1", "4k3/8/8/8/8/8/8/R3K2R[eh] w KQ - 0 1"},
		{"blanks", "standard", "  4k3/8/8/8/8/8/8/4K3   w - -  0 1 ", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := notation.FEN(parse(t, c.key, c.in)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestXFEN(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
		{"4k3/8/8/8/8/8/8/RR2K2R w HB - 0 1", "4k3/8/8/8/8/8/8/RR2K2R w KB - 0 1"},
	} {
		if got := notation.XFEN(parse(t, "chess960", c.in)); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// An EPD is a FEN without the numbers of moves, which reads as the same position.
func TestEPD(t *testing.T) {
	for _, c := range []struct{ key, in, want string }{
		{"standard", "4k3/8/8/8/8/8/8/R3K3 w A - 7 30", "4k3/8/8/8/8/8/8/R3K3 w Q -"},
		{"threeCheck", "4k3/8/8/8/8/8/8/R3K3 b - - 2+3 7 30", "4k3/8/8/8/8/8/8/R3K3 b - - 2+3"},
	} {
		got := notation.EPD(parse(t, c.key, c.in))
		if got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
		if again := notation.EPD(parse(t, c.key, got)); again != got {
			t.Errorf("%s is read as %s", got, again)
		}
	}
}

func TestFENErrors(t *testing.T) {
	for _, c := range []struct{ fen, field, reason string }{
		{"", "board", "empty"},
		{strings.Repeat("8", 2000), "board", "longer"},
		{"8/8/8/8/8/8/8/8 w - - 0 1 x", "move number", "7 fields"},
		{"8/8/8/8/8/8/8/08 w", "board", "rank 1"},
		{"9/8/8/8/8/8/8/8 w", "board", "rank 8"},
		{"7/8/8/8/8/8/8/8 w", "board", "7 files instead of 8"},
		{"8/8/8/8/8/8/8/é7 w", "board", "unknown man"},
		{"8/8/8/8/8/8/8/8[P] w", "hand", "no men in hand"},
		{"8/8/8/8/8/8/8/8[ w", "hand", "bracket"},
		{"8/8/8/8/8/8/8/8 W", "side", `"W"`},
		{"8/8/8/8/8/8/8/8 w Kx", "castling", `'x'`},
		{"8/8/8/8/8/8/8/8 w - e9", "en passant", `"e9"`},
		{"8/8/8/8/8/8/8/8 w - - -1", "halfmove clock", `"-1"`},
		{"8/8/8/8/8/8/8/8 w - - 0 99999", "move number", "99999"},
	} {
		_, err := notation.ParseFEN(game(t, "standard"), c.fen)
		var e *notation.FENError
		if !errors.As(err, &e) || e.Field != c.field || !strings.Contains(e.Reason, c.reason) {
			t.Errorf("%q: got %v, want %s: %s", c.fen, err, c.field, c.reason)
		}
	}
	var e *notation.FENError
	if _, err := notation.ParseFEN(game(t, "seirawan"), "8/8/8/8/8/8/8/8[X] w"); !errors.As(err, &e) || e.Field != "hand" {
		t.Errorf("got %v", err)
	}
	if _, err := notation.ParseFEN(game(t, "spartan"), "8/8/8/8/8/8/8/q7 w"); !errors.As(err, &e) || !strings.Contains(e.Reason, "no queen") {
		t.Errorf("got %v", err)
	}
	var s *rules.SetupError
	if _, err := notation.ParseFEN(game(t, "standard"), "8/8/8/8/8/8/8/8 w - - 0 1"); !errors.As(err, &s) || len(s.Reasons) != 2 {
		t.Errorf("got %v", err)
	}
	if _, err := notation.ParseFEN(game(t, "seirawan"), "4k3/8/8/8/8/8/8/4K3[H] w B - 0 1"); !errors.As(err, &s) || s.Reasons[0].Field != "castling" {
		t.Errorf("got %v", err)
	}
}

func TestParseMoveErrors(t *testing.T) {
	p := parse(t, "standard", "4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1")
	for _, c := range []struct {
		text, reason string
		malformed    bool
	}{
		{"", "square", true},
		{"e2", "second square", true},
		{"e2e9", "second square", true},
		{"z2e4", "square", true},
		{"e2e4x", "no man", true},
		{"e2e4qq", "no man", true},
		{"0000", "square", true},
		{"e2e4\x00", "no man", true},
		{strings.Repeat("a1", 5000), "no man", true},
		{"a7a8", "promotion is missing", false},
		{"a7a8k", "no promotion to king", false},
		{"e1e2q", "can come in", false},
		{"e2e4", "no man on e2", false},
		{"e8e7", "turn of White", false},
		{"a1b2", "cannot go", false},
	} {
		_, err := notation.ParseMove(p, c.text)
		var e *notation.MoveError
		if !errors.As(err, &e) || e.Malformed != c.malformed || !strings.Contains(e.Reason, c.reason) {
			t.Errorf("%.20q: got %v, want %s", c.text, err, c.reason)
		}
		if err != nil && len(err.Error()) > 200 {
			t.Errorf("%.20q: an error text of %d bytes", c.text, len(err.Error()))
		}
	}
}

func TestCastlingForms(t *testing.T) {
	p := parse(t, "standard", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
	for in, want := range map[string][2]string{"e1g1": {"e1g1", "e1h1"}, "e1h1": {"e1g1", "e1h1"}, "e1c1": {"e1c1", "e1a1"}, "e1a1": {"e1c1", "e1a1"}} {
		m, err := notation.ParseMove(p, in)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := [2]string{notation.FormatMove(p, m), notation.FormatMoveKingRook(p, m)}; got != want {
			t.Errorf("%s: got %v, want %v", in, got, want)
		}
	}
	// A king's step to the goal is the step, not castling.
	q := parse(t, "chess960", "4k3/8/8/8/8/8/8/5K1R w H - 0 1")
	if m, err := notation.ParseMove(q, "f1g1"); err != nil || m.Kind() != rules.Quiet {
		t.Errorf("f1g1: got %v, %v", m.Kind(), err)
	}
	if m, err := notation.ParseMove(q, "f1h1"); err != nil || m.Kind() != rules.Castle {
		t.Errorf("f1h1: got %v, %v", m.Kind(), err)
	}
}

func TestSAN(t *testing.T) {
	for _, c := range []struct{ key, fen, move, want string }{
		{"standard", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "h1h8", "Rh8+"},
		{"standard", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8#"},
		{"standard", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"},
		{"standard", "4k3/R7/8/8/8/8/4K3/R7 w - - 0 1", "a1a4", "R1a4"},
		{"standard", "6k1/8/8/8/Q6Q/8/4K3/7Q w - - 0 1", "h4d8", "Qd8+"},
		{"standard", "6k1/8/8/8/Q6Q/8/4K3/7Q w - - 0 1", "h4e4", "Qh4e4"},
		{"standard", "4k3/8/8/8/4r3/8/4N3/N3K3 w - - 0 1", "a1c2", "Nc2"}, // the other knight is pinned
		{"standard", "3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8n", "exd8=N"},
		{"standard", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", "O-O-O"},
		{"spartan28", "k3/4/4/P1P1/4/4/3K w - - 0 1", "a4b5", "ab5"},
		{"spartan", "k6k/2h1h3/8/8/8/8/8/4K3 b - - 0 1", "e7d6", "ed6"},
		{"seirawan", "4k3/8/8/8/8/8/8/R3K3[E] w QA - 0 1", "a1a8e", "Ra8/E+"}, // the mark of check stands last
	} {
		p := parse(t, c.key, c.fen)
		m, err := notation.ParseMove(p, c.move)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := notation.SAN(p, m); got != c.want {
			t.Errorf("%s %s: got %s, want %s", c.fen, c.move, got, c.want)
		}
	}
}

func TestParseSANForms(t *testing.T) {
	for _, c := range []struct{ key, fen, text, want string }{
		{"standard", "", "e2-e4", "e2e4"},
		{"standard", "", "Pe4", "e2e4"},
		{"standard", "", "Ng1f3!?", "g1f3"},
		{"standard", "", "Ng1-f3", "g1f3"},
		{"standard", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0-0", "e1c1"},
		{"standard", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "o-o", "e1g1"},
		{"standard", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8Q", "a7a8q"},
		{"standard", "3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "ed8=Q+", "e7d8q"},
		{"seirawan", "", "Nc3/H", "b1c3h"},
		{"seirawan", "4k3/8/8/8/8/8/8/R3K2R[HE] w KQ - 0 1", "O-O/Hh1", "h1e1h"},
		{"spartan", "k6k/2h1h3/8/8/8/8/8/4K3 b - - 0 1", "He6", ""},
	} {
		r := game(t, c.key)
		p, err := r.Start(0)
		if c.fen != "" {
			p, err = notation.ParseFEN(r, c.fen)
		}
		if err != nil {
			t.Fatal(err)
		}
		m, err := notation.ParseSAN(p, c.text)
		if c.want == "" {
			if err == nil {
				t.Errorf("%s: read as %s", c.text, notation.FormatMove(p, m))
			}
			continue
		}
		if err != nil || notation.FormatMove(p, m) != c.want {
			t.Errorf("%s: got %v, %v", c.text, m, err)
		}
	}
	p := parse(t, "standard", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1")
	for text, malformed := range map[string]bool{"": true, "+": true, "R": true, "Rz9": true, "Rd1/": true, "Rd1/X": true,
		"Rd1/Qz": true, "R99d1": true, "Rzd1": true, "R*d1": true, "Rd1": false, "Rd5": false, "O-O": false, "\xff": true} {
		_, err := notation.ParseSAN(p, text)
		var e *notation.MoveError
		if !errors.As(err, &e) || e.Malformed != malformed {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

func BenchmarkFEN(b *testing.B) {
	const fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
	r := game(b, "standard")
	p := parse(b, "standard", fen)
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			if _, err := notation.ParseFEN(r, fen); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			if notation.FEN(p) != fen {
				b.Fatal("another position")
			}
		}
	})
	b.Run("san", func(b *testing.B) {
		m := p.Moves(nil)[0]
		for b.Loop() {
			if notation.SAN(p, m) == "" {
				b.Fatal("no text")
			}
		}
	})
}
