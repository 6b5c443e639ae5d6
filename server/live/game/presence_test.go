package game_test

import (
	"testing"

	"hoplite/server/live/game"
)

// TestReturned is what somebody has to be told who missed that the other is back.
func TestReturned(t *testing.T) {
	t.Parallel()
	g := newTable(t, setup())
	if s := g.state.Snapshot(); s.Gone[1].Returned {
		t.Error("somebody is back who never left")
	}
	g.run("b leave 10s\n= gone b")
	if s := g.state.Snapshot(); s.Gone[1].Returned {
		t.Error("somebody who is gone is back")
	}
	g.run("b back\n= gone none")
	if s := g.state.Snapshot(); !s.Gone[1].Returned || s.Gone[0] != (game.GoneState{}) {
		t.Errorf("gone: %+v", s.Gone)
	}
}
