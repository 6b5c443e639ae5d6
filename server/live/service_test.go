package live_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"hoplite/engine/variant"
	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/live"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/store"
	"hoplite/store/storetest"
)

var catalogue = sync.OnceValue(func() *variant.Set {
	set, err := variant.Catalogue()
	if err != nil {
		panic(err)
	}
	return set
})

// world is a running service with the accounts anna and bert.
type world struct {
	t     testing.TB
	store store.Store
	bus   *bus.Bus
	live  *live.Service
	stop  func()
}

func people(t testing.TB, st store.Store, ids ...string) {
	t.Helper()
	for _, id := range ids {
		err := st.CreateAccount(t.Context(), store.Account{ID: id, Name: id, Created: time.Now()})
		if err != nil && !errors.Is(err, store.ErrConflict) {
			t.Fatal(err)
		}
	}
}

// start runs a service on a store; stop ends it and waits.
func start(t testing.TB, st store.Store) *world {
	t.Helper()
	return startBeating(t, st, 0)
}

// startBeating is start with a heartbeat for tests that last for days.
func startBeating(t testing.TB, st store.Store, beat time.Duration) *world {
	t.Helper()
	people(t, st, "anna", "bert")
	w := &world{t: t, store: st, bus: bus.New()}
	w.live = live.New(live.Deps{Store: st, Catalogue: catalogue(), Bus: w.bus, Beat: beat,
		Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- w.live.Run(ctx) }()
	w.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	t.Cleanup(w.stop)
	<-w.live.Ready()
	return w
}

func setup() game.Setup {
	return game.Setup{
		Variant: "standard",
		Players: []game.Player{{AccountID: "anna", Name: "Anna", Rating: 1500}, {AccountID: "bert", Name: "Bert", Rating: 1500}},
		Control: clock.NewFischer(5*time.Minute, 3*time.Second),
		Source:  "friend",
	}
}

func (w *world) create(su game.Setup) *game.Snapshot {
	w.t.Helper()
	snap, err := w.live.Create(w.t.Context(), su)
	if err != nil {
		w.t.Fatal(err)
	}
	return snap
}

func (w *world) act(id string, a game.Action) game.Ack {
	w.t.Helper()
	ack, err := w.live.Act(w.t.Context(), id, a)
	if err != nil {
		w.t.Fatalf("%+v: %v", a, err)
	}
	return ack
}

// moves plays moves, White first.
func (w *world) moves(id string, moves ...string) game.Ack {
	w.t.Helper()
	var ack game.Ack
	for _, m := range moves {
		snap, err := w.live.Snapshot(w.t.Context(), id)
		if err != nil {
			w.t.Fatal(err)
		}
		ack = w.act(id, game.Action{Kind: game.Move, Player: snap.Turn, Move: m})
	}
	return ack
}

// next returns the next event of a subscription.
func next[T any](t testing.TB, sub *bus.Subscription) T {
	t.Helper()
	select {
	case ev, ok := <-sub.C:
		if !ok {
			t.Fatalf("the subscription has ended: %v", sub.Err())
		}
		got, ok := ev.(T)
		if !ok {
			t.Fatalf("got %T, want %T", ev, got)
		}
		return got
	case <-time.After(10 * time.Second):
		t.Fatal("no event")
	}
	panic("unreachable")
}

// onEach runs a test on each database that there is.
func onEach(t *testing.T, f func(t *testing.T, st store.Store)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		f(t, storetest.New(t))
	})
	if dsn, ok := storetest.PostgresDSN(t); ok {
		t.Run("postgres", func(t *testing.T) { f(t, storetest.Open(t, dsn)) })
	}
}

func TestRatedGame(t *testing.T) {
	t.Parallel()
	onEach(t, ratedGame)
}

func ratedGame(t *testing.T, st store.Store) {
	w := start(t, st)
	anna := w.bus.Subscribe(live.UserTopic("anna"), 10)
	defer anna.Close()
	su := setup()
	su.Rated = true
	snap := w.create(su)
	if len(snap.ID) != 8 || snap.Speed != "blitz" || snap.Perf != "blitz" || snap.Status != game.StatusStarted {
		t.Fatalf("created %+v", snap)
	}
	if ev := next[live.GameStart](t, anna); ev.Snapshot.ID != snap.ID {
		t.Fatalf("announced %s", ev.Snapshot.ID)
	}
	first, sub, err := w.live.Subscribe(t.Context(), snap.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	if first.Version != 0 {
		t.Fatalf("subscribed at version %d", first.Version)
	}
	ack := w.moves(snap.ID, "f2f3", "e7e5", "g2g4", "d8h4")
	if ack.Version != 4 || ack.Snapshot.Status != game.StatusMate || ack.Snapshot.Winner != 1 {
		t.Fatalf("the last answer is %d, %s", ack.Version, ack.Snapshot.Status)
	}
	for want := uint64(1); want <= 4; want++ {
		ev := next[game.Event](t, sub)
		if ev.Version != want || ev.Snapshot.Over() != (want == 4) {
			t.Fatalf("event %d: version %d, status %s", want, ev.Version, ev.Snapshot.Status)
		}
	}
	end := next[live.GameFinish](t, anna).Snapshot
	if end.RatingDiff[0] == nil || *end.RatingDiff[0] >= 0 || *end.RatingDiff[0] != -*end.RatingDiff[1] {
		t.Fatalf("rating differences %v", end.RatingDiff)
	}
	perf, err := w.store.Perf(t.Context(), "bert", "blitz")
	if err != nil || perf.Games != 1 || int(perf.Rating+0.5) != 1500+*end.RatingDiff[1] {
		t.Fatalf("bert's rating is %+v, %v; difference %d", perf, err, *end.RatingDiff[1])
	}
	if left, err := w.live.Ongoing(t.Context(), "anna"); err != nil || len(left) != 0 {
		t.Fatalf("still playing %d games, %v", len(left), err)
	}
	// A restart shows the same.
	w.stop()
	again := start(t, w.store)
	back, err := again.live.Snapshot(t.Context(), snap.ID)
	if err != nil || back.Status != game.StatusMate || back.RatingDiff[1] == nil || *back.RatingDiff[1] != *end.RatingDiff[1] {
		t.Fatalf("after the restart: %+v, %v", back, err)
	}
}

func TestCasualAndAbortedGamesAreNotRated(t *testing.T) {
	t.Parallel()
	w := start(t, storetest.New(t))
	casual := w.create(setup())
	w.moves(casual.ID, "e2e4", "e7e5")
	if ack := w.act(casual.ID, game.Action{Kind: game.Resign}); ack.Snapshot.RatingDiff[0] != nil {
		t.Error("a casual game was rated")
	}
	su := setup()
	su.Rated = true
	aborted := w.create(su)
	if ack := w.act(aborted.ID, game.Action{Kind: game.Abort}); ack.Snapshot.RatingDiff[0] != nil {
		t.Error("an aborted game was rated")
	}
	for _, id := range []string{"anna", "bert"} {
		if perfs, err := w.store.PerfsOf(t.Context(), id); err != nil || len(perfs) != 0 {
			t.Errorf("%s has ratings %+v, %v", id, perfs, err)
		}
	}
	a, err := w.store.AccountByID(t.Context(), "anna")
	if err != nil || a.Count.All != 1 || a.Count.Loss != 1 || a.Count.Rated != 0 {
		t.Errorf("anna's counts are %+v, %v", a.Count, err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	w := start(t, storetest.New(t))
	ctx := t.Context()
	snap := w.create(setup())
	for _, tc := range []struct {
		name string
		err  error
		kind fault.Kind
	}{
		{"unknown game", second(w.live.Act(ctx, "nosuch00", game.Action{Kind: game.Abort})), fault.KindNotFound},
		{"unknown snapshot", second(w.live.Snapshot(ctx, "nosuch00")), fault.KindNotFound},
		{"unknown chat", second(w.live.ChatLog(ctx, "nosuch00", game.RoomPlayer)), fault.KindNotFound},
		{"wrong turn", second(w.live.Act(ctx, snap.ID, game.Action{Kind: game.Move, Player: 1, Move: "e7e5"})), fault.KindInvalid},
		{"stranger", second(w.live.Act(ctx, snap.ID, game.Action{Kind: game.Resign, Player: -1})), fault.KindNotFound},
		{"unknown variant", second(w.live.Create(ctx, func() game.Setup { s := setup(); s.Variant = "nope"; return s }())), fault.KindInvalid},
		{"broken FEN", second(w.live.Create(ctx, func() game.Setup { s := setup(); s.InitialFEN = "x"; return s }())), fault.KindInvalid},
		{"three players", second(w.live.Create(ctx, func() game.Setup { s := setup(); s.Players = append(s.Players, s.Players[0]); return s }())), fault.KindInvalid},
		{"taken id", second(w.live.Create(ctx, func() game.Setup {
			s := setup()
			s.ID = snap.ID
			slices.Reverse(s.Players)
			return s
		}())), fault.KindConflict},
	} {
		if got := fault.KindOf(tc.err); tc.err == nil || got != tc.kind {
			t.Errorf("%s: %v (%v), want %v", tc.name, tc.err, got, tc.kind)
		}
	}
	log, err := w.store.LogOf(ctx, snap.ID, 0)
	if err != nil || len(log) != 0 {
		t.Errorf("refusals left %d rows, %v", len(log), err)
	}
	su := setup()
	su.ID = snap.ID
	if again, err := w.live.Create(ctx, su); err != nil || again.ID != snap.ID {
		t.Errorf("creating the same game again: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestStopsCleanly(t *testing.T) {
	t.Parallel()
	w := start(t, storetest.New(t))
	snap := w.create(setup())
	w.stop()
	_, err := w.live.Act(t.Context(), snap.ID, game.Action{Kind: game.Abort})
	if fault.KindOf(err) != fault.KindUnavailable {
		t.Errorf("after the stop: %v", err)
	}
}

func TestRematchIsLinked(t *testing.T) {
	t.Parallel()
	w := start(t, storetest.New(t))
	old := w.create(setup())
	w.act(old.ID, game.Action{Kind: game.Abort})
	su := setup()
	su.RematchOf = old.ID
	next := w.create(su)
	if snap, err := w.live.Snapshot(t.Context(), old.ID); err != nil || snap.Rematch != next.ID {
		t.Errorf("the old game's rematch is %q, %v", snap.Rematch, err)
	}
}

func TestShuffledStart(t *testing.T) {
	t.Parallel()
	w := start(t, storetest.New(t))
	seen := make(map[string]bool)
	for range 12 {
		su := setup()
		su.Variant, su.StartNumber = "chess960", -1
		snap := w.create(su)
		seen[snap.StartFEN] = true
		w.act(snap.ID, game.Action{Kind: game.Abort})
	}
	if len(seen) < 3 {
		t.Errorf("twelve games began from %d positions", len(seen))
	}
}

func TestChat(t *testing.T) {
	t.Parallel()
	w := start(t, storetest.New(t))
	snap := w.create(setup())
	w.act(snap.ID, game.Action{Kind: game.Chat, Player: 0, Room: game.RoomPlayer, Text: "hi", Username: "Anna"})
	w.act(snap.ID, game.Action{Kind: game.Chat, Player: -1, Room: game.RoomSpectator, Text: "go", Username: "Sam"})
	w.act(snap.ID, game.Action{Kind: game.Abort})
	w.act(snap.ID, game.Action{Kind: game.Chat, Player: 1, Room: game.RoomPlayer, Text: "χαῖρε", Username: "Bert"})
	lines, err := w.live.ChatLog(t.Context(), snap.ID, game.RoomPlayer)
	if err != nil || len(lines) != 2 || lines[1].Text != "χαῖρε" || lines[1].Username != "Bert" {
		t.Errorf("the players' room has %+v, %v", lines, err)
	}
}

// Whoever subscribes while moves fly sees every version once.
func TestSubscribeIsGapless(t *testing.T) {
	t.Parallel()
	w := start(t, storetest.New(t))
	snap := w.create(setup())
	const rounds = 40
	var wg sync.WaitGroup
	wg.Go(func() {
		for range rounds {
			w.moves(snap.ID, "g1f3", "g8f6", "f3g1", "f6g8")
			if s, err := w.live.Snapshot(t.Context(), snap.ID); err != nil || s.Over() {
				return // fivefold repetition
			}
		}
	})
	for range 8 {
		wg.Go(func() {
			for {
				first, sub, err := w.live.Subscribe(t.Context(), snap.ID)
				if err != nil {
					t.Error(err)
					return
				}
				version := first.Version
				for range 3 {
					if first.Over() {
						break
					}
					ev := next[game.Event](t, sub)
					if ev.Version != version+1 {
						t.Errorf("version %d after %d", ev.Version, version)
					}
					version, first = ev.Version, ev.Snapshot
				}
				sub.Close()
				if first.Over() {
					return
				}
			}
		})
	}
	wg.Wait()
}

// Both players shout at once; each action gets its own row or a refusal.
func TestConcurrentActions(t *testing.T) {
	t.Parallel()
	w := start(t, storetest.New(t))
	snap := w.create(setup())
	var wg sync.WaitGroup
	var mu sync.Mutex
	versions := make(map[uint64]int)
	for p := range 2 {
		for n := range 12 {
			wg.Go(func() {
				id := fmt.Sprint(n / 2) // each id twice
				ack, err := w.live.Act(t.Context(), snap.ID, game.Action{
					Kind: game.Chat, Player: p, ID: id, Room: game.RoomPlayer, Text: id, Username: "x"})
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				versions[ack.Version]++
				mu.Unlock()
			})
		}
	}
	wg.Wait()
	if len(versions) != 12 {
		t.Errorf("12 different actions made %d rows", len(versions))
	}
	for v, n := range versions {
		if n != 2 {
			t.Errorf("version %d answers %d actions, want 2", v, n)
		}
	}
}

func TestOngoingIsUrgentFirst(t *testing.T) {
	t.Parallel()
	w := start(t, storetest.New(t))
	slow := setup()
	slow.Control = clock.NewCorrespondence(3)
	theirs := w.create(slow)
	w.moves(theirs.ID, "e2e4")
	days := w.create(slow)
	quick := w.create(setup())
	got, err := w.live.Ongoing(t.Context(), "anna")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, s := range got {
		ids = append(ids, s.ID)
	}
	if want := []string{quick.ID, days.ID, theirs.ID}; !slices.Equal(ids, want) {
		t.Errorf("order %v, want %v", ids, want)
	}
}
