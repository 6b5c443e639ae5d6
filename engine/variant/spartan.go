package variant

import "hoplite/engine/rules"

// Spartan is Spartan chess: the orthodox army against one with two kings.
func Spartan() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "spartan", "Spartan chess", "spartan", "Spartan chess"
	d.Programs = rules.ProgramNames{Drawn: true}
	d.PGNAliases = []string{"Spartan"}
	d.Lichess = nil
	d.Text = sheet("spartan")
	d.Sides = []rules.SideDef{
		{Name: "Persians", Letter: "w", Heading: up, Army: "KQRBNP"},
		{Name: "Spartans", Letter: "b", Heading: down, Army: "KWGLCH", Royals: 2},
	}
	d.Start.FEN = "lgkcckwl/hhhhhhhh/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"
	d.Pieces = append(d.Pieces,
		rules.PieceDef{Letter: "W", Name: "Warlord", Betza: "BN", Value: 8.75},
		rules.PieceDef{Letter: "G", Name: "General", Betza: "RF", Value: 7},
		rules.PieceDef{Letter: "L", Name: "Lieutenant", Betza: "FAmsW", Value: 3.5},
		rules.PieceDef{Letter: "C", Name: "Captain", Betza: "WD", Value: 3},
		// The double step leaps and never takes; the row decides, not whether the man has moved (10). A second king may be
		// made while there is one only (7).
		rules.PieceDef{Letter: "H", Name: "Hoplite", Betza: "fmFfcWifmA", Value: 1, Pawn: true, InitialRow: 1,
			Promotion: &rules.PromotionRule{To: "WGLCK", Limit: map[string]int{"K": 2}}},
	)
	d.Royal = rules.RoyalAllAttacked
	d.Castling.Wings = wings(0, "1")  // 2: only the Persians castle
	d.EnPassant = rules.EnPassantNone // 1
	d.Ends = []rules.EndRule{checkmate(), stalemateDraws(), material(rules.MaterialRule{Single: "BN"}), fiftyMoves()}
	d.Repeat = drawnAtThree()
	d.FlagFall = rules.FlagRule{}
	return d
}
