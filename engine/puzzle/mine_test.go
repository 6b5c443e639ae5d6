package puzzle_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"hoplite/engine/puzzle"
	"hoplite/engine/variant/varianttest"
)

// short is a run that is quick and finds something.
func short(games int) puzzle.Options {
	return puzzle.Options{Want: 40, Games: games, MaxMoves: 2, OneMoveShare: 1, Balance: 0.01, Weakest: 1, ScanNodes: 600, Tries: 1}
}

func TestGenerateIsReproducible(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "spartan")
	run := func() (list []puzzle.Puzzle, stats puzzle.Stats) {
		o := short(12)
		o.Found = func(p puzzle.Puzzle) error {
			list = append(list, p)
			return nil
		}
		stats, err := puzzle.Generate(context.Background(), r, o)
		if err != nil {
			t.Fatal(err)
		}
		return list, stats
	}
	a, stats := run()
	b, _ := run()
	if len(a) == 0 {
		t.Fatalf("nothing found: %+v", stats)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("two runs found %v and %v", a, b)
	}
	for i := range a {
		if err := puzzle.Prove(r, &a[i]); err != nil {
			t.Error(err)
		}
	}
}

func TestGenerateFileGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "spartan")
	whole, parts := t.TempDir(), t.TempDir()
	generate := func(dir string, games int) {
		if _, err := puzzle.GenerateFile(context.Background(), r, dir, short(games)); err != nil {
			t.Fatal(err)
		}
	}
	read := func(dir string) string {
		data, err := os.ReadFile(filepath.Join(dir, "spartan.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	generate(whole, 12)
	generate(parts, 6)
	generate(parts, 6)
	if read(whole) != read(parts) || read(whole) == "" {
		t.Errorf("in one run:\n%s\nin two:\n%s", read(whole), read(parts))
	}
	// Killed between writing the last puzzle and the number of its game: the
	// game is played again and gives the same.
	list, err := puzzle.Read(strings.NewReader(read(parts)))
	if err != nil {
		t.Fatal(err)
	}
	var number int
	if _, err := fmt.Sscanf(list[len(list)-1].Source, "selfplay/spartan/%d#", &number); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(parts, "spartan.game")
	if err := os.WriteFile(state, []byte(strconv.Itoa(number)), 0o644); err != nil {
		t.Fatal(err)
	}
	generate(parts, 12-number)
	if read(parts) != read(whole) {
		t.Errorf("after a kill:\n%s\nwithout:\n%s", read(parts), read(whole))
	}
	// Without the number it goes on after the last game of the pool.
	if err := os.Remove(state); err != nil {
		t.Fatal(err)
	}
	generate(parts, 1)
	if !strings.HasPrefix(read(parts), read(whole)) {
		t.Error("the pool was not only added to")
	}
	if err := os.WriteFile(state, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := puzzle.GenerateFile(context.Background(), r, parts, short(1)); err == nil {
		t.Error("a broken state file was accepted")
	}
}

func TestGenerateStopsWhenToldTo(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := puzzle.Generate(ctx, varianttest.Rules(t, "spartan"), short(3)); err == nil {
		t.Error("ran on after its context had ended")
	}
}
