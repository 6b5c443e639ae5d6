package live

import (
	"fmt"
	"strings"

	"hoplite/server/live/game"
	"hoplite/store"
)

// Replay plays a stored game again from its log and returns its state. It
// fails if the log does not replay, or makes another game than the stored one.
func Replay(c game.Catalogue, g *store.Game, log []store.Action) (*game.Snapshot, error) {
	state, err := rebuild(c, g, log)
	if err != nil {
		return nil, err
	}
	state.Resume(turnStart(g, pause{since: g.Created}), diffsOf(g))
	snap := state.Snapshot()
	switch {
	case strings.Join(snap.Moves, " ") != g.Moves:
		return nil, fmt.Errorf("game %s: the log plays other moves than are stored", g.ID)
	case snap.Status != g.Status.String() || snap.Winner != g.Winner || snap.Reason != g.Reason:
		return nil, fmt.Errorf("game %s: the log ends with %s (%s, winner %d), the game says %s (%s, winner %d)",
			g.ID, snap.Status, snap.Reason, snap.Winner, g.Status, g.Reason, g.Winner)
	case snap.Turn != g.Turn:
		return nil, fmt.Errorf("game %s: player %d is to move, the game says %d", g.ID, snap.Turn, g.Turn)
	}
	return snap, nil
}

// rebuild replays a stored game and checks that the log is whole.
func rebuild(c game.Catalogue, g *store.Game, log []store.Action) (*game.State, error) {
	r, err := game.RulesOf(c, g.Variant)
	if err != nil {
		return nil, err
	}
	rows, err := rowsOf(log, 0)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", g.ID, err)
	}
	state, err := game.Rebuild(setupOf(g), r, rows)
	if err != nil {
		return nil, err
	}
	if got := state.Snapshot().Version; got != uint64(g.Seq) {
		return nil, fmt.Errorf("game %s: the log has %d rows, the game says %d", g.ID, got, g.Seq)
	}
	return state, nil
}
