package main

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asEngine makes the test's own program the engine, for programs that start one. Its value is the arguments.
const asEngine = "HOPLITE_TEST_AS_ENGINE"

func TestMain(m *testing.M) {
	if args, is := os.LookupEnv(asEngine); is {
		os.Exit(run(strings.Fields(args), os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

const (
	games = "/usr/games/"
	// xboardPatience is how long a game may take on a busy machine.
	xboardPatience = 5 * time.Minute
)

// screen starts an X server without a screen and returns its name.
func screen(t *testing.T) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-noreset")
	server.ExtraFiles = []*os.File{w}
	var log bytes.Buffer
	server.Stderr = &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Signal(syscall.SIGTERM) // it has files to remove
		server.Wait()
	})
	w.Close()
	number, err := bufio.NewReader(r).ReadString('\n') // the server closes it when it ends
	if err != nil {
		t.Fatalf("Xvfb: %v\n%s", err, log.String())
	}
	return ":" + strings.TrimSpace(number)
}

// xboardCase is a game that XBoard has us play.
type xboardCase struct {
	variant, opponent string
	options           string // of the opponent
	adapter           string // flags of Debian's adapter to other protocols; empty: XBoard's own
	args              string // of the engine
	goals             bool   // the game may be won by a goal, which XBoard does not know and would not believe
}

// TestXBoard has XBoard play the engine against other programs: games that XBoard knows and games that the engine
// describes to it, and over an adapter the other protocols. None of them may refuse a move.
func TestXBoard(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"xboard", "uci2wb", "fairymax", "hachu", "sjaakii"} {
		if _, err := os.Stat(games + program); err != nil {
			t.Fatalf("make deps installs it: %v", err)
		}
	}
	display := screen(t)
	t.Run("games", func(t *testing.T) {
		for _, c := range []xboardCase{
			{variant: "normal", opponent: "sjaakii"},
			{variant: "fischerandom", opponent: "sjaakii"},
			{variant: "spartan", opponent: "fairymax"},
			{variant: "seirawan", opponent: "fairymax"},
			{variant: "capablanca", opponent: "fairymax"},
			{variant: "xiangqi", opponent: "sjaakii"},
			{variant: "shogi", opponent: "sjaakii"},
			{variant: "chu", opponent: "hachu", options: "Allow repeats=1"},
			{variant: "crazyhouse", opponent: "sjaakii"},
			{variant: "king-of-the-hill", opponent: "sjaakii", goals: true},
			{variant: "los-alamos", opponent: "fairymax"},
			{variant: "tori", opponent: "sjaakii"},
			{variant: "normal", opponent: "fairymax", adapter: "-c"},
			{variant: "shogi", opponent: "sjaakii", adapter: "-s"},
			{variant: "xiangqi", opponent: "sjaakii", adapter: "-x"},
			{variant: "xiangqi", opponent: "sjaakii", adapter: "-var xiangqi -c", args: "--protocol ucicyclone"},
		} {
			t.Run(strings.TrimSpace(c.variant+" "+c.adapter), func(t *testing.T) {
				t.Parallel()
				xboardGame(t, display, c)
			})
		}
	})
}

var (
	// refused is what the engine says when it does not understand XBoard, and complained what it says in other protocols.
	refused    = regexp.MustCompile(`(?m)^\d+ <first : (Error|Illegal move|tellusererror).*`)
	complained = regexp.MustCompile(`(?m)engine said: info (string|message) (position|go|unknown).*`)
	moved      = regexp.MustCompile(`(?m)^\d+ <first : move `)
	// "captures the flag" is what sjaakii says of a king on the hill.
	blamed = regexp.MustCompile(`(?i)forfeit|illegal|invalid|false|exited|crash|died|flags? fell`)
	result = regexp.MustCompile(`\[Result "(1-0|0-1|1/2-1/2)"\]`)
	remark = regexp.MustCompile(`\{([^{}]*)\}\s*(?:1-0|0-1|1/2-1/2)\s*$`)
)

func xboardGame(t *testing.T, display string, c xboardCase) {
	engine, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	fault := refused
	if c.adapter != "" {
		engine, fault = games+"uci2wb debug "+c.adapter+" "+engine, complained
	}
	dir := t.TempDir()
	record, debug := filepath.Join(dir, "game.pgn"), filepath.Join(dir, "debug")
	ctx, cancel := context.WithTimeout(t.Context(), xboardPatience)
	defer cancel()
	// XBoard writes the settings of whoever runs the test, whatever HOME says, and several that end at once garble them.
	args := []string{"-saveSettingsOnExit", "false", "-fcp", engine, "-scp", games + c.opponent, "-variant", c.variant, "-mg", "1", "-searchDepth", "2", "-tc", "10", "-inc", "0",
		"-adjudicateDrawMoves", "40", "-matchPause", "1", "-noGUI", "-xponder", "-soundProgram", "", "-popupExitMessage", "false",
		"-popupMoveErrors", "false", "-sgf", record, "-debug", "-nameOfDebugFile", debug}
	if c.goals {
		args = append(args, "-testClaims", "false")
	}
	if c.options != "" {
		args = append(args, "-secondOptions", c.options)
	}
	xboard := exec.CommandContext(ctx, games+"xboard", args...)
	xboard.Dir = dir
	xboard.Env = append(os.Environ(), "DISPLAY="+display, "HOME="+dir, asEngine+"="+c.args)
	out, err := xboard.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	talk, err := os.ReadFile(debug)
	if err != nil {
		t.Fatal(err)
	}
	pgn, err := os.ReadFile(record)
	if err != nil {
		t.Fatalf("no game: %v\n%s", err, talk)
	}
	if said := fault.FindAll(talk, 5); said != nil {
		t.Errorf("the engine said %q", said)
	}
	end := remark.FindSubmatch(bytes.TrimSpace(pgn))
	if !result.Match(pgn) || end == nil || blamed.Match(end[1]) || len(moved.FindAll(talk, -1)) < 5 {
		t.Fatalf("not a whole game:\n%s", pgn)
	}
}
