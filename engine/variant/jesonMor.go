package variant

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// JesonMor is the game of nine horses a side on nine files: hold the middle square for a move.
func JesonMor() *rules.Definition {
	n := knight()
	n.Value = 1
	return &rules.Definition{
		Key:        "jesonMor",
		Name:       "Jeson Mor",
		UCIName:    "jesonmor",
		PGNName:    "Jeson Mor",
		PGNAliases: []string{"Nine horses"},
		Category:   "Chess and variants",
		Players:    2,
		Text:       sheet("jesonMor"),

		Board:  rules.BoardRule{Shape: board.Rect, Files: 9, Ranks: 9},
		Sides:  twoSides("N"),
		Start:  rules.StartRule{FEN: "nnnnnnnnn/9/9/9/9/9/9/9/NNNNNNNNN w - - 0 1"},
		Pieces: []rules.PieceDef{n},

		Royal: rules.RoyalNone,
		Ends: []rules.EndRule{
			{Kind: rules.EndExtinct, Lost: true},
			{Kind: rules.EndGoal, Goal: rules.GoalRule{Kind: rules.GoalHold, Cells: "e5", Men: "N"}},
			stalemateLoses(),
			fiftyMoves(),
		},
		Repeat:   drawnAtThree(),
		FlagFall: rules.FlagRule{Loses: true},
		Look:     rules.Look{Zones: []rules.LookZone{{Name: "hill", Cells: "e5"}}},
	}
}
