// Package puzzle makes, proves, stores and judges puzzles: positions in which
// the solver has to force the end of the game within a stated number of
// moves. It works for every game of the rules core.
package puzzle

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"sort"
	"strings"
)

// Puzzle is a position to solve. The position is the one before the
// opponent's last move, which is the first of Moves; then solver and opponent
// alternate, and the solver's move is the last one.
type Puzzle struct {
	// ID has five characters of [A-Za-z0-9] and is derived from the content.
	ID      string   `json:"id"`
	Variant string   `json:"variant"` // key of the game
	FEN     string   `json:"fen"`
	Moves   []string `json:"moves"`
	Goal    Goal     `json:"goal"`
	// Rating, RD and Vol are the first Glicko-2 estimate of the difficulty.
	Rating     int      `json:"rating"`
	RD         int      `json:"rd"`
	Vol        float64  `json:"vol"`
	Themes     []string `json:"themes"`
	Popularity int      `json:"popularity"`
	Plays      int      `json:"plays"`
	// Alts holds, for each move of the solver, other moves that are as good.
	Alts   [][]string `json:"alts"`
	Source string     `json:"source"` // "selfplay/<variant>/000123#41": game number and ply
	Check  Check      `json:"check"`
}

// Goal is what the solver is asked for.
type Goal struct {
	MateIn int `json:"mateIn"`
}

// Check says how the puzzle was proven.
type Check struct {
	Proof string `json:"proof"` // "exhaustive"
	Rules int    `json:"rules"` // RulesVersion at the time
}

// RulesVersion counts the changes of the rules core that can change what is
// legal; puzzles made before the last one are to be proven again.
const RulesVersion = 1

// Solver returns the number of moves that the solver has to find.
func (p *Puzzle) Solver() int { return len(p.Moves) / 2 }

//go:embed data/*.jsonl
var embedded embed.FS

// Data returns the puzzles that come with the program, for Load.
func Data() fs.FS {
	sub, err := fs.Sub(embedded, "data")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}

// Load reads all files *.jsonl of the top folder of fsys, in the order of
// their names. An id that occurs twice is an error.
func Load(fsys fs.FS) ([]Puzzle, error) {
	names, err := fs.Glob(fsys, "*.jsonl")
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	var all []Puzzle
	seen := make(map[string]string)
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		list, err := Read(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, p := range list {
			if other, ok := seen[p.ID]; ok {
				return nil, fmt.Errorf("%s: puzzle %s is already in %s", name, p.ID, other)
			}
			seen[p.ID] = name
		}
		all = append(all, list...)
	}
	return all, nil
}

// Read reads puzzles, one JSON object a line.
func Read(r io.Reader) ([]Puzzle, error) {
	var list []Puzzle
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	for line := 1; sc.Scan(); line++ {
		if len(bytes.TrimSpace(sc.Bytes())) == 0 {
			continue
		}
		var p Puzzle
		if err := json.Unmarshal(sc.Bytes(), &p); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if err := p.wellFormed(); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		list = append(list, p)
	}
	return list, sc.Err()
}

// wellFormed checks what can be checked without the rules.
func (p *Puzzle) wellFormed() error {
	switch {
	case len(p.ID) != idLength || strings.Trim(p.ID, idAlphabet) != "":
		return fmt.Errorf("puzzle %q: the id is not %d letters and digits", p.ID, idLength)
	case p.Variant == "" || path.Base(p.Variant) != p.Variant:
		return fmt.Errorf("puzzle %s: no variant", p.ID)
	case len(p.Moves) < 2 || len(p.Moves)%2 != 0:
		return fmt.Errorf("puzzle %s: %d moves do not end with the solver's", p.ID, len(p.Moves))
	case p.Goal.MateIn != p.Solver():
		return fmt.Errorf("puzzle %s: mate in %d with %d moves to find", p.ID, p.Goal.MateIn, p.Solver())
	case p.Solver() > MaxMoves:
		return fmt.Errorf("puzzle %s: more than %d moves to find", p.ID, MaxMoves)
	case len(p.Alts) > p.Solver():
		return fmt.Errorf("puzzle %s: alternatives to moves that do not exist", p.ID)
	}
	return nil
}

// Write writes puzzles as Read reads them.
func Write(w io.Writer, list []Puzzle) error {
	bw := bufio.NewWriter(w)
	enc := json.NewEncoder(bw)
	enc.SetEscapeHTML(false)
	for i := range list {
		if err := enc.Encode(&list[i]); err != nil {
			return err
		}
	}
	return bw.Flush()
}

const (
	idLength   = 5
	idAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// makeID derives an id from what makes the puzzle; salt tells apart those
// that would clash.
func makeID(variant, fen string, moves []string, salt uint64) string {
	h := uint64(14695981039346656037) ^ salt*0x9e3779b97f4a7c15
	for _, c := range []byte(variant + "|" + fen + "|" + strings.Join(moves, " ")) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h ^= h >> 29
	id := make([]byte, idLength)
	for i := range id {
		id[i] = idAlphabet[h%uint64(len(idAlphabet))]
		h /= uint64(len(idAlphabet))
	}
	return string(id)
}
