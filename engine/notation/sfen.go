package notation

import (
	"fmt"
	"strconv"
	"strings"

	"hoplite/engine/rules"
)

// SFEN is how programs of the shogi family write positions: the board, b or w for the side to move (b is the first
// player), the men in hand with their numbers, and the number of the next move. In games with lions the third field is
// the square on which one was just captured.

// ParseSFEN reads a position in SFEN. It fails with *FENError or *rules.SetupError, or with *DialectError if the game
// does not belong to the shogi family.
func ParseSFEN(r *rules.Rules, sfen string) (*rules.Position, error) {
	fen, err := sfenToFEN(r, sfen)
	if err != nil {
		return nil, err
	}
	s, err := r.ParseSetup(fen)
	if err != nil {
		return nil, err
	}
	return r.Position(s)
}

// DialectError is a notation that a game is not written in.
type DialectError struct{ Game, Dialect string }

func (e *DialectError) Error() string {
	return fmt.Sprintf("%s is not written in %s", e.Game, e.Dialect)
}

func inFamily(r *rules.Rules, dialect string) error {
	if !r.Definition().Notation.Shogi {
		return &DialectError{Game: r.Definition().Name, Dialect: dialect}
	}
	return nil
}

// isSFEN reports whether a position text of a game of the shogi family is SFEN: of its fields, which are four at most, the
// last is a number.
func isSFEN(r *rules.Rules, text string) bool {
	f := strings.Fields(text)
	if !r.Definition().Notation.Shogi || len(f) != 4 || strings.Contains(f[0], "[") {
		return false
	}
	_, err := strconv.Atoi(f[3])
	return err == nil
}

// sfenToFEN translates a position text, which means the same afterwards.
func sfenToFEN(r *rules.Rules, sfen string) (string, error) {
	if err := inFamily(r, "SFEN"); err != nil {
		return "", err
	}
	bad := func(field, format string, args ...any) (string, error) {
		return "", &FENError{Field: field, Reason: fmt.Sprintf(format, args...)}
	}
	if len(sfen) > rules.MaxFEN {
		return bad("board", "longer than %d bytes", rules.MaxFEN)
	}
	f := strings.Fields(sfen)
	if len(f) > 0 && f[0] == "sfen" {
		f = f[1:]
	}
	if len(f) < 2 || len(f) > 4 {
		return bad("board", "%d fields instead of 4", len(f))
	}
	f = append(f, []string{"-", "1"}[len(f)-2:]...)
	sides := r.Definition().Sides
	side := map[string]string{"b": sides[0].Letter, "w": sides[1].Letter}[f[1]]
	if side == "" {
		return bad("side", `%q is not "b" or "w"`, clip(f[1]))
	}
	ply, err := strconv.ParseUint(f[3], 10, 16)
	if err != nil {
		return bad("move number", "%q is no number", clip(f[3]))
	}
	board, struck := f[0], "-"
	switch {
	case f[2] != "-" && r.Definition().Legs != nil:
		c, rest, ok := usiSquare(r, f[2])
		if !ok || rest != "" {
			return bad("lion", "no square %q", clip(f[2]))
		}
		struck = r.Board().CellName(c)
	case r.HasHand():
		hand, ok := unpack(strings.Trim(f[2], "-"))
		if !ok {
			return bad("hand", "%q does not tell what is in hand", clip(f[2]))
		}
		board += "[" + hand + "]"
	case f[2] != "-":
		return bad("hand", "this game has no men in hand")
	}
	return fmt.Sprintf("%s %s - %s 0 %d", board, side, struck, max((ply+1)/2, 1)), nil
}

// unpack writes out the men of a hand, which stand behind their numbers.
func unpack(text string) (string, bool) {
	var b strings.Builder
	for text != "" {
		n := 0
		for n < len(text) && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		count := 1
		if n > 0 {
			count, _ = strconv.Atoi(text[:n])
		}
		if n == len(text) || n > 2 || count == 0 {
			return "", false
		}
		b.WriteString(strings.Repeat(text[n:n+1], count))
		text = text[n+1:]
	}
	return b.String(), true
}

// SFEN writes a position of the shogi family. It fails with *DialectError for other games.
func SFEN(p *rules.Position) (string, error) {
	r := p.Rules()
	if err := inFamily(r, "SFEN"); err != nil {
		return "", err
	}
	board, _, _ := strings.Cut(Placement(p), "[")
	side := "b"
	if p.Turn() != 0 {
		side = "w"
	}
	third := packHands(p)
	if text, own := p.WritePassed(); own {
		if c, ok := r.Board().ParseCell(text); ok {
			third = squareUSI(r, c)
		}
	}
	return fmt.Sprintf("%s %s %s %d", board, side, third, p.Ply()+1), nil
}

// packHands writes the men in hand, those of the first player first.
func packHands(p *rules.Position) string {
	r := p.Rules()
	var b strings.Builder
	for s := range rules.Side(r.Sides()) {
		for t := rules.PieceType(1); int(t) <= r.Types(); t++ {
			switch n := p.Hand(s, t); {
			case n > 1:
				b.WriteString(strconv.Itoa(n))
				fallthrough
			case n == 1:
				b.WriteString(Letter(r, r.Piece(s, t)))
			}
		}
	}
	if b.Len() == 0 {
		return "-"
	}
	return b.String()
}
