package view

import "hoplite/engine/rules"

// Verdict says in a sentence how a game ended.
func Verdict(r *rules.Rules, o rules.Outcome) string {
	how := reasons[o.Reason]
	if how == "" {
		how = "The game is over"
	}
	if o.Winner == rules.NoWinner {
		return how + ": a draw."
	}
	return how + ": " + r.Definition().Sides[o.Winner].Name + " win" + plural(r.Definition().Sides[o.Winner].Name) + "."
}

// plural returns the ending of the verb for a side: sides are called by a colour or by their people.
func plural(name string) string {
	if name[len(name)-1] == 's' {
		return ""
	}
	return "s"
}

var reasons = map[rules.Reason]string{
	rules.Mate:          "Checkmate",
	rules.NoMove:        "No move left",
	rules.Material:      "Nobody can win with what is left",
	rules.Clock:         "Too long without progress",
	rules.Repetition:    "The same position once too often",
	rules.Resign:        "Resigned",
	rules.Flag:          "Time is up",
	rules.Agreed:        "Agreed",
	rules.Aborted:       "Aborted",
	rules.BareKing:      "A bare king",
	rules.Claimed:       "Claimed",
	rules.PerpetualLoss: "Perpetual check or chase",
	rules.PointsDecide:  "The points decide",
	rules.KingCaptured:  "The king is taken",
	rules.KingExploded:  "The king has exploded",
	rules.Checks:        "The last check",
	rules.LastAlive:     "The last army standing",
	rules.Goal:          "The goal is reached",
	rules.Extinct:       "No man left",
	rules.Counting:      "The count has run out",
}
