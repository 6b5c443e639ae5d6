package lichess

import (
	"fmt"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/server/fault"
	"hoplite/server/live/game"
)

// Analysable refuses games that a chess program cannot look at.
func Analysable(r *rules.Rules) error {
	switch {
	case r.Sides() != 2:
		return fault.Invalid("Games of more than two cannot be analysed")
	case r.Hides():
		return fault.Invalid("Games in which players do not know everything cannot be analysed")
	}
	return nil
}

// A Line is where somebody's analysis stands: a position to begin with, the
// game's usual start if fen is empty, and moves from there.
type Line struct {
	Game  *rules.Game
	Moves []string // in the form in which this server writes them
}

// ReadLine plays moves from a position. The error names what is wrong, the FEN
// or one of the moves, by the fields of the form that has them.
func ReadLine(r *rules.Rules, fen string, moves []string, fenField, movesField string) (Line, error) {
	start, err := r.Start(r.UsualStart())
	if fen != "" {
		start, err = notation.ParseFEN(r, fen)
	}
	if err != nil {
		return Line{}, fault.Field(fenField, err.Error())
	}
	if len(moves) > game.MaxPlies {
		return Line{}, fault.Field(movesField, fmt.Sprintf("are more than %d", game.MaxPlies))
	}
	l := Line{Game: rules.NewGame(start)}
	for i, text := range moves {
		m, err := notation.ParseMove(l.Game.Position(), text)
		if err == nil {
			l.Moves = append(l.Moves, notation.FormatMoveDistinct(l.Game.Position(), m))
			err = l.Game.Play(m)
		}
		if err != nil {
			return Line{}, fault.Field(movesField, fmt.Sprintf("move %d: %v", i+1, err))
		}
	}
	if _, over := l.Game.Outcome(); over {
		return Line{}, fault.Invalid("The game is over in this position")
	}
	return l, nil
}
