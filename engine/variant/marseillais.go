package variant

import "hoplite/engine/rules"

// Marseillais is chess with two moves a turn; White begins with one. The numbers are paragraphs of marseillais.md.
func Marseillais() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "marseillais", "Marseillais chess", "marseillais", "Marseillais chess"
	d.Programs = rules.ProgramNames{}
	d.PGNAliases = []string{"Marseillais", "Double-move chess"}
	d.Lichess = nil
	d.Text = sheet("marseillais")
	d.Start.FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 1:1"
	d.Series = &rules.SeriesRule{First: 1, Then: 2, Check: rules.CheckEndsTurn, PassAgain: true} // 2, 3, 6
	d.EnPassant = rules.EnPassantSeveral                                                         // 6
	d.Repeat = drawnAtThree()
	d.FlagFall = rules.FlagRule{}
	d.Notation.JoinTurn = true
	return d
}
