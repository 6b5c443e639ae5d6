package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hoplite/engine/board"
)

// FENError is a position text that cannot be read. A text that can be read but not played is a *SetupError.
type FENError struct {
	// Field names the part at fault: board, hand, side, castling, en passant, halfmove clock, move number.
	Field  string
	Reason string
}

func (e *FENError) Error() string { return "FEN, " + e.Field + ": " + e.Reason }

func badFEN(field, format string, args ...any) error {
	return &FENError{Field: field, Reason: fmt.Sprintf(format, args...)}
}

// MaxFEN is the length above which ParseSetup refuses a text unread.
const MaxFEN = 1024

// ParseSetup reads a position text (rules README 4.3): board with hand in brackets, side, rights, en passant, halfmove
// clock, move number. Fields may be missing at the end. It fails with *FENError.
func (r *Rules) ParseSetup(text string) (Setup, error) {
	s := Setup{Cells: make([]Piece, r.n), Passed: board.Wall, FullMoves: 1}
	if r.def.Seats != nil && len(text) <= MaxFEN {
		return r.readSeats(text)
	}
	if len(text) > MaxFEN {
		return s, badFEN("board", "longer than %d bytes", MaxFEN)
	}
	fields, counter, tail, err := r.splitFields(text)
	if err != nil {
		return s, err
	}
	cells, hand, hasHand := strings.Cut(fields[0], "[")
	if last := strings.LastIndexByte(cells, '/'); r.drops != nil && !hasHand && strings.Count(cells, "/") == r.board.Ranks() {
		cells, hand, hasHand = cells[:last], cells[last+1:]+"]", true // the hand as one more row
	}
	if part := r.stages.abovePart; part != nil {
		before, above, found := strings.Cut(cells, "^")
		if cells = before; found {
			if err := part.read(r, &s, above); err != nil {
				return s, err
			}
		}
	}
	if err := r.readBoard(&s, cells); err != nil {
		return s, err
	}
	if hasHand {
		if before, prison, two := strings.Cut(hand, "]["); two {
			if err := r.readPrison(&s, prison); err != nil {
				return s, err
			}
			hand = before + "]"
		}
		if err := r.readHand(&s, hand); err != nil {
			return s, err
		}
	}
	found := false
	for i := range r.def.Sides {
		if side := &r.def.Sides[i]; fields[1] == side.Letter || side.Also != "" && fields[1] == side.Also {
			s.Turn, found = Side(i), true
		}
	}
	if !found {
		return s, badFEN("side", "%q is not %q or %q", fields[1], r.def.Sides[0].Letter, r.def.Sides[1].Letter)
	}
	if part := r.stages.rightsPart; part != nil {
		err = part.read(r, &s, fields[2])
	} else {
		err = r.readRights(&s, fields[2])
	}
	if err != nil {
		return s, err
	}
	if part := r.stages.passedPart; part != nil {
		err = part.read(r, &s, fields[3])
	} else {
		err = r.readPassed(&s, fields[3])
	}
	if err != nil {
		return s, err
	}
	if counter != "" {
		if err = r.stages.counterPart.read(r, &s, counter); err != nil {
			return s, err
		}
	}
	if s.Clock, err = readCounter("halfmove clock", fields[4]); err != nil {
		return s, err
	}
	if s.FullMoves, err = readCounter("move number", fields[5]); err != nil {
		return s, err
	}
	if tail != "" {
		err = r.stages.tailPart.read(r, &s, tail)
	}
	return s, err
}

// splitFields cuts a position text into its six plain fields, those missing at the end being filled in, and what the
// game has before the clocks and after the move number.
func (r *Rules) splitFields(text string) (fields []string, counter, tail string, err error) {
	fields = strings.Fields(text)
	if len(fields) == 0 {
		return nil, "", "", badFEN("board", "empty text")
	}
	if part := r.stages.counterPart; part != nil && len(fields) > 4 && strings.Contains(fields[4], "+") {
		counter = fields[4]
		fields = slices.Delete(fields, 4, 5)
	}
	if part := r.stages.tailPart; part != nil && len(fields) > 6 {
		tail = strings.Join(fields[6:], " ")
		fields = fields[:6]
	}
	if len(fields) > 6 {
		return nil, "", "", badFEN("move number", "%d fields instead of 6", len(fields))
	}
	for len(fields) < 6 {
		fields = append(fields, [...]string{"", r.def.Sides[0].Letter, "-", "-", "0", "1"}[len(fields)])
	}
	return fields, counter, tail, nil
}

// readPassed reads the fourth field: the cells that the last turn has passed over, without a separator.
func (r *Rules) readPassed(s *Setup, text string) error {
	if text == "-" {
		return nil
	}
	cells, err := r.readCells(text, "en passant")
	if err != nil {
		return err
	}
	if !r.stages.on {
		if len(cells) != 1 {
			return badFEN("en passant", "no cell %q", text)
		}
		s.Passed = cells[0]
		return nil
	}
	if len(cells) > maxPassed {
		return badFEN("en passant", "more than %d cells", maxPassed)
	}
	for i, c := range cells {
		s.state.passed[i] = target{cell: c, victim: board.Wall}
	}
	s.state.passes = uint8(len(cells))
	return nil
}

// readCells reads names of cells that follow each other without a separator.
func (r *Rules) readCells(text, field string) (cells []Cell, err error) {
	for rest := text; rest != ""; {
		c, after, ok := r.cutCell(rest)
		if !ok {
			return nil, badFEN(field, "no cell %q", text)
		}
		cells = append(cells, c)
		rest = after
	}
	return cells, nil
}

// cutCell reads the name of a cell at the start of text: up to its last digit.
func (r *Rules) cutCell(text string) (c Cell, rest string, ok bool) {
	n := max(strings.IndexAny(text, "0123456789"), 0)
	n += len(text[n:]) - len(strings.TrimLeft(text[n:], "0123456789"))
	c, ok = r.board.ParseCell(text[:n])
	return c, text[n:], ok
}

func readCounter(field, text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n > maxClock {
		return 0, badFEN(field, "%q is no number from 0 to %d", text, maxClock)
	}
	return int(n), nil
}

// readMan reads the token of a man at the start of text, upper case for side 0 and lower case for side 1, and returns its
// length.
func (r *Rules) readMan(text, field string) (Piece, int, error) {
	n := tokenLen(text)
	if text == "" {
		return 0, 0, badFEN(field, "a man is missing")
	}
	if n == 0 {
		return 0, 0, badFEN(field, "unknown man %q", []rune(text)[0])
	}
	token, side := text[:n], Side(0)
	if strings.ToLower(token) == token {
		side = 1
	}
	t := r.readType(strings.ToUpper(token))
	if t == 0 {
		return 0, 0, badFEN(field, "unknown man %q", token)
	}
	if r.codes[r.blocker].typ == t && field == "board" {
		return r.blocker, n, nil
	}
	if !r.InArmy(side, t) {
		return 0, 0, badFEN(field, "the army of %s has no %s", r.sideName(side), strings.ToLower(r.PieceInfo(t).Name))
	}
	return r.canonical(r.Piece(side, t)), n, nil
}

// readType returns the type that a text means by a letter: its own or another that is read for it.
func (r *Rules) readType(letter string) PieceType {
	if t := r.TypeOf(letter); t != 0 {
		return t
	}
	for i := range r.def.Pieces {
		if slices.Contains(tokens(r.def.Pieces[i].Also), letter) {
			return PieceType(i + 1)
		}
	}
	return 0
}

func (r *Rules) readHand(s *Setup, text string) error {
	text, ok := strings.CutSuffix(text, "]")
	if !ok {
		return badFEN("hand", "no closing bracket")
	}
	if r.handTypes == nil && text != "" && text != "-" {
		return badFEN("hand", "this game has no men in hand")
	}
	s.Hands = make([][]int, r.sides)
	for i := range s.Hands {
		s.Hands[i] = make([]int, r.types+1)
	}
	if text == "-" {
		return nil
	}
	for text != "" {
		q, n, err := r.readMan(text, "hand")
		if err != nil {
			return err
		}
		s.Hands[r.Side(q)][r.Type(q)]++
		text = text[n:]
	}
	return nil
}

// readRights reads the third field: letters of castling wings, files of rooks, and files of men that may gate.
func (r *Rules) readRights(s *Setup, text string) error {
	if text == "-" || r.def.Notation.RightsIgnored && strings.Trim(text, "KQkq") == "" {
		return nil
	}
	if r.gateTypes != nil {
		s.Gates = make([]board.Set, r.sides)
	}
	for _, b := range []byte(text) {
		side, letter := Side(0), b
		if b >= 'a' && b <= 'z' {
			side, letter = 1, b-'a'+'A'
		}
		if !r.readRight(s, side, letter) {
			return badFEN("castling", "%q stands for no right of %s", rune(b), r.sideName(side))
		}
	}
	return nil
}

func (r *Rules) readRight(s *Setup, side Side, letter byte) bool {
	found := false // one letter may stand for two goals with the same men
	for i := range r.wings {
		w := &r.wings[i]
		if w.side != side || w.def.Letter != string(rune(letter)) {
			continue
		}
		right := CastlingRight{Wing: i, Rook: w.rookFrom}
		if r.def.Castling.Files {
			right.Rook, _ = r.outermostRook(s, i)
		}
		s.addCastling(right)
		if s.Gates != nil {
			s.Gates[side].Add(w.kingFrom)
			s.Gates[side].Add(w.rookFrom)
		}
		found = true
	}
	if found {
		return true
	}
	c := board.Wall
	for home := range r.homeRow[side].All {
		if file, _ := r.board.Coord(home); file == int(letter)-'A' {
			c = home
		}
	}
	if c == board.Wall {
		return false
	}
	if s.Gates != nil {
		s.Gates[side].Add(c)
		return true
	}
	for i := range r.wings {
		w := &r.wings[i]
		if w.side != side {
			continue
		}
		if !r.def.Castling.Files {
			if w.rookFrom == c {
				s.addCastling(CastlingRight{Wing: i, Rook: c})
				found = true // and the other way of castling with this man
			}
			continue
		}
		king := r.homeKing(s, w)
		if king == board.Wall {
			king = w.kingFrom
		}
		if kf, _ := r.board.Coord(king); (int(letter)-'A' > kf) == (r.towards(w).X > 0) {
			s.addCastling(CastlingRight{Wing: i, Rook: c})
			return true
		}
	}
	return found
}

func (s *Setup) addCastling(right CastlingRight) {
	for _, have := range s.Castling {
		if have == right {
			return
		}
	}
	s.Castling = append(s.Castling, right)
}

// WriteAbove, WriteRights, WritePassed, WriteCounter and WriteTail return the fields of the position text that a
// mechanism writes in its own way, and whether there is such a mechanism: what follows the board, rights, capture in
// passing, what stands before the clocks, what follows the move number.
func (p *Position) WriteAbove() (string, bool)   { return p.rules.stages.abovePart.text(p) }
func (p *Position) WriteRights() (string, bool)  { return p.rules.stages.rightsPart.text(p) }
func (p *Position) WritePassed() (string, bool)  { return p.rules.stages.passedPart.text(p) }
func (p *Position) WriteCounter() (string, bool) { return p.rules.stages.counterPart.text(p) }
func (p *Position) WriteTail() (string, bool)    { return p.rules.stages.tailPart.text(p) }

func (f *fenPart) text(p *Position) (string, bool) {
	if f == nil {
		return "", false
	}
	return f.write(p), true
}
