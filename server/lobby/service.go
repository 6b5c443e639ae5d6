package lobby

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/node"
	"hoplite/server/pairing"
	"hoplite/server/rating"
	"hoplite/store"
)

// realTimeLife ends a seek that nobody answers; its stream is closed then.
const realTimeLife = 15 * time.Minute

// Store is what the lobby keeps and reads.
type Store interface {
	store.Seeks
	AccountByID(ctx context.Context, id string) (store.Account, error)
	Perf(ctx context.Context, accountID, key string) (store.Perf, error)
	Apart(ctx context.Context, accountID string) ([]string, error)
	Games(ctx context.Context, f store.GameFilter) ([]store.Game, error)
}

// Deps is what a Service needs; all fields are required, but for Node.
type Deps struct {
	Store Store
	Maker *pairing.Maker
	Games *lichess.Games
	Bus   *bus.Bus
	Node  *node.Node // this server among others; nil if it is alone
	Now   func() time.Time
	Log   *slog.Logger
}

// Service is the lobby. Seeks with a clock live in one process, as long as
// their streams. mu guards the book and what is known by id of a seek, and is
// never held while a game is made.
type Service struct {
	Deps
	mu      sync.Mutex
	book    book
	waiting map[string]chan struct{} // closed when it is over
	guests  map[string]*guest        // of this node, at the leader
	hosted  map[string]time.Time     // at the leader: until when it waits without a word of its node
	over    map[string]placed        // at the leader, not long ago
	slow    sync.Mutex               // one correspondence pairing at a time
}

// NewService returns an empty lobby.
func NewService(d Deps) *Service {
	s := &Service{
		Deps: d, waiting: map[string]chan struct{}{}, guests: map[string]*guest{},
		hosted: map[string]time.Time{}, over: map[string]placed{},
	}
	if d.Node != nil {
		s.serve(d.Node)
	}
	return s
}

// seeker fills in who seeks.
func (s *Service) seeker(ctx context.Context, seek *Seek) error {
	a, err := s.Store.AccountByID(ctx, seek.Account)
	if err != nil {
		return err
	}
	p, err := s.Store.Perf(ctx, seek.Account, s.Games.Perf(seek.Variant, seek.Control.Speed()))
	if err != nil {
		return err
	}
	seek.Name, seek.Title = a.Name, a.Title
	seek.Rating, seek.Provisional = rating.Shown(p.Rating), rating.Provisional(p.RD)
	if seek.ID == "" { // it has none yet from the node where it was made
		seek.ID, seek.Created = lichess.NewID(), s.Now().UTC().Truncate(time.Millisecond)
	}
	return nil
}

// looker fills in who seeks, and whom they do not play.
func (s *Service) looker(ctx context.Context, seek *Seek) error {
	if err := s.seeker(ctx, seek); err != nil {
		return err
	}
	apart, err := s.Store.Apart(ctx, seek.Account)
	if err != nil {
		return err
	}
	seek.avoids = make(map[string]bool, len(apart))
	for _, id := range apart {
		seek.avoids[id] = true
	}
	return nil
}

// Wait is an open seek with a clock.
type Wait struct {
	// ID is the seek's own, and Game that of the game that was made at once.
	ID, Game string
	// Done is closed when the seek is over: paired, or too old.
	Done <-chan struct{}
	// Cancel takes the seek back; later calls do nothing.
	Cancel func()
}

// seekHere is Seek where the book is.
func (s *Service) seekHere(ctx context.Context, seek Seek) (Wait, error) {
	if err := s.looker(ctx, &seek); err != nil {
		return Wait{}, err
	}
	if err := s.meet(ctx, &seek); err != nil {
		return Wait{}, err
	}
	for {
		found, wait, err := s.enter(&seek)
		if found == nil || err != nil {
			return wait, err
		}
		game, err := s.pair(ctx, found, &seek)
		if err != nil {
			s.restore(found)
			return Wait{}, err
		}
		s.cancel(found.ID)
		if game != "" {
			over := make(chan struct{})
			close(over)
			return Wait{ID: seek.ID, Game: game, Done: over, Cancel: func() {}}, nil
		}
	}
}

// enter takes a seek that fits out of the book, or puts this one in.
func (s *Service) enter(seek *Seek) (found *Seek, wait Wait, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.book.of(seek.Account) > 0 {
		return nil, Wait{}, fault.Limited("seek", time.Second, "You can only run one seek at a time")
	}
	if found, ok := s.book.match(seek, s.Now()); ok {
		s.tellGone(found)
		return found, Wait{}, nil
	}
	seek.avoids = nil
	s.book.add(seek)
	s.tell(seek)
	over := make(chan struct{})
	s.waiting[seek.ID] = over
	id := seek.ID
	timer := time.AfterFunc(realTimeLife, func() { s.cancel(id) })
	return nil, Wait{ID: id, Done: over, Cancel: func() { timer.Stop(); s.cancel(id) }}, nil
}

// cancel takes a seek out of the book, where it is not while it is being
// paired, and ends it either way.
func (s *Service) cancel(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end(id)
}

// end is cancel for those who hold mu.
func (s *Service) end(id string) {
	if seek := s.book.get(id); seek != nil {
		s.book.remove(id)
		s.tellGone(seek)
	}
	if over, ok := s.waiting[id]; ok {
		delete(s.waiting, id)
		close(over)
		if !s.alone() {
			delete(s.hosted, id)
			s.over[id] = placed{Over: true, at: s.Now()}
			s.Bus.Publish(overTopic, Over{ID: id})
		}
	}
}

// restore puts a seek back whose game could not be made, unless its owner has
// left meanwhile.
func (s *Service) restore(seek *Seek) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.waiting[seek.ID]; ok {
		s.book.add(seek)
		s.tell(seek)
	}
}

// pair makes the game of two seeks and returns its id; "" if the first one's
// account cannot play any more, so that the second may look on.
func (s *Service) pair(ctx context.Context, first, second *Seek) (game string, err error) {
	white := 0
	switch {
	case first.Color == Black, second.Color == White:
		white = 1
	case first.Color == White, second.Color == Black:
	default:
		white = pairing.Pick(2)
	}
	players := [2]string{first.Account, second.Account}
	start, err := s.Games.Start(first.Variant, "", pairing.Pick)
	if err != nil {
		return "", err
	}
	if a, err := s.Store.AccountByID(ctx, first.Account); err != nil || a.IsClosed() {
		if err == nil || errors.Is(err, store.ErrNotFound) {
			return "", nil
		}
		return "", err
	}
	snap, err := s.Maker.Start(ctx, pairing.Order{
		Variant: start.Variant, FEN: start.FEN, Number: start.Number,
		Control: first.Control, Rated: first.Rated, Source: lichess.SourceLobby,
	}, players[white], players[1-white])
	if err != nil {
		return "", err
	}
	return snap.ID, nil
}
