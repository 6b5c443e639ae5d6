package variant

import "hoplite/engine/rules"

// Seirawan is S-chess: hawk and elephant enter from hand as the men of the back rank move out.
func Seirawan() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "seirawan", "S-chess", "seirawan", "S-chess"
	d.Programs = rules.ProgramNames{Also: []string{"schess"}, Drawn: true}
	d.PGNAliases = []string{"Seirawan", "Seirawan chess", "SHARPER chess"}
	d.Category = "Big chess"
	d.Lichess = nil
	d.Text = sheet("seirawan")
	d.Sides = twoSides("KQEHRBNP")
	d.Start.FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[EHeh] w KQBCDFGkqbcdfg - 0 1"
	d.Pieces = []rules.PieceDef{king(), queen(),
		{Letter: "E", Name: "Elephant", Betza: "RN", Value: 8.75},
		{Letter: "H", Name: "Hawk", Betza: "BN", Value: 8},
		rook(), bishop(), knight(), pawn("QEHRBN")}
	d.Gate = &rules.GateRule{Hand: "EH"} // 1
	m := orthodoxMaterial()
	m.HandCounts = true
	d.Ends = []rules.EndRule{checkmate(), stalemateDraws(), material(m), fiftyMoves()}
	d.Repeat = drawnAtThree()
	d.FlagFall = rules.FlagRule{}
	return d
}
