// Package limits keeps callers from asking too much. Moves, chat and the streams of a game are never limited: a
// client that is told to wait there loses its game.
package limits

import (
	"fmt"
	"hash/maphash"
	"math"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Mode says how strict a server is.
type Mode string

// The modes. Relaxed is for work on one's own machine: only what protects passwords and tokens is limited.
const (
	Strict  Mode = "strict"
	Relaxed Mode = "relaxed"
	Off     Mode = "off"
)

// ParseMode reads a mode's name.
func ParseMode(s string) (Mode, error) {
	switch m := Mode(s); m {
	case Strict, Relaxed, Off:
		return m, nil
	}
	return "", fmt.Errorf("limit mode %q is none of strict, relaxed, off", s)
}

// Rule is one budget: Burst at once, and as many again evenly over Per.
type Rule struct {
	Name   string // documented, and sent as ratelimit.key
	Burst  int
	Per    time.Duration
	Guards bool // protects passwords or tokens, so that it also holds in relaxed mode
	Text   string
}

// rate returns how many come back each second.
func (r Rule) rate() rate.Limit { return rate.Limit(float64(r.Burst) / r.Per.Seconds()) }

// Holds says whether the rule is kept in a mode.
func (r Rule) Holds(mode Mode) bool { return mode == Strict || mode == Relaxed && r.Guards }

const (
	shards = 64
	// sweepAt is how many budgets a shard keeps before it forgets those that are whole again.
	sweepAt = 512
)

// Limiter counts. Its methods may be called from any goroutine.
type Limiter struct {
	now    func() time.Time
	seed   maphash.Seed
	shards [shards]shard
}

type shard struct {
	mu      sync.Mutex
	budgets map[budgetKey]*rate.Limiter
	busy    map[budgetKey]int
	sweepAt int
}

type budgetKey struct{ rule, subject string }

// New returns a limiter that reads the time from now.
func New(now func() time.Time) *Limiter {
	l := &Limiter{now: now, seed: maphash.MakeSeed()}
	for i := range l.shards {
		l.shards[i] = shard{budgets: map[budgetKey]*rate.Limiter{}, busy: map[budgetKey]int{}, sweepAt: sweepAt}
	}
	return l
}

func (l *Limiter) shard(key budgetKey) *shard {
	return &l.shards[maphash.Comparable(l.seed, key)%shards]
}

// Take spends n of the subject's budget. If there is not enough it spends nothing and says how long it takes until
// there is. More than a whole budget at once spends all of it.
func (l *Limiter) Take(rule Rule, subject string, n int) (wait time.Duration, ok bool) {
	key := budgetKey{rule.Name, subject}
	now := l.now()
	s := l.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.budgets[key]
	if b == nil {
		s.sweep(now)
		b = rate.NewLimiter(rule.rate(), rule.Burst)
		s.budgets[key] = b
	}
	n = min(max(n, 1), rule.Burst)
	if b.AllowN(now, n) {
		return 0, true
	}
	missing := float64(n) - b.TokensAt(now)
	return time.Duration(math.Ceil(missing/float64(rule.rate())*1e3)) * time.Millisecond, false
}

// sweep forgets budgets that are whole, and lets the shard grow if all are in use.
func (s *shard) sweep(now time.Time) {
	if len(s.budgets) < s.sweepAt {
		return
	}
	for key, b := range s.budgets {
		if b.TokensAt(now) >= float64(b.Burst()) {
			delete(s.budgets, key)
		}
	}
	s.sweepAt = max(sweepAt, 2*len(s.budgets))
}

// Enter counts one more request of the subject that lasts; Burst is how many may. The caller calls leave at its end.
func (l *Limiter) Enter(rule Rule, subject string) (leave func(), ok bool) {
	key := budgetKey{rule.Name, subject}
	s := l.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy[key] >= rule.Burst {
		return nil, false
	}
	s.busy[key]++
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.busy[key]--; s.busy[key] <= 0 {
			delete(s.busy, key)
		}
	}), true
}

// Subject returns what stands for a client's address in a budget: an IPv4 address, or the network of an IPv6 address,
// since one household has 2⁶⁴ of those.
func Subject(ip string) string {
	addr, err := netip.ParseAddr(ip)
	if err != nil {
		return ip
	}
	if addr = addr.Unmap().WithZone(""); addr.Is4() {
		return addr.String()
	}
	prefix, err := addr.Prefix(64)
	if err != nil {
		return ip
	}
	return prefix.String()
}

// Kept returns how many budgets are in memory.
func (l *Limiter) Kept() int {
	n := 0
	for i := range l.shards {
		l.shards[i].mu.Lock()
		n += len(l.shards[i].budgets)
		l.shards[i].mu.Unlock()
	}
	return n
}
