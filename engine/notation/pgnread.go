package notation

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode"

	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// PGNError is a game that cannot be read. Reading goes on with the next game.
type PGNError struct {
	// Game counts the games of the input from 1, Line its lines.
	Game, Line int
	Reason     string
	// Err is the cause where a position or a move is wrong.
	Err error
}

func (e *PGNError) Error() string {
	s := fmt.Sprintf("game %d, line %d: %s", e.Game, e.Line, e.Reason)
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *PGNError) Unwrap() error { return e.Err }

// Bounds on what one game may hold; archives of real games stay far below.
const (
	maxPGNToken = 1 << 16
	maxPGNTags  = 256
	maxPGNPlies = 20000
	maxPGNDepth = 64 // of variations
)

// ReadPGN yields the games of an archive. Comments are kept, variations and numeric marks skipped. The game is named by
// the Variant tag, which is read loosely: case, blanks and punctuation do not count, and keys and other names of the
// catalogue are known; without it the game is standard chess. A game that cannot be read is yielded as a *PGNError,
// with what was read of it; an error of the reader ends the sequence.
func ReadPGN(set *variant.Set, r io.Reader) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		p := pgn{in: bufio.NewReader(r), set: set, line: 1, lineStart: true}
		for {
			rec, err := p.game()
			if rec == nil && err == nil {
				return
			}
			if !yield(rec, err) {
				return
			}
			var bad *PGNError
			if err != nil && !errors.As(err, &bad) {
				return
			}
		}
	}
}

// FindVariant returns the game that a Variant tag names, read loosely.
func FindVariant(set *variant.Set, name string) (*rules.Rules, bool) {
	want := loosely(name)
	if want == "" {
		want = loosely(defaultVariant)
	}
	for _, r := range set.List() {
		d := r.Definition()
		for _, n := range append([]string{d.Key, d.Name, d.PGNName}, d.PGNAliases...) {
			if loosely(n) == want {
				return r, true
			}
		}
	}
	return nil, false
}

func loosely(s string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, s)
}

type tokenKind uint8

const (
	endOfInput tokenKind = iota
	tagToken
	moveToken
	resultToken
	commentToken
	openToken
	closeToken
)

type token struct {
	kind tokenKind
	text string
	tag  Tag
}

type pgn struct {
	in        *bufio.Reader
	set       *variant.Set
	games     int
	line      int
	lineStart bool
	ahead     *token
}

func (p *pgn) fail(cause error, format string, args ...any) error {
	return &PGNError{Game: p.games, Line: p.line, Reason: fmt.Sprintf(format, args...), Err: cause}
}

// game reads one game. At the end of the input it returns nothing at all.
func (p *pgn) game() (*Record, error) {
	rec := &Record{Result: "*"}
	p.games++
	first, err := p.peek()
	if err != nil {
		return p.badTags(rec, err)
	}
	if first.kind == endOfInput {
		return nil, nil
	}
	for {
		t, err := p.peek()
		if err == nil && t.kind != tagToken {
			break
		}
		p.ahead = nil
		if err == nil && len(rec.Tags) == maxPGNTags {
			err = p.fail(nil, "more than %d tags", maxPGNTags)
		}
		if err != nil {
			return p.badTags(rec, err)
		}
		rec.Tags = append(rec.Tags, t.tag)
	}
	if err := p.begin(rec); err != nil {
		return p.bad(rec, err)
	}
	if err := p.moves(rec); err != nil {
		return p.bad(rec, err)
	}
	return rec, nil
}

// badTags skips the rest of the tags and the game after an error in them.
func (p *pgn) badTags(rec *Record, err error) (*Record, error) {
	var e *PGNError
	for errors.As(err, &e) {
		t, skip := p.peek()
		if skip == nil && t.kind != tagToken {
			break
		}
		p.ahead = nil
		if skip != nil && !errors.As(skip, &e) {
			return rec, skip
		}
	}
	return p.bad(rec, err)
}

// bad skips to the next game after an error in this one.
func (p *pgn) bad(rec *Record, err error) (*Record, error) {
	var e *PGNError
	if !errors.As(err, &e) {
		return rec, err
	}
	for {
		t, skip := p.peek()
		if errors.As(skip, &e) {
			continue // one error a game is enough
		}
		if skip != nil {
			return rec, skip
		}
		if t.kind == endOfInput || t.kind == tagToken {
			return rec, err
		}
		p.ahead = nil
		if t.kind == resultToken {
			return rec, err
		}
	}
}

// begin finds the game's rules and start position by its tags.
func (p *pgn) begin(rec *Record) error {
	name := rec.Tag("Variant")
	r, ok := FindVariant(p.set, name)
	if !ok {
		return p.fail(nil, "unknown variant %q", clip(name))
	}
	rec.Rules = r
	var err error
	if fen := rec.Tag("FEN"); fen != "" {
		rec.Start, err = ParseFEN(r, fen)
	} else {
		rec.Start, err = r.Start(r.UsualStart())
	}
	if err != nil {
		return p.fail(err, "bad start position")
	}
	return nil
}

func (p *pgn) moves(rec *Record) error {
	now := rec.Start.Clone()
	depth := 0
	for {
		t, err := p.peek()
		if err != nil {
			return err
		}
		if t.kind == tagToken || t.kind == endOfInput {
			if depth > 0 {
				return p.fail(nil, "a variation without end")
			}
			return nil
		}
		p.ahead = nil
		switch t.kind {
		case openToken:
			if depth++; depth > maxPGNDepth {
				return p.fail(nil, "variations nested too deep")
			}
		case closeToken:
			if depth--; depth < 0 {
				return p.fail(nil, "a closing bracket too many")
			}
		case commentToken:
			if depth == 0 {
				rec.comment(t.text)
			}
		case resultToken:
			if depth == 0 {
				rec.Result = t.text
				return nil
			}
		case moveToken:
			if depth > 0 {
				continue
			}
			if err := p.play(rec, now, t.text); err != nil {
				return err
			}
		}
	}
}

// play adds the move that a word stands for, or the moves of a turn of several that it joins.
func (p *pgn) play(rec *Record, now *rules.Position, word string) error {
	moves, err := parseTurnSAN(now, word)
	if err != nil {
		return p.fail(err, "move %d", now.FullMoves())
	}
	if len(rec.Moves)+len(moves) > maxPGNPlies {
		return p.fail(nil, "more than %d plies", maxPGNPlies)
	}
	var u rules.Undo
	for _, m := range moves {
		rec.Moves = append(rec.Moves, Ply{Move: m, SAN: SAN(now, m)})
		now.Make(m, &u)
	}
	return nil
}

// comment adds a comment to the last move, taking a clock out of it.
func (rec *Record) comment(text string) {
	clock, hasClock := time.Duration(0), false
	var rest strings.Builder
	for {
		before, after, found := strings.Cut(text, "[%")
		rest.WriteString(before)
		if !found {
			break
		}
		command, tail, closed := strings.Cut(after, "]")
		if !closed {
			rest.WriteString("[%" + after)
			break
		}
		if value, is := strings.CutPrefix(command, "clk "); is {
			if d, ok := parseClock(strings.TrimSpace(value)); ok {
				clock, hasClock = d, true
			}
		}
		text = tail
	}
	words := strings.Join(strings.Fields(rest.String()), " ")
	at := &rec.Comment
	if n := len(rec.Moves); n > 0 {
		at = &rec.Moves[n-1].Comment
		if hasClock {
			rec.Moves[n-1].Clock, rec.Moves[n-1].HasClock = clock, true
		}
	}
	if *at != "" && words != "" {
		*at += " "
	}
	*at += words
}

// parseClock reads hours, minutes and seconds.
func parseClock(s string) (time.Duration, bool) {
	parts := strings.Split(s, ":")
	if len(parts) != 3 {
		return 0, false
	}
	h, err1 := strconv.ParseUint(parts[0], 10, 16)
	m, err2 := strconv.ParseUint(parts[1], 10, 8)
	sec, err3 := strconv.ParseFloat(parts[2], 64)
	if err1 != nil || err2 != nil || err3 != nil || m > 59 || !(sec >= 0 && sec < 60) {
		return 0, false
	}
	hundredths := time.Duration(sec*100 + 0.5)
	return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + hundredths*10*time.Millisecond, true
}
