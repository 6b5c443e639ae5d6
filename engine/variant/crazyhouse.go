package variant

import (
	"strings"

	"hoplite/engine/rules"
)

// Crazyhouse gives captured men to the captor, who may drop them. The numbers in comments are paragraphs of
// crazyhouse.md.
func Crazyhouse() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "crazyhouse", "Crazyhouse", "crazyhouse", "Crazyhouse"
	d.Programs = rules.ProgramNames{Drawn: true}
	d.PGNAliases = []string{"zh"}
	d.Lichess = &rules.LichessInfo{ID: 10, Short: "Crazy"}
	d.Text = sheet("crazyhouse")
	d.Sides = twoSides("KQQ~RR~BB~NN~P")
	d.Start.FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"
	d.Pieces = []rules.PieceDef{king(), queen(), fromPawn(queen()), rook(), fromPawn(rook()), bishop(), fromPawn(bishop()),
		knight(), fromPawn(knight()), pawn("Q~R~B~N~")} // 5
	d.Hand = &rules.HandRule{Types: "QRBNP", Captures: true,
		Demoted: map[string]string{"Q~": "P", "R~": "P", "B~": "P", "N~": "P"}, // 1
		Drops:   []rules.DropRule{{Types: "P", Barred: []int{home, promoted}}}} // 2
	d.Ends = []rules.EndRule{checkmate(), stalemateDraws(), material(rules.MaterialRule{Single: "BN", HandMen: true}), fiftyMoves()}
	d.FlagFall = rules.FlagRule{Loses: true}
	return d
}

// fromPawn is a man that was a pawn and counts as one when it is captured.
func fromPawn(p rules.PieceDef) rules.PieceDef {
	p.Letter += "~"
	p.Name = "Promoted " + strings.ToLower(p.Name)
	return p
}
