package variant

import "hoplite/engine/rules"

// Chess960 is chess from one of 960 arrays.
func Chess960() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "chess960", "Chess960", "chess960", "Chess960"
	d.Programs = rules.ProgramNames{XBoard: "fischerandom", Drawn: true}
	d.UCIShuffled = "chess" // what it is shuffled from
	d.PGNAliases = []string{"Fischerandom", "Fischer Random", "Chess 960"}
	d.Lichess = &rules.LichessInfo{ID: 2, Short: "960"}
	d.Text = sheet("chess960")
	d.Start = rules.StartRule{FEN: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
		Generator: rules.Scharnagl, Usual: 518}
	d.Castling.Files = true
	d.Notation = rules.NotationRule{CastlingByRook: true, RightsByFile: true}
	return d
}
