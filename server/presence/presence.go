// Package presence knows who is online: an account is, while it holds at
// least one open stream or socket.
package presence

import (
	"slices"
	"sync"
)

// Tracker counts the open connections of each account. The zero Tracker is
// ready to use.
type Tracker struct {
	mu   sync.RWMutex
	open map[string]int
}

// New returns an empty tracker.
func New() *Tracker { return new(Tracker) }

// Enter notes one more connection of the account; leave takes it back, and
// may be called more than once.
func (t *Tracker) Enter(accountID string) (leave func()) {
	t.mu.Lock()
	if t.open == nil {
		t.open = make(map[string]int)
	}
	t.open[accountID]++
	t.mu.Unlock()
	return sync.OnceFunc(func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.open[accountID]--; t.open[accountID] == 0 {
			delete(t.open, accountID)
		}
	})
}

// Online reports whether the account has an open connection.
func (t *Tracker) Online(accountID string) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.open[accountID] > 0
}

// OnlineIDs returns the accounts with an open connection in the order of
// their ids.
func (t *Tracker) OnlineIDs() []string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	ids := make([]string, 0, len(t.open))
	for id := range t.open {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
