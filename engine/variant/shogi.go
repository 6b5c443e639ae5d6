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
		PGNName:    "Shogi",
		PGNAliases: []string{"Japanese chess"},
		Category:   "The chess family",
		Players:    2,
		Text:       sheet("shogi"),

		Board: rules.BoardRule{Shape: board.Rect, Files: 9, Ranks: 9},
		Sides: senteGote("KR+RB+BGS+SN+NL+LP+P"),
		Start: rules.StartRule{FEN: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w - - 0 1"},
		Pieces: []rules.PieceDef{
			king(),
			promotable(rules.PieceDef{Letter: "R", Name: "Rook", Betza: "R", Value: 10}, zone()),
			{Letter: "+R", Name: "Dragon king", Betza: "RF", Value: 12},
			promotable(rules.PieceDef{Letter: "B", Name: "Bishop", Betza: "B", Value: 8}, zone()),
			{Letter: "+B", Name: "Dragon horse", Betza: "BW", Value: 10},
			{Letter: "G", Name: "Gold", Betza: gold, Value: 6},
			promotable(rules.PieceDef{Letter: "S", Name: "Silver", Betza: "FfW", Value: 5.5}, zone()),
			{Letter: "+S", Name: "Promoted silver", Betza: gold, Value: 6},
			promotable(rules.PieceDef{Letter: "N", Name: "Knight", Betza: "fN", Value: 4.5}, zone(lastButOne, last)),
			{Letter: "+N", Name: "Promoted knight", Betza: gold, Value: 6},
			promotable(rules.PieceDef{Letter: "L", Name: "Lance", Betza: "fR", Value: 3.5, Barred: []int{last}}, zone(last)),
			{Letter: "+L", Name: "Promoted lance", Betza: gold, Value: 6},
			promotable(rules.PieceDef{Letter: "P", Name: "Pawn", Betza: "fW", Value: 1, Barred: []int{last}}, zone(last)),
			{Letter: "+P", Name: "Tokin", Betza: gold, Value: 6},
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
