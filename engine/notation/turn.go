package notation

import (
	"fmt"
	"strings"

	"hoplite/engine/rules"
)

// ParseTurn reads the moves of a turn of several, joined by commas, or of a part of it, as far as one side goes on
// moving. A single move is a turn of one. It fails with *MoveError and never changes p.
func ParseTurn(p *rules.Position, text string) ([]rules.Move, error) {
	m, err := ParseMove(p, text)
	if err == nil {
		return []rules.Move{m}, nil
	}
	parts := strings.Split(text, ",")
	if len(parts) == 1 || len(parts) > maxTurn || !p.Rules().Staged() {
		return nil, err
	}
	now := p.Clone()
	var moves []rules.Move
	for i, part := range parts {
		m, err := ParseMove(now, part)
		if err != nil {
			return nil, err
		}
		if err := now.Play(m); err != nil {
			return nil, err
		}
		moves = append(moves, m)
		if i+1 < len(parts) && now.Turn() != p.Turn() {
			return nil, &MoveError{Text: text, Reason: fmt.Sprintf("the turn ends after %d of %d moves", i+1, len(parts))}
		}
	}
	return moves, nil
}

// maxTurn bounds the moves of one turn that are read.
const maxTurn = 256

// parseTurnSAN reads a move in algebraic notation or in that of the game's home, or the moves of a turn, joined by commas.
func parseTurnSAN(p *rules.Position, text string) ([]rules.Move, error) {
	m, err := ParseSAN(p, text)
	if err == nil {
		return []rules.Move{m}, nil
	}
	if m, err := ParseNative(p, text); err == nil {
		return []rules.Move{m}, nil
	}
	parts := strings.Split(strings.TrimSuffix(text, ","), ",")
	if !strings.Contains(text, ",") || len(parts) > maxTurn || !p.Rules().Staged() {
		return nil, err
	}
	now := p.Clone()
	var moves []rules.Move
	var u rules.Undo
	for i, part := range parts {
		if i > 0 && now.Turn() != p.Turn() {
			return nil, &MoveError{Text: text, Reason: fmt.Sprintf("the turn ends after %d of %d moves", i, len(parts))}
		}
		m, err := ParseSAN(now, part)
		if err != nil {
			return nil, err
		}
		moves = append(moves, m)
		now.Make(m, &u)
	}
	return moves, nil
}

// turnNumber returns the number that a game record gives to a turn: that of the pair of turns or, in games that number
// each turn by its moves, this one.
func turnNumber(p *rules.Position) int {
	if length, _ := p.Series(); length > 0 && p.Rules().Definition().Notation.NumberTurns {
		return length
	}
	return p.FullMoves()
}
