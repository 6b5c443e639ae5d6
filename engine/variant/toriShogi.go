package variant

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// ToriShogi is shogi of birds on 7×7 cells. The numbers in comments are paragraphs of toriShogi.md.
func ToriShogi() *rules.Definition {
	zone := rules.PromotionRule{Rows: []int{lastButOne, last}, Leaving: true} // 2
	return &rules.Definition{
		Key:        "toriShogi",
		Name:       "Tori shogi",
		UCIName:    "torishogi",
		Programs:   rules.ProgramNames{XBoard: "tori"},
		PGNName:    "Tori shogi",
		PGNAliases: []string{"Torishogi"},
		Category:   "The chess family",
		Players:    2,
		Text:       sheet("toriShogi"),

		Board: rules.BoardRule{Shape: board.Rect, Files: 7, Ranks: 7},
		Sides: senteGote("KF+FCPLRS+S"),
		Start: rules.StartRule{FEN: "rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR[] w - - 0 1"},
		Pieces: []rules.PieceDef{
			{Letter: "K", Kanji: "鵬", Name: "Phoenix", Betza: "K", Royal: true},
			promotable(rules.PieceDef{Letter: "F", Kanji: "鷹", Name: "Falcon", Betza: "FsfW", Value: 6}, zone),
			{Letter: "+F", Kanji: "鵰", Name: "Eagle", Betza: "KbRfBbF2", Value: 9},
			{Letter: "C", Kanji: "鶴", Name: "Crane", Betza: "FvW", Value: 5},
			{Letter: "P", Kanji: "雉", Name: "Pheasant", Betza: "bFfD", Value: 3},
			{Letter: "L", Kanji: "左", Name: "Left quail", Betza: "fRrbBlbF", Value: 5.5},
			{Letter: "R", Kanji: "右", Name: "Right quail", Betza: "fRlbBrbF", Value: 5.5},
			promotable(rules.PieceDef{Letter: "S", Kanji: "燕", Name: "Swallow", Betza: "fW", Value: 1, Barred: []int{last}}, zone),
			{Letter: "+S", Kanji: "鴈 雁", Name: "Goose", Betza: "fAbD", Value: 2},
		},

		Royal: rules.RoyalOne,
		Hand: &rules.HandRule{Types: "FCPLRS", Captures: true, Demoted: demotions("+F +S"), // 3
			Drops: []rules.DropRule{{Types: "S", Barred: []int{last}, PerFile: 2, NoMate: true}}}, // 4, 5

		Ends:     lostWithoutMove(),
		Repeat:   rules.RepeatRule{Draw: 3, Perpetual: rules.PerpetualCheck, Loser: rules.RepeatMover},
		FlagFall: rules.FlagRule{Loses: true},
		Notation: rules.NotationRule{Shogi: true},
		Look:     rules.Look{Native: rules.NativeShogi, Plain: true},
	}
}
