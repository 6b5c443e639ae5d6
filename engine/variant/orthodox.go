package variant

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// What several games share. The numbers in comments are paragraphs of standard.md.

const (
	promoted = -1 // the row on which pawns promote, counted from the own edge
	home     = 0
)

func king() rules.PieceDef {
	return rules.PieceDef{Letter: "K", Name: "King", Betza: "K", Royal: true}
}

func queen() rules.PieceDef {
	return rules.PieceDef{Letter: "Q", Name: "Queen", Betza: "Q", Value: 9}
}

func rook() rules.PieceDef {
	return rules.PieceDef{Letter: "R", Name: "Rook", Betza: "R", Value: 5}
}

func bishop() rules.PieceDef {
	return rules.PieceDef{Letter: "B", Name: "Bishop", Betza: "B", Value: 3.25}
}

func knight() rules.PieceDef {
	return rules.PieceDef{Letter: "N", Name: "Knight", Betza: "N", Value: 3.25}
}

// pawn steps one cell, two from its own second row (2), captures in passing (3) and promotes to the men listed (4).
func pawn(promotesTo string) rules.PieceDef {
	return rules.PieceDef{Letter: "P", Name: "Pawn", Betza: "fmWfceFifmnD", Value: 1, Pawn: true, InitialRow: 1,
		Promotion: &rules.PromotionRule{To: promotesTo}, Barred: []int{home, promoted}}
}

// stepPawn has neither first steps nor captures in passing.
func stepPawn(promotesTo string) rules.PieceDef {
	p := pawn(promotesTo)
	p.Betza, p.InitialRow = "fmWfcF", 0
	return p
}

// wings are the two ways in which a side castles on eight files (6).
func wings(side rules.Side, row string) []rules.CastlingWing {
	return []rules.CastlingWing{
		{Side: side, Letter: "K", King: "K", Rook: "R", KingFrom: "e" + row, KingTo: "g" + row, RookFrom: "h" + row,
			RookTo: "f" + row, SAN: "O-O"},
		{Side: side, Letter: "Q", King: "K", Rook: "R", KingFrom: "e" + row, KingTo: "c" + row, RookFrom: "a" + row,
			RookTo: "d" + row, SAN: "O-O-O"},
	}
}

// up and down are the headings of the two sides.
const up, down board.Heading = 0, 2

// twoSides are White and Black with the same army.
func twoSides(army string) []rules.SideDef {
	return []rules.SideDef{
		{Name: "White", Letter: "w", Heading: up, Army: army},
		{Name: "Black", Letter: "b", Heading: down, Army: army},
	}
}

// orthodoxMaterial cannot mate by any play (end of game 3).
func orthodoxMaterial() rules.MaterialRule {
	return rules.MaterialRule{Single: "BN", OneColour: "B"}
}

// Repetition policies of README 4.5.
func claimAtThree() rules.RepeatRule { return rules.RepeatRule{Claim: 3, Draw: 5} }
func drawnAtThree() rules.RepeatRule { return rules.RepeatRule{Draw: 3} }
func square8() rules.BoardRule       { return rules.BoardRule{Shape: board.Rect, Files: 8, Ranks: 8} }
func fiftyMoves() rules.EndRule      { return rules.EndRule{Kind: rules.EndClock, Plies: 100} }
func checkmate() rules.EndRule       { return rules.EndRule{Kind: rules.EndMate} }
func stalemateDraws() rules.EndRule  { return rules.EndRule{Kind: rules.EndNoMove} }
func stalemateLoses() rules.EndRule  { return rules.EndRule{Kind: rules.EndNoMove, Lost: true} }
func seventyMoves() rules.EndRule    { return rules.EndRule{Kind: rules.EndClock, Plies: 140} }
func material(m rules.MaterialRule) rules.EndRule {
	return rules.EndRule{Kind: rules.EndMaterial, Material: m}
}
