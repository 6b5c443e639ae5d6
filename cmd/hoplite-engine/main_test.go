package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// start runs the program with the given arguments.
func start(args ...string) (code int, stdout, stderr string) {
	var o, e bytes.Buffer
	code = run(args, &o, &e)
	return code, o.String(), e.String()
}

func TestPerft(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"perft", "standard", "3"}, "nodes 8902\n"},
		{[]string{"perft", "spartan", "0"}, "nodes 1\n"},
		{[]string{"perft", "chess960", "2", "--start", "0"}, "nodes 400\n"},
		{[]string{"perft", "standard", "1", "--fen", "8/P6k/8/8/8/8/8/K7 w - - 0 1"}, "nodes 7\n"},
		{[]string{"perft", "standard", "2", "--divide", "--fen", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"}, "e1c1: 3\n"},
	} {
		code, out, errs := start(c.args...)
		if code != 0 || !strings.Contains(out, c.want) {
			t.Errorf("%v: code %d, got %s%s", c.args, code, out, errs)
		}
	}
	for _, args := range [][]string{
		{"perft", "nosuchgame", "1"}, {"perft", "standard", "-1"}, {"perft", "standard", "x"},
		{"perft", "standard", "1", "--fen", "nonsense"}, {"perft", "standard", "1", "--start", "5"}, {"nosuchcommand"}, {"--protocol", "gopher"},
	} {
		if code, _, errs := start(args...); code != 2 || errs == "" {
			t.Errorf("%v: code %d, says %q", args, code, errs)
		}
	}
}

const (
	goodRow = "standard\trnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t2\t400\tx\tx\n"
	badRow  = "standard\trnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t2\t401\tx\tx\n"
)

func TestVerify(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good, bad := file("good.tsv", goodRow), file("bad.tsv", goodRow+badRow)
	known := file("known", "standard\tperft\t400 nodes, the data has 401\tmade up\n")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"verify", good}, 0, "0 differences in 1 perft rows"},
		{[]string{"verify", bad}, 1, "bad.tsv:2: standard: perft: "},
		{[]string{"verify", good, bad}, 1, "1 differences in 3 perft rows"},
		{[]string{"verify", "--known", known, bad}, 0, "1 known differences"},
		{[]string{"verify", "--max-nodes", "400", bad}, 0, "1 rows with too many nodes"},
		{[]string{"verify", filepath.Join(dir, "missing.tsv")}, 2, ""},
		{[]string{"verify", known}, 2, ""},
		{[]string{"verify", "--known", good, bad}, 2, ""},
		{[]string{"verify"}, 2, ""},
	} {
		code, out, errs := start(c.args...)
		if code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%v: code %d, want %d; got %s%s", c.args, code, c.code, out, errs)
		}
	}
}

func TestVariants(t *testing.T) {
	code, out, _ := start("variants", "--json")
	var list []listed
	if err := json.Unmarshal([]byte(out), &list); err != nil || code != 0 {
		t.Fatal(code, err)
	}
	if len(list) < 5 || list[0].Key != "standard" || list[0].Cells != 64 || len(list[0].Pieces) != 6 {
		t.Errorf("got %v", list)
	}
	code, out, _ = start("variants")
	if lines := strings.Count(out, "\n"); code != 0 || lines != len(list) {
		t.Errorf("code %d, %d lines for %d games", code, lines, len(list))
	}
}

func TestHelp(t *testing.T) {
	if code, out, _ := start("--help"); code != 0 || !strings.Contains(out, "perft") {
		t.Errorf("code %d, got %s", code, out)
	}
}
