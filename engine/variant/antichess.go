package variant

import "hoplite/engine/rules"

// Antichess is won by losing all men; captures are compulsory.
func Antichess() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "antichess", "Antichess", "antichess", "Antichess"
	d.Programs = rules.ProgramNames{XBoard: "giveaway", Drawn: true}
	d.PGNAliases = []string{"Losing chess"}
	d.Lichess = &rules.LichessInfo{ID: 6, Short: "Anti"}
	d.Text = sheet("antichess")
	d.Start.FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
	k := king()
	k.Royal, k.Value = false, 3 // 4
	d.Pieces = []rules.PieceDef{k, queen(), rook(), bishop(), knight(), pawn("QRBNK")}
	d.Royal = rules.RoyalNone
	d.Castling = nil                              // 3
	d.Filters = []rules.Filter{rules.MustCapture} // 1
	apart := &rules.UnableRule{Stranded: "B"}
	d.Ends = []rules.EndRule{{Kind: rules.EndExtinct, Won: true}, {Kind: rules.EndNoMove, Won: true},
		material(rules.MaterialRule{Unable: apart}), fiftyMoves()}
	d.FlagFall = rules.FlagRule{Unable: &rules.UnableRule{Stranded: "B", Duel: "N"}}
	d.Notation = rules.NotationRule{RightsIgnored: true, EndMarked: true}
	return d
}
