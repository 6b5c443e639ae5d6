package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"hoplite/server/bus"
	"hoplite/server/live/game"
	"hoplite/server/node"
	"hoplite/store"
)

// news is what the owner of a game tells its followers.
type news struct {
	Game string
	// Rows are those of a step; the last one made Version. Without any the news
	// is about the present only.
	Rows    []game.Row `json:",omitempty"`
	Partial []bool     `json:",omitempty"` // by row
	Version uint64
	Gone    *game.GoneNotice `json:",omitempty"`
	Present game.Present
}

func newsChannel(gameID string) string { return "game." + gameID }

// spread tells the followers of a game on other nodes what has happened. The
// caller has the turn.
func (s *Service) spread(e *entry, rows []game.Row, events []game.Event, snap *game.Snapshot) {
	if s.node == nil {
		return
	}
	n := &news{Game: e.id, Rows: rows, Version: snap.Version, Present: snap.Present()}
	for _, ev := range events {
		if ev.Kind == game.EventGone {
			n.Gone = ev.Gone
			continue
		}
		n.Partial = append(n.Partial, ev.Partial)
	}
	e.told = append(e.told, n)
	s.node.Tell(newsChannel(e.id), n)
}

// following are the games of other nodes that are watched here.
type following struct {
	mu   sync.Mutex
	open map[string]*ear
}

type ear struct {
	ready chan struct{} // closed when stop or err is set
	stop  func()
	err   error
}

// follow begins to hear of a game, and returns when all that is told from now
// on will be heard.
func (s *Service) follow(ctx context.Context, gameID string) error {
	s.follows.mu.Lock()
	e := s.follows.open[gameID]
	first := e == nil
	if first {
		e = &ear{ready: make(chan struct{})}
		s.follows.open[gameID] = e
	}
	s.follows.mu.Unlock()
	if first {
		// Others wait for it too, so it does not end with this caller.
		e.stop, e.err = s.node.Hear(context.WithoutCancel(ctx), newsChannel(gameID), s.hear)
		if e.err != nil {
			s.follows.mu.Lock()
			delete(s.follows.open, gameID)
			s.follows.mu.Unlock()
		}
		close(e.ready)
	}
	select {
	case <-e.ready:
	case <-ctx.Done():
		return ctx.Err()
	}
	if e.err != nil {
		return errNoNews.Because(e.err)
	}
	return nil
}

// unfollow ceases to hear of a game.
func (s *Service) unfollow(gameID string) {
	s.follows.mu.Lock()
	e := s.follows.open[gameID]
	delete(s.follows.open, gameID)
	s.follows.mu.Unlock()
	if e == nil {
		return
	}
	<-e.ready
	if e.stop != nil {
		e.stop()
	}
}

func (f *following) ids() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	ids := make([]string, 0, len(f.open))
	for id := range f.open {
		ids = append(ids, id)
	}
	return ids
}

// hear takes news of a game that is followed.
func (s *Service) hear(data []byte) {
	n := new(news)
	if err := json.Unmarshal(data, n); err != nil {
		s.log.Error("news of a game cannot be read", "error", err)
		return
	}
	e := s.games.get(n.Game)
	if e == nil {
		return // nobody watches any more, or not yet
	}
	ctx, cancel := context.WithTimeout(context.Background(), commitTimeout)
	defer cancel()
	ok, err := e.take(ctx, -1, s.now())
	if err != nil || !ok {
		return
	}
	defer e.give()
	if _, mine := s.hold(n.Game); mine {
		return // late news of the owner before
	}
	if err := s.copyOf(ctx, e); err != nil {
		s.doubtCopy(e, err)
		return
	}
	if err := s.advance(ctx, e, n); err != nil {
		s.doubtCopy(e, err)
	}
}

// doubtCopy lets a copy be made anew that could not follow.
func (s *Service) doubtCopy(e *entry, err error) {
	s.log.Warn("a game of another node cannot be followed", "game", e.id, "error", err)
	e.state = nil
	s.alarms.set(alarmKey{e.id, alarmMoved}, s.now().Add(retryPause))
}

// mirrored returns the state of a game that another node has, at least as new as
// now says.
func (s *Service) mirrored(ctx context.Context, gameID string, now *lookAnswer, told []*news) (*game.Snapshot, error) {
	for {
		e := s.games.open(gameID, s.now())
		ok, err := e.take(ctx, -1, s.now())
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		snap, err := s.mirror(ctx, e, now, told)
		if err != nil && e.snap.Load() == nil {
			e.kill()
			s.games.drop(e)
		}
		e.give()
		return snap, err
	}
}

// mirror brings the copy in an entry up to what is known. The caller has the
// turn.
func (s *Service) mirror(ctx context.Context, e *entry, now *lookAnswer, told []*news) (*game.Snapshot, error) {
	if epoch, mine := s.hold(e.id); mine && e.state != nil && e.epoch == epoch {
		return e.state.Snapshot(), nil // it came here in this moment
	}
	if err := s.copyOf(ctx, e); err != nil {
		return nil, err
	}
	for _, n := range told {
		if err := s.advance(ctx, e, n); err != nil {
			return nil, err
		}
	}
	n := &news{Game: e.id}
	if now != nil {
		n.Version, n.Present = now.Version, now.Present
	} else if err := s.catchUpCopy(ctx, e); err != nil {
		return nil, err
	} else {
		n.Version, n.Present = e.state.Version(), e.state.Snapshot().Present()
	}
	if err := s.advance(ctx, e, n); err != nil {
		return nil, err
	}
	return e.snap.Load(), nil
}

// copyOf makes sure that the entry has a copy of the game. The caller has the
// turn.
func (s *Service) copyOf(ctx context.Context, e *entry) error {
	// What was the owner's is as good a copy as any: it holds nothing that is
	// not stored.
	e.disown()
	if e.state != nil {
		return nil
	}
	g, err := s.store.GameByID(ctx, e.id)
	if errors.Is(err, store.ErrNotFound) {
		return errNoGame
	}
	if err != nil {
		return storeFault(ctx, err)
	}
	// The game may go on between the two reads.
	log, err := s.store.LogOf(ctx, e.id, 0)
	if err != nil {
		return storeFault(ctx, err)
	}
	state, err := rebuild(s.catalogue, &g, log[:min(int64(len(log)), g.Seq)])
	if err != nil {
		s.log.Error("a game does not replay", "game", e.id, "error", err)
		return fmt.Errorf("copy: %w", err)
	}
	state.Resume(turnStart(&g, pause{since: g.Created}), diffsOf(&g))
	e.state = state
	snap := state.Snapshot()
	var missed []game.Event
	if e.hasPublic && snap.Version > e.published {
		missed = s.eventsOf(snap, log, e.published)
	}
	s.publish(e, snap, missed)
	return nil
}

// advance brings a copy to the version of some news, and publishes what is new.
// The caller has the turn, and the copy is there.
func (s *Service) advance(ctx context.Context, e *entry, n *news) error {
	have := e.state.Version()
	first := n.Version - uint64(len(n.Rows)) + 1
	switch {
	case n.Version < have:
		return nil // heard before
	case n.Version > have && (len(n.Rows) == 0 || first > have+1):
		return s.catchUpTo(ctx, e, n)
	}
	known := int(have + 1 - first) // rows that are not new
	if len(n.Rows) == 0 || n.Version == have {
		known = len(n.Rows)
	}
	events, err := e.state.Follow(n.Rows[known:])
	if err != nil {
		return err
	}
	was := e.state.Snapshot().Present()
	e.state.SetPresent(n.Present)
	for i := range events {
		// Nobody has seen these snapshots yet.
		ev := &events[i]
		ev.Snapshot.At, ev.Snapshot.RatingDiff = n.Present.At, n.Present.RatingDiff
		if known+i < len(n.Partial) {
			ev.Partial = n.Partial[known+i]
		}
	}
	snap := e.state.Snapshot()
	if n.Gone != nil || len(events) == 0 && !samePresent(was, n.Present) {
		events = append(events, game.Event{Version: snap.Version, Kind: game.EventGone, Snapshot: snap, Gone: n.Gone})
	}
	s.publish(e, snap, events)
	return nil
}

// samePresent reports whether nothing that is in no log has changed.
func samePresent(a, b game.Present) bool {
	for i := range a.RatingDiff {
		if (a.RatingDiff[i] == nil) != (b.RatingDiff[i] == nil) {
			return false
		}
	}
	if a.Gone == b.Gone {
		return a.At.Equal(b.At)
	}
	for i := range a.Gone {
		if a.Gone[i].Gone != b.Gone[i].Gone || !a.Gone[i].ClaimAt.Equal(b.Gone[i].ClaimAt) {
			return false
		}
	}
	return a.At.Equal(b.At)
}

// catchUpTo fills a gap from the log, at least up to the version of the news.
func (s *Service) catchUpTo(ctx context.Context, e *entry, n *news) error {
	if err := s.readOn(ctx, e, &n.Present, n.Version); err != nil {
		return err
	}
	if e.state.Version() < n.Version {
		return fmt.Errorf("the log has %d rows, the owner told of %d", e.state.Version(), n.Version)
	}
	return nil
}

// catchUpCopy fills a gap from the log, if there is one.
func (s *Service) catchUpCopy(ctx context.Context, e *entry) error {
	return s.readOn(ctx, e, nil, 0)
}

// readOn plays what the log has beyond the copy. p is what the owner knew when
// the log was at version.
func (s *Service) readOn(ctx context.Context, e *entry, p *game.Present, version uint64) error {
	log, err := s.store.LogOf(ctx, e.id, int64(e.state.Version()))
	if err != nil {
		return storeFault(ctx, err)
	}
	rows, err := rowsOf(log, e.state.Version())
	if err != nil {
		return err
	}
	events, err := e.state.Follow(rows)
	if err != nil {
		return err
	}
	if p != nil && e.state.Version() == version {
		e.state.SetPresent(*p)
	} else if len(events) > 0 {
		// The store knows it but for what the disk took.
		g, err := s.store.GameByID(ctx, e.id)
		if err != nil {
			return storeFault(ctx, err)
		}
		e.state.Resume(turnStart(&g, pause{since: g.Created}), diffsOf(&g))
	}
	snap := e.state.Snapshot()
	game.Align(events, snap)
	s.publish(e, snap, events)
	return nil
}

// subscribeThere subscribes to a game of another node. Without a subscription
// and an error the caller has to look again where the game is.
func (s *Service) subscribeThere(ctx context.Context, gameID string) (*game.Snapshot, *bus.Subscription, error) {
	if err := s.follow(ctx, gameID); err != nil {
		return nil, nil, err
	}
	if e := s.games.get(gameID); e != nil && e.upToDate.Load() {
		if snap, sub, ok := s.join(e); ok {
			return snap, sub, nil
		}
	}
	now, err := s.look(ctx, gameID)
	if err == nil {
		_, err = s.mirrored(ctx, gameID, now, nil)
	}
	if errors.Is(err, node.ErrHere) {
		return nil, nil, nil // it came here in this moment
	}
	if err != nil {
		s.unfollowUnwatched(gameID)
		return nil, nil, err
	}
	if e := s.games.get(gameID); e != nil {
		e.upToDate.Store(true)
		if snap, sub, ok := s.join(e); ok {
			return snap, sub, nil
		}
	}
	return nil, nil, nil // it was swept away in this moment
}

// unfollowUnwatched ceases to hear of a game that nobody here watches.
func (s *Service) unfollowUnwatched(gameID string) {
	if s.bus.Subscribers(GameTopic(gameID)) == 0 {
		s.unfollow(gameID)
	}
}
