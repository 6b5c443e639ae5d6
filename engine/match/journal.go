package match

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Record is a finished game as the journal keeps it. Index 0 is the first
// contestant.
type Record struct {
	Game int `json:"game"` // number in the match; games 2n and 2n+1 are a pair
	// First is the contestant that had the first side.
	First   int      `json:"first"`
	FEN     string   `json:"fen"`
	Opening int      `json:"opening"` // moves that belong to the opening
	Moves   []string `json:"moves"`
	Result  string   `json:"result"` // 1-0, 0-1, 1/2-1/2
	Reason  string   `json:"reason"`
	Score   float64  `json:"score"` // of the first contestant
	// Fault is set where a contestant lost by what it did wrong.
	Fault bool `json:"fault,omitempty"`
	// What each contestant used: milliseconds of processor time where that is
	// measured, nodes where it tells them, and its moves.
	CPU   [2]float64 `json:"cpu"`
	Nodes [2]uint64  `json:"nodes"`
	Plies [2]int     `json:"plies"`
}

// Journal keeps the finished games of a match, or other results of long work,
// in a file: a first line that says which work it is, then a line a result.
// What a killed run leaves of an unfinished line is dropped. A nil journal is
// empty and forgets what it is given.
type Journal[T any] struct {
	file    *os.File
	records []T
}

// ErrOtherMatch says that a journal belongs to other work.
var ErrOtherMatch = errors.New("the journal is of another match")

// OpenJournal opens a journal, or begins one. heading is what tells this work
// from others, as a value for JSON.
func OpenJournal[T any](path string, heading any) (*Journal[T], error) {
	want, err := json.Marshal(heading)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	j := &Journal[T]{file: f}
	if err := j.load(want); err != nil {
		f.Close()
		return nil, fmt.Errorf("journal %s: %w", path, err)
	}
	return j, nil
}

// load reads what is there and leaves the file at the place for the next line.
func (j *Journal[T]) load(want []byte) error {
	in := bufio.NewReader(j.file)
	size := int64(0)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if number == 1 {
			if have := bytes.TrimSpace(line); !bytes.Equal(have, want) {
				return fmt.Errorf("%w: it has %s, this is %s", ErrOtherMatch, have, want)
			}
		} else {
			var rec T
			if err := json.Unmarshal(line, &rec); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			j.records = append(j.records, rec)
		}
		size += int64(len(line))
	}
	if err := j.file.Truncate(size); err != nil {
		return err
	}
	if _, err := j.file.Seek(size, io.SeekStart); err != nil {
		return err
	}
	if size == 0 {
		_, err := j.file.Write(append(want, '\n'))
		return err
	}
	return nil
}

// Records returns what was kept. The slice must not be changed.
func (j *Journal[T]) Records() []T {
	if j == nil {
		return nil
	}
	return j.records
}

// Add keeps a result.
func (j *Journal[T]) Add(rec T) error {
	if j == nil {
		return nil
	}
	line, err := json.Marshal(rec)
	if err == nil {
		_, err = j.file.Write(append(line, '\n'))
	}
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	j.records = append(j.records, rec)
	return nil
}

// Close closes the file.
func (j *Journal[T]) Close() error {
	if j == nil {
		return nil
	}
	return j.file.Close()
}
