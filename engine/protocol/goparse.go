package protocol

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// parseGo reads the words after "go". What makes no sense is left out and
// noted; a go without any limit is an infinite one.
func parseGo(args []string, move func(string) (rules.Move, error)) (l search.Limits, ponder bool, notes []string) {
	var clock search.Clock
	hasClock, limited := false, false
	note := func(format string, a ...any) { notes = append(notes, fmt.Sprintf(format, a...)) }
	for i := 0; i < len(args); i++ {
		word := args[i]
		switch word {
		case "infinite":
			l.Infinite, limited = true, true
			continue
		case "ponder":
			ponder, limited = true, true
			continue
		case "searchmoves":
			given := false
			for i+1 < len(args) && !goWords[args[i+1]] {
				i++
				given = true
				m, err := move(args[i])
				if err != nil {
					note("searchmoves: %v", err)
					continue
				}
				l.SearchMoves = append(l.SearchMoves, m)
			}
			if given && len(l.SearchMoves) == 0 {
				note("searchmoves: none is legal, searching all moves")
			}
			continue
		}
		if !goWords[word] {
			note("unknown word %s", clip(word))
			continue
		}
		if i+1 == len(args) {
			note("%s needs a number", word)
			break
		}
		n, err := strconv.ParseInt(args[i+1], 10, 64)
		if err != nil {
			note("%s needs a number, not %s", word, clip(args[i+1]))
			if !goWords[args[i+1]] {
				i++
			}
			continue
		}
		i++
		switch word {
		case "wtime", "btime", "winc", "binc":
			hasClock, limited = true, true
			d := milliseconds(n)
			switch word {
			case "wtime":
				clock.Time[0] = d
			case "btime":
				clock.Time[1] = d
			case "winc":
				clock.Inc[0] = d
			case "binc":
				clock.Inc[1] = d
			}
		case "movestogo":
			clock.MovesToGo = int(min(max(n, 0), 1000))
		case "depth":
			l.Depth, limited = int(min(max(n, 1), 1000)), true
		case "nodes":
			l.Nodes, limited = uint64(max(n, 1)), true
		case "mate":
			l.Mate, limited = int(min(max(n, 1), 1000)), true
		case "movetime":
			l.MoveTime, limited = max(milliseconds(n), time.Millisecond), true
		}
	}
	if hasClock {
		l.Clock = &clock
	}
	if !limited {
		l.Infinite = true
	}
	return l, ponder, notes
}

// goWords are the words that may follow "go".
var goWords = map[string]bool{
	"infinite": true, "ponder": true, "searchmoves": true, "wtime": true, "btime": true, "winc": true, "binc": true,
	"movestogo": true, "depth": true, "nodes": true, "mate": true, "movetime": true,
}

// milliseconds converts without overflow.
func milliseconds(n int64) time.Duration {
	const most = math.MaxInt64 / int64(time.Millisecond) / 4
	return time.Duration(min(max(n, -most), most)) * time.Millisecond
}
