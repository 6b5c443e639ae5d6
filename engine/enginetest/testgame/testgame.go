// Package testgame holds games that only tests play. They stand in for kinds of game that the catalogue does not have
// yet, so that nothing is built which could not hold them.
package testgame

import (
	"strings"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

const up, down, right, left board.Heading = 0, 2, 1, 3

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

// Four is four armies on a small cross, each against all: kings are captured, captures score, and who cannot move or has
// lost his king is out.
func Four() *rules.Definition {
	const army = "KRN"
	return &rules.Definition{
		Key: "fourTest", Name: "Four test", UCIName: "fourtest", PGNName: "Four test", Category: "Tests", Players: 4,
		Board: rules.BoardRule{Shape: board.Mask, Files: 7, Ranks: 7, Missing: strings.Fields(
			"a1 b1 f1 g1 a2 b2 f2 g2 a6 b6 f6 g6 a7 b7 f7 g7")},
		Sides: []rules.SideDef{
			{Name: "Red", Letter: "r", Heading: up, Army: army}, {Name: "Blue", Letter: "b", Heading: right, Army: army},
			{Name: "Yellow", Letter: "y", Heading: down, Army: army}, {Name: "Green", Letter: "g", Heading: left, Army: army},
		},
		Start: rules.StartRule{FEN: "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-" +
			"x,x,yR,yK,yN,x,x/x,x,3,x,x/bN,5,gR/bK,5,gK/bR,5,gN/x,x,3,x,x/x,x,rN,rK,rR,x,x"},
		Pieces: []rules.PieceDef{
			{Letter: "K", Name: "King", Betza: "K", Royal: true},
			{Letter: "R", Name: "Rook", Betza: "R", Value: 5},
			{Letter: "N", Name: "Knight", Betza: "N", Value: 3},
		},
		Royal: rules.RoyalCapture,
		Seats: &rules.SeatsRule{Points: map[string]int{"K": 3, "R": 5, "N": 3}},
		Ends:  []rules.EndRule{{Kind: rules.EndLast}, {Kind: rules.EndClock, Plies: 80}},
	}
}
