package variant

import "hoplite/engine/rules"

// CapablancaRandom is Capablanca chess from one of 12,118 arrays.
func CapablancaRandom() *rules.Definition {
	d := Capablanca()
	d.Key, d.Name, d.UCIName, d.PGNName = "capablancaRandom", "Capablanca Random", "caparandom", "Capablanca Random"
	d.Programs = rules.ProgramNames{Drawn: true}
	d.PGNAliases = []string{"Capablanca Random Chess"}
	d.Text = sheet("capablancaRandom")
	d.Start = rules.StartRule{FEN: "nrcbqkbnra/pppppppppp/10/10/10/10/PPPPPPPPPP/NRCBQKBNRA w IBib - 0 1", Usual: 6000,
		Arrays: &rules.ArrayRule{
			Men: "RRNNBBQKAC", Coloured: []string{"BB", "QA"}, Between: "KR", Apart: "B", Guarded: true, // 1
			Unlike: "RNBQCKABNR", // 2: the array of Gothic chess
		}}
	d.Castling.Files = true // 3
	d.Notation = rules.NotationRule{CastlingByRook: true, RightsByFile: true}
	return d
}
