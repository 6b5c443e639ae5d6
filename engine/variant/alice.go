package variant

import "hoplite/engine/rules"

// Alice is chess on two boards: every man that moves passes through to the other one. The numbers are paragraphs of
// alice.md.
func Alice() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "alice", "Alice chess", "alice", "Alice chess"
	d.Programs = rules.ProgramNames{}
	d.PGNAliases = []string{"Alice"}
	d.Lichess = nil
	d.Text = sheet("alice")
	d.Board.Layers = 2
	d.Layers = rules.LayersPass             // 2, 3, 5, 6
	d.EnPassant = rules.EnPassantOtherLayer // 7
	d.Ends = []rules.EndRule{checkmate(), stalemateDraws(), material(rules.MaterialRule{}), fiftyMoves()}
	d.Repeat = drawnAtThree()
	d.FlagFall = rules.FlagRule{}
	return d
}
