package variant

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Tamerlane is Timur's great chess. The numbers in comments are paragraphs of tamerlane.md.
func Tamerlane() *rules.Definition {
	const army = "KSMRZTNCFWEDPP'P''K'R'Z'T'N'C'F'W'E'D'"
	sides := twoSides(army)
	for i := range sides {
		sides[i].Royals = 3
	}
	return &rules.Definition{
		Key:      "tamerlane",
		Name:     "Tamerlane chess",
		UCIName:  "tamerlane",
		PGNName:  "Tamerlane chess",
		Category: "Big chess",
		Players:  2,
		Text:     sheet("tamerlane"),

		Board: rules.BoardRule{Shape: board.Rect, Files: 11, Ranks: 10, Extra: []board.ExtraCell{ // 1
			{Name: "l2", Neighbours: []string{"k1", "k2", "k3"}, File: 11, Rank: 1},
			{Name: "z9", Neighbours: []string{"a8", "a9", "a10"}, File: -1, Rank: 8},
		}},
		Sides: sides,
		Start: rules.StartRule{FEN: "e1c1d1d1c1e/rntzwkfztnr/r'n't'z'w'k'f'e'c'd'p/11/11/11/11/" +
			"PD'C'E'F'K'W'Z'T'N'R'/RNTZFKWZTNR/E1C1D1D1C1E w Kk - 0 1"},
		Pieces: append([]rules.PieceDef{
			// The royal men in the order of their ranks (9); losing one of several does not lose the game.
			{Letter: "K", Name: "Shah", Betza: "K", Value: 4, Royal: true},
			{Letter: "S", Name: "Prince", Betza: "K", Value: 4, Royal: true},
			{Letter: "M", Name: "Adventitious king", Betza: "K", Value: 4, Royal: true},
			{Letter: "R", Name: "Rook", Betza: "R", Value: 5.5},
			{Letter: "Z", Name: "Giraffe", Betza: "t[F-R3-]", Value: 4},
			{Letter: "T", Name: "Picket", Betza: "B2-", Value: 3.2},
			{Letter: "N", Name: "Knight", Betza: "N", Value: 3},
			{Letter: "C", Name: "Camel", Betza: "L", Value: 2.5},
			{Letter: "F", Name: "Ferz", Betza: "F", Value: 1.7},
			{Letter: "W", Name: "Vizier", Betza: "W", Value: 1.5},
			{Letter: "E", Name: "Elephant", Betza: "A", Value: 1.2},
			{Letter: "D", Name: "War engine", Betza: "D", Value: 1.2},
			ownPawn("P", "Pawn of pawns", ""), // 7
			ownPawn("P'", "Pawn of pawns, second life", ""),
			ownPawn("P''", "Pawn of pawns, third life", "M"),
			ownPawn("K'", "Pawn of kings", "S"), // 6
		}, ownPawns("RZTNCFWED")...),

		Royal: rules.RoyalRanked,                                                                    // 9
		Lives: &rules.LivesRule{First: "P", Second: "P'", Third: "P''", Home: []string{"f3", "f8"}}, // 7, 8
		Citadels: []rules.Citadel{ // 10
			{Cell: "l2", Side: 0, Keepers: "M"},
			{Cell: "z9", Side: 1, Keepers: "M"},
		},
		Swap: &rules.SwapRule{Man: "K"}, // 11
		Ends: []rules.EndRule{{Kind: rules.EndCitadel}, {Kind: rules.EndRoyal}, checkmate(), stalemateLoses(),
			material(rules.MaterialRule{OnlyRoyals: true}), fiftyMoves()},
		Repeat:   drawnAtThree(),
		FlagFall: rules.FlagRule{Loses: true},
		Notation: rules.NotationRule{PlainPromotion: true},
		Look:     rules.Look{Zones: []rules.LookZone{{Name: "citadel", Cells: "l2 z9"}}},
	}
}

// ownPawn steps one cell, captures diagonally forward, and becomes one kind of man only; none if it has a life of its
// own on the last row.
func ownPawn(token, name, becomes string) rules.PieceDef {
	p := rules.PieceDef{Letter: token, Name: name, Betza: "mfWcfF", Value: 0.8, Pawn: true}
	if becomes != "" {
		p.Promotion = &rules.PromotionRule{To: becomes}
	}
	if token != "P" {
		p.Barred = []int{promoted}
	}
	return p
}

// ownPawns are the pawns of the men with the letters given.
func ownPawns(letters string) (pawns []rules.PieceDef) {
	names := map[string]string{"R": "rooks", "Z": "giraffes", "T": "pickets", "N": "knights", "C": "camels", "F": "ferzes",
		"W": "viziers", "E": "elephants", "D": "war engines"}
	for _, letter := range letters {
		man := string(letter)
		pawns = append(pawns, ownPawn(man+"'", "Pawn of "+names[man], man))
	}
	return pawns
}
