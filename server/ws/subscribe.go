package ws

import (
	"context"

	"hoplite/openapi"
	"hoplite/openapi/frames"
	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live"
	"hoplite/server/live/game"
)

// subscribe follows a topic. Subscribing again is a way to begin anew, or to ask for what was missed.
func (c *conn) subscribe(ctx context.Context, id uint64, d frames.Sub) {
	c.breathe(ctx)
	var err error
	switch {
	case !c.following(d) && c.subscriptions() >= frames.MaxSubscriptions:
		err = fault.Invalid("A socket has at most %d subscriptions", frames.MaxSubscriptions)
	case d.Topic == frames.TopicGame:
		err = c.followGame(ctx, id, d)
	case d.Topic == frames.TopicLobby:
		err = c.s.lobby.follow(ctx, c, id)
	case d.Topic == frames.TopicEvents:
		err = c.followEvents(ctx, id)
	case d.Topic == frames.TopicTV:
		err = c.followTV(ctx, id)
	default:
		err = errTopic()
	}
	if err != nil {
		c.fail(ctx, id, err)
	}
}

func (c *conn) following(d frames.Sub) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch d.Topic {
	case frames.TopicGame:
		return c.games[lichess.GameID(d.Game)] != nil
	case frames.TopicLobby:
		return c.hall
	case frames.TopicTV:
		return c.tv != nil
	}
	return c.events != nil
}

func errTopic() error { return fault.Field("topic", "must be game, lobby, events or tv") }

func (c *conn) subscriptions() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.games)
	if c.hall {
		n++
	}
	if c.events != nil {
		n++
	}
	if c.tv != nil {
		n++
	}
	return n
}

func (c *conn) followGame(ctx context.Context, id uint64, d frames.Sub) error {
	if d.Game == "" {
		return fault.Field("game", "is needed")
	}
	gameID := lichess.GameID(d.Game)
	r, err := c.s.enter(ctx, gameID)
	if err != nil {
		return err
	}
	snap := r.state()
	m := &member{c: c, room: r, sight: sight{
		seat: snap.PlayerOf(c.caller().AccountID),
		bare: d.Bare && !snap.Hidden(), // what a viewer may know is said by scenes only
	}}
	m.leave = c.s.Live.Attend(gameID, m.seat)
	c.mu.Lock()
	old := c.games[gameID]
	if c.games == nil {
		c.games = make(map[string]*member)
	}
	c.games[gameID] = m
	c.mu.Unlock()
	if old != nil {
		old.room.drop(old)
	}
	if d.Version == nil {
		err = r.start(m, id, false)
	} else {
		err = r.resume(ctx, m, id, *d.Version)
	}
	if err != nil {
		c.forget(gameID, m)
		r.drop(m)
	}
	return err
}

func (c *conn) forget(gameID string, m *member) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.games[gameID] == m {
		delete(c.games, gameID)
	}
}

func (c *conn) unsubscribe(ctx context.Context, id uint64, d frames.Unsub) {
	switch d.Topic {
	case frames.TopicGame:
		gameID := lichess.GameID(d.Game)
		c.mu.Lock()
		m := c.games[gameID]
		delete(c.games, gameID)
		c.mu.Unlock()
		if m != nil {
			m.room.drop(m)
		}
	case frames.TopicLobby:
		c.s.lobby.drop(c)
	case frames.TopicEvents:
		c.mu.Lock()
		if c.events != nil {
			c.events()
			c.events = nil
		}
		c.mu.Unlock()
	case frames.TopicTV:
		c.leaveTV()
	default:
		c.fail(ctx, id, errTopic())
		return
	}
	c.ack(id, frames.Ack{})
}

// leaveAll ends every subscription, and the seek that lives with the socket.
func (c *conn) leaveAll() {
	c.mu.Lock()
	games, events, seek := c.games, c.events, c.seek
	c.games, c.events, c.seek = nil, nil, nil
	c.mu.Unlock()
	for _, m := range games {
		m.room.drop(m)
	}
	if events != nil {
		events()
	}
	if seek != nil {
		seek.Cancel()
	}
	c.s.lobby.drop(c)
	c.leaveTV()
}

// eventBuffer is how many own events may wait for a socket.
const eventBuffer = 32

// followEvents sends the caller what happens to them, all that goes on first.
func (c *conn) followEvents(ctx context.Context, id uint64) error {
	who, err := c.need("challenge:read", "bot:play", "board:play")
	if err != nil {
		return err
	}
	sub, all, told, err := c.beginEvents(ctx, who.AccountID)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	if c.events != nil {
		c.events()
	}
	c.events = cancel
	c.mu.Unlock()
	c.ack(id, frames.Ack{})
	c.push("me", 0, all)
	go func() {
		for {
			c.tellEvents(ctx, who.AccountID, sub, told)
			if ctx.Err() != nil || sub.Err() != bus.ErrSlow {
				return
			}
			// Too many at once: begin anew.
			if sub, all, told, err = c.beginEvents(ctx, who.AccountID); err != nil {
				c.end(errSlow)
				return
			}
			c.push("me", 0, all)
		}
	}()
	return nil
}

// beginEvents listens first, so that what happens meanwhile comes after the beginning.
func (c *conn) beginEvents(ctx context.Context, accountID string) (*bus.Subscription, frames.Me, *lichess.Told, error) {
	told := new(lichess.Told)
	sub := c.s.Bus.Subscribe(live.UserTopic(accountID), eventBuffer)
	all := frames.Me{Kind: frames.MeAll, Games: []openapi.GameInfo{}, Challenges: []openapi.Challenge{}}
	ongoing, err := c.s.Live.Ongoing(ctx, accountID)
	if err == nil {
		for _, snap := range ongoing {
			told.Begins(snap.ID)
			all.Games = append(all.Games, c.info(snap, accountID))
		}
		var open []openapi.Challenge
		open, err = c.s.Challenges.Open(ctx, accountID)
		all.Challenges = append(all.Challenges, open...)
	}
	if err != nil {
		sub.Close()
		return nil, all, nil, err
	}
	return sub, all, told, nil
}

func (c *conn) tellEvents(ctx context.Context, accountID string, sub *bus.Subscription, told *lichess.Told) {
	defer sub.Close()
	info := func(kind string, ev live.GameStart) frames.Me {
		g := c.info(ev.Snapshot, accountID)
		return frames.Me{Kind: kind, Game: &g}
	}
	for {
		var ev any
		var ok bool
		select {
		case <-ctx.Done():
			return
		case ev, ok = <-sub.C:
			if !ok {
				return
			}
		}
		switch ev := ev.(type) {
		case live.GameStart:
			if told.Starts(ev.Snapshot) {
				c.push("me", 0, info(frames.MeGameStart, ev))
			}
		case live.GameFinish:
			if told.Ends(ev.Snapshot.ID) {
				c.push("me", 0, info(frames.MeGameFinish, live.GameStart(ev)))
			}
		case openapi.ChallengeEvent:
			c.push("me", 0, frames.Me{Kind: frames.MeChallenge, Challenge: &ev.Challenge})
		case openapi.ChallengeCanceledEvent:
			c.push("me", 0, frames.Me{Kind: frames.MeChallengeCanceled, Challenge: &ev.Challenge})
		case openapi.ChallengeDeclinedEvent:
			c.push("me", 0, frames.Me{Kind: frames.MeChallengeDeclined, Challenge: &ev.Challenge})
		}
	}
}

// info is a game as one of its players sees it.
func (c *conn) info(snap *game.Snapshot, accountID string) openapi.GameInfo {
	player := snap.PlayerOf(accountID)
	return c.s.Games.GameInfo(snap.For(player), player, c.s.Now())
}
