package auth

import (
	"maps"
	"sync"
	"time"
)

// uses gathers when tokens and accounts were last seen, so that a busy client costs one write in
// half a minute instead of one a request.
type uses struct {
	mu       sync.Mutex
	tokens   map[string]time.Time
	accounts map[string]time.Time
}

func newUses() *uses {
	return &uses{tokens: make(map[string]time.Time), accounts: make(map[string]time.Time)}
}

// note is called on a look-up in the store, not for every request.
func (u *uses) note(tokenID, accountID string, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if tokenID != "" {
		u.tokens[tokenID] = at
	}
	u.accounts[accountID] = at
}

func (u *uses) take() (tokens, accounts map[string]time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	tokens, accounts = maps.Clone(u.tokens), maps.Clone(u.accounts)
	clear(u.tokens)
	clear(u.accounts)
	return tokens, accounts
}
