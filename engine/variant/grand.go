package variant

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Grand is Grand chess: ten files and ranks, and pawns that become lost men only.
func Grand() *rules.Definition {
	d := Capablanca()
	d.Key, d.Name, d.UCIName, d.PGNName = "grand", "Grand chess", "grand", "Grand chess"
	d.Programs = rules.ProgramNames{Drawn: true}
	d.PGNAliases = []string{"Grand"}
	d.Text = sheet("grand")
	d.Board = rules.BoardRule{Shape: board.Rect, Files: 10, Ranks: 10}
	d.Start.FEN = "r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R w - - 0 1"
	p := pawn("QCARBN")
	p.InitialRow = 2
	p.Promotion.Rows, p.Promotion.Declined, p.Promotion.Must = []int{-3, -2, -1}, true, []int{-1} // 4, 5
	p.Promotion.Limit = map[string]int{"Q": 1, "C": 1, "A": 1, "R": 2, "B": 2, "N": 2}            // 3
	men := compounds()
	men[1].Value, men[2].Name, men[3].Name, men[4].Value = 10, "Marshal", "Cardinal", 5.5
	d.Pieces = append(men, p)
	d.Castling = nil // 2
	return d
}
