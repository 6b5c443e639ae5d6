package bot_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hoplite/client/bot"
	"hoplite/openapi"
	"hoplite/server/house"
	"hoplite/server/servertest"
)

const stockfish = "/usr/games/stockfish"

func TestMain(m *testing.M) {
	if mode := os.Getenv("HOPLITE_TEST_UCI"); mode != "" {
		speakUCI(mode)
		return
	}
	os.Exit(m.Run())
}

// speakUCI is a program that answers what the test wants: the moves of
// HOPLITE_TEST_MOVES in turn. Modes: play; crash, which dies at its first
// search when the file HOPLITE_TEST_MARK is not there yet; hang, which does not
// answer to go until stop; deaf, which does not answer at all.
func speakUCI(mode string) {
	in := bufio.NewScanner(os.Stdin)
	moves := strings.Fields(os.Getenv("HOPLITE_TEST_MOVES"))
	trace, err := os.OpenFile(os.Getenv("HOPLITE_TEST_TRACE"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	for in.Scan() {
		fmt.Fprintln(trace, in.Text())
		word, _, _ := strings.Cut(in.Text(), " ")
		switch word {
		case "uci":
			fmt.Println("id name Test Program\noption name Hash type spin default 1 min 1 max 9\noption name UCI_Chess960 type check default false\nuciok")
		case "isready":
			fmt.Println("readyok")
		case "go":
			if mode == "crash" {
				if mark := os.Getenv("HOPLITE_TEST_MARK"); os.WriteFile(mark+".new", nil, 0o600) == nil && os.Link(mark+".new", mark) == nil {
					os.Exit(3)
				}
			}
			if mode == "hang" || mode == "deaf" {
				continue
			}
			fmt.Printf("info depth 3 score cp 12 nodes 5\nbestmove %s\n", moves[0])
			moves = moves[1:]
		case "stop":
			if mode == "hang" {
				fmt.Println("bestmove a2a3")
			}
		case "quit":
			return
		}
	}
}

// program makes the test binary a UCI program and returns how it is called, and
// the file in which it notes what it was told.
func program(t *testing.T, mode, moves string) (bot.EngineConfig, string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	trace := filepath.Join(dir, "trace")
	return bot.EngineConfig{
		Protocol: bot.ProtocolUCI,
		Command: []string{"/usr/bin/env", "HOPLITE_TEST_UCI=" + mode, "HOPLITE_TEST_MOVES=" + moves,
			"HOPLITE_TEST_TRACE=" + trace, "HOPLITE_TEST_MARK=" + filepath.Join(dir, "mark"), exe},
		Options: map[string]string{"hash": "4"},
	}, trace
}

func openUCI(t *testing.T, cfg bot.EngineConfig, g bot.Game) (*bot.UCI, bot.Player) {
	t.Helper()
	u, err := bot.NewUCI(t.Context(), cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	p, err := u.Open(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close(); u.Close() })
	return u, p
}

func TestUCIConversation(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		game  bot.Game
		moves []string
		want  []string // lines that the program must have been told, in this order
	}{
		"usual game": {
			bot.Game{Variant: "standard", White: true}, strings.Fields("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1 g8f6"),
			[]string{"setoption name Hash value 4", "setoption name UCI_Chess960 value false", "ucinewgame",
				"position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6", "go wtime 60000 btime 50000 winc 0 binc 0"},
		},
		"from a position": {
			bot.Game{Variant: "fromPosition", FEN: "4k3/8/8/8/8/8/8/4K2R w K - 0 1"}, []string{"e1g1"},
			[]string{"setoption name UCI_Chess960 value true", "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1h1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg, trace := program(t, "play", "a7a6")
			_, p := openUCI(t, cfg, tc.game)
			c, err := p.Choose(t.Context(), bot.Turn{Moves: tc.moves, Clock: bot.Clock{Limited: true, Mine: time.Minute, Theirs: 50 * time.Second}})
			if err != nil {
				t.Fatal(err)
			}
			if c.Move != "a7a6" || c.Score == nil || c.Score.CP != 12 || c.Depth != 3 || c.Nodes != 5 {
				t.Errorf("got %+v", c)
			}
			told, err := os.ReadFile(trace)
			if err != nil {
				t.Fatal(err)
			}
			rest := string(told)
			for _, line := range tc.want {
				_, after, ok := strings.Cut(rest, line+"\n")
				if !ok {
					t.Fatalf("the program was not told %q in its turn:\n%s", line, told)
				}
				rest = after
			}
		})
	}
}

func TestUCIStartsAgainAfterACrash(t *testing.T) {
	t.Parallel()
	cfg, trace := program(t, "crash", "e2e4")
	_, p := openUCI(t, cfg, bot.Game{Variant: "standard", White: true})
	if _, err := p.Choose(t.Context(), bot.Turn{}); err == nil {
		t.Fatal("the crash went unnoticed")
	}
	c, err := p.Choose(t.Context(), bot.Turn{})
	if err != nil || c.Move != "e2e4" {
		t.Errorf("after the crash: got %+v, %v", c, err)
	}
	told, _ := os.ReadFile(trace)
	if n := strings.Count(string(told), "ucinewgame"); n != 2 {
		t.Errorf("the program was set up %d times, want 2:\n%s", n, told)
	}
}

func TestUCIStops(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"hang", "deaf"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			cfg, _ := program(t, mode, "")
			_, p := openUCI(t, cfg, bot.Game{Variant: "standard", White: true})
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			start := time.Now()
			_, err := p.Choose(ctx, bot.Turn{Clock: bot.Clock{Limited: true, Mine: time.Hour}})
			if err == nil || mode == "hang" && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

func TestUCIRefusals(t *testing.T) {
	t.Parallel()
	good, _ := program(t, "play", "")
	wrongOption := good
	wrongOption.Options = map[string]string{"Contempt": "5"}
	for name, cfg := range map[string]bot.EngineConfig{
		"no such program": {Protocol: bot.ProtocolUCI, Command: []string{"/nonexistent/engine"}},
		"no UCI program":  {Protocol: bot.ProtocolUCI, Command: []string{"/bin/true"}},
		"unknown option":  wrongOption,
	} {
		if u, err := bot.NewUCI(t.Context(), cfg, slog.New(slog.DiscardHandler)); err == nil {
			u.Close()
			t.Errorf("%s: no error", name)
		}
	}
	u, err := bot.NewUCI(t.Context(), good, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	for key, want := range map[string]bool{"standard": true, "chess960": true, "fromPosition": true, "spartan": false, "unheardOf": false} {
		if got := u.Plays(key); got != want {
			t.Errorf("plays %s: got %v, want %v", key, got, want)
		}
	}
	if _, err := u.Open(t.Context(), bot.Game{Variant: "spartan"}); err == nil {
		t.Error("a game that the program does not play was opened")
	}
}

// TestStockfish plays Debian's stockfish against a house bot: the usual game, one
// of the 960 starts, and one from a position with castling.
func TestStockfish(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(stockfish); err != nil {
		t.Fatalf("%v: run `make deps`", err)
	}
	s := servertest.Start(t)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- house.Run(ctx, house.Config{
			Levels: []int{2}, Store: s.Store, Transport: s.Server.Transport(), Ready: s.Server.Ready, Pace: &bot.Pace{},
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("house: %v", err)
		}
	})
	c := clientTo(t, s.URL, s.SignUpBot(t, "Fish").Token)
	cfg := quickConfig()
	cfg.Engine = bot.EngineConfig{
		Protocol: bot.ProtocolUCI, Command: []string{stockfish},
		Options: map[string]string{"Threads": "1", "Hash": "16"},
		Limits:  bot.FixedLimits{Nodes: 20_000},
	}
	runBot(t, c, cfg)
	online(t, c, "fish")
	online(t, c, "hoplite-beginner")
	var ids []string
	for _, change := range []func(*openapi.ChallengeForm){
		func(f *openapi.ChallengeForm) { f.Color = "white" },
		func(f *openapi.ChallengeForm) { f.Variant, f.Color = "chess960", "black" },
		func(f *openapi.ChallengeForm) {
			f.Fen, f.Color = "r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1", "white"
		},
	} {
		form := clock(600, 2)
		change(&form)
		ids = append(ids, challenge(t, c, "hoplite-beginner", form))
	}
	for i, id := range ids {
		g := finished(t, c, id)
		color := []openapi.Color{"white", "black", "white"}[i]
		if g.Status != openapi.GameStatusNameMate || g.Winner != color {
			t.Errorf("game %d (%s): %s, winner %q after %v", i, g.Variant, g.Status, g.Winner, movesIn(g))
		}
	}
}
