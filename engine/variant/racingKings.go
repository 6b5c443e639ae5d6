package variant

import "hoplite/engine/rules"

// RacingKings is the race of the kings to the eighth rank, in which nobody may give check.
func RacingKings() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "racingKings", "Racing Kings", "racingkings", "Racing Kings"
	d.Programs = rules.ProgramNames{}
	d.PGNAliases = nil
	d.Lichess = &rules.LichessInfo{ID: 9, Short: "Racing"}
	d.Text = sheet("racingKings")
	d.Sides = twoSides("KQRBN")
	d.Start.FEN = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"
	d.Pieces = []rules.PieceDef{king(), queen(), rook(), bishop(), knight()}
	d.Castling = nil
	d.EnPassant = rules.EnPassantNone
	d.Filters = []rules.Filter{rules.NoCheck} // 2
	goal := "a8 b8 c8 d8 e8 f8 g8 h8"
	d.Ends = []rules.EndRule{
		{Kind: rules.EndGoal, Goal: rules.GoalRule{Kind: rules.GoalRace, Cells: goal, Men: "K"}},
		checkmate(), stalemateDraws(), fiftyMoves()}
	d.FlagFall = rules.FlagRule{Loses: true}
	d.Look.Zones = []rules.LookZone{{Name: "goal", Cells: goal}}
	return d
}
