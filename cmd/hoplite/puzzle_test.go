package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	mateInOne = `{"id":"aaaa1","variant":"standard","fen":"r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3","moves":["g8f6","h5f7"],"goal":{"mateIn":1},"rating":800,"rd":150,"vol":0.09,"themes":["mateIn1"],"alts":[[]],"source":"test","check":{"proof":"exhaustive","rules":1}}`
	noMate    = `{"id":"bbbb2","variant":"standard","fen":"r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3","moves":["g7g6","h5f7"],"goal":{"mateIn":1},"rating":800,"rd":150,"vol":0.09,"themes":["mateIn1"],"alts":[[]],"source":"test","check":{"proof":"exhaustive","rules":1}}`
)

func TestPuzzleCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := filepath.Join(dir, "test.db")
	good, bad := filepath.Join(dir, "good.jsonl"), filepath.Join(dir, "bad.jsonl")
	for name, text := range map[string]string{good: mateInOne + "\n", bad: mateInOne + "\n" + noMate + "\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(want int, stdin string, args ...string) string {
		t.Helper()
		code, stdout, stderr := hoplite(t, stdin, args...)
		if code != want {
			t.Fatalf("hoplite %v: exit %d, want %d\n%s%s", args, code, want, stdout, stderr)
		}
		return stdout + stderr
	}

	if out := run(0, "", "puzzle", "verify", good); !strings.Contains(out, "standard: 1 puzzles proven") {
		t.Errorf("verify: %s", out)
	}
	if out := run(1, "", "puzzle", "verify", bad); !strings.Contains(out, "bbbb2") || !strings.Contains(out, "1 of 2") {
		t.Errorf("verify of a false mate: %s", out)
	}
	if out := run(1, "", "puzzle", "import", bad, "--db", db); !strings.Contains(out, "nothing imported") {
		t.Errorf("import of a false mate: %s", out)
	}
	if _, err := os.Stat(db); err == nil {
		t.Error("the refused import made a database")
	}
	if out := run(0, mateInOne, "puzzle", "import", "-", "--db", db); !strings.Contains(out, "1 puzzles imported") {
		t.Errorf("import: %s", out)
	}
	run(0, "", "puzzle", "import", good, "--db", db) // again
	if out := run(0, "", "puzzle", "verify", "--stored", "--db", db); !strings.Contains(out, "standard: 1 puzzles proven") {
		t.Errorf("verify --stored: %s", out)
	}
	file := filepath.Join(dir, "out.jsonl")
	run(0, "", "puzzle", "export", "--db", db, "-o", file)
	run(0, "", "puzzle", "verify", file)
	if out := run(0, "", "puzzle", "export", "--db", db); strings.Count(out, "\n") != 1 || !strings.Contains(out, `"id":"aaaa1"`) {
		t.Errorf("export: %s", out)
	}
	if out := run(0, "", "puzzle", "export", "--db", db, "--variant", "spartan"); out != "" {
		t.Errorf("export of another game: %s", out)
	}
	run(1, "", "puzzle", "verify", filepath.Join(dir, "none.jsonl"))
	run(1, "{", "puzzle", "import", "-", "--db", db)
	run(1, "", "puzzle", "verify", good, "--stored", "--db", db)
	run(1, "", "puzzle", "generate", "nothing", "--dir", dir)
	run(1, "", "puzzle", "export", "--db", filepath.Join(dir, "none.db"))
	if out := run(0, "", "puzzle", "generate", "spartan", "--dir", dir, "--games", "1", "--tries", "0"); !strings.Contains(out, "from 1 games") {
		t.Errorf("generate: %s", out)
	}
	if _, err := os.Stat(filepath.Join(dir, "spartan.jsonl")); err != nil {
		t.Errorf("generate: %v", err)
	}
}
