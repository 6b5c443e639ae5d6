package variant

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Byzantine is round chess, shatranj on a ring. The numbers in comments are paragraphs of byzantine.md.
func Byzantine() *rules.Definition {
	const army = "KRNEFPA"
	return &rules.Definition{
		Key:      "byzantine",
		Name:     "Byzantine chess",
		UCIName:  "byzantine",
		PGNName:  "Byzantine chess",
		Category: "The chess family",
		Players:  2,
		Text:     sheet("byzantine"),

		Board: rules.BoardRule{Shape: board.Ring, Files: 16, Ranks: 4},
		// Both sides look the same way: their pawns go round in either direction.
		Sides: []rules.SideDef{
			{Name: "White", Letter: "w", Heading: up, Army: army},
			{Name: "Black", Letter: "b", Heading: up, Army: army},
		},
		Start: rules.StartRule{FEN: "2AFKP4akfp2/2AEEP4aeep2/2ANNP4annp2/2ARRP4arrp2 w - - 0 1"},
		Pieces: []rules.PieceDef{
			{Letter: "K", Name: "Shah", Betza: "K", Royal: true},
			{Letter: "R", Name: "Rook", Betza: "R", Value: 6.5},
			{Letter: "N", Name: "Knight", Betza: "N", Value: 3},
			{Letter: "E", Name: "Elephant", Betza: "A", Value: 1},
			{Letter: "F", Name: "Ferz", Betza: "F", Value: 1.5},
			// Neither is a pawn in the sense of counters and notation: they are never done, and their letters tell them apart.
			{Letter: "P", Name: "Clockwise pawn", Betza: "mrWcrF", Value: 0.8},
			{Letter: "A", Name: "Anticlockwise pawn", Betza: "mlWclF", Value: 0.8},
		},

		Royal:  rules.RoyalOne,
		Facing: "PA", // 5
		Ends: []rules.EndRule{material(rules.MaterialRule{}), {Kind: rules.EndBare, Bare: rules.BareCounter}, checkmate(),
			stalemateLoses(), fiftyMoves()},
		Repeat:   drawnAtThree(),
		FlagFall: rules.FlagRule{Loses: true},
	}
}
