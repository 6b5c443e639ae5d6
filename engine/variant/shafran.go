package variant

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Shafran is Shafran's hexagonal chess. The numbers in comments are paragraphs of shafran.md.
func Shafran() *rules.Definition {
	d := Glinski()
	d.Key = "shafran"
	d.Name = "Shafran's hexagonal chess"
	d.UCIName = "shafran"
	d.PGNName = "Shafran's hexagonal chess"
	d.PGNAliases = nil
	d.Text = sheet("shafran")
	d.Board = rules.BoardRule{Shape: board.Hex70}
	d.Start = rules.StartRule{FEN: "kqbnr/bppppp/np5/bp6/rp6P/p6PR/6PB/5PN/PPPPPB/RNBQK w KQkq - 0 1"}
	d.Regions = []rules.Region{ // 4
		{Name: "two steps", Cells: []string{"b2 c2 d2 e2 f3 g4 h5", "b6 c7 d8 e9 f9 g9 h9"}},
		{Name: "three steps", Cells: []string{"d2 e2 f3", "d8 e9 f9"}},
	}
	// The first step of a pawn ends in the middle of its file at most; captures are diagonal (3, 4).
	d.Pieces[len(d.Pieces)-1] = rules.PieceDef{Letter: "P", Name: "Pawn", Betza: "fmWfceF", Value: 1, Pawn: true, InitialRow: 1,
		Powers:    []rules.Power{{Region: "two steps", Betza: "ifmnD"}, {Region: "three steps", Betza: "ifmnH"}},
		Promotion: &rules.PromotionRule{To: "QRBN"}, Barred: []int{home, promoted}}
	d.EnPassant = rules.EnPassantPath // 5
	d.Castling = &rules.CastlingRule{ // 6
		Wings: append(
			append(twoForms(0, "K", "B", "e1", "i5", "g3", "f2", "h4", "g3"), twoForms(0, "Q", "Q", "e1", "a1", "c1", "d1", "b1", "c1")...),
			append(twoForms(1, "K", "B", "e10", "a6", "c8", "d9", "b7", "c8"), twoForms(1, "Q", "Q", "e10", "i10", "g10", "f10", "h10", "g10")...)...)}
	return d
}

// twoForms are the short and the long castling with one rook: the right's letter, the flank's in SAN, the cells of king
// and rook, then those where they come to stand in either form.
func twoForms(side rules.Side, letter, flank, king, rook, shortKing, shortRook, longKing, longRook string) []rules.CastlingWing {
	wing := func(kingTo, rookTo, san string) rules.CastlingWing {
		return rules.CastlingWing{Side: side, Letter: letter, King: "K", Rook: "R", KingFrom: king, KingTo: kingTo, RookFrom: rook,
			RookTo: rookTo, SAN: flank + san}
	}
	return []rules.CastlingWing{wing(shortKing, shortRook, "-O-O"), wing(longKing, longRook, "-O-O-O")}
}
