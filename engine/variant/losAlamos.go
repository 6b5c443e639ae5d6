package variant

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// LosAlamos is Los Alamos chess: chess without bishops on six files and ranks.
func LosAlamos() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "losAlamos", "Los Alamos chess", "losalamos", "Los Alamos chess"
	d.Programs = rules.ProgramNames{XBoard: "los-alamos"}
	d.PGNAliases = []string{"Anti-clerical chess"}
	d.Lichess = nil
	d.Text = sheet("losAlamos")
	d.Board = rules.BoardRule{Shape: board.Rect, Files: 6, Ranks: 6}
	d.Sides = twoSides("KQRNP")
	d.Start.FEN = "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1"
	d.Pieces = []rules.PieceDef{king(), queen(), rook(), knight(), stepPawn("QRN")}
	d.Castling = nil                  // 4
	d.EnPassant = rules.EnPassantNone // 2
	d.Ends = []rules.EndRule{checkmate(), stalemateDraws(), material(rules.MaterialRule{Single: "N"}), fiftyMoves()}
	d.Repeat = drawnAtThree()
	d.FlagFall = rules.FlagRule{}
	return d
}
