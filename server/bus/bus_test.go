package bus

import (
	"errors"
	"sync"
	"testing"
)

func TestOrderAndIsolation(t *testing.T) {
	t.Parallel()
	b := New()
	x, y := b.Subscribe("x", 10), b.Subscribe("y", 10)
	for i := range 5 {
		b.Publish("x", i)
	}
	b.Publish("y", "other")
	x.Close()
	for want := range 5 {
		if got, ok := <-x.C; !ok || got != want {
			t.Fatalf("got %v, %v, want %d", got, ok, want)
		}
	}
	if got, ok := <-x.C; ok {
		t.Fatalf("an event after the last: %v", got)
	}
	if got := <-y.C; got != "other" {
		t.Fatalf("y got %v", got)
	}
	if x.Err() != nil {
		t.Errorf("Err after Close: %v", x.Err())
	}
	if n := b.Subscribers("x"); n != 0 {
		t.Errorf("%d subscribers left", n)
	}
}

func TestSlowSubscriberIsCutOff(t *testing.T) {
	t.Parallel()
	b := New()
	slow, quick := b.Subscribe("t", 2), b.Subscribe("t", 8)
	for i := range 4 {
		b.Publish("t", i)
	}
	n := 0
	for range slow.C {
		n++
	}
	if n != 2 || !errors.Is(slow.Err(), ErrSlow) {
		t.Errorf("slow got %d events and %v, want 2 and ErrSlow", n, slow.Err())
	}
	if got := len(quick.C); got != 4 {
		t.Errorf("quick has %d events, want 4", got)
	}
	slow.Close()
	if !errors.Is(slow.Err(), ErrSlow) {
		t.Errorf("Close changed the reason to %v", slow.Err())
	}
}

func TestClose(t *testing.T) {
	t.Parallel()
	b := New()
	before := b.Subscribe("t", 1)
	b.Close()
	after := b.Subscribe("t", 1)
	b.Publish("t", 1)
	for name, sub := range map[string]*Subscription{"before": before, "after": after} {
		if ev, ok := <-sub.C; ok {
			t.Errorf("%s: got %v", name, ev)
		}
		if !errors.Is(sub.Err(), ErrClosed) {
			t.Errorf("%s: Err is %v", name, sub.Err())
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	b := New()
	const events, readers = 500, 8
	var wg sync.WaitGroup
	for range readers {
		sub := b.Subscribe("t", events)
		wg.Go(func() {
			defer sub.Close()
			for want := range events {
				if got := <-sub.C; got != want {
					t.Errorf("got %v, want %d", got, want)
					return
				}
			}
		})
		wg.Go(func() {
			for range 50 {
				b.Subscribe("t", 1).Close()
			}
		})
	}
	for i := range events {
		b.Publish("t", i)
	}
	wg.Wait()
	if n := b.Subscribers("t"); n != 0 {
		t.Errorf("%d subscribers left", n)
	}
}

// TestBroadcast reaches the topics of a kind, each subscription once, and ends those that are full.
func TestBroadcast(t *testing.T) {
	t.Parallel()
	b := New()
	one, two, other := b.Subscribe("game/1", 2), b.Subscribe("game/2", 2), b.Subscribe("user/1", 2)
	full := b.Subscribe("game/2", 1)
	b.Deliver("game/2", "first")
	b.Broadcast("game/", "all")
	if got := <-one.C; got != "all" || len(one.C) != 0 {
		t.Errorf("game 1: %v and %d more", got, len(one.C))
	}
	if first, second := <-two.C, <-two.C; first != "first" || second != "all" {
		t.Errorf("game 2: %v, %v", first, second)
	}
	if len(other.C) != 0 {
		t.Error("another kind of topic was reached")
	}
	if got := <-full.C; got != "first" {
		t.Errorf("the full one: %v", got)
	}
	if _, open := <-full.C; open || full.Err() != ErrSlow {
		t.Errorf("the full one goes on: %v", full.Err())
	}
}
