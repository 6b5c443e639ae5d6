package notation_test

import (
	"strings"
	"testing"
	"time"

	"hoplite/engine/notation"
)

// TestParseTurn reads turns of several moves, whole and in parts.
func TestParseTurn(t *testing.T) {
	for _, c := range []struct{ key, fen, text, want string }{
		{"standard", "", "e2e4", ""},
		{"standard", "", "e2e4,e7e5", "malformed move"},
		{"marseillais", "", "e2e4", ""},
		{"marseillais", "", "e2e4,d2d4", "the turn ends after 1 of 2 moves"},
		{"marseillais", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 2:2", "e7e5,d7d5", ""},
		{"marseillais", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 2:2", "e7e5", ""},
		{"marseillais", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 2:2", "e7e5,e2e4", "there is no man on e2"},
		{"marseillais", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 2:2", "e7e5,", "malformed move"},
		{"marseillais", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 2:2", "e7e5d7d5", "malformed move"},
		{"marseillais", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 2:2", "e1h1,f1f2", ""}, // castling as king takes rook
		{"progressive", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 3:3", "a1a2,a2a3,a3a4", ""},
		{"friendly", "4k3/8/2q5/8/4O3/2w2B2/8/5K2 w - - 0 1", "f3e4,c3,c6", ""},
		{"friendly", "4k3/8/8/8/8/8/8/c3K3 b - - 1 1", "=q,e8d8", ""},
		{"friendly", "4k3/8/8/8/8/8/8/c3K3 b - - 1 1", "e8d8", "illegal move"},
		{"friendly", "4k3/8/2q5/8/4O3/2w2B2/8/5K2 w - - 0 1", "f3e4c3c7c6", "malformed move"},
	} {
		r, _ := catalogue(t).Get(c.key)
		p, err := r.Start(0)
		if c.fen != "" {
			p, err = notation.ParseFEN(r, c.fen)
		}
		if err != nil {
			t.Fatal(err)
		}
		before := notation.FEN(p)
		moves, err := notation.ParseTurn(p, c.text)
		switch {
		case c.want == "" && (err != nil || len(moves) != 1+strings.Count(c.text, ",")):
			t.Errorf("%s %s: %d moves, %v", c.key, c.text, len(moves), err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s %s: %v, want %s", c.key, c.text, err, c.want)
		}
		if notation.FEN(p) != before {
			t.Errorf("%s %s: the position has changed", c.key, c.text)
		}
	}
}

// TestTurnsInRecords writes turns of several moves with clocks between their moves and reads them again.
func TestTurnsInRecords(t *testing.T) {
	for _, c := range []struct{ text, plain, clocked string }{
		{"[Variant \"Marseillais chess\"]\n\n1. e4 e5,d5 2. exd5,Nf3 *",
			"1. e4 e5,d5 2. exd5,Nf3 *",
			"1. e4 { [%clk 0:01:00] } 1... e5 { [%clk 0:01:00] } 1... d5 { [%clk 0:01:00] } 2. exd5 { [%clk 0:01:00] } 2... Nf3 { [%clk 0:01:00] } *"},
		{"[Variant \"Progressive chess\"]\n\n1. e4 2. e5 d5 3. exd5 Nf3 Nc3 *",
			"1. e4 2. e5 d5 3. exd5 Nf3 Nc3 *",
			"1. e4 { [%clk 0:01:00] } 2. e5 { [%clk 0:01:00] } 2... d5 { [%clk 0:01:00] } 3. exd5 { [%clk 0:01:00] } 3... Nf3 { [%clk 0:01:00] } 3... Nc3 { [%clk 0:01:00] } *"},
		{"[Variant \"Friendly Chess\"]\n[FEN \"4k3/8/2q5/8/4O3/2w2B2/8/5K2 w - - 0 1\"]\n\n1. Bxe4>Nxc3>Qxc6 Kd7 *",
			"1. Bxe4>Nxc3>Qxc6 Kd7 *",
			"1. Bxe4 { [%clk 0:01:00] } 1... >Nxc3 { [%clk 0:01:00] } 1... >Qxc6 { [%clk 0:01:00] } 1... Kd7 { [%clk 0:01:00] } *"},
		{"[Variant \"Friendly Chess\"]\n[FEN \"4k3/8/8/8/8/8/c7/4K3 w - - 0 1\"]\n\n1. Ca1 =N,Kd8 2. Ia8 *", "1. Ca1 =N,Kd8 2. Ia8 *", ""},
		{"[Variant \"Marseillais chess\"]\n\n1. e4 e5 d5 2. exd5, Nf3 *", "1. e4 e5,d5 2. exd5,Nf3 *", ""},
	} {
		records, errs := read(t, c.text)
		if len(records) != 1 || errs[0] != nil {
			t.Fatalf("%s: %v", c.text, errs)
		}
		for _, want := range []string{c.plain, c.clocked} {
			var b strings.Builder
			if want == "" {
				continue
			}
			if err := notation.WritePGN(&b, records[0], notation.PGNOptions{NoTags: true}); err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(b.String()); got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
			again, errs := read(t, strings.SplitAfter(c.text, "\n\n")[0]+b.String())
			if errs[0] != nil || moves(again[0]) != moves(records[0]) {
				t.Errorf("%s: read as %s, %v", want, moves(again[0]), errs)
			}
			for i := range records[0].Moves {
				records[0].Moves[i].Clock, records[0].Moves[i].HasClock = time.Minute, true
			}
		}
	}
	_, errs := read(t, "[Variant \"Marseillais chess\"]\n\n1. e4,d4 *")
	if errs[0] == nil || !strings.Contains(errs[0].Error(), "the turn ends after 1 of 2 moves") {
		t.Errorf("%v", errs)
	}
}
