package live

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"hoplite/server/fault"
	"hoplite/server/live/game"
	"hoplite/server/node"
	"hoplite/store"
)

const (
	// retryPause is how soon something that the store refused is tried again.
	retryPause = time.Second
	// defaultBeat is Deps.Beat if that is not set.
	defaultBeat = 5 * time.Second
	// feedEvery is how often deadlines are read from the store, and feedAhead
	// how far ahead. feedLimit bounds one reading.
	feedEvery = time.Minute
	feedAhead = 3 * time.Minute
	feedLimit = 50_000
	// alarmAhead is how far ahead the deadlines of games in memory are watched
	// without feed's help.
	alarmAhead = 12 * time.Hour
	// sweepEvery and idleTime decide when a game leaves the memory.
	sweepEvery = time.Minute
	idleTime   = 5 * time.Minute
	// ringers is how many alarms are worked on at once.
	ringers = 32
)

// Ready is closed when the service answers.
func (s *Service) Ready() <-chan struct{} { return s.ready }

// Run serves until ctx ends, then waits for the actions in flight. Before it
// opens it moves the correspondence deadlines by the time that the server was
// away. It may be called once.
func (s *Service) Run(ctx context.Context) error {
	if err := s.open(ctx); err != nil {
		s.stopped = true // nobody has passed the gate yet
		close(s.ready)
		return err
	}
	// Actions end before the committer does.
	actions, stopActions := context.WithCancel(context.WithoutCancel(ctx))
	commits, stopCommits := context.WithCancel(context.WithoutCancel(ctx))
	defer stopActions()
	defer stopCommits()

	var helpers, committer sync.WaitGroup
	committer.Go(func() { s.commits.run(commits) })
	ring := make(chan alarmKey)
	helpers.Go(func() { s.alarms.run(actions, s.now, ring) })
	for range ringers {
		helpers.Go(func() { s.answer(actions, ring) })
	}
	helpers.Go(func() { s.every(actions, feedEvery, s.feed) })
	if s.node != nil {
		helpers.Go(func() { s.every(actions, checkEvery, s.checkCopies) })
		helpers.Go(func() { s.every(actions, attendEvery, func(context.Context) { s.tellAttendance() }) })
		helpers.Go(func() { s.feedWhenTold(actions) })
		helpers.Go(func() { s.retellWhenAsked(actions) })
	}
	helpers.Go(func() { s.every(actions, s.beatEvery, s.beat) })
	helpers.Go(func() { s.every(actions, sweepEvery, s.sweep) })
	close(s.ready)

	<-ctx.Done()
	stopActions()
	helpers.Wait()
	s.gate.Lock() // waits for every action in flight
	s.stopped = true
	s.gate.Unlock()
	stopCommits()
	committer.Wait()
	s.beat(context.WithoutCancel(ctx))
	return nil
}

// open finds out how long the server was away. It waits for the store, or for
// the node.
func (s *Service) open(ctx context.Context) error {
	if s.node != nil {
		return s.openNode(ctx)
	}
	for {
		err := s.recover(ctx)
		if err == nil {
			return nil
		}
		if !errors.Is(err, store.ErrUnavailable) || ctx.Err() != nil {
			return fmt.Errorf("open the live games: %w", err)
		}
		s.log.Warn("waiting for the store", "error", err)
		select {
		case <-time.After(retryPause):
		case <-ctx.Done():
			return fmt.Errorf("open the live games: %w", ctx.Err())
		}
	}
}

// openNode waits until the node may have games.
func (s *Service) openNode(ctx context.Context) error {
	if err := s.hearAttendance(ctx); err != nil {
		return fmt.Errorf("open the live games: %w", err)
	}
	select {
	case <-s.mayOpen:
		s.up = s.now()
		return nil
	case <-ctx.Done():
		return fmt.Errorf("open the live games: %w", ctx.Err())
	}
}

func (s *Service) recover(ctx context.Context) error {
	last, err := s.store.LastBeat(ctx)
	if err != nil {
		return err
	}
	now := s.now()
	if !last.IsZero() && now.After(last) {
		n, err := s.store.ShiftDeadlines(ctx, last, now.Sub(last))
		if err != nil {
			return err
		}
		s.log.Info("back after an outage", "away", now.Sub(last), "games", n)
	}
	if err := s.store.Beat(ctx, now); err != nil {
		return err
	}
	s.up = now
	s.feed(ctx)
	return nil
}

// every calls f at once and then again and again until ctx ends.
func (s *Service) every(ctx context.Context, pause time.Duration, f func(context.Context)) {
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		f(ctx)
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

func (s *Service) beat(ctx context.Context) {
	if err := s.store.Beat(ctx, s.now()); err != nil && ctx.Err() == nil {
		s.log.Warn("heartbeat not stored", "error", err)
	}
}

func (s *Service) sweep(context.Context) {
	for _, id := range s.games.sweep(s.now().Add(-idleTime), s.needed) {
		if s.node != nil {
			s.unfollow(id)
		}
	}
}

// needed reports whether a game must stay in memory though nobody has used it
// for a while.
func (s *Service) needed(e *entry) bool {
	snap := e.snap.Load()
	if snap == nil {
		return false
	}
	if _, mine := s.hold(e.id); mine {
		return snap.ClockRunning // the turn goes on from memory, not from the store
	}
	return s.bus.Subscribers(GameTopic(e.id)) > 0
}

// feedWhenTold reads the deadlines of games that have just come here.
func (s *Service) feedWhenTold(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.feedNow:
			s.feed(ctx)
		}
	}
}

// feed reads which games may end by time soon, without reading any log.
func (s *Service) feed(ctx context.Context) {
	list, err := s.store.DueGames(ctx, s.now().Add(feedAhead), feedLimit)
	if err != nil {
		if ctx.Err() == nil {
			s.log.Warn("deadlines not read", "error", err)
		}
		return
	}
	for _, g := range list {
		if _, mine := s.hold(g.GameID); !mine {
			continue
		}
		// What is set already knows better than the store.
		s.alarms.setIfAbsent(alarmKey{g.GameID, alarmDue}, g.Deadline)
	}
}

// schedule sets the alarm for a game in memory. Far deadlines are left to
// feed.
func (s *Service) schedule(snap *game.Snapshot) {
	key := alarmKey{snap.ID, alarmDue}
	due, ok := snap.Deadline()
	if !ok || due.Sub(s.now()) > alarmAhead {
		s.alarms.cancel(key)
		return
	}
	s.alarms.set(key, due)
}

// answer works on alarms until ctx ends.
func (s *Service) answer(ctx context.Context, ring <-chan alarmKey) {
	for {
		select {
		case <-ctx.Done():
			return
		case key := <-ring:
			switch key.kind {
			case alarmGone0:
				s.checkGone(ctx, key.game, 0)
			case alarmGone1:
				s.checkGone(ctx, key.game, 1)
			case alarmMoved:
				s.checkMoved(ctx, key.game)
			default:
				s.checkDue(ctx, key.game)
			}
		}
	}
}

// checkDue ends the game if its time is up.
func (s *Service) checkDue(ctx context.Context, gameID string) {
	key := alarmKey{gameID, alarmDue}
	if _, mine := s.hold(gameID); !mine {
		return // it is the concern of whoever has the game
	}
	if e := s.games.get(gameID); (e == nil || e.snap.Load() == nil) && !s.doubtful(gameID) {
		// Not in memory: the stored game says whether its log is needed.
		g, err := s.store.GameByID(ctx, gameID)
		if err != nil {
			if !errors.Is(err, store.ErrNotFound) {
				s.alarms.setIfAbsent(key, s.now().Add(retryPause))
			}
			return
		}
		due, ok := deadlineOf(&g, s.pauseOf(gameID))
		if !ok {
			return
		}
		if due.After(s.now()) {
			s.alarms.setIfAbsent(key, due)
			return
		}
	}
	_, err := s.actHere(ctx, gameID, game.Action{Kind: game.Timeout, Player: -1}, s.now())
	switch {
	case err == nil || ctx.Err() != nil || errors.Is(err, node.ErrMoved):
	case fault.KindOf(err) == fault.KindNotFound:
	case fault.KindOf(err) == fault.KindInvalid:
		// Over, or given time meanwhile.
		if snap, err := s.Snapshot(ctx, gameID); err == nil {
			s.schedule(snap)
		}
	default:
		s.alarms.setIfAbsent(key, s.now().Add(retryPause))
	}
}
