package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPythonChess has python-chess drive the engine, as lichess-bot does, over both protocols that it speaks.
func TestPythonChess(t *testing.T) {
	t.Parallel()
	python := os.Getenv("HOPLITE_PYTHON")
	if python == "" {
		python = filepath.Join("..", "..", ".cache", "venv", "bin", "python")
	}
	if out, err := exec.Command(python, "-c", "import chess").CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s\nRun `make deps`, or set HOPLITE_PYTHON to a Python with client/realclients/requirements.txt.", python, err, out)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, protocol := range []string{"uci", "xboard"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			drive := exec.CommandContext(ctx, python, "testdata/drive.py", protocol, self)
			drive.Env = append(os.Environ(), asEngine+"=")
			out, err := drive.CombinedOutput()
			if err != nil || !strings.Contains(string(out), protocol+" analysis\n") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
