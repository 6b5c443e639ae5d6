package variant

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Glinski is Gliński's hexagonal chess. The numbers in comments are paragraphs of glinski.md.
func Glinski() *rules.Definition {
	return &rules.Definition{
		Key:        "glinski",
		Name:       "Gliński's hexagonal chess",
		UCIName:    "glinski",
		PGNName:    "Glinski's hexagonal chess",
		PGNAliases: []string{"Gliński's hexagonal chess"},
		Category:   "Chess and variants",
		Players:    2,
		Text:       sheet("glinski"),

		Board:  rules.BoardRule{Shape: board.Hex91},
		Sides:  twoHexSides("KQRBNP"),
		Start:  rules.StartRule{FEN: "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - - 0 1"},
		Pieces: []rules.PieceDef{king(), queen(), hexRook(), hexBishop(), hexKnight(), glinskiPawn()},

		Royal:     rules.RoyalOne,
		EnPassant: rules.EnPassantOne, // 5
		Ends:      []rules.EndRule{checkmate(), stalemateDraws(), material(rules.MaterialRule{}), fiftyMoves()},
		Repeat:    drawnAtThree(), // 11
	}
}

// glinskiPawn captures through the sides of its cell (3). Its first step is open on every first cell of its side's
// pawns (4).
func glinskiPawn() rules.PieceDef {
	return rules.PieceDef{Letter: "P", Name: "Pawn", Betza: "fmWceflfrWifmnD", Value: 1, Pawn: true,
		InitialCells: []string{"b1 c2 d3 e4 f5 g4 h3 i2 k1", "b7 c7 d7 e7 f7 g7 h7 i7 k7"},
		Promotion:    &rules.PromotionRule{To: "QRBN"}, Barred: []int{promoted}}
}

// twoHexSides are White and Black on a board of hexagons.
func twoHexSides(army string) []rules.SideDef {
	const downHex = 3 // in sixth turns
	sides := twoSides(army)
	sides[1].Heading = downHex
	return sides
}

func hexRook() rules.PieceDef {
	return rules.PieceDef{Letter: "R", Name: "Rook", Betza: "R", Value: 6}
}

func hexBishop() rules.PieceDef {
	return rules.PieceDef{Letter: "B", Name: "Bishop", Betza: "B", Value: 3}
}

func hexKnight() rules.PieceDef {
	return rules.PieceDef{Letter: "N", Name: "Knight", Betza: "N", Value: 3.5}
}
