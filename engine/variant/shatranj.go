package variant

import "hoplite/engine/rules"

// Shatranj is the medieval game, with ferz and alfil and the bare king.
func Shatranj() *rules.Definition {
	return &rules.Definition{
		Key:      "shatranj",
		Name:     "Shatranj",
		UCIName:  "shatranj",
		Programs: rules.ProgramNames{Drawn: true},
		PGNName:  "Shatranj",
		Category: "The chess family",
		Players:  2,
		Text:     sheet("shatranj"),

		Board: square8(),
		Sides: twoSides("KQRBNP"),
		// The kings face each other on the d-file.
		Start: rules.StartRule{FEN: "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1"},
		Pieces: []rules.PieceDef{
			king(),
			{Letter: "Q", Name: "Ferz", Betza: "F", Value: 1.7},
			rook(),
			{Letter: "B", Name: "Alfil", Betza: "A", Value: 1.2},
			knight(),
			stepPawn("Q"),
		},

		Royal: rules.RoyalOne,
		Ends: []rules.EndRule{material(rules.MaterialRule{}), {Kind: rules.EndBare, Bare: rules.BareCounter}, checkmate(),
			stalemateLoses(), seventyMoves()},
		Repeat:   drawnAtThree(),
		FlagFall: rules.FlagRule{Loses: true},
	}
}
