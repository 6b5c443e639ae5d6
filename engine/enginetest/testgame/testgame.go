// Package testgame holds games that only tests play. They stand in for kinds of game that the catalogue does not have
// yet, so that nothing is built which could not hold them.
package testgame

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

const up, down board.Heading = 0, 2

// Dark is fog of sight on a small board, from a start that a seed decides: kings are captured, and nobody sees more
// than his men do.
func Dark() *rules.Definition {
	return &rules.Definition{
		Key: "darkTest", Name: "Dark test", UCIName: "darktest", PGNName: "Dark test", Category: "Tests", Players: 2,
		Board: rules.BoardRule{Shape: board.Rect, Files: 5, Ranks: 6},
		Sides: []rules.SideDef{
			{Name: "White", Letter: "w", Heading: up, Army: "KRBNP"},
			{Name: "Black", Letter: "b", Heading: down, Army: "KRBNP"},
		},
		Start: rules.StartRule{FEN: "rnbkr/ppppp/5/5/PPPPP/RNBKR w - - 0 1", Chance: rules.ChanceRows},
		Pieces: []rules.PieceDef{
			{Letter: "K", Name: "King", Betza: "K", Royal: true},
			{Letter: "R", Name: "Rook", Betza: "R", Value: 5},
			{Letter: "B", Name: "Bishop", Betza: "B", Value: 3},
			{Letter: "N", Name: "Knight", Betza: "N", Value: 3},
			{Letter: "P", Name: "Pawn", Betza: "fmWfcF", Value: 1, Pawn: true, Promotion: &rules.PromotionRule{To: "R"}},
		},
		Royal: rules.RoyalCapture,
		Ends:  []rules.EndRule{{Kind: rules.EndRoyal}, {Kind: rules.EndNoMove}, {Kind: rules.EndClock, Plies: 60}},
		View:  rules.ViewSight,
	}
}
