package variant

import "hoplite/engine/rules"

// KingOfTheHill is chess in which a king on one of the four middle squares wins.
func KingOfTheHill() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "kingOfTheHill", "King of the Hill", "kingofthehill", "King of the Hill"
	d.Programs = rules.ProgramNames{XBoard: "king-of-the-hill"}
	d.PGNAliases = []string{"KOTH"}
	d.Lichess = &rules.LichessInfo{ID: 4, Short: "KotH"}
	d.Text = sheet("kingOfTheHill")
	hill := "d4 e4 d5 e5"
	d.Ends = []rules.EndRule{
		{Kind: rules.EndGoal, Goal: rules.GoalRule{Kind: rules.GoalReach, Cells: hill, Men: "K"}}, // 1
		checkmate(), stalemateDraws(), fiftyMoves()}
	d.FlagFall = rules.FlagRule{Loses: true}
	d.Look.Zones = []rules.LookZone{{Name: "hill", Cells: hill}}
	return d
}
