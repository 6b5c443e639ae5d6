package protocol

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// request is what the words after "go" ask for.
type request struct {
	limits  search.Limits
	clock   *search.Clock // nil: none
	ponder  bool
	limited bool // anything says when to stop, if only a command
}

// timed returns the clock, which counts from now on.
func (q *request) timed() *search.Clock {
	if q.clock == nil {
		q.clock = &search.Clock{}
	}
	q.limited = true
	return q.clock
}

// goWord is one of the words that may follow "go": alone, or before a number.
type goWord struct {
	alone  func(q *request)
	number func(q *request, n int64)
}

// goWords are those of a dialect.
type goWords map[string]goWord

// with adds further words.
func (w goWords) with(more goWords) goWords {
	for word, g := range more {
		w[word] = g
	}
	return w
}

// commonGo are the words that all dialects have.
func commonGo() goWords {
	return goWords{
		"infinite": {alone: func(q *request) { q.limits.Infinite, q.limited = true, true }},
		"ponder":   {alone: func(q *request) { q.ponder, q.limited = true, true }},
		"depth":    {number: func(q *request, n int64) { q.limits.Depth, q.limited = int(min(max(n, 1), 1000)), true }},
		"nodes":    {number: func(q *request, n int64) { q.limits.Nodes, q.limited = uint64(max(n, 1)), true }},
		"movetime": {number: func(q *request, n int64) {
			q.limits.MoveTime, q.limited = max(milliseconds(n), time.Millisecond), true
		}},
	}
}

// clockGo are the words of a clock whose first side has the colour given.
func clockGo(first, second string) goWords {
	words := goWords{}
	for side, colour := range []string{first, second} {
		words[colour+"time"] = goWord{number: func(q *request, n int64) { q.timed().Time[side] = milliseconds(n) }}
		words[colour+"inc"] = goWord{number: func(q *request, n int64) { q.timed().Inc[side] = milliseconds(n) }}
	}
	return words
}

// movesToGo reads the number of moves to the next time control.
func movesToGo() goWord {
	return goWord{number: func(q *request, n int64) {
		if q.clock == nil {
			q.clock = &search.Clock{}
		}
		q.clock.MovesToGo = int(min(max(n, 0), 1000))
	}}
}

// searchMoves is the word before the moves that alone are to be searched.
const searchMoves = "searchmoves"

// has reports whether a word is one of those that may follow "go".
func (w goWords) has(word string) bool {
	_, ok := w[word]
	return ok || word == searchMoves
}

// parseGo reads the words after "go". What makes no sense is left out and
// noted; a go without any limit is an infinite one. move reads the moves after
// searchmoves.
func parseGo(args []string, words goWords, move func(string) ([]rules.Move, error)) (q request, notes []string) {
	note := func(format string, a ...any) { notes = append(notes, fmt.Sprintf(format, a...)) }
	for len(args) > 0 {
		word := args[0]
		args = args[1:]
		known := words[word]
		switch {
		case word == searchMoves:
			end := 0
			for end < len(args) && !words.has(args[end]) {
				end++
			}
			notes = append(notes, q.only(args[:end], move)...)
			args = args[end:]
		case known.alone != nil:
			known.alone(&q)
		case known.number == nil:
			note("unknown word %s", clip(word))
		case len(args) == 0:
			note("%s needs a number", word)
		default:
			n, err := strconv.ParseInt(args[0], 10, 64)
			if err == nil {
				known.number(&q, n)
			} else {
				note("%s needs a number, not %s", word, clip(args[0]))
			}
			if err == nil || !words.has(args[0]) {
				args = args[1:]
			}
		}
	}
	if q.limited {
		q.limits.Clock = q.clock
	} else {
		q.limits.Infinite = true
	}
	return q, notes
}

// only restricts the search to the moves given.
func (q *request) only(texts []string, move func(string) ([]rules.Move, error)) (notes []string) {
	for _, text := range texts {
		m, err := move(text)
		if err != nil {
			notes = append(notes, fmt.Sprintf("searchmoves: %v", err))
			continue
		}
		q.limits.SearchMoves = append(q.limits.SearchMoves, m[0])
	}
	if len(texts) > 0 && len(q.limits.SearchMoves) == 0 {
		notes = append(notes, "searchmoves: none is legal, searching all moves")
	}
	return notes
}

func milliseconds(n int64) time.Duration { return duration(n, time.Millisecond) }

// duration is a number of units. It does not overflow, nor do sums of a few.
func duration(n int64, unit time.Duration) time.Duration {
	most := math.MaxInt64 / 4 / int64(unit)
	return time.Duration(min(max(n, -most), most)) * unit
}
