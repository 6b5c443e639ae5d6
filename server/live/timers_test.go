package live_test

import (
	"testing"
	"testing/synctest"
	"time"

	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/store"
	"hoplite/store/storetest"
)

// bubble runs a test in which time is free.
func bubble(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := startBeating(t, storetest.New(t), time.Minute)
		f(t, w)
		w.stop()
	})
}

// stored returns the game as the store has it, which nobody has to look at.
func (w *world) stored(id string) store.Game {
	w.t.Helper()
	g, err := w.store.GameByID(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return g
}

func TestFlagFallsUnseen(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		snap := w.create(setup())
		w.moves(snap.ID, "e2e4", "e7e5")
		time.Sleep(5*time.Minute - time.Second)
		if g := w.stored(snap.ID); g.Status.Over() {
			t.Fatalf("over before its time: %v", g.Status)
		}
		time.Sleep(2 * time.Second)
		if g := w.stored(snap.ID); g.Status != store.StatusOutOfTime || g.Winner != 1 {
			t.Fatalf("%v, winner %d", g.Status, g.Winner)
		}
	})
}

func TestCorrespondenceEndsUnseen(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		su := setup()
		su.Control = clock.NewCorrespondence(2)
		snap := w.create(su)
		w.moves(snap.ID, "e2e4", "e7e5")
		time.Sleep(48*time.Hour - time.Minute)
		if g := w.stored(snap.ID); g.Status.Over() {
			t.Fatalf("over before its time: %v", g.Status)
		}
		time.Sleep(2 * time.Minute)
		if g := w.stored(snap.ID); g.Status != store.StatusOutOfTime || g.Winner != 1 {
			t.Fatalf("%v, winner %d", g.Status, g.Winner)
		}
	})
}

func TestMovesPutTheFlagOff(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		snap := w.create(setup())
		w.moves(snap.ID, "e2e4", "e7e5")
		time.Sleep(4 * time.Minute)
		w.moves(snap.ID, "g1f3")
		time.Sleep(4 * time.Minute)
		ack := w.moves(snap.ID, "b8c6")
		if got := ack.Snapshot.Clocks; got[0] != 63*time.Second || got[1] != 63*time.Second {
			t.Fatalf("clocks %v", got)
		}
		w.act(snap.ID, game.Action{Kind: game.AddTime, Player: 1, Seconds: 30})
		time.Sleep(80 * time.Second)
		if g := w.stored(snap.ID); g.Status.Over() {
			t.Fatalf("the gift did not help: %v", g.Status)
		}
		time.Sleep(20 * time.Second)
		if g := w.stored(snap.ID); g.Status != store.StatusOutOfTime {
			t.Fatalf("status %v", g.Status)
		}
	})
}

func TestIdleGamesAreAborted(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		friend := w.create(setup())
		su := setup()
		su.Source = "lobby"
		lobby := w.create(su)
		time.Sleep(61 * time.Second)
		if g := w.stored(lobby.ID); g.Status != store.StatusAborted || g.Reason != game.ReasonNoStart {
			t.Fatalf("the strangers' game is %v", g.Status)
		}
		if g := w.stored(friend.ID); g.Status.Over() {
			t.Fatalf("the friends' game is %v", g.Status)
		}
		time.Sleep(15 * time.Minute)
		if g := w.stored(friend.ID); g.Status != store.StatusAborted {
			t.Fatalf("the friends' game is %v", g.Status)
		}
	})
}

// The stored remainder is all that counts after an outage.
func TestOutageCostsNobodyTime(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		quick := w.create(setup())
		w.moves(quick.ID, "e2e4", "e7e5")
		time.Sleep(time.Minute)
		w.moves(quick.ID, "g1f3")
		su := setup()
		su.Control = clock.NewCorrespondence(1)
		slow := w.create(su)
		w.moves(slow.ID, "e2e4", "e7e5")
		time.Sleep(30 * time.Second) // Black thinks
		w.stop()
		time.Sleep(20 * time.Hour)

		again := startBeating(t, w.store, time.Minute)
		defer again.stop()
		snap, err := again.live.Snapshot(t.Context(), quick.ID)
		if err != nil {
			t.Fatal(err)
		}
		if got := snap.ClocksAt(time.Now()); got[0].Left != 243*time.Second || got[1].Left != 300*time.Second {
			t.Errorf("clocks after the outage: %v", got)
		}
		snap, err = again.live.Snapshot(t.Context(), slow.ID)
		if err != nil {
			t.Fatal(err)
		}
		left := snap.ClocksAt(time.Now())[0].Left
		if want := 24*time.Hour - 30*time.Second; left < want || left > want+time.Minute {
			t.Errorf("%v left for the correspondence move, want %v", left, want)
		}
		// And both end unseen, in their own time.
		time.Sleep(299 * time.Second)
		if g := again.stored(quick.ID); g.Status.Over() {
			t.Errorf("the quick game is over too early")
		}
		time.Sleep(3 * time.Second)
		if g := again.stored(quick.ID); g.Status != store.StatusOutOfTime || g.Winner != 0 {
			t.Errorf("the quick game is %v, winner %d", g.Status, g.Winner)
		}
		time.Sleep(23*time.Hour + 50*time.Minute)
		if g := again.stored(slow.ID); g.Status.Over() {
			t.Errorf("the slow game is over too early")
		}
		time.Sleep(15 * time.Minute)
		if g := again.stored(slow.ID); g.Status != store.StatusOutOfTime {
			t.Errorf("the slow game is %v", g.Status)
		}
	})
}

// A game that nobody loads after the restart still ends.
func TestUnloadedGamesEndAfterARestart(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		snap := w.create(setup())
		w.moves(snap.ID, "e2e4", "e7e5")
		w.stop()
		time.Sleep(time.Hour)
		again := startBeating(t, w.store, time.Minute)
		defer again.stop()
		time.Sleep(299 * time.Second)
		if g := again.stored(snap.ID); g.Status.Over() {
			t.Fatalf("over too early: %v", g.Status)
		}
		time.Sleep(2 * time.Second)
		if g := again.stored(snap.ID); g.Status != store.StatusOutOfTime {
			t.Fatalf("status %v", g.Status)
		}
	})
}

func TestPresence(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		snap := w.create(setup())
		w.moves(snap.ID, "e2e4", "e7e5")
		_, sub, err := w.live.Subscribe(t.Context(), snap.ID)
		if err != nil {
			t.Fatal(err)
		}
		defer sub.Close()
		leaveAnna := w.live.Attend(snap.ID, 0)
		defer leaveAnna()
		leaveBert := w.live.Attend(snap.ID, 1)

		// A reconnect within the grace is not noticed.
		leaveBert()
		time.Sleep(900 * time.Millisecond)
		leaveBert = w.live.Attend(snap.ID, 1)
		leaveBert()
		leaveBert() // twice is once
		time.Sleep(1100 * time.Millisecond)
		gone := next[game.Event](t, sub)
		if gone.Kind != game.EventGone || gone.Gone.Player != 1 || !gone.Gone.Gone || gone.Version != 2 {
			t.Fatalf("got %+v", gone)
		}
		if wait := time.Until(gone.Gone.ClaimAt); wait < 25*time.Second || wait > 30*time.Second {
			t.Fatalf("the win may be claimed in %v", wait)
		}
		leaveBert = w.live.Attend(snap.ID, 1)
		if back := next[game.Event](t, sub); back.Kind != game.EventGone || back.Gone.Gone {
			t.Fatalf("got %+v", back)
		}
		leaveBert()
		time.Sleep(1100 * time.Millisecond)
		next[game.Event](t, sub)
		claim := game.Action{Kind: game.ClaimVictory, Player: 0}
		if _, err := w.live.Act(t.Context(), snap.ID, claim); err == nil {
			t.Fatal("the win was claimed at once")
		}
		time.Sleep(30 * time.Second)
		if ack := w.act(snap.ID, claim); ack.Snapshot.Status != game.StatusTimeout || ack.Snapshot.Winner != 0 {
			t.Fatalf("claimed: %s, %d", ack.Snapshot.Status, ack.Snapshot.Winner)
		}
	})
}

// A player who never opens a stream counts as gone after a while, and as back
// with every action.
func TestPresenceWithoutAStream(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		snap := w.create(setup())
		w.moves(snap.ID, "e2e4", "e7e5")
		_, sub, err := w.live.Subscribe(t.Context(), snap.ID)
		if err != nil {
			t.Fatal(err)
		}
		defer sub.Close()
		defer w.live.Attend(snap.ID, 1)()
		time.Sleep(31 * time.Second)
		if ev := next[game.Event](t, sub); ev.Kind != game.EventGone || ev.Gone.Player != 0 || !ev.Gone.Gone {
			t.Fatalf("got %+v", ev)
		}
		w.moves(snap.ID, "g1f3")
		if ev := next[game.Event](t, sub); ev.Kind != game.EventGone || ev.Gone.Gone {
			t.Fatalf("got %+v", ev)
		}
		if ev := next[game.Event](t, sub); ev.Kind != game.EventState || ev.Snapshot.Gone[0].Gone {
			t.Fatalf("got %+v", ev)
		}
	})
}

func TestIdleGamesLeaveTheMemory(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		su := setup()
		su.Control = clock.Control{}
		snap := w.create(su)
		_, sub, err := w.live.Subscribe(t.Context(), snap.ID)
		if err != nil {
			t.Fatal(err)
		}
		defer sub.Close()
		w.moves(snap.ID, "e2e4", "e7e5")
		time.Sleep(10 * time.Minute)
		if n := w.live.InMemory(); n != 0 {
			t.Fatalf("%d games in memory", n)
		}
		again, err := w.live.Snapshot(t.Context(), snap.ID)
		if err != nil || again.Version != 2 {
			t.Fatalf("%+v, %v", again, err)
		}
		w.moves(snap.ID, "g1f3")
		for want := uint64(1); want <= 3; want++ {
			if ev := next[game.Event](t, sub); ev.Version != want {
				t.Fatalf("version %d, want %d", ev.Version, want)
			}
		}
	})
}
