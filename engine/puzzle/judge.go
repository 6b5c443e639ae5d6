package puzzle

import (
	"fmt"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// Verdict is the judgement of an answer.
type Verdict struct {
	// Win is whether the answer is right as far as it goes.
	Win bool
	// Done is whether the puzzle is over: solved, or failed.
	Done bool
	// Reply is the opponent's best answer to the last move, when the puzzle
	// goes on.
	Reply string
	// Longer is set on a wrong answer that still mates, one move later than
	// asked for.
	Longer bool
}

// kindLimit bounds the positions spent on telling a wrong answer that mates
// later from one that does not: a tenth of a second or two.
const kindLimit = 500_000

// MoveError is an answer that is no legal move.
type MoveError struct {
	Index int // of the solver's move, from 0
	Text  string
	Err   error
}

func (e *MoveError) Error() string {
	return fmt.Sprintf("move %d, %q: %v", e.Index+1, e.Text, e.Err)
}

func (e *MoveError) Unwrap() error { return e.Err }

// Judge judges the solver's moves so far; the opponent's replies are not
// among them. Right is every move that keeps the mate within the stated
// length, so at the last move every mate is. Beside *MoveError it returns
// errors only for a puzzle that does not fit r.
func Judge(r *rules.Rules, p *Puzzle, played []string) (Verdict, error) {
	pos, line, err := p.replay(r)
	if err != nil {
		return Verdict{}, err
	}
	if len(played) == 0 {
		return Verdict{Win: true}, nil
	}
	prover := NewProver(r)
	onLine := true
	for i, text := range played {
		left := p.Goal.MateIn - i
		if left <= 0 {
			return Verdict{}, &MoveError{i, text, fmt.Errorf("the puzzle is over after %d moves", p.Goal.MateIn)}
		}
		m, err := notation.ParseMove(pos, text)
		if err != nil {
			return Verdict{}, &MoveError{i, text, err}
		}
		onLine = onLine && m == line[2*i+1]
		right := onLine
		if !right {
			if right, err = prover.MoveWins(pos, m, left); err != nil {
				return Verdict{}, err
			}
		}
		if !right {
			kind := NewProver(r)
			kind.limit = kindLimit
			longer, err := kind.MoveWins(pos, m, min(left+1, MaxMoves))
			return Verdict{Done: true, Longer: longer && err == nil}, nil
		}
		var u rules.Undo
		pos.Make(m, &u)
		if left == 1 || prover.Won(pos) {
			if i+1 < len(played) {
				return Verdict{}, &MoveError{i + 1, played[i+1], fmt.Errorf("the puzzle is over after %d moves", i+1)}
			}
			return Verdict{Win: true, Done: true}, nil
		}
		var reply rules.Move
		if onLine {
			reply = line[2*i+2]
		} else if reply, err = prover.Defence(pos, left-1); err != nil {
			return Verdict{}, err
		}
		text := notation.FormatMove(pos, reply)
		pos.Make(reply, &u)
		if i+1 == len(played) {
			return Verdict{Win: true, Reply: text}, nil
		}
	}
	panic("unreachable: the loop returns at the last move")
}

// Position returns the position that the solver sees and the opponent's move
// that led to it.
func (p *Puzzle) Position(r *rules.Rules) (*rules.Position, rules.Move, error) {
	pos, line, err := p.replay(r)
	if err != nil {
		return nil, 0, err
	}
	return pos, line[0], nil
}

// replay returns the position after the opponent's first move and all moves
// of the line, having checked that they are legal.
func (p *Puzzle) replay(r *rules.Rules) (*rules.Position, []rules.Move, error) {
	if r.Key() != p.Variant {
		return nil, nil, fmt.Errorf("puzzle %s: is of %s, not %s", p.ID, p.Variant, r.Key())
	}
	if err := p.wellFormed(); err != nil {
		return nil, nil, err
	}
	pos, err := notation.ParseFEN(r, p.FEN)
	if err != nil {
		return nil, nil, fmt.Errorf("puzzle %s: %w", p.ID, err)
	}
	var start *rules.Position
	line := make([]rules.Move, len(p.Moves))
	for i, text := range p.Moves {
		m, err := notation.ParseMove(pos, text)
		if err == nil {
			err = pos.Play(m)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("puzzle %s, move %d: %w", p.ID, i+1, err)
		}
		line[i] = m
		if i == 0 {
			start = pos.Clone()
		}
	}
	return start, line, nil
}
