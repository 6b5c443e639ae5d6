package ws

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"hoplite/openapi/frames"
	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/live/game"
)

// rooms are the games that somebody follows.
type rooms struct {
	mu   sync.Mutex
	open map[string]*room
}

// room is one game with everybody who follows it. One goroutine reads its events from the bus and encodes each of them
// once for all.
type room struct {
	s     *Server
	id    string
	users int           // sockets in the room or on their way; guarded by rooms.mu
	ready chan struct{} // closed when the room is open, or err is set
	err   error

	mu      sync.Mutex
	sub     *bus.Subscription
	snap    *game.Snapshot
	line    *line
	full    map[sight][]byte // the whole game by who sees it, until the next event
	members map[*member]struct{}
	left    bool // the last one has gone
}

// member is one socket in a room.
type member struct {
	c    *conn
	room *room
	sight
	leave   func()        // ends the presence of a player
	version atomic.Uint64 // of the last event that was queued; written under room.mu
	// catching says that the events of the past are being read; what happens meanwhile is held.
	catching bool
	held     []*note
}

// openPatience is how long reading a game may take.
const openPatience = 15 * time.Second

// enter returns the room of a game, to be left again.
func (s *Server) enter(ctx context.Context, gameID string) (*room, error) {
	s.rooms.mu.Lock()
	r := s.rooms.open[gameID]
	first := r == nil
	if first {
		r = &room{s: s, id: gameID, ready: make(chan struct{}), full: make(map[sight][]byte), members: make(map[*member]struct{})}
		s.rooms.open[gameID] = r
	}
	r.users++
	s.rooms.mu.Unlock()
	if first {
		// Others wait for it too, so it does not end with this socket.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), openPatience)
		r.err = r.begin(ctx)
		cancel()
		close(r.ready)
	}
	<-r.ready
	if r.err != nil {
		r.exit()
		return nil, r.err
	}
	return r, nil
}

// exit is the end of an enter.
func (r *room) exit() {
	s := r.s
	s.rooms.mu.Lock()
	r.users--
	last := r.users == 0
	if last {
		delete(s.rooms.open, r.id)
	}
	s.rooms.mu.Unlock()
	if !last {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = true
	if r.sub != nil {
		r.sub.Close()
	}
}

func (r *room) begin(ctx context.Context) error {
	snap, sub, err := r.s.Live.Subscribe(ctx, r.id)
	if err != nil {
		return err
	}
	l, err := r.lineOf(snap)
	if err == nil {
		err = l.follow(snap)
	}
	if err != nil {
		sub.Close()
		return err
	}
	r.snap, r.sub, r.line = snap, sub, l
	go r.run(sub)
	return nil
}

func (r *room) lineOf(snap *game.Snapshot) (*line, error) {
	rl, ok := r.s.Games.Rules(snap.Variant)
	if !ok {
		return nil, fault.NotFound("No such game")
	}
	return newLine(rl, snap)
}

// run hands the events on until the room is left or the bus is closed.
func (r *room) run(sub *bus.Subscription) {
	for sub != nil {
		for ev := range sub.C {
			if e, ok := ev.(game.Event); ok {
				r.mu.Lock()
				r.hand(e)
				r.mu.Unlock()
			}
		}
		if !errors.Is(sub.Err(), bus.ErrSlow) {
			return
		}
		sub = r.again()
	}
}

// again subscribes anew after the bus has outrun the room, and hands on what was missed.
func (r *room) again() *bus.Subscription {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), openPatience)
		_, sub, err := r.s.Live.Subscribe(ctx, r.id)
		var events []game.Event
		if err == nil {
			if events, _, err = r.s.Live.Since(ctx, r.id, r.version()); err != nil {
				sub.Close()
			}
		}
		cancel()
		r.mu.Lock()
		if r.left {
			r.mu.Unlock()
			if err == nil {
				sub.Close()
			}
			return nil
		}
		if err == nil {
			r.sub = sub
			for _, e := range events {
				r.hand(e)
			}
			r.mu.Unlock()
			return sub
		}
		r.mu.Unlock()
		r.s.Log.Warn("a game's events cannot be read", "game", r.id, "error", err)
		time.Sleep(time.Second)
	}
}

func (r *room) version() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.snap.Version
}

// hand gives an event to everybody. The caller holds mu.
func (r *room) hand(e game.Event) {
	if e.Kind == game.EventGone {
		r.change(e.Snapshot)
		m := message{data: encode("now", 0, present(e.Snapshot))}
		for to := range r.members {
			if !to.catching { // it gets the present anyway
				to.c.send(m)
			}
		}
		return
	}
	if e.Version <= r.snap.Version {
		return // it was in the state that the room began with
	}
	n, err := newNote(r.line, e, r.drawn())
	if err != nil {
		// Never seen: the state machine has played the same moves. Whoever follows the game asks again.
		r.s.Log.Error("an event cannot be shown", "game", r.id, "version", e.Version, "error", err)
		return
	}
	r.change(e.Snapshot)
	for to := range r.members {
		if to.catching {
			to.held = append(to.held, n)
			continue
		}
		to.give(n)
	}
}

// drawn reports whether anybody needs scenes. The caller holds mu.
func (r *room) drawn() bool {
	for m := range r.members {
		if !m.bare {
			return true
		}
	}
	return false
}

func (r *room) change(snap *game.Snapshot) {
	if snap.Version >= r.snap.Version {
		r.snap = snap
		clear(r.full)
	}
}

// give queues an event unless the member has it.
func (m *member) give(n *note) {
	if n.ev.Version <= m.version.Load() {
		return
	}
	m.version.Store(n.ev.Version)
	m.c.send(n.message(m.sight))
}

// whole is the encoded game for a member. The caller holds mu.
func (r *room) whole(by sight) (message, error) {
	data := r.full[by]
	if data == nil {
		g, err := whole(r.s.Games, r.snap, r.line, by)
		if err != nil {
			return message{}, err
		}
		data = encode("game", 0, g)
		r.full[by] = data
	}
	return message{data: data, game: r.id, version: r.snap.Version}, nil
}

// start lets a member begin with the whole game.
func (r *room) start(m *member, id uint64, again bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	data, err := r.whole(m.sight)
	if err != nil {
		return err
	}
	v := r.snap.Version
	m.c.ack(id, frames.Ack{Version: &v})
	if again {
		m.c.push("resync", 0, frames.Resync{Game: r.id})
	}
	m.c.send(data)
	m.version.Store(v)
	m.catching, m.held = false, nil
	r.members[m] = struct{}{}
	return nil
}

// maxMissed is how many events a member may catch up on; beyond it the whole game is shorter.
const maxMissed = 100

// resume lets a member go on after a version.
func (r *room) resume(ctx context.Context, m *member, id, version uint64) error {
	r.mu.Lock()
	m.version.Store(version)
	m.catching = true
	r.members[m] = struct{}{}
	r.mu.Unlock()
	notes, now, err := r.past(ctx, version, !m.bare)
	if err != nil {
		r.mu.Lock()
		delete(r.members, m)
		r.mu.Unlock()
	}
	if errors.Is(err, errTooFar) {
		return r.start(m, id, true)
	}
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	v := max(r.snap.Version, version+uint64(len(notes)))
	m.c.ack(id, frames.Ack{Version: &v})
	for _, n := range append(notes, m.held...) {
		m.give(n)
	}
	m.catching, m.held = false, nil
	if r.snap.Version >= now.Version {
		now = r.snap // else the room has yet to hear of it
	}
	m.c.push("now", 0, present(now))
	return nil
}

// errTooFar says that the events since a version cannot be had.
var errTooFar = errors.New("the events since that version cannot be had")

// past reads the events since a version from the log, and the state after them.
func (r *room) past(ctx context.Context, version uint64, drawn bool) ([]*note, *game.Snapshot, error) {
	events, snap, err := r.s.Live.Since(ctx, r.id, version)
	if fault.KindOf(err) == fault.KindInvalid || len(events) > maxMissed {
		return nil, nil, errTooFar
	}
	if err != nil || len(events) == 0 {
		return nil, snap, err
	}
	l, err := r.lineOf(snap)
	if err != nil {
		return nil, nil, err
	}
	notes := make([]*note, 0, len(events))
	for _, e := range events {
		n, err := newNote(l, e, drawn)
		if err != nil {
			return nil, nil, err
		}
		notes = append(notes, n)
	}
	return notes, snap, nil
}

// drop takes a member out.
func (r *room) drop(m *member) {
	r.mu.Lock()
	delete(r.members, m)
	r.mu.Unlock()
	m.leave()
	r.exit()
}

func marshal(f frames.Event) []byte {
	data, err := json.Marshal(f)
	if err != nil {
		panic("ws: an event cannot be encoded: " + err.Error()) // its type always can
	}
	return data
}

// state is the present state of the room.
func (r *room) state() *game.Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.snap
}
