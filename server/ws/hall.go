package ws

import (
	"context"
	"slices"
	"sync"

	"hoplite/openapi/frames"
	"hoplite/server/bus"
	"hoplite/server/fault"
)

// hall is the lobby with everybody who watches it: one reader of its changes for all of them.
type hall struct {
	opening sync.Mutex // one opens it at a time; comes before mu
	mu      sync.Mutex
	members map[*conn]struct{}
	sub     *bus.Subscription // nil while nobody watches
	seeks   []frames.LobbySeek
}

// follow shows the lobby to a socket.
func (h *hall) follow(ctx context.Context, c *conn, id uint64) error {
	h.opening.Lock()
	defer h.opening.Unlock()
	h.mu.Lock()
	open := h.sub != nil
	h.mu.Unlock()
	if !open {
		if err := h.open(ctx, c.s); err != nil {
			return err
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sub == nil { // it ended at this moment
		return fault.Unavailable("The lobby cannot be read now, please try again")
	}
	c.mu.Lock()
	c.hall = true
	c.mu.Unlock()
	if h.members == nil {
		h.members = make(map[*conn]struct{})
	}
	h.members[c] = struct{}{}
	c.ack(id, frames.Ack{})
	c.push("lobby", 0, frames.Lobby{Seeks: h.seeks})
	return nil
}

func (h *hall) open(ctx context.Context, s *Server) error {
	seeks, sub, err := s.Lobby.Watch(ctx)
	if err != nil {
		return err
	}
	h.mu.Lock()
	h.seeks, h.sub = unique(seeks), sub
	h.mu.Unlock()
	go h.run(s, sub)
	return nil
}

func unique(seeks []frames.LobbySeek) []frames.LobbySeek {
	list := make([]frames.LobbySeek, 0, len(seeks))
	for _, s := range seeks {
		list = put(list, s)
	}
	return list
}

// put adds a seek, or replaces it.
func put(list []frames.LobbySeek, s frames.LobbySeek) []frames.LobbySeek {
	if i := slices.IndexFunc(list, func(o frames.LobbySeek) bool { return o.ID == s.ID }); i >= 0 {
		list[i] = s
		return list
	}
	return append(list, s)
}

// run hands changes on until nobody watches any more.
func (h *hall) run(s *Server, sub *bus.Subscription) {
	for ev := range sub.C {
		h.mu.Lock()
		switch ev := ev.(type) {
		case frames.LobbySeek:
			h.seeks = put(h.seeks, ev)
			h.all(encode("seek+", 0, ev))
		case frames.SeekGone:
			h.seeks = slices.DeleteFunc(h.seeks, func(o frames.LobbySeek) bool { return o.ID == ev.ID })
			h.all(encode("seek-", 0, ev))
		}
		h.mu.Unlock()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sub == sub {
		h.sub = nil
	}
	if sub.Err() == bus.ErrSlow {
		// The lobby has outrun us. Whoever watches connects again and sees all of it.
		s.Log.Warn("the lobby was too fast for its watchers")
		for c := range h.members {
			c.end(errSlow)
		}
	}
}

// all sends to everybody. The caller holds mu.
func (h *hall) all(data []byte) {
	for c := range h.members {
		c.send(message{data: data})
	}
}

// drop lets a socket look away.
func (h *hall) drop(c *conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c.mu.Lock()
	c.hall = false
	c.mu.Unlock()
	delete(h.members, c)
	if len(h.members) == 0 && h.sub != nil {
		h.sub.Close()
		h.sub = nil
	}
}
