package notation

import (
	"errors"
	"strconv"
	"strings"

	"hoplite/engine/rules"
)

// ParseFromZero reads a move of programs that count ranks from 0, with what reads those that count from 1.
func ParseFromZero[M any](p *rules.Position, text string, parse func(*rules.Position, string) (M, error)) (M, error) {
	m, err := parse(p, shiftRanks(text, 1))
	var e *MoveError
	if errors.As(err, &e) {
		err = &MoveError{Text: text, Reason: e.Reason, Malformed: e.Malformed}
	}
	return m, err
}

// CountFromZero rewrites a move for programs that count ranks from 0.
func CountFromZero(move string) string { return shiftRanks(move, -1) }

// shiftRanks adds by to the ranks of all cells named in a move: a small letter or several, then a number.
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
