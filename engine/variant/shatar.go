package variant

import "hoplite/engine/rules"

// Shatar is Mongolian chess, in which a mate needs a shak. The numbers are those of its rules.
func Shatar() *rules.Definition {
	huu := stepPawn("J")
	huu.Barred = []int{promoted} // nothing is said of the own first rank
	return &rules.Definition{
		Key:      "shatar",
		Name:     "Shatar",
		UCIName:  "shatar",
		PGNName:  "Shatar",
		Category: "The chess family",
		Players:  2,
		Text:     sheet("shatar"),

		Board: square8(),
		Sides: twoSides("KJRNBP"),
		// After the compulsory first moves of the d-pawns.
		Start: rules.StartRule{FEN: "rnbjkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBJKBNR w - - 0 1"},
		Pieces: []rules.PieceDef{
			king(),
			{Letter: "J", Name: "Bers", Betza: "RF", Value: 7},
			rook(),
			knight(),
			bishop(),
			huu,
		},

		Royal:       rules.RoyalOne,
		NoMateBy:    "N",                                // 7
		CheckSeries: &rules.CheckSeriesRule{Men: "JRN"}, // 5
		Ends: []rules.EndRule{{Kind: rules.EndBare, Bare: rules.BareDraws}, checkmate(), stalemateDraws(),
			fiftyMoves()},
		Repeat:   drawnAtThree(),
		FlagFall: rules.FlagRule{Loses: true},
	}
}
