package node_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/node"
	"hoplite/server/node/natstest"
	"hoplite/server/presence"
	"hoplite/server/stream"
	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/store/storetest"
)

const lease = time.Second

// idle is a service without games.
type idle struct {
	mu        sync.Mutex
	recovered int
}

func (g *idle) Recover(context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.recovered++
	return nil
}
func (g *idle) Open()                     {}
func (g *idle) Gained([]store.Claim)      {}
func (g *idle) Settled([]store.Claim)     {}
func (g *idle) Lost([]int)                {}
func (g *idle) Reconnected(time.Duration) {}

func join(t *testing.T, st node.Store, url string) (n *node.Node, games *idle, stop func()) {
	t.Helper()
	n, err := node.Join(t.Context(), node.Config{URL: url, Lease: lease}, st, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	games = &idle{}
	n.Use(games)
	node.Serve(n, "echo", func(_ context.Context, q string) (any, error) { return n.ID() + q, nil })
	node.Serve(n, "refuse", func(_ context.Context, q string) (any, error) { return nil, fault.Field("q", q) })
	node.Serve(n, "break", func(context.Context, string) (any, error) { return nil, errors.New("a secret") })
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- n.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		n.Close()
	})
	t.Cleanup(stop)
	return n, games, stop
}

// await waits for something to become true.
func await(t *testing.T, what string, f func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !f(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within 20 s", what)
		}
	}
}

func TestNodesShareShards(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		url := natstest.Run(t)
		a, recovered, stopA := join(t, db, url)
		await(t, "all shards at the first", func() bool { return a.Shards() == store.Shards && a.Leads() })
		b, _, _ := join(t, db, url)
		c, _, _ := join(t, db, url)
		await(t, "a third each", func() bool {
			return a.Shards() >= 85 && b.Shards() >= 85 && c.Shards() >= 85 && a.Shards()+b.Shards()+c.Shards() == store.Shards
		})
		if b.Leads() || c.Leads() {
			t.Error("two nodes lead")
		}
		if recovered.recovered != 1 {
			t.Errorf("the first node recovered %d times", recovered.recovered)
		}
		left := time.Now()
		stopA()
		await(t, "half each", func() bool { return b.Shards() == 128 && c.Shards() == 128 && b.Leads() != c.Leads() })
		if took := time.Since(left); took > lease {
			t.Errorf("after a stop the shards moved within %v only, as if the node had died", took)
		}
	})
}

func TestCalls(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	url := natstest.Run(t)
	a, _, _ := join(t, db, url)
	b, _, _ := join(t, db, url)
	await(t, "half each", func() bool { return a.Shards() == 128 && b.Shards() == 128 })
	mine, theirs := -1, -1
	for shard := range store.Shards {
		if _, ok := a.Holds(shard); ok {
			mine = shard
		} else {
			theirs = shard
		}
	}
	ctx := t.Context()
	var answer string
	if err := a.Call(ctx, theirs, "echo", false, "!", &answer); err != nil || answer != b.ID()+"!" {
		t.Errorf("call: %q, %v", answer, err)
	}
	if err := a.Call(ctx, mine, "echo", false, "!", &answer); !errors.Is(err, node.ErrHere) {
		t.Errorf("call of oneself: %v", err)
	}
	err := a.Call(ctx, theirs, "refuse", true, "wrong", nil)
	if f, ok := errors.AsType[*fault.Error](err); !ok || f.Kind != fault.KindInvalid || fmt.Sprint(f.Fields) != "map[q:[wrong]]" {
		t.Errorf("refused call: %#v", err)
	}
	if err := a.Call(ctx, theirs, "break", true, "", nil); fault.KindOf(err) != fault.KindInternal || err.Error() == "a secret" {
		t.Errorf("failed call: %v", err)
	}
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if err := a.Call(short, theirs, "nothing", true, "", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("call that nobody answers: %v", err)
	}
}

// TestRelay carries events from bus to bus, each topic in its order.
func TestRelay(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	url := natstest.Run(t)
	type said struct{ N int }
	type secret struct{}
	var buses []*bus.Bus
	for range 2 {
		n, _, _ := join(t, db, url)
		b := bus.New()
		r := node.NewRelay(n, b, slog.New(slog.DiscardHandler))
		node.Carry[said](r, "said")
		if err := r.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		buses = append(buses, b)
	}
	here, there := buses[0].Subscribe("x", 1000), buses[1].Subscribe("x", 1000)
	const count = 500
	for n := range count {
		buses[0].Publish("x", said{n})
		buses[0].Publish("y", said{-1})
		buses[0].Publish("x", secret{})
	}
	for n := range count {
		select {
		case ev := <-there.C:
			if ev != (said{n}) {
				t.Fatalf("event %d there: %v", n, ev)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("event %d did not come", n)
		}
		if ev := <-here.C; ev != (said{n}) {
			t.Fatalf("event %d here: %v", n, ev)
		}
		if ev := <-here.C; ev != (secret{}) {
			t.Fatalf("event %d here: %v", n, ev)
		}
	}
	select {
	case ev := <-there.C:
		t.Errorf("one more event: %v", ev)
	case <-time.After(50 * time.Millisecond):
	}
}

func TestPresence(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	url := natstest.Run(t)
	var trackers []*presence.Tracker
	for range 2 {
		n, _, _ := join(t, db, url)
		p := presence.New()
		if err := p.Share(t.Context(), n); err != nil {
			t.Fatal(err)
		}
		trackers = append(trackers, p)
	}
	here, there := trackers[0], trackers[1]
	leave, again := here.Enter("anna"), here.Enter("anna")
	await(t, "online there", func() bool { return there.Online("anna") })
	leave()
	late, _, _ := join(t, db, url)
	third := presence.New()
	if err := third.Share(t.Context(), late); err != nil {
		t.Fatal(err)
	}
	await(t, "known to a node that came later", func() bool { return third.Online("anna") })
	if got := there.OnlineIDs(); len(got) != 1 || got[0] != "anna" {
		t.Errorf("online there: %v", got)
	}
	again()
	await(t, "offline there", func() bool { return !there.Online("anna") && len(third.OnlineIDs()) == 0 })
}

// TestSlotsOverNodes: a stream that is opened at one node ends the older one of its slot at another. Of two that are
// opened at the same time one is left.
func TestSlotsOverNodes(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	url := natstest.Run(t)
	var hubs []*stream.Hub
	for range 2 {
		n, _, _ := join(t, db, url)
		h := stream.NewHub()
		if err := h.Share(t.Context(), n); err != nil {
			t.Fatal(err)
		}
		hubs = append(hubs, h)
	}
	enter := func(h *stream.Hub, slot string) context.Context {
		ctx, leave := h.Enter(t.Context(), stream.Owner{Account: "anna"}, slot)
		t.Cleanup(leave)
		return ctx
	}
	replaced := func(ctx context.Context) bool { return errors.Is(context.Cause(ctx), stream.ErrReplaced) }
	other, free := enter(hubs[0], "event/bert"), enter(hubs[0], "")
	first := enter(hubs[0], "event/anna")
	second := enter(hubs[1], "event/anna")
	await(t, "the newer one ends the older there", func() bool { return replaced(first) })
	third := enter(hubs[0], "event/anna")
	await(t, "and back", func() bool { return replaced(second) })
	if third.Err() != nil || other.Err() != nil || free.Err() != nil {
		t.Errorf("the newest, one of another slot and one without: %v, %v, %v", third.Err(), other.Err(), free.Err())
	}
	for n := range 20 {
		slot := fmt.Sprint("game/", n)
		var pair [2]context.Context
		var wg sync.WaitGroup
		for i := range pair {
			wg.Go(func() { pair[i] = enter(hubs[i], slot) })
		}
		wg.Wait()
		await(t, "one of two ends", func() bool { return replaced(pair[0]) || replaced(pair[1]) })
		time.Sleep(5 * time.Millisecond)
		if replaced(pair[0]) && replaced(pair[1]) {
			t.Fatal("two streams of the same moment have ended each other")
		}
	}
}

func TestLead(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	url := natstest.Run(t)
	var mu sync.Mutex
	working := map[string]bool{}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	lead := func(n *node.Node) {
		wg.Go(func() {
			err := n.Lead(ctx, func(ctx context.Context) error {
				mu.Lock()
				working[n.ID()] = true
				mu.Unlock()
				<-ctx.Done()
				mu.Lock()
				delete(working, n.ID())
				mu.Unlock()
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	works := func(n *node.Node) func() bool {
		return func() bool {
			mu.Lock()
			defer mu.Unlock()
			return working[n.ID()]
		}
	}
	a, _, _ := join(t, db, url)
	lead(a)
	await(t, "the first leads", works(a))
	b, _, _ := join(t, db, url)
	lead(b)
	await(t, "the second is there", func() bool { return b.Shards() > 0 })
	a.Leave(t.Context())
	await(t, "the second leads", works(b))
	await(t, "the first has ended", func() bool { return !works(a)() })
	cancel()
	wg.Wait()
}
