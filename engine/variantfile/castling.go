package variantfile

import (
	"fmt"
	"strconv"
	"strings"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// castlingRule makes the wings from where the start position has king and rooks, if it has rights.
func (b *recipe) castlingRule(king string, unsafe bool) (*rules.CastlingRule, error) {
	fields := strings.Fields(b.fen)
	if !b.castling || king == "" || !b.has("R") || len(fields) < 3 || fields[2] == "-" {
		return nil, nil
	}
	rule := &rules.CastlingRule{Unsafe: unsafe}
	for side, heading := range []board.Heading{0, 2} {
		rank, letter := 1, king
		if heading != 0 {
			rank, letter = b.ranks, strings.ToLower(king)
		}
		from := b.kingFile
		if from < 0 {
			from = b.fileOf(fields[0], rank, letter)
		}
		if from < 0 {
			return nil, fmt.Errorf("castling: %s is not on rank %d of the start position", letter, rank)
		}
		cell := func(file int) string { return string(rune('a'+file)) + strconv.Itoa(rank) }
		or := func(file, usual int) int {
			if file < 0 {
				return usual
			}
			return file
		}
		right, left := or(b.kingSide, 6), or(b.queenSide, 2)
		rule.Wings = append(rule.Wings,
			rules.CastlingWing{Side: rules.Side(side), Letter: "K", King: king, Rook: "R", KingFrom: cell(from), KingTo: cell(right),
				RookFrom: cell(or(b.rookKingSide, b.files-1)), RookTo: cell(right - 1), SAN: "O-O"},
			rules.CastlingWing{Side: rules.Side(side), Letter: "Q", King: king, Rook: "R", KingFrom: cell(from), KingTo: cell(left),
				RookFrom: cell(or(b.rookQueenSide, 0)), RookTo: cell(left + 1), SAN: "O-O-O"})
	}
	return rule, nil
}

// kingOf returns the letter of the royal type, and whether it may be left attacked.
func kingOf(d *rules.Definition) (letter string, capturable bool) {
	for _, p := range d.Pieces {
		if p.Royal {
			return p.Letter, d.Royal == rules.RoyalCapture
		}
	}
	return "", false
}

// fileOf finds a man on a rank of a board text, or returns -1.
func (b *recipe) fileOf(text string, rank int, letter string) int {
	text, _, _ = strings.Cut(text, "[")
	rows := strings.Split(text, "/")
	if rank > len(rows) {
		return -1
	}
	file := 0
	row := rows[len(rows)-rank]
	for i := 0; i < len(row); i++ {
		end := i
		for end < len(row) && row[end] >= '0' && row[end] <= '9' {
			end++
		}
		if end > i {
			n, _ := strconv.Atoi(row[i:end])
			file += n
			i = end - 1
			continue
		}
		if row[i:i+1] == letter {
			return file
		}
		if row[i] != '+' && row[i] != '~' {
			file++
		}
	}
	return -1
}
