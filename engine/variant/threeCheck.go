package variant

import "hoplite/engine/rules"

// ThreeCheck is chess in which the third check wins.
func ThreeCheck() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "threeCheck", "Three-check", "3check", "Three-check"
	d.Programs = rules.ProgramNames{Drawn: true}
	d.PGNAliases = []string{"3check"}
	d.Lichess = &rules.LichessInfo{ID: 5, Short: "3check"}
	d.Text = sheet("threeCheck")
	d.Start.FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1"
	// A knight or bishop can still give checks (5).
	d.Ends = []rules.EndRule{{Kind: rules.EndChecks, Checks: 3}, checkmate(), stalemateDraws(), material(rules.MaterialRule{}),
		fiftyMoves()}
	d.FlagFall = rules.FlagRule{}
	return d
}
