// Package notation reads and writes positions, moves and games as text: FEN and its kin, move strings as chess programs
// exchange them, algebraic notation, and game records in PGN.
//
// Every reader returns a typed error that says what is wrong where; none of them panics on any input.
package notation

import (
	"fmt"
	"strconv"
	"strings"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// FENError is a position text that cannot be read.
type FENError = rules.FENError

// ParseFEN reads a position. It fails with *FENError if the text cannot be read and with *rules.SetupError, which lists
// every reason, if the position is not playable. In games of the shogi family SFEN is read, too: a text of four fields
// whose last is a number.
func ParseFEN(r *rules.Rules, fen string) (*rules.Position, error) {
	if isSFEN(r, fen) {
		return ParseSFEN(r, fen)
	}
	s, err := r.ParseSetup(fen)
	if err != nil {
		return nil, err
	}
	return r.Position(s)
}

// FEN writes a position in the form of the rule sheets.
func FEN(p *rules.Position) string { return writeFEN(p, false, true) }

// EPD writes a position without the numbers of moves, so that it is the same however long the game took to come to it.
func EPD(p *rules.Position) string { return writeFEN(p, false, false) }

// XFEN writes a position as Lichess does: where castling rights are rook files, the outermost rook of a wing is written
// K or Q; in games that Lichess has, the men in hand are one more row of the board; checks are those given, at the end.
func XFEN(p *rules.Position) string { return writeFEN(p, true, true) }

// ViewFEN writes a position as its viewer may know it: a question mark is a cell whose contents are unknown, and what
// cannot be known is left out.
func ViewFEN(v rules.View) string {
	if !v.Limited() {
		return FEN(v.Position())
	}
	p, known := v.Position(), v.Known()
	var b strings.Builder
	writeCells(&b, p, false, known.Has)
	fmt.Fprintf(&b, " %s - - 0 %d", p.Rules().Definition().Sides[p.Turn()].Letter, p.FullMoves())
	return b.String()
}

// Placement writes the board and the men in hand, the first field of a FEN.
func Placement(p *rules.Position) string {
	var b strings.Builder
	writePlacement(&b, p, false)
	return b.String()
}

func writeFEN(p *rules.Position, lichess, numbers bool) string {
	r := p.Rules()
	if text := p.SeatsText(); text != "" {
		return text
	}
	var b strings.Builder
	writePlacement(&b, p, lichess && r.Definition().Lichess != nil)
	b.WriteByte(' ')
	b.WriteString(r.Definition().Sides[p.Turn()].Letter)
	b.WriteByte(' ')
	if text, own := p.WriteRights(); own {
		b.WriteString(text)
	} else {
		writeRights(&b, p, lichess)
	}
	b.WriteByte(' ')
	if text, own := p.WritePassed(); own {
		b.WriteString(text)
	} else {
		writePassed(&b, p)
	}
	checks := 0
	if lichess {
		checks = r.CountsChecks()
	}
	if text, own := p.WriteCounter(); own && checks == 0 {
		b.WriteByte(' ')
		b.WriteString(text)
	}
	if numbers {
		fmt.Fprintf(&b, " %d %d", p.HalfmoveClock(), p.FullMoves())
	}
	if text, own := p.WriteTail(); own && text != "" {
		b.WriteByte(' ')
		b.WriteString(text)
	}
	if checks != 0 {
		fmt.Fprintf(&b, " +%d+%d", checks-p.ChecksLeft(0), checks-p.ChecksLeft(1))
	}
	return b.String()
}

// writePassed writes the cells on which a capture in passing is possible.
func writePassed(b *strings.Builder, p *rules.Position) {
	cells := p.PassedCells()
	if len(cells) == 0 {
		b.WriteByte('-')
	}
	for _, c := range cells {
		b.WriteString(p.Rules().Board().CellName(c))
	}
}

func writePlacement(b *strings.Builder, p *rules.Position, handRow bool) {
	writeCells(b, p, handRow, func(rules.Cell) bool { return true })
}

// writeCells writes the board and what is beside it, with a question mark for cells that are not known.
func writeCells(b *strings.Builder, p *rules.Position, handRow bool, known func(rules.Cell) bool) {
	r := p.Rules()
	brd := r.Board()
	separators := brd.RowSeparators()
	for i, row := range brd.Rows() {
		empty := 0
		flush := func() {
			if empty > 0 {
				b.WriteString(strconv.Itoa(empty))
				empty = 0
			}
		}
		for _, c := range row {
			q, behind := p.At(c), rules.Piece(0)
			if brd.Layers() > 1 {
				behind = p.At(brd.Across(c))
			}
			switch {
			case !known(c):
				flush()
				b.WriteByte('?')
			case q != 0:
				flush()
				b.WriteString(Letter(r, q))
			case behind != 0:
				flush()
				b.WriteString("|" + Letter(r, behind))
			default:
				empty++
			}
		}
		flush()
		if i < len(separators) {
			b.WriteString(separators[i])
		}
	}
	if above, own := p.WriteAbove(); own {
		b.WriteString(above)
	}
	if !r.HasHand() {
		return
	}
	open, shut := "[", "]"
	if handRow {
		open, shut = "/", ""
	}
	b.WriteString(open)
	for s := range rules.Side(r.Sides()) {
		for t := rules.PieceType(1); int(t) <= r.Types(); t++ {
			for range p.Hand(s, t) {
				b.WriteString(Letter(r, r.Piece(s, t)))
			}
		}
	}
	b.WriteString(shut)
	if !r.HasPrison() {
		return
	}
	b.WriteByte('[')
	for s := range rules.Side(r.Sides()) {
		for t := rules.PieceType(1); int(t) <= r.Types(); t++ {
			for range p.Prisoners(1-s, t) { // held by the other side
				b.WriteString(Letter(r, r.Piece(s, t)))
			}
		}
	}
	b.WriteByte(']')
}

// Letter returns the letter of a man, upper case for side 0.
func Letter(r *rules.Rules, q rules.Piece) string {
	return r.Token(q)
}

func cased(letter string, s rules.Side) string {
	if s == 0 {
		return letter
	}
	return strings.ToLower(letter)
}

// writeRights writes the third field: castling, then the files of unmoved men whose right castling does not imply.
func writeRights(b *strings.Builder, p *rules.Position, outermost bool) {
	r := p.Rules()
	d := r.Definition()
	start := b.Len()
	file := func(c rules.Cell, s rules.Side) string {
		f, _ := r.Board().Coord(c)
		return cased(string(rune('A'+f)), s)
	}
	rights := p.CastlingRights()
	for s := range rules.Side(r.Sides()) {
		gates := p.GateRights(s)
		for _, right := range rights {
			w := &d.Castling.Wings[right.Wing]
			if w.Side != s {
				continue
			}
			letter := cased(w.Letter, s)
			if d.Notation.RightsByFile && !(outermost && r.IsOutermost(p, right)) {
				letter = file(right.Rook, s)
			}
			if !strings.HasSuffix(b.String()[start:], letter) { // two goals with the same men have one letter
				b.WriteString(letter)
			}
			gates.Remove(right.Rook)
			if king := p.Royals(s); gates.Has(king.First()) {
				gates.Remove(king.First())
			}
		}
		for c := range gates.All {
			b.WriteString(file(c, s))
		}
	}
	if b.Len() == start {
		b.WriteByte('-')
	}
}

// cell reads a cell name at the start of text: letters, of which the first may be a capital, then digits.
func cell(brd *board.Board, text string) (c rules.Cell, rest string, ok bool) {
	end := 0
	for end < len(text) && (text[end] >= 'a' && text[end] <= 'z' || end == 0 && text[end] >= 'A' && text[end] <= 'Z') {
		end++
	}
	if end == 0 {
		return 0, text, false
	}
	digits := end
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	c, ok = brd.ParseCell(text[:digits])
	return c, text[digits:], ok
}
