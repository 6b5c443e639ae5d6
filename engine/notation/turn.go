package notation

import (
	"fmt"
	"strings"

	"hoplite/engine/rules"
)

// ParseTurn reads the moves of a turn of several or of a part of it, as far as one side goes on moving: joined by commas,
// or one after the other where a man that has been released moves on. A single move is a turn of one. It fails with
// *MoveError and never changes p.
func ParseTurn(p *rules.Position, text string) ([]rules.Move, error) {
	m, err := ParseMove(p, text)
	if err == nil {
		return []rules.Move{m}, nil
	}
	if !p.Rules().Staged() || !strings.Contains(text, ",") && !p.Rules().Unites() {
		return nil, err
	}
	return splitTurn(p, text, strings.Split(text, ","), err, func(now *rules.Position, part string) ([]rules.Move, error) {
		if moves := chain(now, strings.ReplaceAll(part, "=", ""), maxTurn); moves != nil {
			return moves, nil
		}
		m, err := ParseMove(now, part)
		return []rules.Move{m}, err
	})
}

// splitTurn reads the parts of a turn in order. single is the error of reading it as one move.
func splitTurn(p *rules.Position, text string, parts []string, single error,
	read func(now *rules.Position, part string) ([]rules.Move, error)) ([]rules.Move, error) {
	if len(parts) > maxTurn {
		return nil, single
	}
	now := p.Clone()
	var turn []rules.Move
	for i, part := range parts {
		if i > 0 && now.Turn() != p.Turn() {
			return nil, &MoveError{Text: text, Reason: fmt.Sprintf("the turn ends after %d of %d moves", i, len(parts))}
		}
		moves, err := read(now, part)
		if err != nil {
			return nil, err
		}
		for _, m := range moves {
			if err := now.Play(m); err != nil {
				return nil, err
			}
		}
		turn = append(turn, moves...)
	}
	return turn, nil
}

// chain reads moves that follow each other without a separator, each but the last releasing a man, or returns nil. The
// text has no signs of promotion.
func chain(p *rules.Position, text string, most int) []rules.Move {
	if most == 0 || !p.Rules().Unites() {
		return nil
	}
	for _, m := range p.Moves(nil) {
		rest, ok := strings.CutPrefix(text, strings.ReplaceAll(FormatMove(p, m), "=", ""))
		if !ok {
			continue
		}
		if rest == "" {
			return []rules.Move{m}
		}
		now := p.Clone()
		var u rules.Undo
		now.Make(m, &u)
		if _, _, released := now.Released(); !released {
			continue
		}
		if moves := chain(now, rest, most-1); moves != nil {
			return append([]rules.Move{m}, moves...)
		}
	}
	return nil
}

// FormatTurn writes the moves of a turn as ParseTurn reads them.
func FormatTurn(p *rules.Position, moves []rules.Move) string {
	now := p.Clone()
	var b strings.Builder
	var u rules.Undo
	for i, m := range moves {
		if _, _, released := now.Released(); i > 0 && !released {
			b.WriteByte(',')
		}
		b.WriteString(FormatMove(now, m))
		now.Make(m, &u)
	}
	return b.String()
}

// maxTurn bounds the moves of one turn that are read.
const maxTurn = 256

// parseTurnSAN reads a move in algebraic notation, or the moves of a turn, joined by commas or by the sign of a man that
// moves on.
func parseTurnSAN(p *rules.Position, text string) ([]rules.Move, error) {
	m, err := ParseSAN(p, text)
	if err == nil {
		return []rules.Move{m}, nil
	}
	for _, parse := range []func(*rules.Position, string) (rules.Move, error){ParseNative, ParseUSI} {
		if m, err := parse(p, text); err == nil {
			return []rules.Move{m}, nil
		}
	}
	marked := strings.TrimPrefix(strings.ReplaceAll(text, releasedSAN, ","+releasedSAN), ",")
	if !strings.Contains(marked, ",") || !p.Rules().Staged() {
		return nil, err
	}
	parts := strings.Split(strings.TrimSuffix(marked, ","), ",")
	return splitTurn(p, text, parts, err, func(now *rules.Position, part string) ([]rules.Move, error) {
		m, err := ParseSAN(now, part)
		return []rules.Move{m}, err
	})
}

// releasedSAN is what the algebraic notation of a released man's move begins with.
const releasedSAN = ">"

// turnNumber returns the number that a game record gives to a turn: that of the pair of turns or, in games that number
// each turn by its moves, this one.
func turnNumber(p *rules.Position) int {
	if length, _ := p.Series(); length > 0 && p.Rules().Definition().Notation.NumberTurns {
		return length
	}
	return p.FullMoves()
}
