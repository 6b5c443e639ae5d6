package variant

import "hoplite/engine/rules"

// Hostage is chess in which captured men are prisoners that can be exchanged. The numbers in comments are paragraphs of
// hostage.md.
func Hostage() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "hostage", "Hostage chess", "hostage", "Hostage chess"
	d.Programs = rules.ProgramNames{}
	d.PGNAliases = nil
	d.Lichess = nil
	d.Text = sheet("hostage")
	d.Start.FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[][] w KQkq - 0 1"
	d.Hand = &rules.HandRule{Types: "QRBNP", // 2
		Drops: []rules.DropRule{{Types: "P", Barred: []int{home, promoted}}}}
	d.Prison = &rules.PrisonRule{Worth: map[string]int{"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9}, Ransom: true} // 1, 3, 6
	d.Castling.Renewed = true                                                                                 // 5
	d.Ends = []rules.EndRule{checkmate(), stalemateDraws(), material(rules.MaterialRule{HandMen: true, PrisonMen: true}), fiftyMoves()}
	d.Repeat = drawnAtThree()
	d.FlagFall = rules.FlagRule{Loses: true}
	return d
}
