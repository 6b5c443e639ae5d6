package variant

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Spartan28 is Spartan Chess 28, a game on four files and seven ranks that has nothing to do with Spartan chess.
func Spartan28() *rules.Definition {
	sergeant := rules.PieceDef{Letter: "P", Name: "Pawn", Betza: "fK", Value: 2, Pawn: true,
		Promotion: &rules.PromotionRule{To: "RN"}, Barred: []int{promoted}}
	return &rules.Definition{
		Key:        "spartan28",
		Name:       "Spartan Chess 28",
		UCIName:    "spartan28",
		PGNName:    "Spartan Chess 28",
		PGNAliases: []string{"Spartan28"},
		Category:   "Chess and variants",
		Players:    2,
		Text:       sheet("spartan28"),

		Board: rules.BoardRule{Shape: board.Rect, Files: 4, Ranks: 7},
		Sides: []rules.SideDef{
			{Name: "Gold", Letter: "w", Heading: up, Army: "KRNP"},
			{Name: "Red", Letter: "b", Heading: down, Army: "KRNP"},
		},
		// The set of men is known, their order is our choice.
		Start:  rules.StartRule{FEN: "nrkn/pppp/4/4/4/PPPP/NRKN w - - 0 1"},
		Pieces: []rules.PieceDef{king(), rook(), knight(), sergeant},

		Royal: rules.RoyalOne,
		Ends: []rules.EndRule{checkmate(), stalemateLoses(), material(rules.MaterialRule{}),
			{Kind: rules.EndClock, Plies: 20}},
		Repeat: drawnAtThree(),
	}
}
