package rules

import (
	"fmt"
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
	if len(text) > MaxFEN {
		return s, badFEN("board", "longer than %d bytes", MaxFEN)
	}
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return s, badFEN("board", "empty text")
	}
	if len(fields) > 6 {
		return s, badFEN("move number", "%d fields instead of 6", len(fields))
	}
	for len(fields) < 6 {
		fields = append(fields, [...]string{"", r.def.Sides[0].Letter, "-", "-", "0", "1"}[len(fields)])
	}
	cells, hand, hasHand := strings.Cut(fields[0], "[")
	if err := r.readBoard(&s, cells); err != nil {
		return s, err
	}
	if hasHand {
		if err := r.readHand(&s, hand); err != nil {
			return s, err
		}
	}
	found := false
	for i := range r.def.Sides {
		if r.def.Sides[i].Letter == fields[1] {
			s.Turn, found = Side(i), true
		}
	}
	if !found {
		return s, badFEN("side", "%q is not %q or %q", fields[1], r.def.Sides[0].Letter, r.def.Sides[1].Letter)
	}
	if err := r.readRights(&s, fields[2]); err != nil {
		return s, err
	}
	if fields[3] != "-" {
		c, ok := r.board.ParseCell(fields[3])
		if !ok {
			return s, badFEN("en passant", "no cell %q", fields[3])
		}
		s.Passed = c
	}
	var err error
	if s.Clock, err = readCounter("halfmove clock", fields[4]); err != nil {
		return s, err
	}
	if s.FullMoves, err = readCounter("move number", fields[5]); err != nil {
		return s, err
	}
	return s, nil
}

func readCounter(field, text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n > maxClock {
		return 0, badFEN(field, "%q is no number from 0 to %d", text, maxClock)
	}
	return int(n), nil
}

func (r *Rules) readBoard(s *Setup, text string) error {
	rows := strings.Split(text, "/")
	if len(rows) != r.board.Ranks() {
		return badFEN("board", "%d ranks instead of %d", len(rows), r.board.Ranks())
	}
	for i, row := range rows {
		rank := r.board.Ranks() - 1 - i
		file := 0
		for j := 0; j < len(row); {
			if row[j] >= '0' && row[j] <= '9' {
				end := j
				for end < len(row) && row[end] >= '0' && row[end] <= '9' {
					end++
				}
				n, err := strconv.Atoi(row[j:end])
				if err != nil || row[j] == '0' || n > r.board.Files() {
					return badFEN("board", "%q empty cells in rank %d", row[j:end], rank+1)
				}
				file += n
				j = end
				continue
			}
			q, err := r.readMan(row[j], "board")
			if err != nil {
				return err
			}
			c := r.board.At(file, rank)
			if c == board.Wall {
				return badFEN("board", "rank %d has more than %d files", rank+1, r.board.Files())
			}
			s.Cells[c] = q
			file++
			j++
		}
		if file != r.board.Files() {
			return badFEN("board", "rank %d has %d files instead of %d", rank+1, file, r.board.Files())
		}
	}
	return nil
}

// readMan reads a letter: upper case for side 0, lower case for side 1.
func (r *Rules) readMan(b byte, field string) (Piece, error) {
	side, letter := Side(0), b
	if b >= 'a' && b <= 'z' {
		side, letter = 1, b-'a'+'A'
	}
	t := r.TypeOf(string(rune(letter)))
	if t == 0 {
		return 0, badFEN(field, "unknown man %q", rune(b))
	}
	if !r.InArmy(side, t) {
		return 0, badFEN(field, "the army of %s has no %s", r.sideName(side), strings.ToLower(r.PieceInfo(t).Name))
	}
	return r.Piece(side, t), nil
}

func (r *Rules) readHand(s *Setup, text string) error {
	text, ok := strings.CutSuffix(text, "]")
	if !ok {
		return badFEN("hand", "no closing bracket")
	}
	if r.gateTypes == nil && text != "" && text != "-" {
		return badFEN("hand", "this game has no men in hand")
	}
	s.Hands = make([][]int, r.sides)
	for i := range s.Hands {
		s.Hands[i] = make([]int, r.types+1)
	}
	if text == "-" {
		return nil
	}
	for _, b := range []byte(text) {
		q, err := r.readMan(b, "hand")
		if err != nil {
			return err
		}
		s.Hands[r.Side(q)][r.Type(q)]++
	}
	return nil
}

// readRights reads the third field: letters of castling wings, files of rooks, and files of men that may gate.
func (r *Rules) readRights(s *Setup, text string) error {
	if text == "-" {
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
				return true
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
	return false
}

func (s *Setup) addCastling(right CastlingRight) {
	for _, have := range s.Castling {
		if have == right {
			return
		}
	}
	s.Castling = append(s.Castling, right)
}
