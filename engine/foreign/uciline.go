package foreign

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"hoplite/engine/search"
)

// Option is an option that a program announces.
type Option struct {
	Name    string
	Type    string // check, spin, combo, button, string
	Default string
	Values  []string // of a combo
}

// Answer is what a program of the UCI family says to a search, as text.
type Answer struct {
	Move  string        // "" if it has none
	Score *search.Score // from its own side; nil if it did not say
	Depth int
	Nodes uint64
	Time  time.Duration
}

// ParseOption reads a line "option name … type … [default …] [var …]…". Names
// and values may hold spaces.
func ParseOption(line string) (Option, bool) {
	words := strings.Fields(line)
	if len(words) < 2 || words[0] != "option" {
		return Option{}, false
	}
	var o Option
	var field string
	var value []string
	store := func() {
		text := strings.Join(value, " ")
		switch field {
		case "name":
			o.Name = text
		case "type":
			o.Type = text
		case "default":
			o.Default = text
		case "var":
			o.Values = append(o.Values, text)
		}
		value = nil
	}
	for _, w := range words[1:] {
		if slices.Contains([]string{"name", "type", "default", "min", "max", "var"}, w) {
			// Inside a name only "type" ends it: "option name max depth …".
			if field != "name" || w == "type" || len(value) == 0 && w == "name" {
				store()
				field = w
				continue
			}
		}
		value = append(value, w)
	}
	store()
	return o, o.Name != "" && o.Type != ""
}

// Info is what lines "info …" have said.
type Info struct {
	// Depth, Nodes and Time are those of the last line that had them.
	Depth int
	Nodes uint64
	Time  time.Duration
	// Line is which principal variation the last line was about, from 1.
	Line  int
	Score *search.Score // of it, from the program's own side; nil without one
	Bound bool          // the score is only a bound
	PV    []string      // its moves; nil without any
}

// Read reads a line. It reports whether that was one of information.
func (i *Info) Read(line string) bool {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "info" {
		return false
	}
	i.Line, i.Score, i.Bound, i.PV = 1, nil, false, nil
	for at := 1; at < len(words); at++ {
		number := func() (int, bool) {
			if at+1 >= len(words) {
				return 0, false
			}
			v, err := strconv.Atoi(words[at+1])
			return v, err == nil
		}
		switch words[at] {
		case "string":
			return true // the rest is free text
		case "depth":
			if v, ok := number(); ok && v >= 0 {
				i.Depth = v
			}
		case "nodes":
			if at+1 < len(words) {
				if v, err := strconv.ParseUint(words[at+1], 10, 64); err == nil {
					i.Nodes = v
				}
			}
		case "time":
			if v, ok := number(); ok && v >= 0 && v < 1<<31 {
				i.Time = time.Duration(v) * time.Millisecond
			}
		case "multipv":
			if v, ok := number(); ok {
				i.Line = v
			}
		case "lowerbound", "upperbound":
			i.Bound = true
		case "score":
			if s, ok := parseScore(words[at+1:]); ok {
				i.Score = &s
			}
		case "pv":
			i.PV = words[at+1:] // the line's moves come last
			return true
		}
	}
	return true
}

// ParseInfo reads depth, nodes and score of a line "info …" into a. Lines of
// other than the first principal variation, and bounds, leave the score alone.
func ParseInfo(line string, a *Answer) {
	i := Info{Depth: a.Depth, Nodes: a.Nodes, Time: a.Time}
	if !i.Read(line) {
		return
	}
	a.Depth, a.Nodes, a.Time = i.Depth, i.Nodes, i.Time
	if i.Score != nil && i.Line == 1 && !i.Bound {
		a.Score = i.Score
	}
}

// parseScore reads "cp 31" and "mate -2", and a bare number, which is how UCCI
// writes centipawns.
func parseScore(words []string) (search.Score, bool) {
	if len(words) == 0 {
		return search.Score{}, false
	}
	if v, err := strconv.Atoi(words[0]); err == nil {
		return search.Score{CP: v}, true
	}
	if len(words) == 1 {
		return search.Score{}, false
	}
	v, err := strconv.Atoi(words[1])
	switch {
	case err != nil:
		return search.Score{}, false
	case words[0] == "cp":
		return search.Score{CP: v}, true
	case words[0] == "mate" && v == 0: // a side that is mated already
		return search.Score{CP: -search.MateCP}, true
	case words[0] == "mate":
		return search.Score{Mate: v}, true
	}
	return search.Score{}, false
}

// ParseBestMove reads a line "bestmove MOVE [ponder MOVE]". The move is "" when
// the program has none.
func ParseBestMove(line string) (move string, ok bool) {
	words := strings.Fields(line)
	if len(words) > 0 && words[0] == "nobestmove" { // UCCI
		return "", true
	}
	if len(words) == 0 || words[0] != "bestmove" {
		return "", false
	}
	if len(words) == 1 {
		return "", true
	}
	switch words[1] {
	case "(none)", "none", "0000", "NULL":
		return "", true
	}
	return words[1], true
}
