package variant

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Janggi is Korean chess. The numbers in comments are paragraphs of janggi.md.
func Janggi() *rules.Definition {
	return &rules.Definition{
		Key:        "janggi",
		Name:       "Janggi",
		UCIName:    "janggi",
		PGNName:    "Janggi",
		PGNAliases: []string{"Korean chess"},
		Category:   "The chess family",
		Players:    2,
		Text:       sheet("janggi"),

		Board: rules.BoardRule{Shape: board.Rect, Files: 9, Ranks: 10, Lines: [][]string{
			{"d1", "e2", "f3"}, {"f1", "e2", "d3"}, {"d8", "e9", "f10"}, {"f8", "e9", "d10"}}},
		Regions: []rules.Region{
			{Name: "palace", Cells: []string{redPalace, blackPalace}},
			{Name: "enemy palace", Cells: []string{blackPalace, redPalace}},
		},
		Sides: []rules.SideDef{
			{Name: "Cho", Letter: "w", Heading: up, Army: "KABNRCP"},
			{Name: "Han", Letter: "b", Heading: down, Army: "KABNRCP"},
		},
		Start: rules.StartRule{
			FEN: "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1",
			Choice: &rules.ChoiceRule{ // 2
				Cells: []string{"b1 c1 g1 h1", "h10 g10 c10 b10"},
				Placements: []rules.Placement{{Name: "inner elephants", Men: "NBBN"}, {Name: "outer elephants", Men: "BNNB"},
					{Name: "left inner elephant", Men: "NBNB"}, {Name: "right inner elephant", Men: "BNBN"}},
			}},
		Pieces: []rules.PieceDef{
			{Letter: "K", Name: "General", Betza: "WX", Royal: true, Within: "palace"}, // 3
			{Letter: "A", Name: "Guard", Betza: "WX", Value: 3, Within: "palace"},      // 3
			{Letter: "B", Also: "E", Name: "Elephant", Betza: "nZ", Value: 3},          // 5
			{Letter: "N", Also: "H", Name: "Horse", Betza: "nN", Value: 5},             // 4
			{Letter: "R", Name: "Chariot", Betza: "RXX", Value: 13},                    // 6
			{Letter: "C", Name: "Cannon", Betza: "pRpXX", Value: 7, HopBars: "C"},      // 7
			{Letter: "P", Name: "Soldier", Betza: "fsW", Value: 2, Pawn: true, // 8
				Powers: []rules.Power{{Region: "enemy palace", Betza: "fX"}}},
		},

		Royal: rules.RoyalBikjang, // 9 to 11
		Ends: []rules.EndRule{{Kind: rules.EndPasses}, checkmate(),
			{Kind: rules.EndClock, Plies: 100, CapturesOnly: true, ByPoints: true}}, // 14
		Repeat: rules.RepeatRule{Draw: 3, Perpetual: rules.PerpetualCheck, Loser: rules.RepeatPoints}, // 13
		Points: &rules.PointsRule{Men: map[string]float64{"R": 13, "C": 7, "N": 5, "B": 3, "A": 3, "P": 2},
			Handicap: []float64{0, 1.5}}, // 15
		FlagFall: rules.FlagRule{Loses: true}, // 16
		Notation: rules.NotationRule{Native: rules.NativeKorean},
		Look: rules.Look{Native: rules.NativeJanggi, Points: true, Zones: []rules.LookZone{
			{Name: "palace", Cells: redPalace + " " + blackPalace}}},
	}
}
