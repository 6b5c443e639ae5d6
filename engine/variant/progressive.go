package variant

import "hoplite/engine/rules"

// Progressive is progressive chess in the Scottish form: each turn is one move longer than the one before. The numbers
// are paragraphs of progressive.md.
func Progressive() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "progressive", "Progressive chess", "progressive", "Progressive chess"
	d.Programs = rules.ProgramNames{}
	d.PGNAliases = []string{"Progressive", "Scotch chess", "Scottish chess"}
	d.Lichess = nil
	d.Text = sheet("progressive")
	d.Start.FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 1:1"
	d.Series = &rules.SeriesRule{First: 1, Grows: true, Check: rules.CheckEndsTurn} // 2, 3
	d.EnPassant = rules.EnPassantSeveral                                            // 6
	d.Ends = []rules.EndRule{checkmate(), stalemateDraws(), material(orthodoxMaterial()),
		{Kind: rules.EndClock, Plies: 10}} // 10
	d.Repeat = rules.RepeatRule{} // 11
	d.FlagFall = rules.FlagRule{}
	d.Notation.NumberTurns = true
	return d
}
