package stream

import (
	"context"
	"errors"
	"sync"
)

// Why a stream ended before its own end. They reach a stream's function as
// the cause of its context.
var (
	ErrReplaced = errors.New("a newer stream took its place")
	ErrRevoked  = errors.New("the caller's token or session was revoked")
	ErrShutdown = errors.New("the server is shutting down")
)

// Owner says whose stream it is. Empty fields match nothing.
type Owner struct {
	Account string
	Token   string // id of the API token
	Session string // id of the session
}

// A Hub knows the open streams of this process. Its methods may be called
// from any goroutine. mu is held for map work only, never while writing.
type Hub struct {
	nodes  Nodes // nil without others
	mu     sync.Mutex
	open   map[*entry]struct{}
	slots  map[string]*entry
	closed bool
	wg     sync.WaitGroup
}

type entry struct {
	owner  Owner
	slot   string
	claim  claim // to the slot
	cancel context.CancelCauseFunc
}

// NewHub returns a hub without streams.
func NewHub() *Hub {
	return &Hub{open: map[*entry]struct{}{}, slots: map[string]*entry{}}
}

// Enter registers a stream of owner and returns its context, which ends when
// the hub closes the stream, and the function to call when the stream is
// over. A non-empty slot has room for one stream, over all nodes that share the
// hub: the newer closes the older.
// The websocket and other long-lived answers may register here as well.
func (h *Hub) Enter(ctx context.Context, owner Owner, slot string) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	e := &entry{owner: owner, slot: slot, cancel: cancel}
	if !h.admit(e) {
		cancel(ErrShutdown)
		return ctx, func() {}
	}
	if slot != "" {
		h.tell(e.claim)
	}
	return ctx, sync.OnceFunc(func() { h.leave(e) })
}

// admit lists a stream, unless the hub is closed.
func (h *Hub) admit(e *entry) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	if e.slot != "" {
		if older := h.slots[e.slot]; older != nil {
			older.cancel(ErrReplaced)
		}
		e.claim = h.stake(e.slot)
		h.slots[e.slot] = e
	}
	h.open[e] = struct{}{}
	h.wg.Add(1)
	return true
}

func (h *Hub) leave(e *entry) {
	e.cancel(nil)
	h.mu.Lock()
	delete(h.open, e)
	if e.slot != "" && h.slots[e.slot] == e {
		delete(h.slots, e.slot)
	}
	h.mu.Unlock()
	h.wg.Done()
}

// CloseToken ends every stream that the API token opened.
func (h *Hub) CloseToken(id string) { h.closeIf(id, func(o Owner) string { return o.Token }) }

// CloseSession ends every stream that the session opened.
func (h *Hub) CloseSession(id string) { h.closeIf(id, func(o Owner) string { return o.Session }) }

// CloseAccount ends every stream of the account.
func (h *Hub) CloseAccount(id string) { h.closeIf(id, func(o Owner) string { return o.Account }) }

// Credentials returns the ids of the tokens and sessions that have streams.
func (h *Hub) Credentials() (tokens, sessions []string) {
	open := map[Owner]bool{}
	h.mu.Lock()
	for e := range h.open {
		open[Owner{Token: e.owner.Token, Session: e.owner.Session}] = true
	}
	h.mu.Unlock()
	for o := range open {
		if o.Token != "" {
			tokens = append(tokens, o.Token)
		}
		if o.Session != "" {
			sessions = append(sessions, o.Session)
		}
	}
	return tokens, sessions
}

func (h *Hub) closeIf(id string, field func(Owner) string) {
	if id == "" {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for e := range h.open {
		if field(e.owner) == id {
			e.cancel(ErrRevoked)
		}
	}
}

// Open returns the number of open streams.
func (h *Hub) Open() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.open)
}

// Close ends every stream, refuses new ones, and waits until the last has
// written its end or ctx is over.
func (h *Hub) Close(ctx context.Context) error {
	h.mu.Lock()
	h.closed = true
	for e := range h.open {
		e.cancel(ErrShutdown)
	}
	h.mu.Unlock()
	done := make(chan struct{})
	go func() { h.wg.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
