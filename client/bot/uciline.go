package bot

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// uciOption is an option that a UCI program announces.
type uciOption struct {
	Name    string
	Type    string // check, spin, combo, button, string
	Default string
	Values  []string // of a combo
}

// parseUCIOption reads a line "option name … type … [default …] [var …]…".
// Names and values may hold spaces.
func parseUCIOption(line string) (uciOption, bool) {
	words := strings.Fields(line)
	if len(words) < 2 || words[0] != "option" {
		return uciOption{}, false
	}
	var o uciOption
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

// parseUCIInfo reads depth, nodes and score of a line "info …" into c. Lines of
// other than the first principal variation, and bounds, leave the score alone.
func parseUCIInfo(line string, c *Choice) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "info" {
		return
	}
	var score *Score
	first, bound := true, false
	for i := 1; i < len(words); i++ {
		value := func(n int) (int, bool) {
			if i+n >= len(words) {
				return 0, false
			}
			v, err := strconv.Atoi(words[i+n])
			return v, err == nil
		}
		switch words[i] {
		case "string":
			return // the rest is free text
		case "depth":
			if v, ok := value(1); ok && v >= 0 {
				c.Depth = v
			}
		case "nodes":
			if i+1 < len(words) {
				if v, err := strconv.ParseUint(words[i+1], 10, 64); err == nil {
					c.Nodes = v
				}
			}
		case "time":
			if v, ok := value(1); ok && v >= 0 && v < 1<<31 {
				c.Time = time.Duration(v) * time.Millisecond
			}
		case "multipv":
			if v, ok := value(1); ok {
				first = v == 1
			}
		case "lowerbound", "upperbound":
			bound = true
		case "score":
			if v, ok := value(2); ok && i+1 < len(words) {
				switch words[i+1] {
				case "cp":
					score = &Score{CP: v}
				case "mate":
					// "mate 0" is a side that is mated already.
					if v == 0 {
						score = &Score{CP: -mateCP}
					} else {
						score = &Score{Mate: v}
					}
				}
			}
		case "pv":
			i = len(words) // the line's moves come last
		}
	}
	if score != nil && first && !bound {
		c.Score = score
	}
}

// parseUCIBestMove reads a line "bestmove MOVE [ponder MOVE]". The move is ""
// when the program has none.
func parseUCIBestMove(line string) (move string, ok bool) {
	words := strings.Fields(line)
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

// uciGo writes the command that starts a search.
func uciGo(t Turn, white bool, fixed FixedLimits, overhead time.Duration) string {
	ms := func(d time.Duration) string {
		return strconv.FormatInt(max(d.Milliseconds(), 1), 10)
	}
	parts := []string{"go"}
	c := t.Clock
	if c.Limited && fixed.MoveTime == 0 {
		mine := max(c.Mine-c.SinceReceived-overhead, 10*time.Millisecond)
		w, b, wi, bi := mine, c.Theirs, c.MyInc, c.TheirInc
		if !white {
			w, b, wi, bi = b, w, bi, wi
		}
		parts = append(parts, "wtime", ms(w), "btime", ms(b),
			"winc", strconv.FormatInt(wi.Milliseconds(), 10), "binc", strconv.FormatInt(bi.Milliseconds(), 10))
	}
	move := fixed.MoveTime.D()
	if !c.Limited && move == 0 && fixed.Nodes == 0 && fixed.Depth == 0 {
		move = defaultMoveTime
	}
	if c.UnstartedMoveLimit > 0 && (move == 0 || move > c.UnstartedMoveLimit) {
		move = c.UnstartedMoveLimit
	}
	if move > 0 {
		if c.Limited {
			move = min(move, max(c.Mine-c.SinceReceived-overhead, 10*time.Millisecond))
		}
		parts = append(parts, "movetime", ms(move))
	}
	if fixed.Nodes > 0 {
		parts = append(parts, "nodes", strconv.FormatUint(fixed.Nodes, 10))
	}
	if fixed.Depth > 0 {
		parts = append(parts, "depth", strconv.Itoa(fixed.Depth))
	}
	return strings.Join(parts, " ")
}
