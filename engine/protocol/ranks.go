package protocol

import (
	"strconv"
	"strings"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// shiftRanks adds by to the ranks of all cells named in a move: a small letter
// or several, then a number.
func shiftRanks(move string, by int) string {
	var b strings.Builder
	for i := 0; i < len(move); {
		end := i
		for end < len(move) && move[end] >= '0' && move[end] <= '9' {
			end++
		}
		if n, err := strconv.Atoi(move[i:end]); err == nil && i > 0 && move[i-1] >= 'a' && move[i-1] <= 'z' {
			b.WriteString(strconv.Itoa(n + by))
			i = end
			continue
		}
		b.WriteByte(move[i])
		i++
	}
	return b.String()
}

// fromZero makes notations count ranks from 0 instead of from 1.
func (n lines) fromZero() lines {
	moves, format := n.moves, n.format
	n.moves = func(p *rules.Position, text string) ([]rules.Move, error) {
		list, err := moves(p, shiftRanks(text, 1))
		if e, ok := err.(*notation.MoveError); ok {
			err = &notation.MoveError{Text: text, Reason: e.Reason, Malformed: e.Malformed}
		}
		return list, err
	}
	n.format = func(p *rules.Position, m rules.Move) string { return shiftRanks(format(p, m), -1) }
	return n
}
