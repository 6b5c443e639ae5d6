package variant

import (
	"strconv"
	"strings"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Xiangqi is Chinese chess. The numbers in comments are paragraphs of xiangqi.md.
func Xiangqi() *rules.Definition {
	return &rules.Definition{
		Key:        "xiangqi",
		Name:       "Xiangqi",
		UCIName:    "xiangqi",
		Programs:   rules.ProgramNames{Drawn: true},
		PGNName:    "Xiangqi",
		PGNAliases: []string{"Chinese chess"},
		Category:   "The chess family",
		Players:    2,
		Text:       sheet("xiangqi"),

		Board: rules.BoardRule{Shape: board.Rect, Files: 9, Ranks: 10},
		Regions: []rules.Region{
			{Name: "palace", Cells: []string{redPalace, blackPalace}},
			{Name: "bank", Cells: []string{cells("abcdefghi", 1, 5), cells("abcdefghi", 6, 10)}},
			{Name: "beyond the river", Cells: []string{cells("abcdefghi", 6, 10), cells("abcdefghi", 1, 5)}},
		},
		Sides: []rules.SideDef{
			{Name: "Red", Letter: "w", Also: "r", Heading: up, Army: "KABNRCP"},
			{Name: "Black", Letter: "b", Heading: down, Army: "KABNRCP"},
		},
		Start: rules.StartRule{FEN: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"},
		Pieces: []rules.PieceDef{
			{Letter: "K", Name: "General", Betza: "W", Royal: true, Within: "palace"},           // 2
			{Letter: "A", Name: "Advisor", Betza: "F", Value: 2, Within: "palace"},              // 2
			{Letter: "B", Also: "E", Name: "Elephant", Betza: "nA", Value: 2.5, Within: "bank"}, // 3
			{Letter: "N", Also: "H", Name: "Horse", Betza: "nN", Value: 4},                      // 4
			{Letter: "R", Name: "Chariot", Betza: "R", Value: 9},                                // 5
			{Letter: "C", Name: "Cannon", Betza: "mRcpR", Value: 4.5},                           // 6
			{Letter: "P", Name: "Soldier", Betza: "fW", Value: 1.5, Pawn: true, // 7
				Powers: []rules.Power{{Region: "beyond the river", Betza: "sW"}}},
		},

		Royal: rules.RoyalFacing, // 8
		Ends: []rules.EndRule{checkmate(), stalemateLoses(),
			{Kind: rules.EndClock, Plies: 100, CapturesOnly: true, SpareChecks: 10}}, // 16
		Repeat: rules.RepeatRule{Draw: 3, Perpetual: rules.PerpetualChase,
			Chase: rules.ChaseRule{Idle: "KP", Safe: "K", SafeIn: map[string]string{"P": "bank"}, Sliders: "RC",
				Greater: map[string]string{"N": "R", "C": "R", "A": "RCN", "B": "RCN"}}}, // 12 to 15
		FlagFall: rules.FlagRule{Loses: true}, // 17
		Notation: rules.NotationRule{Native: rules.NativeWXF},
		Look: rules.Look{Native: rules.NativeXiangqi, Points: true, River: 5, Zones: []rules.LookZone{
			{Name: "palace", Cells: redPalace + " " + blackPalace}}},
	}
}

// The palaces of boards of nine files and ten ranks.
const (
	redPalace   = "d1 e1 f1 d2 e2 f2 d3 e3 f3"
	blackPalace = "d8 e8 f8 d9 e9 f9 d10 e10 f10"
)

// cells names the cells of some files from one rank to another.
func cells(files string, from, to int) string {
	var names []string
	for rank := from; rank <= to; rank++ {
		for _, file := range files {
			names = append(names, string(file)+strconv.Itoa(rank))
		}
	}
	return strings.Join(names, " ")
}
