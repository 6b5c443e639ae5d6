package puzzle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"hoplite/engine/rules"
)

// GenerateFile runs Generate on the pool in dir/<key>.jsonl: it knows the
// puzzles there, appends each new one at once, and goes on after the last
// game of an earlier run, whose number is kept in dir/<key>.game. It may be
// killed at any time and started again: the game that was cut short is played
// again, and what it had given already is replaced. Known and FirstGame of
// opts are ignored.
func GenerateFile(ctx context.Context, r *rules.Rules, dir string, opts Options) (Stats, error) {
	pool := filepath.Join(dir, r.Key()+".jsonl")
	known, err := readFile(pool)
	if err != nil {
		return Stats{}, err
	}
	state := filepath.Join(dir, r.Key()+".game")
	if opts.FirstGame, err = nextGame(state, known); err != nil {
		return Stats{}, err
	}
	opts.Known = slices.DeleteFunc(slices.Clone(known), func(p Puzzle) bool { return p.gameNumber() >= opts.FirstGame })
	if len(opts.Known) < len(known) {
		var b bytes.Buffer
		if err := Write(&b, opts.Known); err != nil {
			return Stats{}, err
		}
		if err := replaceFile(pool, b.Bytes()); err != nil {
			return Stats{}, err
		}
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

// nextGame reads the number kept; without one it is that after the last game
// of the pool.
func nextGame(name string, known []Puzzle) (int, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		next := 0
		for i := range known {
			next = max(next, known[i].gameNumber()+1)
		}
		return next, nil
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

// gameNumber is the number of the game that the puzzle was mined from, or -1.
func (p *Puzzle) gameNumber() int {
	var n, ply int
	text, ok := strings.CutPrefix(p.Source, "selfplay/"+p.Variant+"/")
	if _, err := fmt.Sscanf(text, "%d#%d", &n, &ply); !ok || err != nil {
		return -1
	}
	return n
}

func writeNumber(name string, n int) error {
	return replaceFile(name, []byte(strconv.Itoa(n)+"\n"))
}

// replaceFile leaves the old content or the new one if it is cut short.
func replaceFile(name string, data []byte) error {
	temp := name + ".new"
	if err := os.WriteFile(temp, data, 0o644); err != nil {
		return err
	}
	return os.Rename(temp, name)
}
