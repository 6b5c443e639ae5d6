package variant

import "hoplite/engine/rules"

// Makruk is Thai chess, with its two ways of counting. The numbers are those of its rules.
func Makruk() *rules.Definition {
	bia := stepPawn("M")
	bia.Name, bia.Value = "Bia", 0.9
	bia.Promotion.Rows = []int{5, 6, 7} // 4
	return &rules.Definition{
		Key:      "makruk",
		Name:     "Makruk",
		UCIName:  "makruk",
		Programs: rules.ProgramNames{Drawn: true},
		PGNName:  "Makruk",
		Category: "The chess family",
		Players:  2,
		Text:     sheet("makruk"),

		Board: square8(),
		Sides: twoSides("KRNSMP"),
		// Each king stands left of the middle, opposite the other side's met.
		Start: rules.StartRule{FEN: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"},
		Pieces: []rules.PieceDef{
			{Letter: "K", Name: "Khun", Betza: "K", Royal: true},
			{Letter: "R", Name: "Ruea", Betza: "R", Value: 5},
			{Letter: "N", Name: "Ma", Betza: "N", Value: 3},
			{Letter: "S", Name: "Khon", Betza: "FfW", Value: 2.5},
			{Letter: "M", Name: "Met", Betza: "F", Value: 1.7},
			bia,
		},

		Royal: rules.RoyalOne,
		Count: &rules.CountRule{Exceeds: true,
			Declared: &rules.DeclaredCount{Letter: "B", Limit: 64},                         // 8
			Lone:     &rules.LoneCount{Letter: "P", FromMen: true, Limits: piecesHonour()}, // 9
		},
		Ends:   []rules.EndRule{checkmate(), stalemateDraws(), material(rules.MaterialRule{}), {Kind: rules.EndCounting}},
		Repeat: drawnAtThree(),
		Look:   rules.Look{Plain: true},
	}
}

// piecesHonour are the limits of the count against a lone king by what the other side has.
func piecesHonour() []rules.CountLimit {
	return []rules.CountLimit{
		{Man: "R", Least: 2, Moves: 8},
		{Man: "R", Least: 1, Moves: 16},
		{Man: "S", Least: 2, Moves: 22},
		{Man: "N", Least: 2, Moves: 32},
		{Man: "S", Least: 1, Moves: 44},
		{Moves: 64},
	}
}
