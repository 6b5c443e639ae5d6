package variant

import "hoplite/engine/rules"

// Ultima is Robert Abbott's game in which each kind of man captures in its own way. The numbers are paragraphs of
// ultima.md.
func Ultima() *rules.Definition {
	return &rules.Definition{
		Key:        "ultima",
		Name:       "Ultima",
		UCIName:    "ultima",
		PGNName:    "Ultima",
		PGNAliases: []string{"Baroque chess", "Baroque"},
		Category:   "Chess and variants",
		Players:    2,
		Text:       sheet("ultima"),

		Board: square8(),
		Sides: twoSides("KPQRNBM"),
		Start: rules.StartRule{FEN: "rnbkqbnm/pppppppp/8/8/8/8/PPPPPPPP/MNBQKBNR w - - 0 1"},
		Pieces: []rules.PieceDef{
			king(),
			{Letter: "M", Name: "Immobilizer", Betza: "mQ", Value: 8},
			{Letter: "N", Name: "Long leaper", Betza: "mQ", Value: 7},
			{Letter: "R", Name: "Coordinator", Betza: "mQ", Value: 6},
			{Letter: "B", Name: "Chameleon", Betza: "mQ", Value: 5},
			{Letter: "Q", Name: "Withdrawer", Betza: "mQ", Value: 3},
			// Its moves do not start the counter again (14), and texts give it its letter.
			{Letter: "P", Name: "Pincer pawn", Betza: "mR", Value: 1},
		},
		Royal: rules.RoyalOne,
		Passive: &rules.PassiveRule{Custody: "P", Withdrawal: "Q", Coordination: "R", Leaping: "N", Mimicry: "B", // 2 to 6
			Freezing: "M", Removal: true}, // 7, 8
		Ends: []rules.EndRule{checkmate(), stalemateDraws(), material(rules.MaterialRule{}),
			{Kind: rules.EndClock, Plies: 100, CapturesOnly: true}}, // 12 to 14
		Repeat: drawnAtThree(),
	}
}
