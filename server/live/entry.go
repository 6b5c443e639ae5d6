package live

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"hoplite/server/fault"
	"hoplite/server/live/game"
)

// entry is one game in memory. Its turn is a lock with a waiting line: whoever
// has it may use state, and at most one of a game's steps is ever uncommitted.
type entry struct {
	id string

	mu    sync.Mutex
	taken bool
	dead  bool // dropped from its stripe: look the game up again
	line  []*waiter
	used  time.Time

	// What follows belongs to whoever has the turn.
	state     *game.State // nil if not loaded
	failedAt  time.Time   // when a step of it last failed to commit
	published uint64      // version of the last published event
	hasPublic bool        // published counts
	epoch     int64       // of the lease under which the owner has it; 0 for a copy, or without leases
	told      []*news     // what the other nodes were told during this turn

	// pub makes publishing and subscribing exclude each other, so that a
	// subscriber misses nothing and sees nothing twice.
	pub  sync.Mutex
	snap atomic.Pointer[game.Snapshot] // the last committed state, nil if never loaded

	owned    atomic.Int64 // epoch, once snap is the owner's
	upToDate atomic.Bool  // snap is of a copy that follows its owner
}

type waiter struct {
	player int
	ready  chan struct{} // closed when it is the waiter's turn
}

// maxWaiting bounds a player's actions that wait for their turn in one game.
const maxWaiting = 16

// take waits for the turn. It returns false if the entry is dead.
func (e *entry) take(ctx context.Context, player int, now time.Time) (bool, error) {
	e.mu.Lock()
	if e.dead {
		e.mu.Unlock()
		return false, nil
	}
	e.used = now
	if !e.taken {
		e.taken = true
		e.mu.Unlock()
		return true, nil
	}
	if player >= 0 && e.waiting(player) >= maxWaiting {
		e.mu.Unlock()
		return false, fault.Conflict("Your earlier actions in this game are still being worked on")
	}
	w := &waiter{player: player, ready: make(chan struct{})}
	e.line = append(e.line, w)
	e.mu.Unlock()
	select {
	case <-w.ready:
	case <-ctx.Done():
		e.mu.Lock()
		if i := slices.Index(e.line, w); i >= 0 {
			e.line = slices.Delete(e.line, i, i+1)
			e.mu.Unlock()
			return false, ctx.Err()
		}
		e.mu.Unlock() // the turn came at the same moment: pass it on
		<-w.ready
		e.give()
		return false, ctx.Err()
	}
	e.mu.Lock()
	dead := e.dead
	e.mu.Unlock()
	if dead {
		e.give()
		return false, nil
	}
	return true, nil
}

func (e *entry) waiting(player int) (n int) {
	for _, w := range e.line {
		if w.player == player {
			n++
		}
	}
	return n
}

// give passes the turn to the next in line.
func (e *entry) give() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.line) == 0 {
		e.taken = false
		return
	}
	next := e.line[0]
	e.line = e.line[1:]
	close(next.ready)
}

// kill makes everybody look the game up again. The caller has the turn.
func (e *entry) kill() {
	e.mu.Lock()
	e.dead = true
	e.mu.Unlock()
}

const stripeCount = 64

// stripes hold the games in memory, by a hash of their id.
//
// Lock order in this package, outermost first: stripe.mu, entry.mu, entry.pub,
// then the locks of attendance, alarms and the bus, which call nobody. The
// turn of an entry comes before all of them: nobody waits for a turn while
// holding a lock.
type stripes struct {
	seed maphash.Seed
	list [stripeCount]stripe
}

type stripe struct {
	mu    sync.Mutex
	games map[string]*entry
}

func newStripes() *stripes {
	s := &stripes{seed: maphash.MakeSeed()}
	for i := range s.list {
		s.list[i].games = make(map[string]*entry)
	}
	return s
}

func (s *stripes) of(id string) *stripe {
	return &s.list[maphash.String(s.seed, id)%stripeCount]
}

// get returns the game's entry, nil if it is not in memory.
func (s *stripes) get(id string) *entry {
	st := s.of(id)
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.games[id]
}

// open returns the game's entry and makes one if there is none.
func (s *stripes) open(id string, now time.Time) *entry {
	st := s.of(id)
	st.mu.Lock()
	defer st.mu.Unlock()
	e := st.games[id]
	if e == nil {
		e = &entry{id: id, used: now}
		st.games[id] = e
	}
	return e
}

// drop removes an entry that was killed.
func (s *stripes) drop(e *entry) {
	st := s.of(e.id)
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.games[e.id] == e {
		delete(st.games, e.id)
	}
}

// sweep drops the games that nobody has used since before, unless keep wants
// them. It returns the ids of those that are gone.
func (s *stripes) sweep(before time.Time, keep func(*entry) bool) (gone []string) {
	for i := range s.list {
		st := &s.list[i]
		st.mu.Lock()
		for id, e := range st.games {
			if e.retire(before, keep) {
				delete(st.games, id)
				gone = append(gone, id)
			}
		}
		st.mu.Unlock()
	}
	return gone
}

// each calls f for every game in memory. f must not wait.
func (s *stripes) each(f func(*entry)) {
	var list []*entry
	for i := range s.list {
		st := &s.list[i]
		st.mu.Lock()
		list = list[:0]
		for _, e := range st.games {
			list = append(list, e)
		}
		st.mu.Unlock()
		for _, e := range list {
			f(e)
		}
	}
}

// len returns the number of games in memory.
func (s *stripes) len() (n int) {
	for i := range s.list {
		st := &s.list[i]
		st.mu.Lock()
		n += len(st.games)
		st.mu.Unlock()
	}
	return n
}

// retire kills the entry if it is idle.
func (e *entry) retire(before time.Time, keep func(*entry) bool) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.taken || e.used.After(before) {
		return false
	}
	if keep(e) {
		return false
	}
	e.dead = true
	return true
}
