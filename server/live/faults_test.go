package live_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/live"
	"hoplite/server/live/game"
	"hoplite/server/live/livetest"
	"hoplite/store"
	"hoplite/store/storetest"
)

// follow checks that a subscriber sees every version once, until the game is
// over and quiet is closed.
func follow(t testing.TB, first *game.Snapshot, sub *bus.Subscription, quiet <-chan struct{}) uint64 {
	t.Helper()
	version := first.Version
	take := func(ev any) {
		e := ev.(game.Event)
		if e.Version != version+1 {
			t.Errorf("game %s: version %d after %d", first.ID, e.Version, version)
		}
		version = e.Version
	}
	for {
		select {
		case ev, ok := <-sub.C:
			if !ok {
				t.Errorf("game %s: %v", first.ID, sub.Err())
				return version
			}
			take(ev)
		case <-quiet:
			for len(sub.C) > 0 {
				take(<-sub.C)
			}
			return version
		}
	}
}

// TestFailingCommits plays while commits fail, or succeed and say that they
// failed. Nothing acknowledged is lost, nothing is done twice, subscribers see
// every version once, and memory equals the log afterwards.
func TestFailingCommits(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]storetest.Fault{"fail": storetest.Fails, "commit but fail": storetest.CommitsButFails} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onEach(t, func(t *testing.T, st store.Store) { failingCommits(t, st, f) })
		})
	}
}

func failingCommits(t *testing.T, below store.Store, f storetest.Fault) {
	st := storetest.NewFaulty(below, storetest.Every(1, storetest.Works))
	w := start(t, st)
	const games, actions = 6, 60
	quiet := make(chan struct{})
	var players, readers sync.WaitGroup
	var ids []string
	for n := range games {
		su := setup()
		su.Rated = true
		snap := w.create(su)
		ids = append(ids, snap.ID)
		first, sub, err := w.live.Subscribe(t.Context(), snap.ID)
		if err != nil {
			t.Fatal(err)
		}
		readers.Go(func() {
			defer sub.Close()
			last := follow(t, first, sub, quiet)
			if s, err := w.live.Snapshot(t.Context(), snap.ID); err != nil || s.Version != last {
				t.Errorf("game %s: the reader is at version %d, the game at %d, %v", snap.ID, last, s.Version, err)
			}
		})
		players.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(n), 5))
			playThroughFaults(t, w, snap.ID, actions, rng)
		})
	}
	st.Plan(storetest.Every(3, f))
	players.Wait()
	st.Plan(storetest.Every(1, storetest.Works))
	// A game whose last commit failed is looked at again by itself.
	time.Sleep(1500 * time.Millisecond)
	close(quiet)
	readers.Wait()
	memory := make(map[string]*game.Snapshot)
	rated := 0
	for _, id := range ids {
		s, err := w.live.Snapshot(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if !s.Over() {
			t.Errorf("game %s is not over", id)
		}
		if s.RatingDiff[0] != nil {
			rated++
		}
		memory[id] = s
	}
	if perf, err := st.Perf(t.Context(), "anna", "blitz"); err != nil || perf.Games != rated {
		t.Errorf("anna has %d rated games, %d games were rated, %v", perf.Games, rated, err)
	}
	w.stop()
	again := start(t, st)
	for id, want := range memory {
		got, err := again.live.Snapshot(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(game.Snapshot{}), cmpopts.EquateEmpty(),
			cmpopts.IgnoreFields(game.Snapshot{}, "Setup"), cmpopts.EquateApproxTime(time.Millisecond)); diff != "" {
			t.Errorf("game %s (-memory +log):\n%s", id, diff)
		}
		if diff := cmp.Diff(want.AllChat(), got.AllChat(), cmpopts.EquateEmpty(), cmpopts.EquateApproxTime(time.Millisecond)); diff != "" {
			t.Errorf("chat of game %s (-memory +log):\n%s", id, diff)
		}
	}
}

// playThroughFaults repeats each action until it is answered, and ends the
// game at last.
func playThroughFaults(t testing.TB, w *world, id string, actions int, rng *rand.Rand) {
	t.Helper()
	var last uint64
	for n := range actions + 1 {
		snap, err := w.live.Snapshot(t.Context(), id)
		if err != nil {
			t.Error(err)
			return
		}
		a, err := livetest.RandomAction(catalogue(), snap, rng)
		if err != nil {
			t.Error(err)
			return
		}
		if n == actions {
			a = game.Action{Kind: game.Resign, Player: 0}
		}
		a.ID = fmt.Sprint(n)
		for try := 0; ; try++ {
			ack, err := w.live.Act(t.Context(), id, a)
			if fault.KindOf(err) == fault.KindUnavailable && try < 50 {
				continue
			}
			if err != nil && fault.KindOf(err) != fault.KindInvalid {
				t.Errorf("game %s, %+v: %v", id, a, err)
				return
			}
			if err == nil && ack.Note == "" && ack.Version <= last {
				t.Errorf("game %s, %+v: version %d after %d", id, a, ack.Version, last)
			}
			if err == nil {
				last = max(last, ack.Version)
				// The repetition of an answered action has the same answer.
				again, err := w.live.Act(t.Context(), id, a)
				if ack.Note == "" && (err != nil || again.Version != ack.Version) {
					t.Errorf("game %s, %+v: %d, then %d, %v", id, a, ack.Version, again.Version, err)
				}
			}
			break
		}
	}
}

// A game whose creation was stored but reported as failed starts once, whether
// or not the creation is repeated.
func TestCreationThatFailsAfterTheCommit(t *testing.T) {
	t.Parallel()
	for _, repeat := range []int{0, 2} {
		t.Run(fmt.Sprintf("repeated %d times", repeat), func(t *testing.T) {
			t.Parallel()
			st := storetest.NewFaulty(storetest.New(t), storetest.Every(1, storetest.Works))
			w := start(t, st)
			anna := w.bus.Subscribe(live.UserTopic("anna"), 10)
			defer anna.Close()
			su := setup()
			su.ID = "challen1"
			st.Plan(storetest.Every(1, storetest.CommitsButFails))
			if _, err := w.live.Create(t.Context(), su); fault.KindOf(err) != fault.KindUnavailable {
				t.Fatalf("got %v", err)
			}
			if len(anna.C) != 0 {
				t.Fatal("the game was announced")
			}
			st.Plan(storetest.Every(1, storetest.Works))
			for range repeat {
				if snap, err := w.live.Create(t.Context(), su); err != nil || snap.ID != su.ID {
					t.Fatalf("%v, %v", snap, err)
				}
			}
			if ev := next[live.GameStart](t, anna); ev.Snapshot.ID != su.ID {
				t.Fatalf("announced %s", ev.Snapshot.ID)
			}
			time.Sleep(1500 * time.Millisecond)
			if len(anna.C) != 0 {
				t.Fatal("the game was announced twice")
			}
		})
	}
}

// A creation that did fail leaves nothing behind.
func TestCreationThatFails(t *testing.T) {
	t.Parallel()
	st := storetest.NewFaulty(storetest.New(t), storetest.Every(1, storetest.Fails))
	w := start(t, st)
	su := setup()
	su.ID = "challen1"
	if _, err := w.live.Create(t.Context(), su); fault.KindOf(err) != fault.KindUnavailable {
		t.Fatalf("got %v", err)
	}
	if _, err := w.live.Snapshot(t.Context(), su.ID); fault.KindOf(err) != fault.KindNotFound {
		t.Errorf("the game that failed: %v", err)
	}
	if n := w.live.InMemory(); n != 0 {
		t.Errorf("%d games in memory", n)
	}
	st.Plan(storetest.Every(1, storetest.Works))
	if snap, err := w.live.Create(t.Context(), su); err != nil || snap.ID != su.ID {
		t.Errorf("the second attempt: %v", err)
	}
}

// One step that the store refuses for good does not spoil its batch.
func TestForeignRowsFailOneGameOnly(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	w, other := start(t, st), start(t, st)
	stale, fine := w.create(setup()), w.create(setup())
	w.moves(stale.ID, "e2e4")
	w.moves(fine.ID, "e2e4")
	// Somebody else goes on with the first game behind our back.
	other.moves(stale.ID, "e7e5")
	var wg sync.WaitGroup
	wg.Go(func() {
		_, err := w.live.Act(t.Context(), stale.ID, game.Action{Kind: game.Move, Player: 1, Move: "c7c5"})
		if fault.KindOf(err) != fault.KindUnavailable {
			t.Errorf("the stale game: %v", err)
		}
	})
	wg.Go(func() {
		if _, err := w.live.Act(t.Context(), fine.ID, game.Action{Kind: game.Move, Player: 1, Move: "c7c5"}); err != nil {
			t.Errorf("the other game: %v", err)
		}
	})
	wg.Wait()
	if ack := w.act(stale.ID, game.Action{Kind: game.Move, Player: 0, Move: "g1f3"}); ack.Version != 3 {
		t.Errorf("after the reload the version is %d", ack.Version)
	}
}
