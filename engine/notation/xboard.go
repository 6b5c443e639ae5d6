package notation

import (
	"strings"

	"hoplite/engine/rules"
)

// XBoard's moves are ours but for ranks, which are counted from 0 on boards of exactly ten, for castling in games of
// shuffled arrays, which is written as in game records, and for the legs of long moves, which are told one by one.

// xboardFromZero is the number of ranks that XBoard counts from 0, so that one digit is enough for each.
const xboardFromZero = 10

// xboardPass is XBoard's move that moves nothing.
const xboardPass = "@@@@"

// FormatXBoard writes a legal move in one word. XBoardLegs has its legs.
func FormatXBoard(p *rules.Position, m rules.Move) string {
	r := p.Rules()
	switch {
	case m.Kind() == rules.Pass:
		return xboardPass
	case r.Shuffled() && m.Kind() == rules.Castle:
		return strings.TrimRight(SAN(p, m), "+#")
	}
	text := FormatMoveDistinct(p, m)
	if r.Board().Ranks() == xboardFromZero {
		text = CountFromZero(text)
	}
	return text
}

// XBoardRelays reports whether XBoard passes a move on as it was told. Version 4.9.1 makes another move of castling with
// a man entering on the rook's cell: h1e1h reaches the opponent as h1d1h, and no other way to write it is taken.
func XBoardRelays(m rules.Move) bool { return m.Kind() != rules.CastleGateRook }

// ParseXBoard reads a turn: moves with commas between them, a move whose legs are told one by one, or a move as game
// records write it. A sign = says that a man does not promote. It fails with *MoveError.
func ParseXBoard(p *rules.Position, text string) ([]rules.Move, error) {
	if p.Rules().Board().Ranks() == xboardFromZero {
		return ParseFromZero(p, text, parseLegs)
	}
	return parseLegs(p, text)
}

func parseLegs(p *rules.Position, text string) ([]rules.Move, error) {
	if text == xboardPass {
		for _, m := range p.Moves(nil) {
			if m.Kind() == rules.Pass {
				return []rules.Move{m}, nil
			}
		}
	}
	text = strings.TrimSuffix(text, "=")
	turn, err := ParseTurn(p, text)
	if err == nil {
		return turn, nil
	}
	if joined, ok := joinLegs(text); ok {
		if turn, err := ParseTurn(p, joined); err == nil {
			return turn, nil
		}
	}
	if m, sanErr := ParseSAN(p, text); sanErr == nil {
		return []rules.Move{m}, nil
	}
	return nil, err
}

// joinLegs makes one move of legs that follow each other, as e4e5,e5e6 is e4e5e6.
func joinLegs(text string) (string, bool) {
	var b strings.Builder
	end := ""
	for i, leg := range strings.Split(text, ",") {
		cells := XBoardCells(leg)
		if len(cells) < 2 || i > 0 && cells[0] != end {
			return "", false
		}
		if i > 0 {
			leg = strings.TrimPrefix(leg, end)
		}
		b.WriteString(leg)
		end = cells[1]
	}
	return b.String(), true
}

// XBoardLegs splits a move into its legs. One over more than two cells has several.
func XBoardLegs(move string) []string {
	var legs []string
	for _, part := range strings.Split(move, ",") {
		cells := XBoardCells(part)
		if len(cells) <= 2 || !strings.HasPrefix(part, strings.Join(cells, "")) {
			legs = append(legs, part)
			continue
		}
		for i := 1; i < len(cells); i++ {
			legs = append(legs, cells[i-1]+cells[i])
		}
		legs[len(legs)-1] += strings.TrimPrefix(part, strings.Join(cells, ""))
	}
	return legs
}

// XBoardCells finds the names of cells in a move, each a letter with a number.
func XBoardCells(move string) []string {
	var cells []string
	for i := 0; i+1 < len(move); i++ {
		end := i + 1
		for end < len(move) && move[end] >= '0' && move[end] <= '9' {
			end++
		}
		if move[i] >= 'a' && move[i] <= 'z' && end > i+1 {
			cells = append(cells, move[i:end])
			i = end - 1
		}
	}
	return cells
}
