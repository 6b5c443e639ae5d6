package variant

import "hoplite/engine/rules"

// Horde is 36 white pawns against the black army.
func Horde() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "horde", "Horde", "horde", "Horde"
	d.Programs = rules.ProgramNames{}
	d.PGNAliases = []string{"Horde chess"}
	d.Lichess = &rules.LichessInfo{ID: 8, Short: "Horde"}
	d.Text = sheet("horde")
	d.Sides[0].Army = "QRBNP" // 1: White has no king
	d.Start.FEN = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"
	p := pawn("QRBN")
	p.InitialCells = []string{"a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2", "a7 b7 c7 d7 e7 f7 g7 h7"} // 2
	p.Unpassed = []int{home}                                                                                // 3
	p.Barred, p.BarredCells = []int{promoted}, []string{"", "a8 b8 c8 d8 e8 f8 g8 h8"}
	d.Pieces = []rules.PieceDef{king(), queen(), rook(), bishop(), knight(), p}
	d.Castling.Wings = wings(1, "8") // 4
	d.Ends = []rules.EndRule{{Kind: rules.EndExtinct, Lost: true}, checkmate(), stalemateDraws(), fiftyMoves()}
	// Against the bare king a single man cannot mate, nor can two knights or bishops. Black can always win (10).
	d.FlagFall = rules.FlagRule{Unable: &rules.UnableRule{Single: "QRBNP", Pair: "BN"}}
	return d
}
