package variant

import "hoplite/engine/rules"

// Sittuyin is Burmese chess: the armies are set up by drops, and pawns promote by moves of their own. The numbers are those
// of its rules.
func Sittuyin() *rules.Definition {
	ne := stepPawn("")
	ne.Name, ne.Promotion, ne.Barred = "Ne", nil, nil
	white, black := "a8 b7 c6 d5 e5 f6 g7 h8", "a1 b2 c3 d4 e4 f3 g2 h1"
	return &rules.Definition{
		Key:      "sittuyin",
		Name:     "Sittuyin",
		UCIName:  "sittuyin",
		PGNName:  "Sittuyin",
		Category: "The chess family",
		Players:  2,
		Text:     sheet("sittuyin"),

		Board: square8(),
		Sides: twoSides("KFRSNP"),
		Start: rules.StartRule{FEN: "8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[KFRRSSNNkfrrssnn] w - - 0 1"},
		Pieces: []rules.PieceDef{
			{Letter: "K", Name: "Min-gyi", Betza: "K", Royal: true},
			{Letter: "F", Name: "Sit-ke", Betza: "F", Value: 1.8},
			{Letter: "R", Name: "Yahhta", Betza: "R", Value: 5},
			{Letter: "S", Name: "Sin", Betza: "FfW", Value: 2.5},
			{Letter: "N", Name: "Myin", Betza: "N", Value: 3},
			ne,
		},

		Royal: rules.RoyalOne,
		Hand: &rules.HandRule{Types: "KFRSN", SetUp: true, // 2
			Drops: []rules.DropRule{{Types: "KFSN", Rows: []int{0, 1, 2}}, {Types: "R", Rows: []int{home}}}},
		SelfPromotion: &rules.SelfPromotionRule{Man: "P", To: "F", Cells: []string{white, black}}, // 5
		Count: &rules.CountRule{Lone: &rules.LoneCount{Stronger: true, // 11
			Limits: []rules.CountLimit{{Man: "R", Least: 1, Moves: 16}, {Man: "S", Least: 1, Moves: 44},
				{Man: "N", Least: 1, Moves: 64}}}},
		Ends: []rules.EndRule{checkmate(), stalemateDraws(), material(rules.MaterialRule{Single: "F"}),
			{Kind: rules.EndCounting}, fiftyMoves()},
		Repeat: drawnAtThree(),
		Look:   rules.Look{Zones: []rules.LookZone{{Name: "promotion", Cells: white + " " + black}}},
	}
}
