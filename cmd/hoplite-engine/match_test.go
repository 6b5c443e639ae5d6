package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// command runs the program and returns what it prints.
func command(t *testing.T, args ...string) (string, int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(args, &stdout, &stderr)
	return stdout.String() + stderr.String(), code
}

func TestMatchCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	journal, pgn := filepath.Join(dir, "journal"), filepath.Join(dir, "games.pgn")
	args := []string{"match", "spartan", "--engine", "name=a,nodes=200", "--engine", "name=b,depth=1", "--games", "4",
		"--every", "2", "--journal", journal, "--pgn", pgn, "--max-plies", "60", "--sprt=-5,5", "--resign", "900,3", "--draw", "10,4,40"}
	out, code := command(t, args...)
	if code != 0 {
		t.Fatalf("status %d: %s", code, out)
	}
	for _, want := range []string{`    2 games: \+`, `LLR -?[\d.]+ \(-2\.94, 2\.94\)`, `spartan, a against b: 4 games`, `a: \d+ moves, [\d.]+ ms CPU`, `ends: `} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	games, err := os.ReadFile(pgn)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(games), "[White "); n != 4 {
		t.Errorf("%d games in the PGN", n)
	}
	again, code := command(t, args...)
	if code != 0 || !strings.Contains(again, "going on after 4 games") {
		t.Errorf("status %d: %s", code, again)
	}
	args[1] = "standard"
	if out, code := command(t, args...); code == 0 || !strings.Contains(out, "the journal is of another match") {
		t.Errorf("status %d: %s", code, out)
	}
}

func TestMatchCommandRefuses(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"unknown game":              {"nonesuch", "--engine", "nodes=1", "--engine", "nodes=1"},
		"was given 1 times":         {"standard", "--engine", "nodes=1"},
		"none given":                {"standard", "--engine", "name=a", "--engine", "name=b"},
		"cmd is missing":            {"standard", "--engine", "proto=uci", "--engine", "name=b"},
		"--tc":                      {"standard", "--engine", "name=a", "--engine", "name=b", "--tc", "soon"},
		"two ratings expected":      {"standard", "--engine", "nodes=1", "--engine", "nodes=1", "--sprt", "1"},
		"centipawns and moves":      {"standard", "--engine", "nodes=1", "--engine", "nodes=1", "--resign", "1"},
		"centipawns, moves and ply": {"standard", "--engine", "nodes=1", "--engine", "nodes=1", "--draw", "1"},
		"openings, line 1":          {"standard", "--engine", "nodes=1", "--engine", "nodes=1", "--openings", "main.go"},
	} {
		if out, code := command(t, append([]string{"match"}, args...)...); code != 2 || !strings.Contains(out, want) {
			t.Errorf("%v: status %d, no %q in %s", args, code, want, out)
		}
	}
}

func TestTrainCommand(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	args := []string{"train", "seirawan", "--dir", dir, "--games", "12", "--nodes", "40", "--plies", "4", "--epochs", "3", "--every", "6"}
	out, code := command(t, args...)
	if code != 0 {
		t.Fatalf("status %d: %s", code, out)
	}
	for _, want := range []string{"seirawan: 0 of 12 games are there", "12 games, 0s left", "epoch 3 of 3", "network in "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	file := filepath.Join(dir, "seirawan.net")
	trained, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := "made by hoplite-engine train seirawan --games 12 --nodes 40"; !strings.Contains(string(trained), want) {
		t.Errorf("no %q in its heading", want)
	}
	again, code := command(t, args...)
	if code != 0 || !strings.Contains(again, "seirawan: 12 of 12 games are there") || strings.Contains(again, "epoch") {
		t.Errorf("it did not go on from what was there: status %d: %s", code, again)
	}
	if out, code := command(t, "match", "seirawan", "--engine", "name=a,option.Network="+file, "--engine", "name=b,option.Network=none",
		"--nodes", "60", "--games", "2"); code != 0 || !strings.Contains(out, "2 games in") {
		t.Errorf("a match with it: status %d: %s", code, out)
	}
	for want, args := range map[string][]string{
		"not played on a rectangle": {"train", "glinski", "--dir", t.TempDir(), "--games", "1", "--nodes", "1"},
		"too few games":             {"train", "seirawan", "--dir", t.TempDir(), "--games", "1", "--nodes", "1"},
		"unknown game":              {"train", "fiveTest", "--dir", t.TempDir()},
	} {
		if out, code := command(t, args...); code != 2 || !strings.Contains(out, want) {
			t.Errorf("%v: status %d, no %q in %s", args, code, want, out)
		}
	}
}

func TestTuneCommand(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	args := []string{"tune", "spartan28", "--dir", dir, "--games", "12", "--nodes", "40", "--plies", "4", "--epochs", "20", "--every", "6"}
	out, code := command(t, args...)
	if code != 0 {
		t.Fatalf("status %d: %s", code, out)
	}
	for _, want := range []string{"spartan28: 0 of 12 games are there", "12 games, 0s left", "epoch 20 of 20"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	weights, err := os.ReadFile(filepath.Join(dir, "spartan28.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(weights), "# Made by hoplite-engine tune spartan28 --games 12 --nodes 40") {
		t.Errorf("it does not say how it was made:\n%s", weights)
	}
	again, code := command(t, args...)
	if code != 0 || !strings.Contains(again, "spartan28: 12 of 12 games are there") || strings.Contains(again, "epoch") {
		t.Errorf("it did not go on from what was there: status %d: %s", code, again)
	}
	// A fit to fewer games leaves the others out, whatever is there.
	few := filepath.Join(dir, "few")
	if out, code := command(t, append(slices.Clone(args), "--games", "11", "--keep", "Tempo", "--out", few)...); code != 0 {
		t.Fatalf("status %d: %s", code, out)
	}
	fewer, err := os.ReadFile(few)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(fewer), " --keep Tempo\n") || positions(t, fewer) >= positions(t, weights) {
		t.Errorf("of eleven games:\n%s\nof twelve:\n%s", fewer, weights)
	}
	if out, code := command(t, append(args, "--keep", "Wisdom")...); code != 2 || !strings.Contains(out, "no weight Wisdom") {
		t.Errorf("status %d: %s", code, out)
	}
	// What it writes, a match can try.
	out, code = command(t, "match", "spartan28", "--games", "2", "--nodes", "50",
		"--engine", "name=tuned,option.Weights="+filepath.Join(dir, "spartan28.txt"), "--engine", "name=plain")
	if code != 0 || !strings.Contains(out, "tuned against plain: 2 games") {
		t.Errorf("status %d: %s", code, out)
	}
}

// positions is how many positions a file of weights says that it was fitted to.
func positions(t *testing.T, weights []byte) int {
	t.Helper()
	found := regexp.MustCompile(`# (\d+) quiet positions`).FindSubmatch(weights)
	if found == nil {
		t.Fatalf("no number of positions in\n%s", weights)
	}
	n, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestCalibrateCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	args := []string{"calibrate", "spartan28", "--dir", dir, "--games", "2", "--rounds", "2", "--apart", "1",
		"--most", "400", "--full", "400", "--nodes", "5,10,20,40,80,160,320"}
	out, code := command(t, args...)
	if code != 0 {
		t.Fatalf("status %d: %s", code, out)
	}
	if n := strings.Count(out, "level  nodes    rating  step"); n != 2 {
		t.Errorf("%d tables in\n%s", n, out)
	}
	if !regexp.MustCompile(`(?m)^proposed: spartan28 5:500( \d+:\d+){6}$`).MatchString(out) {
		t.Errorf("no line of limits in\n%s", out)
	}
	if again, _ := command(t, args...); again != out {
		t.Errorf("played games were not kept:\n%s\nthen\n%s", out, again)
	}
	// What was played with other limits counts in the end.
	all := regexp.MustCompile(`(?m)^by all (\d+) journals of the folder, a doubling of nodes worth \d+: spartan28 5:500( \d+:\d+){6}$`)
	before := all.FindStringSubmatch(out)
	more, _ := command(t, append(slices.Clone(args[:len(args)-1]), "5,11,22,44,88,176,352", "--rounds", "1")...)
	after := all.FindStringSubmatch(more)
	if before == nil || after == nil || before[1] != "14" || after[1] != "21" {
		t.Errorf("%q, with seven more journals %q", before, after)
	}
	for want, more := range map[string][]string{
		"7 rising limits": {"--nodes", "1,2"}, "not [5 10 20 40 80 80 90]": {"--nodes", "5,10,20,40,80,80,90"}, "must be positive": {"--apart", "0"},
	} {
		if out, code := command(t, append([]string{"calibrate", "spartan28", "--dir", dir}, more...)...); code != 2 || !strings.Contains(out, want) {
			t.Errorf("%v: status %d: %s", more, code, out)
		}
	}
}
