package variant

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Capablanca is Capablanca chess: ten files, archbishops and chancellors.
func Capablanca() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "capablanca", "Capablanca chess", "capablanca", "Capablanca chess"
	d.Programs = rules.ProgramNames{Drawn: true}
	d.PGNAliases = []string{"Capablanca"}
	d.Category = "Big chess"
	d.Lichess = nil
	d.Text = sheet("capablanca")
	d.Board = rules.BoardRule{Shape: board.Rect, Files: 10, Ranks: 8}
	d.Sides = twoSides("KQCARBNP")
	d.Start.FEN = "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1"
	d.Pieces = append(compounds(), pawn("QCARBN"))
	d.Castling = &rules.CastlingRule{Wings: append(longWings(0, "1"), longWings(1, "8")...)} // 4
	d.Repeat = drawnAtThree()
	d.FlagFall = rules.FlagRule{}
	return d
}

// compounds are the men of Capablanca's family but for the pawn.
func compounds() []rules.PieceDef {
	q, b, n := queen(), bishop(), knight()
	q.Value, b.Value, n.Value = 9.5, 3.5, 3
	return []rules.PieceDef{king(), q,
		{Letter: "C", Name: "Chancellor", Betza: "RN", Value: 9},
		{Letter: "A", Name: "Archbishop", Betza: "BN", Value: 8.5},
		rook(), b, n}
}

// longWings are the two ways in which a side castles on ten files: the king goes three squares.
func longWings(side rules.Side, row string) []rules.CastlingWing {
	return []rules.CastlingWing{
		{Side: side, Letter: "K", King: "K", Rook: "R", KingFrom: "f" + row, KingTo: "i" + row, RookFrom: "j" + row,
			RookTo: "h" + row, SAN: "O-O"},
		{Side: side, Letter: "Q", King: "K", Rook: "R", KingFrom: "f" + row, KingTo: "c" + row, RookFrom: "a" + row,
			RookTo: "d" + row, SAN: "O-O-O"},
	}
}
