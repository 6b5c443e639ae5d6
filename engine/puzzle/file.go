package puzzle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"hoplite/engine/rules"
)

// GenerateFile runs Generate on the pool in dir/<key>.jsonl: it knows the
// puzzles there, appends each new one at once, and goes on after the last
// game of an earlier run, whose number is kept in dir/<key>.game. It may be
// killed at any time and started again. Known and FirstGame of opts are
// ignored.
func GenerateFile(ctx context.Context, r *rules.Rules, dir string, opts Options) (Stats, error) {
	pool := filepath.Join(dir, r.Key()+".jsonl")
	known, err := readFile(pool)
	if err != nil {
		return Stats{}, err
	}
	opts.Known = known
	state := filepath.Join(dir, r.Key()+".game")
	if opts.FirstGame, err = nextGame(state); err != nil {
		return Stats{}, err
	}
	out, err := os.OpenFile(pool, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return Stats{}, err
	}
	found, progress := opts.Found, opts.Progress
	opts.Found = func(p Puzzle) error {
		if err := Write(out, []Puzzle{p}); err != nil {
			return err
		}
		if found != nil {
			return found(p)
		}
		return nil
	}
	opts.Progress = func(s Stats) error {
		if err := writeNumber(state, s.Game+1); err != nil {
			return err
		}
		if progress != nil {
			return progress(s)
		}
		return nil
	}
	stats, err := Generate(ctx, r, opts)
	return stats, errors.Join(err, out.Close())
}

func readFile(name string) ([]Puzzle, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

func nextGame(name string) (int, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}

// writeNumber replaces the file whole, so that a killed run leaves the old
// number or the new one.
func writeNumber(name string, n int) error {
	temp := name + ".new"
	if err := os.WriteFile(temp, []byte(strconv.Itoa(n)+"\n"), 0o644); err != nil {
		return err
	}
	return os.Rename(temp, name)
}
