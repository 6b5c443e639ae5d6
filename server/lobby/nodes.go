package lobby

import (
	"context"
	"errors"
	"time"

	"hoplite/openapi/frames"
	"hoplite/server/bus"
	"hoplite/server/lichess"
	"hoplite/server/node"
	"hoplite/store"
)

// Of several nodes the leader keeps the lobby's book. The others place the seeks
// of their streams there, and say again and again that these still wait: so a
// leader that has just begun gets to know them, and one whose node died forgets
// its seeks.

// The calls to the leader.
const (
	opSeek     = "lobby-seek"
	opKeep     = "lobby-keep"
	opCancel   = "lobby-cancel"
	opSlow     = "lobby-slow"
	opWithdraw = "lobby-withdraw"
	opJoin     = "lobby-join"
	opList     = "lobby-list"
)

const (
	// keepEvery is how often a node says which of its seeks wait, and hostLife
	// how long that holds.
	keepEvery = 3 * time.Second
	hostLife  = 3 * keepEvery
	// overKnown is how long it is known that a seek is over.
	overKnown = time.Minute
	// cancelTime bounds the wait of a stream that ends.
	cancelTime = 2 * time.Second
)

// overTopic is the bus topic of [Over].
const overTopic = "lobby/over"

// Over says that a seek with a clock waits no longer.
type Over struct{ ID string }

// placed is what became of a seek at the leader.
type placed struct {
	Game string // the game that was made
	Over bool   // it waits no longer
	at   time.Time
}

// guest is a seek of this node, which waits at the leader.
type guest struct {
	seek Seek
	over chan struct{}
}

// stored is what became of a seek without a clock: where it waits, or the game
// that was made too.
type stored struct{ ID, Game string }

// who names an account and one of the seeks.
type who struct{ Account, ID string }

// serve answers the calls of other nodes.
func (s *Service) serve(n *node.Node) {
	node.Serve(n, opSeek, func(ctx context.Context, q Seek) (any, error) { return s.place(ctx, q) })
	node.Serve(n, opKeep, func(ctx context.Context, q []Seek) (any, error) { return s.keep(ctx, q), nil })
	node.Serve(n, opCancel, func(_ context.Context, id string) (any, error) { s.cancel(id); return nil, nil })
	node.Serve(n, opSlow, func(ctx context.Context, q Seek) (any, error) {
		id, game, err := s.seekSlowHere(ctx, q)
		return stored{ID: id, Game: game}, err
	})
	node.Serve(n, opWithdraw, func(ctx context.Context, q who) (any, error) { return nil, s.withdrawHere(ctx, q.Account, q.ID) })
	node.Serve(n, opJoin, func(ctx context.Context, q who) (any, error) { return s.joinHere(ctx, q.Account, q.ID) })
	node.Serve(n, opList, func(context.Context, bool) (any, error) { return s.listHere(), nil })
}

// alone reports whether there are no other nodes.
func (s *Service) alone() bool { return s.Node == nil }

// leads reports whether this node keeps the book.
func (s *Service) leads() bool { return s.alone() || s.Node.Leads() }

// atLeader does something here if the book is here, else it asks for it.
func (s *Service) atLeader(ctx context.Context, op string, again bool, question, answer any, here func() error) error {
	for {
		if s.leads() {
			return here()
		}
		if err := s.Node.Call(ctx, store.LeaderShard, op, again, question, answer); !errors.Is(err, node.ErrHere) {
			return err
		}
	}
}

// Seek looks for an opponent with a clock. If one is waiting the game is made
// before Seek returns, and Wait is over already.
func (s *Service) Seek(ctx context.Context, seek Seek) (Wait, error) {
	if s.alone() {
		return s.seekHere(ctx, seek)
	}
	seek.ID, seek.Created = lichess.NewID(), s.Now().UTC().Truncate(time.Millisecond)
	g := &guest{seek: seek, over: make(chan struct{})}
	s.mu.Lock()
	s.guests[seek.ID] = g // before it can be over
	s.mu.Unlock()
	var a placed
	err := s.atLeader(ctx, opSeek, true, seek, &a, func() (err error) {
		a, err = s.place(ctx, seek)
		return err
	})
	if err != nil || a.Game != "" || a.Over {
		s.see(seek.ID)
	}
	if err != nil {
		return Wait{}, err
	}
	return Wait{ID: seek.ID, Game: a.Game, Done: g.over, Cancel: func() { s.dismiss(seek.ID) }}, nil
}

// place puts a seek into the book, or makes its game. Doing it again changes
// nothing.
func (s *Service) place(ctx context.Context, seek Seek) (placed, error) {
	until := s.Now().Add(hostLife)
	s.mu.Lock()
	p, over := s.over[seek.ID]
	if _, waits := s.waiting[seek.ID]; waits {
		s.hosted[seek.ID] = until
		over = true // it is known, at least
	}
	s.mu.Unlock()
	if over {
		return p, nil
	}
	wait, err := s.seekHere(ctx, seek)
	if err != nil {
		return placed{}, err
	}
	p = placed{Game: wait.Game, Over: wait.Game != "", at: s.Now()}
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.Over {
		s.over[seek.ID] = p
	} else if _, waits := s.waiting[seek.ID]; waits {
		s.hosted[seek.ID] = until
	}
	return p, nil
}

// keep lets the seeks of a node wait on, and returns those that do not.
func (s *Service) keep(ctx context.Context, seeks []Seek) (over []string) {
	for _, seek := range seeks {
		p, err := s.place(ctx, seek)
		if err != nil {
			s.Log.Warn("a seek of another node was not kept", "error", err)
		}
		if p.Over {
			over = append(over, seek.ID)
		}
	}
	return over
}

// see notes that a seek of this node is over.
func (s *Service) see(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.guests[id]; g != nil {
		delete(s.guests, id)
		close(g.over)
	}
}

// dismiss takes a seek of this node back.
func (s *Service) dismiss(id string) {
	s.see(id)
	ctx, cancel := context.WithTimeout(context.Background(), cancelTime)
	defer cancel()
	err := s.atLeader(ctx, opCancel, true, id, nil, func() error { s.cancel(id); return nil })
	if err != nil {
		s.Log.Debug("a seek was not taken back: it will be forgotten", "error", err)
	}
}

// SeekSlow looks for an opponent without a clock: it makes the game with a
// stored seek that fits and returns its id too, or stores this one.
func (s *Service) SeekSlow(ctx context.Context, seek Seek) (id, game string, err error) {
	var made stored
	err = s.atLeader(ctx, opSlow, false, seek, &made, func() (err error) {
		made.ID, made.Game, err = s.seekSlowHere(ctx, seek)
		return err
	})
	return made.ID, made.Game, err
}

// Withdraw takes a seek of the account back: without an id those with a clock.
func (s *Service) Withdraw(ctx context.Context, account, id string) error {
	return s.atLeader(ctx, opWithdraw, true, who{account, id}, nil, func() error { return s.withdrawHere(ctx, account, id) })
}

// Join takes somebody's seek and returns the game that it makes.
func (s *Service) Join(ctx context.Context, account, id string) (game string, err error) {
	err = s.atLeader(ctx, opJoin, false, who{account, id}, &game, func() (err error) {
		game, err = s.joinHere(ctx, account, id)
		return err
	})
	return game, err
}

// list returns the open seeks with a clock, and a subscription to all later
// changes.
func (s *Service) list(ctx context.Context) ([]frames.LobbySeek, *bus.Subscription, error) {
	sub := s.Bus.Subscribe(Topic, watchBuffer)
	var list []frames.LobbySeek
	err := s.atLeader(ctx, opList, true, true, &list, func() error { list = s.listHere(); return nil })
	if err != nil {
		sub.Close()
		return nil, nil, err
	}
	return list, sub, nil
}

func (s *Service) listHere() []frames.LobbySeek {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]frames.LobbySeek, 0, len(s.book.seeks))
	for _, seek := range s.book.seeks {
		if !seek.Quick {
			list = append(list, s.shown(seek))
		}
	}
	return list
}

// runShared keeps the seeks of this node at the leader, until ctx ends.
func (s *Service) runShared(ctx context.Context) error {
	over := s.Bus.Subscribe(overTopic, watchBuffer)
	defer func() { over.Close() }()
	widen, keep := time.NewTicker(widenEvery), time.NewTicker(keepEvery)
	defer widen.Stop()
	defer keep.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case ev, ok := <-over.C:
			if o, is := ev.(Over); is {
				s.see(o.ID)
			}
			if !ok {
				if errors.Is(over.Err(), bus.ErrClosed) {
					return nil
				}
				over = s.Bus.Subscribe(overTopic, watchBuffer) // the next keeping tells
			}
		case <-widen.C:
			if s.leads() {
				s.widen(ctx)
			}
		case <-keep.C:
			s.clean()
			s.keepGuests(ctx)
		}
	}
}

// keepGuests tells the leader which seeks of this node wait.
func (s *Service) keepGuests(ctx context.Context) {
	s.mu.Lock()
	seeks := make([]Seek, 0, len(s.guests))
	for _, g := range s.guests {
		seeks = append(seeks, g.seek)
	}
	s.mu.Unlock()
	if len(seeks) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, keepEvery)
	defer cancel()
	var over []string
	err := s.atLeader(ctx, opKeep, true, seeks, &over, func() error { over = s.keep(ctx, seeks); return nil })
	if err != nil && ctx.Err() == nil {
		s.Log.Warn("seeks were not kept", "error", err)
	}
	for _, id := range over {
		s.see(id)
	}
}

// clean forgets the seeks of nodes that are not heard of, and all of them on a
// node that leads no more.
func (s *Service) clean() {
	now, leads := s.Now(), s.leads()
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, p := range s.over {
		if now.Sub(p.at) > overKnown {
			delete(s.over, id)
		}
	}
	if !leads {
		// They are placed at the new leader by their nodes.
		s.book.seeks = nil
		clear(s.waiting)
		clear(s.hosted)
		return
	}
	for id, until := range s.hosted {
		if now.After(until) {
			s.end(id)
		}
	}
}
