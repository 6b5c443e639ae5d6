package live_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/live"
	"hoplite/server/live/game"
	"hoplite/server/live/livetest"
	"hoplite/server/node"
	"hoplite/server/node/natstest"
	"hoplite/store"
)

const testLease = 1500 * time.Millisecond

// member is a service that shares the games with others.
type member struct {
	*world
	node    *node.Node
	stalled atomic.Bool   // its leases are not renewed
	dying   atomic.Bool   // it dies after its next commit
	buried  chan struct{} // closed when a dead node may be cleared away
}

// leases is the store of a node, which may be kept from renewing, or from
// hearing what has become of a commit.
type leases struct {
	store.Store
	m *member
}

func (l leases) CommitSteps(ctx context.Context, steps []store.Step, rate store.RateFunc) ([]store.StepResult, error) {
	res, err := l.Store.CommitSteps(ctx, steps, rate)
	if l.m.dying.Load() {
		l.m.stalled.Store(true)
		<-l.m.buried
		return nil, errors.New("killed by the test")
	}
	return res, err
}

func (l leases) RenewLeases(ctx context.Context, id string, ttl time.Duration) (store.Roll, error) {
	if l.m.stalled.Load() {
		return store.Roll{}, errors.New("stalled by the test")
	}
	return l.Store.RenewLeases(ctx, id, ttl)
}

// join starts one more node; leave ends it as a stop does.
func join(t testing.TB, st store.Store, url string) *member {
	t.Helper()
	people(t, st, "anna", "bert")
	m := &member{world: &world{t: t, store: st, bus: bus.New()}, buried: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	var err error
	m.node, err = node.Join(ctx, node.Config{URL: url, Lease: testLease}, leases{st, m}, log)
	if err != nil {
		t.Fatal(err)
	}
	log = log.With("node", m.node.ID())
	m.live = live.New(live.Deps{Store: leases{st, m}, Catalogue: catalogue(), Bus: m.bus, Node: m.node, Log: log})
	done := make(chan error, 2)
	go func() { done <- m.node.Run(ctx) }()
	go func() { done <- m.live.Run(ctx) }()
	m.stop = sync.OnceFunc(func() {
		close(m.buried)
		leaving, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer stop()
		m.node.Leave(leaving)
		cancel()
		if err := errors.Join(<-done, <-done); err != nil {
			t.Errorf("Run: %v", err)
		}
		m.node.Close()
	})
	t.Cleanup(m.stop)
	<-m.live.Ready()
	return m
}

// settle waits until the nodes have divided the shards among them.
func settle(t testing.TB, members ...*member) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		held := 0
		even := true
		for _, m := range members {
			n := m.node.Shards()
			held += n
			even = even && n >= store.Shards/len(members)
		}
		if held == store.Shards && even {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d shards are held, evenly: %v", held, even)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// spectator collects what a subscriber of a game sees.
type spectator struct {
	events []game.Event
	done   chan struct{} // closed when the game is over
}

// watch follows a game at a node from its creation to its end.
func (m *member) watch(id string) *spectator {
	m.t.Helper()
	snap, sub, err := m.live.Subscribe(m.t.Context(), id)
	if err != nil {
		m.t.Fatal(err)
	}
	s := &spectator{done: make(chan struct{})}
	go func() {
		defer close(s.done)
		defer sub.Close()
		last := snap.Version
		for ev := range sub.C {
			e := ev.(game.Event)
			if e.Kind == game.EventGone {
				continue
			}
			if e.Version != last+1 {
				m.t.Errorf("game %s at node %s: version %d after %d", id, m.node.ID(), e.Version, last)
			}
			last = e.Version
			s.events = append(s.events, e)
			if e.Snapshot.Over() {
				return
			}
		}
		m.t.Errorf("game %s at node %s: the subscription ended: %v", id, m.node.ID(), sub.Err())
	}()
	return s
}

func (s *spectator) wait(t testing.TB) {
	t.Helper()
	select {
	case <-s.done:
	case <-time.After(30 * time.Second):
		t.Fatal("the end of the game was not seen")
	}
}

// seen is what two spectators of a game must see alike.
type seen struct {
	Version uint64
	Row     game.RowKind
	Player  int
	FEN     string
	Status  string
	Moves   int
	Clocks  string
	Diff    string
	Partial bool
}

func (s *spectator) list() []seen {
	list := make([]seen, len(s.events))
	for i, e := range s.events {
		snap := e.Snapshot
		diff := ""
		for _, d := range snap.RatingDiff {
			if d != nil {
				diff += fmt.Sprint(*d, " ")
			}
		}
		list[i] = seen{e.Version, e.Row, e.Player, snap.FEN, snap.Status, len(snap.Moves),
			fmt.Sprint(snap.Clocks, snap.ClockRunning), diff, e.Partial}
	}
	return list
}

// playThrough plays a game to its end, each action through any of the nodes.
func playThrough(t testing.TB, rng *rand.Rand, id string, length int, nodes func() []*member) {
	t.Helper()
	for n := range length {
		all := nodes()
		m := all[rng.IntN(len(all))]
		snap, err := m.live.Snapshot(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if snap.Over() {
			return
		}
		a, err := livetest.RandomAction(catalogue(), snap, rng)
		if err != nil {
			t.Fatal(err)
		}
		if n == length-1 {
			a = game.Action{Kind: game.Resign, Player: n % 2}
		}
		a.ID = fmt.Sprint("a", n)
		ack, err := m.live.Act(t.Context(), id, a)
		if fault.KindOf(err) == fault.KindInvalid {
			continue
		}
		if err != nil {
			t.Fatalf("%+v: %v", a, err)
		}
		if ack.Snapshot.Version < ack.Version {
			t.Fatalf("acknowledged version %d with a state of version %d", ack.Version, ack.Snapshot.Version)
		}
	}
}

// TestNodesShareGames plays through three nodes at once, and watches every game
// at each of them.
func TestNodesShareGames(t *testing.T) {
	onEach(t, func(t *testing.T, st store.Store) {
		url := natstest.Run(t)
		members := []*member{join(t, st, url), join(t, st, url), join(t, st, url)}
		settle(t, members...)
		all := func() []*member { return members }
		var wg sync.WaitGroup
		for n := range 9 {
			wg.Go(func() {
				rng := rand.New(rand.NewPCG(uint64(n), 1))
				su := setup()
				su.Rated = true
				su.Variant = []string{"standard", "spartan", "duck"}[n%3]
				snap, err := members[n%3].live.Create(t.Context(), su)
				if err != nil {
					t.Error(err)
					return
				}
				var watchers []*spectator
				for _, m := range members {
					watchers = append(watchers, m.watch(snap.ID))
				}
				playThrough(t, rng, snap.ID, 50, all)
				for _, w := range watchers {
					w.wait(t)
				}
				for i, w := range watchers[1:] {
					if d := cmp.Diff(watchers[0].list(), w.list()); d != "" {
						t.Errorf("game %s: nodes 0 and %d (-0 +%d):\n%s", snap.ID, i+1, i+1, d)
					}
				}
			})
		}
		wg.Wait()
	})
}

// TestNodesComeAndGo lets nodes stop and others come while games are played
// through those that are there, and watched at one that stays.
func TestNodesComeAndGo(t *testing.T) {
	onEach(t, func(t *testing.T, st store.Store) {
		url := natstest.Run(t)
		stays := join(t, st, url)
		var mu sync.Mutex
		list := []*member{stays, join(t, st, url)}
		all := func() []*member {
			mu.Lock()
			defer mu.Unlock()
			return append([]*member(nil), list...)
		}
		settle(t, list...)
		stop := make(chan struct{})
		var wg sync.WaitGroup
		for n := range 6 {
			wg.Go(func() {
				rng := rand.New(rand.NewPCG(uint64(n), 2))
				for games := 0; ; games++ {
					select {
					case <-stop:
						if games == 0 {
							t.Error("no game was finished")
						}
						return
					default:
					}
					snap, err := stays.live.Create(t.Context(), setup())
					if err != nil {
						t.Error(err)
						return
					}
					w := stays.watch(snap.ID)
					playThrough(t, rng, snap.ID, 60, all)
					w.wait(t)
				}
			})
		}
		for range 3 {
			mu.Lock()
			list = append(list, join(t, st, url))
			mu.Unlock()
			settle(t, all()...)
			mu.Lock()
			gone := list[1]
			list = append(list[:1:1], list[2:]...)
			mu.Unlock()
			time.Sleep(50 * time.Millisecond) // what is under way there may end there
			gone.node.Leave(t.Context())
			settle(t, all()...)
		}
		close(stop)
		wg.Wait()
	})
}

// TestStalledNode keeps a node from renewing its leases. It answers no more for
// its games, the others take them, and what it tries afterwards goes to them.
func TestStalledNode(t *testing.T) {
	onEach(t, func(t *testing.T, st store.Store) {
		url := natstest.Run(t)
		a, b := join(t, st, url), join(t, st, url)
		settle(t, a, b)
		id := idOf(a)
		su := setup()
		su.ID = id
		a.create(su)
		a.moves(id, "e2e4", "e7e5")
		w := b.watch(id)
		a.stalled.Store(true)
		deadline := time.Now().Add(20 * time.Second)
		for !holds(b, id) {
			if holds(a, id) && holds(b, id) {
				t.Fatal("two nodes hold one shard")
			}
			if time.Now().After(deadline) {
				t.Fatal("the shard was not taken")
			}
			time.Sleep(time.Millisecond)
		}
		if snap := a.moves(id, "g1f3").Snapshot; snap.Version != 3 || holds(a, id) {
			t.Errorf("version %d after a move through the stalled node", snap.Version)
		}
		if snap, err := b.live.Snapshot(t.Context(), id); err != nil || snap.LastMove != "g1f3" {
			t.Errorf("at the new owner: %v, %v", snap, err)
		}
		a.stalled.Store(false)
		settle(t, a, b)
		a.act(id, game.Action{Kind: game.Resign, Player: 1})
		w.wait(t)
		if len(w.events) != 2 {
			t.Errorf("%d events seen", len(w.events))
		}
	})
}

// idOf is an id for a game of a node.
func idOf(m *member) string {
	for {
		if id := live.NewID(); holds(m, id) {
			return id
		}
	}
}

func holds(m *member, id string) bool {
	_, ok := m.node.Holds(store.ShardOf(id))
	return ok
}
