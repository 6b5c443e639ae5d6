package variant

import "hoplite/engine/rules"

// Duck is duck chess: after each move the mover puts the duck in the way of everybody, and kings are captured.
func Duck() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "duck", "Duck chess", "duck", "Duck chess"
	d.Programs = rules.ProgramNames{}
	d.PGNAliases = []string{"Duck"}
	d.Lichess = nil
	d.Text = sheet("duck")
	d.Pieces = append(d.Pieces, rules.PieceDef{Letter: "*", Name: "Duck"})
	d.Blocker = &rules.BlockerRule{Man: "*"} // 1
	d.Royal = rules.RoyalCapture             // 3
	d.Castling.Unsafe = true                 // 4
	d.Ends = []rules.EndRule{{Kind: rules.EndRoyal}, {Kind: rules.EndNoMove, Won: true},
		material(rules.MaterialRule{}), fiftyMoves()}
	d.Repeat = drawnAtThree()
	d.FlagFall = rules.FlagRule{Loses: true}
	d.Notation.EndMarked = true
	return d
}
