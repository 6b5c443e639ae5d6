// Package bus carries events from the place where they happen to the streams
// that show them, in this process and, if the bus has a relay, in others. A publisher never waits: a subscriber whose buffer is full
// loses its subscription, and starts again from the state that it knows.
package bus

import (
	"errors"
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"
)

// The reasons why a subscription ends by itself.
var (
	// ErrSlow says that the reader left its buffer full.
	ErrSlow = errors.New("bus: subscriber too slow")
	// ErrClosed says that the bus, or the topic, was closed.
	ErrClosed = errors.New("bus: closed")
)

const shardCount = 64

// Bus is an in-process event bus. Events of one topic reach every subscriber
// in the order in which they were published. The zero Bus is not usable.
//
// Lock order: callers may hold locks of their own; the bus takes one shard's
// lock at a time and calls nobody while holding it.
type Bus struct {
	seed   maphash.Seed
	slow   atomic.Uint64
	shards [shardCount]shard
	relay  atomic.Pointer[func(topic string, ev any)]
}

type shard struct {
	mu     sync.Mutex
	closed bool
	topics map[string]map[*Subscription]struct{}
}

// Subscription is one reader of one topic.
type Subscription struct {
	// C delivers the events. It is closed when the subscription ends; what
	// was buffered before is still delivered.
	C <-chan any

	c     chan any
	topic string
	shard *shard
	err   error // guarded by shard.mu, set before c is closed
	ended bool  // guarded by shard.mu
}

// New returns an empty bus.
func New() *Bus {
	b := &Bus{seed: maphash.MakeSeed()}
	for i := range b.shards {
		b.shards[i].topics = make(map[string]map[*Subscription]struct{})
	}
	return b
}

func (b *Bus) shardOf(topic string) *shard {
	return &b.shards[maphash.String(b.seed, topic)%shardCount]
}

// Relay has every event that is published here told to f as well, after the
// subscribers: the way to other nodes.
func (b *Bus) Relay(f func(topic string, ev any)) { b.relay.Store(&f) }

// Publish hands ev to every subscriber of topic and does not wait for any of
// them. ev must not change afterwards.
func (b *Bus) Publish(topic string, ev any) {
	b.Deliver(topic, ev)
	if f := b.relay.Load(); f != nil {
		(*f)(topic, ev)
	}
}

// Deliver is Publish for what concerns this process only, or has come from
// another one.
func (b *Bus) Deliver(topic string, ev any) {
	sh := b.shardOf(topic)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	b.hand(sh.topics[topic], ev)
}

// Broadcast is Deliver on every topic that begins with prefix.
func (b *Bus) Broadcast(prefix string, ev any) {
	for i := range b.shards {
		sh := &b.shards[i]
		sh.mu.Lock()
		for topic, subs := range sh.topics {
			if strings.HasPrefix(topic, prefix) {
				b.hand(subs, ev)
			}
		}
		sh.mu.Unlock()
	}
}

// hand is called with the shard's lock held.
func (b *Bus) hand(subs map[*Subscription]struct{}, ev any) {
	for sub := range subs {
		select {
		case sub.c <- ev:
		default:
			sub.end(ErrSlow)
			b.slow.Add(1)
		}
	}
}

// Subscribe returns a subscription that gets every event published on topic
// from now on. Up to buffer events may wait in it (at least one). The caller
// must Close it.
func (b *Bus) Subscribe(topic string, buffer int) *Subscription {
	sh := b.shardOf(topic)
	c := make(chan any, max(buffer, 1))
	sub := &Subscription{C: c, c: c, topic: topic, shard: sh}
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.closed {
		sub.ended, sub.err = true, ErrClosed
		close(c)
		return sub
	}
	subs := sh.topics[topic]
	if subs == nil {
		subs = make(map[*Subscription]struct{})
		sh.topics[topic] = subs
	}
	subs[sub] = struct{}{}
	return sub
}

// Slow returns how many subscriptions have ended with ErrSlow.
func (b *Bus) Slow() uint64 { return b.slow.Load() }

// Subscribers returns how many subscriptions a topic has.
func (b *Bus) Subscribers(topic string) int {
	sh := b.shardOf(topic)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return len(sh.topics[topic])
}

// Close ends every subscription with ErrClosed. Later subscriptions end at
// once, later events reach nobody. Close it before an HTTP shutdown, so that
// the streams end by themselves.
func (b *Bus) Close() {
	for i := range b.shards {
		sh := &b.shards[i]
		sh.mu.Lock()
		sh.closed = true
		for _, subs := range sh.topics {
			for sub := range subs {
				sub.end(ErrClosed)
			}
		}
		sh.mu.Unlock()
	}
}

// end is called with the shard's lock held.
func (s *Subscription) end(err error) {
	if s.ended {
		return
	}
	s.ended, s.err = true, err
	close(s.c)
	subs := s.shard.topics[s.topic]
	delete(subs, s)
	if len(subs) == 0 {
		delete(s.shard.topics, s.topic)
	}
}

// Err says why C was closed: ErrSlow, ErrClosed, or nil after Close and while
// the subscription lives.
func (s *Subscription) Err() error {
	s.shard.mu.Lock()
	defer s.shard.mu.Unlock()
	return s.err
}

// Close ends the subscription. It may be called more than once and from any
// goroutine.
func (s *Subscription) Close() {
	s.shard.mu.Lock()
	defer s.shard.mu.Unlock()
	s.end(nil)
}
