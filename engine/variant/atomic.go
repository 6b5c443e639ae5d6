package variant

import "hoplite/engine/rules"

// Atomic is chess in which each capture explodes.
func Atomic() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "atomic", "Atomic chess", "atomic", "Atomic"
	d.Programs = rules.ProgramNames{Drawn: true}
	d.PGNAliases = []string{"Atomic chess"}
	d.Lichess = &rules.LichessInfo{ID: 7, Short: "Atom"}
	d.Text = sheet("atomic")
	k := king()
	k.Betza = "mK" // 3
	d.Pieces = []rules.PieceDef{k, queen(), rook(), bishop(), knight(), pawn("QRBN")}
	d.Royal = rules.RoyalExplodable
	d.Explosion = &rules.ExplosionRule{Reach: "K", Spared: "P"} // 1
	unable := &rules.UnableRule{Bare: true, Single: "NBR", Pair: "N", Opposed: "B"}
	d.Ends = []rules.EndRule{{Kind: rules.EndRoyal}, checkmate(), stalemateDraws(), material(rules.MaterialRule{Unable: unable}),
		fiftyMoves()}
	d.FlagFall = rules.FlagRule{Unable: unable}
	d.Notation.EndMarked = true
	return d
}
