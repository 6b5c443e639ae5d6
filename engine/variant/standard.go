package variant

import "hoplite/engine/rules"

// Standard is orthodox chess, the base of most other games.
func Standard() *rules.Definition {
	return &rules.Definition{
		Key:        "standard",
		Name:       "Chess",
		UCIName:    "chess",
		Programs:   rules.ProgramNames{XBoard: "normal", Drawn: true},
		PGNName:    "Standard",
		PGNAliases: []string{"Normal", "From Position"},
		Category:   "Chess and variants",
		Players:    2,
		Lichess: &rules.LichessInfo{ID: 1, Short: "Std", BySpeed: true,
			// King and rooks may start castling from any files then.
			FromPosition: &rules.PositionAlias{Key: "fromPosition", Name: "From Position", Short: "FEN", Rules: "chess960"}},
		Text: sheet("standard"),

		Board:  square8(),
		Sides:  twoSides("KQRBNP"),
		Start:  rules.StartRule{FEN: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
		Pieces: []rules.PieceDef{king(), queen(), rook(), bishop(), knight(), pawn("QRBN")},

		Royal:     rules.RoyalOne,
		Castling:  &rules.CastlingRule{Wings: append(wings(0, "1"), wings(1, "8")...)},
		EnPassant: rules.EnPassantOne,

		Ends:   []rules.EndRule{checkmate(), stalemateDraws(), material(orthodoxMaterial()), fiftyMoves()},
		Repeat: claimAtThree(),
		// A lone knight needs a man of the other side that blocks its king's way out, and so do bishops of one colour.
		FlagFall: rules.FlagRule{Lone: "N", LoneAgainst: "Q", OneColour: "B", Helpers: "NP"},
	}
}
