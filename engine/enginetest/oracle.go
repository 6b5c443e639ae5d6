// Package enginetest compares the rules core with data that other programs computed, and replays the test data of the
// games. Tests, fuzzing and the program hoplite-engine share it.
package enginetest

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// What a difference is about.
const (
	WhatText   = "text"   // the data cannot be read or names an illegal move
	WhatPerft  = "perft"  // node counts of a table
	WhatCount  = "count"  // legal moves before a move of a game
	WhatFEN    = "fen"    // the position after a move
	WhatCheck  = "check"  // whether the side to move is in check
	WhatResult = "result" // how a game ended
	WhatEarly  = "early"  // a game that our rules end before the data does; the text is the reason
)

// Difference is one disagreement between the data and our rules.
type Difference struct {
	// File and Line say where in the data; Line counts from 1.
	File string
	Line int
	Game string
	What string
	Text string
}

func (d Difference) String() string {
	return fmt.Sprintf("%s:%d: %s: %s: %s", d.File, d.Line, d.Game, d.What, d.Text)
}

// Early is a game that our rules end before the data does.
type Early struct {
	File   string
	Line   int
	Game   string
	Ply    int
	Reason rules.Reason
}

func (e Early) String() string {
	return fmt.Sprintf("%s:%d: %s: ended after %d plies by %s; the rest is not replayed", e.File, e.Line, e.Game, e.Ply, e.Reason)
}

// Known is a difference that is allowed.
type Known struct {
	Game, What string
	Pattern    *regexp.Regexp
	Reason     string
}

// Verifier replays data files.
type Verifier struct {
	Set   *variant.Set
	Known []Known
	// MaxNodes leaves out rows of perft tables above it; 0 means none.
	MaxNodes uint64
	// OnDifference and OnEarly are called for each finding; they may be nil.
	OnDifference func(Difference)
	OnEarly      func(Early)

	Rows, Games, Plies int
	// Differences counts those that are not known, Allowed those that are.
	Differences, Allowed int
	EarlyEnds            int
	// Skipped counts the lines about games that the catalogue has not, TooBig the rows above MaxNodes.
	Skipped, TooBig int

	// ByGame counts the same for each game, by its key.
	ByGame map[string]*Tally

	file string
	line int
}

// Tally is what was compared of one game.
type Tally struct{ Rows, Games, Plies, Differences, Allowed, EarlyEnds int }

func (v *Verifier) tally(key string) *Tally {
	if v.ByGame == nil {
		v.ByGame = map[string]*Tally{}
	}
	t := v.ByGame[key]
	if t == nil {
		t = &Tally{}
		v.ByGame[key] = t
	}
	return t
}

// played counts a ply that was compared.
func (v *Verifier) played(key string) {
	v.Plies++
	v.tally(key).Plies++
}

// endedEarly notes a game that our rules end after the given number of plies, before the data does.
func (v *Verifier) endedEarly(key string, ply int, reason rules.Reason) {
	v.EarlyEnds++
	v.tally(key).EarlyEnds++
	if v.OnEarly != nil {
		v.OnEarly(Early{File: v.file, Line: v.line, Game: key, Ply: ply, Reason: reason})
	}
}

// Expects reports whether the game may end early, by the rows of Known about WhatEarly, whose pattern is held against the
// reason.
func (v *Verifier) Expects(e Early) bool {
	return v.known(e.Game, WhatEarly, string(e.Reason))
}

func (v *Verifier) known(game, what, text string) bool {
	for _, k := range v.Known {
		if k.Game == game && k.What == what && k.Pattern.MatchString(text) {
			return true
		}
	}
	return false
}

// File replays one file: a perft table (.tsv) or games (.jsonl, .jsonl.gz). It fails if the file cannot be read;
// what is wrong in it is a difference.
func (v *Verifier) File(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	v.file = path
	switch {
	case strings.HasSuffix(path, ".tsv"):
		return v.PerftTable(path, f)
	case strings.HasSuffix(path, ".jsonl"):
		return v.GameFile(path, f)
	case strings.HasSuffix(path, ".jsonl.gz"):
		z, err := gzip.NewReader(f)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return v.GameFile(path, z)
	}
	return fmt.Errorf("%s: neither a perft table (.tsv) nor games (.jsonl, .jsonl.gz)", path)
}

func (v *Verifier) differ(game, what, format string, args ...any) {
	d := Difference{File: v.file, Line: v.line, Game: game, What: what, Text: fmt.Sprintf(format, args...)}
	if v.known(game, what, d.Text) {
		v.Allowed++
		v.tally(game).Allowed++
		return
	}
	v.Differences++
	v.tally(game).Differences++
	if v.OnDifference != nil {
		v.OnDifference(d)
	}
}

// lines calls do for each line of r.
func (v *Verifier) lines(name string, r io.Reader, do func(line string)) error {
	v.file, v.line = name, 0
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		v.line++
		if line := strings.TrimRight(in.Text(), "\r"); line != "" {
			do(line)
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("%s: line %d: %w", name, v.line+1, err)
	}
	return nil
}

// startPosition stands for a game's own start in a perft table.
const startPosition = "start position"

// PerftTable replays a table with the columns variant_key, fen, depth, nodes and any others.
func (v *Verifier) PerftTable(name string, r io.Reader) error {
	return v.lines(name, r, func(line string) {
		f := strings.Split(line, "\t")
		if v.line == 1 && f[0] == "variant_key" {
			return
		}
		if len(f) < 4 {
			v.differ(f[0], WhatText, "%d columns instead of at least 4", len(f))
			return
		}
		game, ok := v.Set.Get(f[0])
		if !ok {
			v.Skipped++
			return
		}
		depth, err1 := strconv.Atoi(f[2])
		want, err2 := strconv.ParseUint(f[3], 10, 64)
		if err1 != nil || err2 != nil || depth < 0 {
			v.differ(f[0], WhatText, "depth %q and nodes %q are no numbers", f[2], f[3])
			return
		}
		if v.MaxNodes != 0 && want > v.MaxNodes {
			v.TooBig++
			return
		}
		p, err := parse(game, f[1])
		if f[1] == startPosition {
			p, err = game.Start(game.UsualStart())
		}
		if err != nil {
			v.differ(f[0], WhatText, "%s: %v", f[1], err)
			return
		}
		v.Rows++
		v.tally(f[0]).Rows++
		if got := rules.Perft(p, depth); got != want {
			v.differ(f[0], WhatPerft, "%s depth %d: %d nodes, the data has %d", f[1], depth, got, want)
		}
	})
}

// OracleGame is one line of a game file.
type OracleGame struct {
	Variant     string   `json:"variant"`
	StartFEN    string   `json:"start_fen"`
	Moves       []string `json:"moves"`
	FENs        []string `json:"fens"`
	Counts      []int    `json:"counts"`
	Checks      []bool   `json:"checks"`
	FinalCount  int      `json:"final_count"`
	Result      string   `json:"result"`
	Termination string   `json:"termination"`
	// StartBoard, Boards and Strings stand for StartFEN, FENs and Checks in data of other programs.
	StartBoard string   `json:"start_board"`
	Boards     []string `json:"boards"`
	Strings    []string `json:"strings"`
	// StartSFEN and SFENs are the positions of data of the shogi family.
	StartSFEN string   `json:"start_sfen"`
	SFENs     []string `json:"sfens"`
	// Turns are the sides that made the moves, in data of yet another program.
	Turns []string `json:"turns"`
}

// GameFile replays games, one JSON object a line.
func (v *Verifier) GameFile(name string, r io.Reader) error {
	return v.lines(name, r, func(line string) {
		var g OracleGame
		if err := json.Unmarshal([]byte(line), &g); err != nil {
			v.differ("?", WhatText, "%v", err)
			return
		}
		game, ok := v.Set.Get(g.Variant)
		if !ok {
			v.Skipped++
			return
		}
		v.Games++
		v.tally(g.Variant).Games++
		if g.StartBoard != "" {
			v.replayBoards(game, &g)
			return
		}
		if g.StartSFEN != "" {
			v.replaySFEN(game, &g)
			return
		}
		if g.Turns != nil {
			v.replayVchess(game, &g)
			return
		}
		v.replay(game, &g)
	})
}

// ReadKnown reads a table of allowed differences: game, what, a regular expression for the text, reason; separated by
// tabs. Lines that begin with # are comments.
func ReadKnown(r io.Reader) ([]Known, error) {
	var known []Known
	in := bufio.NewScanner(r)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimRight(in.Text(), "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			return nil, fmt.Errorf("line %d: %d columns instead of game, what, pattern, reason", n, len(f))
		}
		pattern, err := regexp.Compile(f[2])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		known = append(known, Known{Game: f[0], What: f[1], Pattern: pattern, Reason: f[3]})
	}
	return known, in.Err()
}
