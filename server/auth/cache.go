package auth

import (
	"sync"
	"time"

	"hoplite/server/api"
)

const (
	// cacheLife is how long a change made by another process, such as the command line's, can go
	// unnoticed. Changes made through this server, or announced on the bus, take effect at once.
	cacheLife = 10 * time.Second
	cacheSize = 50_000
)

// cacheKey names a credential: the hash of a token, or the id of a session in the same form.
type cacheKey [32]byte

// cached is an identity that was looked up not long ago.
type cached struct {
	identity *api.Identity // shared, never changed
	until    time.Time     // the end of cacheLife or of the credential, whichever comes first
}

// cache keeps recent look-ups. Forgetting beats looking up: a look-up that began before a
// revocation cannot put its result back, because the generation has moved on.
type cache struct {
	mu         sync.RWMutex
	entries    map[cacheKey]cached
	byAccount  map[string]map[cacheKey]struct{}
	generation uint64
}

func newCache() *cache {
	return &cache{entries: make(map[cacheKey]cached), byAccount: make(map[string]map[cacheKey]struct{})}
}

// get returns the identity, if it is fresh, and the generation to pass to put.
func (c *cache) get(k cacheKey, now time.Time) (*api.Identity, uint64) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if e, ok := c.entries[k]; ok && now.Before(e.until) {
		return e.identity, c.generation
	}
	return nil, c.generation
}

func (c *cache) put(k cacheKey, id *api.Identity, until time.Time, generation uint64, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if generation != c.generation {
		return
	}
	if len(c.entries) >= cacheSize {
		c.shrink(now)
	}
	c.entries[k] = cached{identity: id, until: until}
	keys := c.byAccount[id.AccountID]
	if keys == nil {
		keys = make(map[cacheKey]struct{}, 1)
		c.byAccount[id.AccountID] = keys
	}
	keys[k] = struct{}{}
}

// shrink drops what has run out, and everything if that is not enough: the entries live for
// seconds, so an order of use would not pay for its bookkeeping.
func (c *cache) shrink(now time.Time) {
	for k, e := range c.entries {
		if !now.Before(e.until) {
			c.drop(k)
		}
	}
	if len(c.entries) > cacheSize/2 {
		clear(c.entries)
		clear(c.byAccount)
	}
}

func (c *cache) drop(k cacheKey) {
	e, ok := c.entries[k]
	if !ok {
		return
	}
	delete(c.entries, k)
	keys := c.byAccount[e.identity.AccountID]
	delete(keys, k)
	if len(keys) == 0 {
		delete(c.byAccount, e.identity.AccountID)
	}
}

// forget drops every credential of an account.
func (c *cache) forget(accountID string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.generation++
	for k := range c.byAccount[accountID] {
		delete(c.entries, k)
	}
	delete(c.byAccount, accountID)
}

// clear drops everything.
func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.generation++
	clear(c.entries)
	clear(c.byAccount)
}

func (c *cache) size() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.entries)
}
