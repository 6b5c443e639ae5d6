package live

import (
	"hoplite/server/live/game"
	"hoplite/store"
)

// FinishedStep stores a game that is over already, with its log. It counts for
// nobody.
func FinishedStep(snap *game.Snapshot, rows []game.Row) store.Step {
	g := recordOf(snap)
	step := store.Step{New: &g}
	for i, r := range rows {
		step.Rows = append(step.Rows, store.Action{
			GameID: snap.ID, Seq: int64(i + 1), Kind: string(r.Kind), Player: r.Player, At: r.At, Data: r.Data,
		})
	}
	return step
}
