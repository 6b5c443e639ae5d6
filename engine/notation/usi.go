package notation

import (
	"strconv"
	"strings"

	"hoplite/engine/rules"
)

// USI is how programs of the shogi family exchange moves: files are numbers from the right of the first player, ranks
// letters from the top, as in 7g7f, 8h2b+ and P*5e; a move of two steps names three squares.

// usiSquare reads a square at the start of text.
func usiSquare(r *rules.Rules, text string) (c rules.Cell, rest string, ok bool) {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	if n == 0 || n > 2 || n == len(text) {
		return 0, text, false
	}
	file, _ := strconv.Atoi(text[:n])
	c = r.Board().At(r.Board().Files()-file, r.Board().Ranks()-1-int(text[n]-'a'))
	return c, text[n+1:], int(c) < r.Board().N()
}

// squareUSI writes a square.
func squareUSI(r *rules.Rules, c rules.Cell) string {
	file, rank := r.Board().Coord(c)
	return strconv.Itoa(r.Board().Files()-file) + string(rune('a'+r.Board().Ranks()-1-rank))
}

// ParseUSI reads a move in USI. It fails with *MoveError, or with *DialectError if the game does not belong to the shogi
// family.
func ParseUSI(p *rules.Position, text string) (rules.Move, error) {
	r := p.Rules()
	if err := inFamily(r, "USI"); err != nil {
		return 0, err
	}
	man, rest, drop := strings.Cut(text, "*")
	own := ""
	if drop {
		own = man + "@"
	} else {
		rest = text
	}
	for squares := 0; rest != "" && rest != "+"; squares++ {
		c, after, ok := usiSquare(r, rest)
		if !ok || squares == 3 {
			return 0, &MoveError{Text: text, Reason: "it names no squares", Malformed: true}
		}
		own += r.Board().CellName(c)
		rest = after
	}
	return retold(p, own+rest, text)
}

// FormatUSI writes a legal move in USI. It fails with *DialectError if the game does not belong to the shogi family.
func FormatUSI(p *rules.Position, m rules.Move) (string, error) {
	r := p.Rules()
	if err := inFamily(r, "USI"); err != nil {
		return "", err
	}
	switch m.Kind() {
	case rules.Drop:
		return r.PieceInfo(m.Arg()).Letter + "*" + squareUSI(r, m.To()), nil
	case rules.Legs:
		return squareUSI(r, m.From()) + squareUSI(r, onTheWay(p, m)) + squareUSI(r, m.To()), nil
	}
	text := squareUSI(r, m.From()) + squareUSI(r, m.To())
	if p.IsPromotion(m) {
		text += "+"
	}
	return text, nil
}

// onTheWay returns the cell of the first of two steps. The pass goes over the first empty one.
func onTheWay(p *rules.Position, m rules.Move) rules.Cell {
	if m.Second() != m.From() {
		return m.Second()
	}
	for c := range p.Rules().FirstSteps(p.At(m.From()), m.From()).All {
		if p.At(c) == 0 {
			return c
		}
	}
	return m.From()
}
