package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hoplite/store"
)

func TestStatus(t *testing.T) {
	t.Parallel()
	known := 0
	for n := store.Status(-1); n < 100; n++ {
		name := n.String()
		if name == "" {
			continue
		}
		known++
		if back, ok := store.ParseStatus(name); !ok || back != n {
			t.Errorf("%d is %q, which is %d", n, name, back)
		}
	}
	if known != 14 {
		t.Errorf("%d states have a name, want the 14 of the API", known)
	}
	for _, name := range []string{"", "Mate", "finished"} {
		if s, ok := store.ParseStatus(name); ok {
			t.Errorf("%q is %d", name, s)
		}
	}
	for _, c := range []struct {
		status       store.Status
		over, counts bool
	}{
		{store.StatusCreated, false, false},
		{store.StatusStarted, false, false},
		{store.StatusAborted, true, false},
		{store.StatusMate, true, true},
		{store.StatusNoStart, true, false},
		{store.StatusUnknownFinish, true, false},
		{store.StatusVariantEnd, true, true},
	} {
		if c.status.Over() != c.over || c.status.Counts() != c.counts {
			t.Errorf("%s: over %v, counts %v", c.status, c.status.Over(), c.status.Counts())
		}
	}
}

func TestFinishCounts(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	game := func(change func(*store.Game)) *store.Game {
		g := &store.Game{
			Rated: true, HasClock: true, Created: start, Players: []store.GamePlayer{{AccountID: "a"}, {AccountID: "b"}},
			GameState: store.GameState{Status: store.StatusMate, Winner: 0, LastMove: start.Add(time.Minute)},
		}
		change(g)
		return g
	}
	for _, c := range []struct {
		name string
		game *store.Game
		want []store.CountChange
	}{
		{"won", game(func(g *store.Game) {}), []store.CountChange{
			{AccountID: "a", Add: store.Count{All: 1, Rated: 1, Win: 1, PlayTime: time.Minute}},
			{AccountID: "b", Add: store.Count{All: 1, Rated: 1, Loss: 1, PlayTime: time.Minute}},
		}},
		{"drawn by correspondence", game(func(g *store.Game) { g.Winner, g.HasClock, g.Days = -1, false, 3 }), []store.CountChange{
			{AccountID: "a", Add: store.Count{All: 1, Rated: 1, Draw: 1}},
			{AccountID: "b", Add: store.Count{All: 1, Rated: 1, Draw: 1}},
		}},
		{"against the engine", game(func(g *store.Game) {
			g.Rated, g.Winner = false, 1
			g.Players[1] = store.GamePlayer{AccountID: "ai3", AILevel: 3}
		}), []store.CountChange{
			{AccountID: "a", Add: store.Count{All: 1, Loss: 1, AI: 1, PlayTime: time.Minute}},
			{AccountID: "ai3", Add: store.Count{All: 1, Win: 1, PlayTime: time.Minute}},
		}},
		{"anonymous", game(func(g *store.Game) { g.Rated, g.Players[0].AccountID = false, "" }), []store.CountChange{
			{AccountID: "b", Add: store.Count{All: 1, Loss: 1, PlayTime: time.Minute}},
		}},
		{"aborted", game(func(g *store.Game) { g.Status = store.StatusAborted }), nil},
		{"on", game(func(g *store.Game) { g.Status = store.StatusStarted }), nil},
	} {
		if d := cmp.Diff(c.want, store.FinishCounts(c.game)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}
