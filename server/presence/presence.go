// Package presence knows who is online: an account is, while it holds at
// least one open stream or socket, here or at another node.
package presence

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// Tracker counts the open connections of each account. The zero Tracker is
// ready to use, and knows of this process alone.
type Tracker struct {
	mu   sync.RWMutex
	open map[string]int
	lag  map[string]time.Duration // of accounts that are here, where it was measured
	away Elsewhere[string]        // by account
	link *link                    // nil without other nodes
}

// New returns an empty tracker.
func New() *Tracker { return new(Tracker) }

// Enter notes one more connection of the account; leave takes it back, and
// may be called more than once.
func (t *Tracker) Enter(accountID string) (leave func()) {
	t.change(accountID, 1)
	return sync.OnceFunc(func() { t.change(accountID, -1) })
}

func (t *Tracker) change(accountID string, by int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open == nil {
		t.open = make(map[string]int)
	}
	was := t.open[accountID]
	n := was + by
	if n == 0 {
		delete(t.open, accountID)
		delete(t.lag, accountID)
	} else {
		t.open[accountID] = n
	}
	if t.link != nil && (was == 0) != (n == 0) {
		t.link.tell(accountID, n > 0) // under the lock, so that the order is that of the changes
	}
}

// Online reports whether the account has an open connection.
func (t *Tracker) Online(accountID string) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.open[accountID] > 0 || t.away.Has(accountID, time.Now())
}

// Measured notes how long a message lately took to an account that is here, and
// back.
func (t *Tracker) Measured(accountID string, lag time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open[accountID] == 0 {
		return
	}
	if t.lag == nil {
		t.lag = make(map[string]time.Duration)
	}
	t.lag[accountID] = lag
}

// Signal grades an account's connection, from 1, over half a second, to 4, under
// 150 ms; 0 if it was not measured at this node.
func (t *Tracker) Signal(accountID string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	lag, known := t.lag[accountID]
	switch {
	case !known:
		return 0
	case lag < 150*time.Millisecond:
		return 4
	case lag < 300*time.Millisecond:
		return 3
	case lag < 500*time.Millisecond:
		return 2
	}
	return 1
}

// OnlineIDs returns the accounts with an open connection in the order of
// their ids.
func (t *Tracker) OnlineIDs() []string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	ids := slices.AppendSeq(make([]string, 0, len(t.open)), maps.Keys(t.open))
	for _, id := range t.away.All(time.Now()) {
		if t.open[id] == 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
