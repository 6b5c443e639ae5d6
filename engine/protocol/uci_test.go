package protocol_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"hoplite/engine/protocol"
	"hoplite/engine/variant"
)

func TestHandshakeNamesOptionsAndVariants(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.send("uci")
	c.expect("id name Test")
	c.expect("option name Hash type spin")
	combo := c.expect("option name UCI_Variant type combo default ")
	for _, d := range variant.All() {
		if !strings.Contains(combo+" ", " var "+d.UCIName+" ") {
			t.Errorf("%s is not offered: %s", d.UCIName, combo)
		}
	}
	c.expect("uciok")
	c.send("isready")
	c.expect("readyok")
	c.quit()
}

func TestGoForms(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, position, command, want string }{
		{"depth", "startpos", "go depth 3", "bestmove "},
		{"nodes", "startpos moves e2e4", "go nodes 2000", "bestmove "},
		{"movetime", "startpos", "go movetime 20", "bestmove "},
		{"clock", "startpos", "go wtime 300 btime 300 winc 10 binc 10", "bestmove "},
		{"clock of the other side only", "startpos", "go btime 300", "bestmove "},
		{"time is over", "startpos", "go wtime 0 btime 0", "bestmove "},
		{"negative time", "startpos", "go wtime -100 btime -100", "bestmove "},
		{"moves to go", "startpos", "go wtime 200 btime 200 movestogo 1", "bestmove "},
		{"mate", "fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "go mate 1", "bestmove a1a8"},
		{"searchmoves", "startpos", "go depth 2 searchmoves a2a3", "bestmove a2a3"},
		{"searchmoves first", "startpos", "go searchmoves a2a3 h2h3 depth 2", "bestmove "},
		{"illegal searchmoves are ignored", "startpos", "go searchmoves a2a5 depth 2", "bestmove "},
		{"no legal move", "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 3", "bestmove (none)"},
		{"garbage inside", "startpos", "go depht 3 depth x depth 2", "bestmove "},
		{"a number too large", "startpos", "go depth 2 wtime 99999999999999999999999", "bestmove "},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := start(t)
			c.send("position "+tc.position, tc.command)
			line := c.expect("bestmove ")
			if !strings.HasPrefix(line, tc.want) {
				t.Errorf("got %q, want %q", line, tc.want)
			}
			c.quit()
		})
	}
}

func TestInfiniteEndsOnlyByStop(t *testing.T) {
	t.Parallel()
	c := start(t)
	// A mate in one: nothing is left to look for, and yet no answer comes.
	c.send("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "go infinite", "isready")
	c.expect("readyok")
	select {
	case line := <-c.out:
		if strings.HasPrefix(line, "bestmove") {
			t.Fatalf("answered before stop: %q", line)
		}
	case <-time.After(100 * time.Millisecond):
	}
	c.send("go depth 1")
	c.expect("info string go: a search is running already")
	c.send("setoption name Hash value 1")
	c.expect("info string setoption: not while a search is running")
	c.send("stop")
	if got := c.expect("bestmove"); !strings.HasPrefix(got, "bestmove a1a8") {
		t.Errorf("got %q", got)
	}
	c.quit()
}

func TestPonder(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.send("position startpos moves e2e4", "go ponder wtime 200 btime 200")
	c.send("isready")
	c.expect("readyok")
	c.send("ponderhit")
	c.expect("bestmove ")
	c.send("ponderhit")
	c.expect("info string ponderhit: the engine is not pondering")
	c.send("go ponder movetime 10", "stop")
	c.expect("bestmove ")
	c.quit()
}

func TestQuitDuringSearch(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.send("position startpos", "go infinite")
	c.quit()
}

func TestEndOfInputFinishesABoundedSearch(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	in := strings.NewReader("position startpos\ngo depth 4\n")
	if err := protocol.Serve(context.Background(), in, &out, options(t)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "info depth 4 ") || !strings.Contains(out.String(), "bestmove ") {
		t.Errorf("got %q", out.String())
	}
}

func TestNonsenseIsAnswered(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, line, want string }{
		{"unknown command", "hello world", "info string unknown command: hello"},
		{"unknown option", "setoption name Foo value 3", "info string setoption: unknown option: Foo"},
		{"option without name", "setoption Foo", "info string setoption: name expected"},
		{"option without number", "setoption name Hash value many", "info string setoption: Hash: number expected"},
		{"option out of range", "setoption name Skill Level value 99", "info string setoption: Skill Level: 99 is outside"},
		{"unknown variant", "setoption name UCI_Variant value nosuch", "info string setoption: UCI_Variant: unknown variant nosuch"},
		{"position without words", "position", "info string position: startpos or fen expected"},
		{"position of something", "position here", "info string position: startpos or fen expected"},
		{"bad fen", "position fen x", "info string position: "},
		{"empty fen", "position fen", "info string position: "},
		{"illegal move", "position startpos moves e2e5", "info string position: move 1"},
		{"words after startpos", "position startpos e2e4", "info string position: moves expected"},
		{"number missing", "go depth", "info string go: depth needs a number"},
		{"binary", "\x00\xff\xfe", "info string unknown command: "},
		{"a very long line", strings.Repeat("x", 3<<20), "info string unknown command: xxx"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := start(t)
			c.send(tc.line)
			c.expect(tc.want)
			c.send("stop", "position startpos", "go depth 1")
			c.expect("bestmove ")
			c.quit()
		})
	}
}

func TestFailedPositionKeepsTheLastOne(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.send("position startpos moves e2e4", "position startpos moves e2e5", "d")
	if got := c.expect("info string fen "); !strings.Contains(got, "/4P3/8/") {
		t.Errorf("position is %q", got)
	}
	c.quit()
}

func TestVariantsAndAliases(t *testing.T) {
	t.Parallel()
	for _, d := range variant.All() {
		c := start(t)
		c.send("uci")
		for _, name := range slices.Concat([]string{d.UCIName, d.Key, strings.ToUpper(d.Key), d.PGNName}, d.PGNAliases, d.Programs.Also) {
			c.send("setoption name UCI_Variant value "+name, "position fen "+d.Start.FEN, "isready")
			c.expect("readyok", "info string")
		}
		c.send("ucinewgame", "position startpos", "go depth 1")
		if got := c.expect("bestmove "); got == "bestmove (none)" {
			t.Errorf("%s: no move", d.Key)
		}
		c.quit()
	}
}

func TestChess960WritesCastlingByRook(t *testing.T) {
	t.Parallel()
	c := start(t)
	const fen = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"
	c.send(fen, "go depth 1 searchmoves e1g1")
	if got := c.expect("bestmove"); !strings.HasPrefix(got, "bestmove e1g1") {
		t.Errorf("got %q", got)
	}
	c.send("setoption name UCI_Chess960 value true", fen, "go depth 1 searchmoves e1h1")
	if got := c.expect("bestmove"); !strings.HasPrefix(got, "bestmove e1h1") {
		t.Errorf("with UCI_Chess960: got %q", got)
	}
	c.quit()
}

func TestLevelsPlay(t *testing.T) {
	t.Parallel()
	c := start(t)
	for _, level := range []string{"1", "4", "7"} {
		c.send("setoption name Skill Level value "+level, "position startpos", "go wtime 60000 btime 60000")
		c.expect("bestmove ")
	}
	c.quit()
}

// TestSeedRepeatsALevelsMoves holds for sessions of the same seed.
func TestSeedRepeatsALevelsMoves(t *testing.T) {
	t.Parallel()
	play := func() (moves []string) {
		c := start(t)
		c.send("setoption name Skill Level value 1")
		for range 12 {
			c.send("position startpos moves "+strings.Join(moves, " "), "go nodes 200")
			moves = append(moves, strings.Fields(c.expect("bestmove "))[1])
		}
		c.quit()
		return moves
	}
	if first, again := play(), play(); !slices.Equal(first, again) {
		t.Errorf("played %v, then %v", first, again)
	}
}

func TestMultiPV(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.send("setoption name MultiPV value 3", "position startpos", "go depth 3")
	first := map[string]bool{}
	for n := range 3 {
		line := c.expect("info depth 3 ")
		fields := strings.Fields(line)
		move := ""
		for i, f := range fields {
			if f == "pv" {
				move = fields[i+1]
			}
		}
		if first[move] || move == "" {
			t.Errorf("line %d starts with %q, as another did", n+1, move)
		}
		first[move] = true
	}
	c.expect("bestmove ")
	c.quit()
}
