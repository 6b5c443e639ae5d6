package variant

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Raumschach is Maack's chess in a cube. The numbers in comments are paragraphs of raumschach.md.
func Raumschach() *rules.Definition {
	return &rules.Definition{
		Key:        "raumschach",
		Name:       "Raumschach 3D",
		UCIName:    "raumschach",
		PGNName:    "Raumschach 3D",
		PGNAliases: []string{"Raumschach"},
		Category:   "Chess and variants",
		Players:    2,
		Text:       sheet("raumschach"),

		Board: rules.BoardRule{Shape: board.Cube},
		Sides: twoSides("KQRBUNP"),
		Start: rules.StartRule{
			FEN: "rnknr/ppppp/5/5/5|ubqub/ppppp/5/5/5|5/5/5/5/5|5/5/5/PPPPP/BUQBU|5/5/5/PPPPP/RNKNR w - - 0 1"},
		Pieces: []rules.PieceDef{
			king(),
			{Letter: "Q", Name: "Queen", Betza: "Q", Value: 12},
			rook(),
			{Letter: "B", Name: "Bishop", Betza: "B", Value: 4},
			{Letter: "U", Name: "Unicorn", Betza: "UU", Value: 2.5},
			{Letter: "N", Name: "Knight", Betza: "N", Value: 4},
			// Steps ahead or towards the enemy's level, captures one of them with a step sideways or both at once (4, 5).
			{Letter: "P", Name: "Pawn", Betza: "m(0,1,0)(0,0,1)c(-1,1,0)(1,1,0)(-1,0,1)(1,0,1)(0,1,1)", Value: 1, Pawn: true,
				Promotion: &rules.PromotionRule{To: "QRBUN"}, Barred: []int{promoted}},
		},

		Royal: rules.RoyalOne,
		Ends: []rules.EndRule{checkmate(), stalemateDraws(), material(rules.MaterialRule{Single: "RBUN"}), // 9
			fiftyMoves()},
		Repeat: drawnAtThree(), // 10
	}
}
