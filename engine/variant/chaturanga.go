package variant

import "hoplite/engine/rules"

// Chaturanga is the oldest game, in which the raja is taken. The numbers are those of its rules.
func Chaturanga() *rules.Definition {
	d := Shatranj()
	d.Key, d.Name, d.UCIName, d.PGNName = "chaturanga", "Chaturanga", "chaturanga", "Chaturanga"
	d.Programs = rules.ProgramNames{}
	d.Text = sheet("chaturanga")
	// The rajas do not face each other.
	d.Start.FEN = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
	for i, as := range map[int]rules.PieceDef{
		0: {Name: "Raja"},
		1: {Name: "Mantri", Value: 2},
		2: {Name: "Ratha", Value: 5},
		3: {Name: "Gaja", Value: 1.5},
		4: {Name: "Ashva", Value: 4},
		5: {Name: "Padati", Value: 1},
	} {
		d.Pieces[i].Name, d.Pieces[i].Value = as.Name, as.Value
	}
	d.Royal = rules.RoyalCapture // 4
	d.Look = rules.Look{Plain: true}
	d.FlagFall = rules.FlagRule{}
	d.Ends = []rules.EndRule{{Kind: rules.EndRoyal}, material(rules.MaterialRule{}), stalemateLoses(), seventyMoves()}
	return d
}
