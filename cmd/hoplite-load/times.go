package main

import (
	"slices"
	"sync"
	"time"
)

// times gathers how long something took, from many goroutines.
type times struct {
	mu  sync.Mutex
	all []time.Duration
}

func (t *times) add(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, d)
}

// quantiles are the middle, the slowest of a hundred, and the slowest.
type quantiles struct {
	P50, P99, Max milliseconds
}

// milliseconds is a duration as people read it.
type milliseconds float64

func ms(d time.Duration) milliseconds { return milliseconds(d.Microseconds()) / 1000 }

func (t *times) quantiles() quantiles {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.all) == 0 {
		return quantiles{}
	}
	slices.Sort(t.all)
	at := func(q float64) milliseconds { return ms(t.all[min(len(t.all)-1, int(q*float64(len(t.all))))]) }
	return quantiles{P50: at(0.50), P99: at(0.99), Max: at(1)}
}
