// Package realclients_test drives a real server with the programs that people
// use against Lichess: unmodified berserk, and the recorded calls of
// lichess-bot.
package realclients_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hoplite/client/bot"
	"hoplite/server/house"
	"hoplite/server/servertest"
)

// python returns the interpreter with the packages of requirements.txt.
func python(t *testing.T) string {
	t.Helper()
	path := os.Getenv("HOPLITE_PYTHON")
	if path == "" {
		path = filepath.Join("..", "..", ".cache", "venv", "bin", "python")
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(absolute, "-c", "import berserk, chess, requests").CombinedOutput(); err != nil {
		t.Fatalf("%s cannot run the real clients: %v\n%s\nRun `make deps`, or set HOPLITE_PYTHON to a Python with client/realclients/requirements.txt.",
			absolute, err, out)
	}
	return absolute
}

// run runs a script against the server. Its standard input are the tokens.
func run(t *testing.T, s *servertest.Server, script string, tokens map[string]string) {
	t.Helper()
	input, err := json.Marshal(tokens)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, python(t), script, s.URL)
	cmd.Stdin = bytes.NewReader(input)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "NO_PROXY=*")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	if !strings.Contains(string(out), "ok") {
		t.Errorf("%s says %q", script, out)
	}
}

// open runs the server's own bots, for games against the engine.
func open(t *testing.T, s *servertest.Server) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- house.Run(ctx, house.Config{
			Levels: []int{1}, Store: s.Store, Transport: s.Server.Transport(), Ready: s.Server.Ready, Pace: &bot.Pace{},
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("house: %v", err)
		}
	})
	// The last of the engine's accounts is there when a game can be started.
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if a, err := s.Store.AccountByID(t.Context(), "ai1"); err == nil && !a.IsClosed() {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the engine's accounts are not there after a minute")
		}
	}
}

func TestBerserk(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	open(t, s)
	var anna struct{ Token string }
	s.Anonymous().Post(t, "/api/signup", map[string][]string{
		"username": {"Anna"}, "password": {"correct horse battery"}, "email": {"anna@example.org"},
	}).Want(t, http.StatusCreated).JSON(t, &anna)
	run(t, s, "play_berserk.py", map[string]string{
		"anna": anna.Token, "bea": s.SignUp(t, "Bea").Token,
		"bot": s.SignUpBot(t, "Robby").Token, "fresh": s.SignUp(t, "Fresh").Token,
	})
}

func TestLichessBot(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	run(t, s, "play_lichess_bot.py", map[string]string{
		"anna": s.SignUp(t, "Anna").Token, "bot": s.SignUpBot(t, "Robby").Token,
	})
}

// TestExternalEngine lends an engine as providers for Lichess do.
func TestExternalEngine(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	run(t, s, "play_engine.py", map[string]string{"anna": s.SignUp(t, "Anna").Token})
}
