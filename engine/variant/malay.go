package variant

import "hoplite/engine/rules"

// Malay is Malay chess, with a raja that leaps and pawns that walk back. The numbers are those of its rules.
func Malay() *rules.Definition {
	bidak := pawn("")
	bidak.Name, bidak.Promotion = "Bidak", nil
	d := &rules.Definition{
		Key:        "malay",
		Name:       "Malay chess",
		UCIName:    "malay",
		PGNName:    "Malay chess",
		PGNAliases: []string{"Main Chator"},
		Category:   "The chess family",
		Players:    2,
		Text:       sheet("malay"),

		Board: square8(),
		Sides: twoSides("KQRBNP+P+P'+P''+P'''"),
		// Each raja faces the other side's mantri.
		Start: rules.StartRule{FEN: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w d1e8 - 0 1"},
		Pieces: []rules.PieceDef{
			{Letter: "K", Name: "Raja", Betza: "K", Royal: true},
			{Letter: "Q", Name: "Mantri", Betza: "Q", Value: 9.5},
			{Letter: "R", Name: "Tir", Betza: "R", Value: 5},
			{Letter: "B", Name: "Gajah", Betza: "B", Value: 3.3},
			{Letter: "N", Name: "Kuda", Betza: "N", Value: 3.2},
			bidak,
		},

		Royal:     rules.RoyalOne,
		EnPassant: rules.EnPassantOne,
		Privilege: &rules.PrivilegeRule{Cells: true, Answering: true, // 4 and 5
			Leaps: []rules.LeapRule{{Man: "K", Betza: "NmsD", InCheck: true}}},
		Debt: &rules.DebtRule{Man: "P", Crowned: []string{"+P", "+P'", "+P''", "+P'''"},
			Files: []int{0, 1, 2, 3, 3, 2, 1, 0}, // 6 and 7
			To:    "QRBN", Stock: map[string]int{"Q": 1, "R": 2, "B": 2, "N": 2}},
		Count: &rules.CountRule{Lone: &rules.LoneCount{Stronger: true, Pawns: true,
			Limits: []rules.CountLimit{{Moves: 7}}}}, // 12
		Ends: []rules.EndRule{checkmate(), stalemateDraws(), material(rules.MaterialRule{Single: "BN"}),
			{Kind: rules.EndCounting}, fiftyMoves()},
		Repeat: drawnAtThree(),
	}
	for _, letter := range d.Debt.Crowned {
		d.Pieces = append(d.Pieces, rules.PieceDef{Letter: letter, Name: "Crowned pawn", Sign: "^", Betza: "mbF", Value: 4,
			Pawn: true})
	}
	return d
}
