package variant

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Shogi is Japanese chess, in which captured men come back on the captor's side. The numbers in comments are paragraphs
// of shogi.md.
func Shogi() *rules.Definition {
	zone := func(must ...int) rules.PromotionRule { // 2
		return rules.PromotionRule{Rows: []int{lastButTwo, lastButOne, last}, Leaving: true, Declined: true, Must: must}
	}
	return &rules.Definition{
		Key:        "shogi",
		Name:       "Shogi",
		UCIName:    "shogi",
		Programs:   rules.ProgramNames{Drawn: true},
		PGNName:    "Shogi",
		PGNAliases: []string{"Japanese chess"},
		Category:   "The chess family",
		Players:    2,
		Text:       sheet("shogi"),

		Board: rules.BoardRule{Shape: board.Rect, Files: 9, Ranks: 9},
		Sides: senteGote("KR+RB+BGS+SN+NL+LP+P"),
		Start: rules.StartRule{FEN: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w - - 0 1"},
		Pieces: []rules.PieceDef{
			{Letter: "K", Kanji: "玉 王", Name: "King", Betza: "K", Royal: true},
			promotable(rules.PieceDef{Letter: "R", Kanji: "飛", Name: "Rook", Betza: "R", Value: 10}, zone()),
			{Letter: "+R", Kanji: "龍 竜", Name: "Dragon king", Betza: "RF", Value: 12},
			promotable(rules.PieceDef{Letter: "B", Kanji: "角", Name: "Bishop", Betza: "B", Value: 8}, zone()),
			{Letter: "+B", Kanji: "馬", Name: "Dragon horse", Betza: "BW", Value: 10},
			{Letter: "G", Kanji: "金", Name: "Gold", Betza: gold, Value: 6},
			promotable(rules.PieceDef{Letter: "S", Kanji: "銀", Name: "Silver", Betza: "FfW", Value: 5.5}, zone()),
			{Letter: "+S", Kanji: "成銀 全", Name: "Promoted silver", Betza: gold, Value: 6},
			promotable(rules.PieceDef{Letter: "N", Kanji: "桂", Name: "Knight", Betza: "fN", Value: 4.5}, zone(lastButOne, last)),
			{Letter: "+N", Kanji: "成桂 圭", Name: "Promoted knight", Betza: gold, Value: 6},
			promotable(rules.PieceDef{Letter: "L", Kanji: "香", Name: "Lance", Betza: "fR", Value: 3.5, Barred: []int{last}}, zone(last)),
			{Letter: "+L", Kanji: "成香 杏", Name: "Promoted lance", Betza: gold, Value: 6},
			promotable(rules.PieceDef{Letter: "P", Kanji: "歩", Name: "Pawn", Betza: "fW", Value: 1, Barred: []int{last}}, zone(last)),
			{Letter: "+P", Kanji: "と", Name: "Tokin", Betza: gold, Value: 6},
		},

		Royal: rules.RoyalOne,
		Hand: &rules.HandRule{Types: "RBGSNLP", Captures: true, Demoted: demotions("+R +B +S +N +L +P"), // 3
			Drops: []rules.DropRule{
				{Types: "N", Barred: []int{lastButOne, last}},
				{Types: "L", Barred: []int{last}},
				{Types: "P", Barred: []int{last}, PerFile: 1, NoMate: true}, // 4, 5
			}},

		Ends:   append(lostWithoutMove(), material(rules.MaterialRule{HandMen: true})),
		Repeat: rules.RepeatRule{Draw: 4, Perpetual: rules.PerpetualCheck},
		Impasse: &rules.ImpasseRule{Rows: []int{lastButTwo, lastButOne, last}, Men: 10, Points: []int{28, 27},
			Big: "R+RB+B", Worth: 5},
		FlagFall: rules.FlagRule{Loses: true},
		Notation: rules.NotationRule{Shogi: true},
		Look:     rules.Look{Native: rules.NativeShogi, Plain: true},
	}
}
