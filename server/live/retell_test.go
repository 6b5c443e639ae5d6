package live_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hoplite/server/live"
	"hoplite/server/live/game"
	"hoplite/server/node/natstest"
	"hoplite/store"
	"hoplite/store/storetest"
)

// TestNodeDiesBeforeItTells lets a node die between a commit and everybody's
// hearing of it. Whoever takes its shards tells the players.
func TestNodeDiesBeforeItTells(t *testing.T) {
	onEach(t, func(t *testing.T, st store.Store) {
		for _, end := range []bool{false, true} {
			url := natstest.Run(t)
			a, b := join(t, st, url), join(t, st, url)
			settle(t, a, b)
			su := setup()
			su.ID = idOf(a)
			if end {
				a.create(su)
			}
			anna, all := b.bus.Subscribe(live.UserTopic("anna"), 100), b.bus.Subscribe(live.GamesTopic, 100)
			defer anna.Close()
			defer all.Close()
			a.dying.Store(true)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				var err error
				if end {
					_, err = a.live.Act(ctx, su.ID, game.Action{Kind: game.Resign, Player: 1})
				} else {
					_, err = a.live.Create(ctx, su)
				}
				done <- err
			}()
			for _, sub := range []<-chan any{anna.C, all.C} {
				if got := toldOf(t, sub, su.ID); got.Over() != end {
					t.Errorf("end %v: told of a game that is over: %v", end, got.Over())
				}
			}
			cancel()
			a.stop()
			if err := <-done; err == nil {
				t.Error("the node that died has acknowledged")
			}
			b.stop()
		}
	})
}

// TestReconnectedNode asks what was missed while there was no connection. Games
// that no node can read do not hold up the others.
func TestReconnectedNode(t *testing.T) {
	onEach(t, func(t *testing.T, st store.Store) {
		url := natstest.Run(t)
		a, b := join(t, st, url), join(t, st, url)
		settle(t, a, b)
		unreadable(t, st, a)
		unreadable(t, st, b)
		su := setup()
		su.ID = idOf(a)
		// Their buses are not connected, as if NATS had lost everything.
		bert := b.bus.Subscribe(live.UserTopic("bert"), 100)
		defer bert.Close()
		a.create(su)
		anna := a.bus.Subscribe(live.UserTopic("anna"), 100)
		defer anna.Close()
		a.live.Reconnected(0)
		if got := toldOf(t, anna.C, su.ID); got.Over() {
			t.Error("at its own node a game that goes on is told of as ended")
		}
		b.live.Reconnected(0)
		if got := toldOf(t, bert.C, su.ID); got.Over() {
			t.Error("a game that goes on is told of as ended")
		}
		a.act(su.ID, game.Action{Kind: game.Resign, Player: 0})
		b.live.Reconnected(0)
		if got := toldOf(t, bert.C, su.ID); !got.Over() {
			t.Error("a game that has ended is told of as going on")
		}
	})
}

// unreadable stores a game of a node that does not replay, and whose id comes
// before those of others.
func unreadable(t *testing.T, st store.Store, m *member) {
	t.Helper()
	n := 0
	for !holds(m, fmt.Sprintf("%08d", n)) {
		n++
	}
	g := storetest.NewGame(fmt.Sprintf("%08d", n), time.Now().UTC().Truncate(time.Millisecond), "anna", "bert")
	g.Variant = "unknown"
	if _, err := st.CommitSteps(t.Context(), []store.Step{storetest.Begin(g)}, nil); err != nil {
		t.Fatal(err)
	}
}

// toldOf waits until a topic tells that a game begins or ends.
func toldOf(t *testing.T, events <-chan any, id string) *game.Snapshot {
	t.Helper()
	for deadline := time.After(20 * time.Second); ; {
		select {
		case ev := <-events:
			if start, ok := ev.(live.GameStart); ok && start.Snapshot.ID == id {
				return start.Snapshot
			}
			if finish, ok := ev.(live.GameFinish); ok && finish.Snapshot.ID == id {
				return finish.Snapshot
			}
		case <-deadline:
			t.Fatal("nobody was told")
		}
	}
}
