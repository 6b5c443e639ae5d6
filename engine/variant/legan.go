package variant

import "hoplite/engine/rules"

// Legan is Legan chess: the armies stand in opposite corners and the pawns slant towards the far one.
func Legan() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "legan", "Legan chess", "legan", "Legan chess"
	d.Programs = rules.ProgramNames{}
	d.PGNAliases = []string{"Legan", "Legan's game"}
	d.Lichess = nil
	d.Text = sheet("legan")
	d.Start.FEN = "knbrp3/bqpp4/npp5/rp1p3P/p3P1PR/5PPN/4PPQB/3PRBNK w - - 0 1"
	d.Pieces = []rules.PieceDef{king(), queen(), rook(), bishop(), knight(),
		{Letter: "P", Name: "Pawn", Betza: "mflFcflW", Value: 1, Pawn: true, // 2, 3
			Promotion: &rules.PromotionRule{To: "QRBN", Cells: []string{"a5 a6 a7 a8 b8 c8 d8", "e1 f1 g1 h1 h2 h3 h4"}}}, // 4
	}
	d.Castling = nil                  // 6
	d.EnPassant = rules.EnPassantNone // 6
	d.Repeat = drawnAtThree()
	d.FlagFall = rules.FlagRule{}
	return d
}
