package bot

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"hoplite/client"
)

const (
	// engineTries is how often a broken engine is asked again for one move.
	engineTries = 3
	// moveRetry is the wait between tries to send a move, beside the client's
	// own, while the server is away.
	moveRetry = time.Second
)

// thought is the search for one move and its sending.
type thought struct {
	cancel context.CancelFunc
	done   chan struct{}
	ply    int
	choice Choice
	resign bool
	offer  bool
	err    error // of the engine, or of the server that refused the move
}

// think starts a thought about the present position. The result arrives in
// t.thoughts, unless the thought was cancelled.
func (t *table) think(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	th := &thought{cancel: cancel, done: make(chan struct{}), ply: len(t.moves)}
	t.thought = th
	turn := Turn{Moves: t.moves, Clock: t.clock()}
	s, at, claim := t.situation(), t.here(), t.claimable()
	if claim != "" {
		t.declared = len(t.moves) + 1
	}
	go func() {
		defer close(th.done)
		defer cancel()
		if claim != "" {
			t.claim(ctx, claim)
		}
		t.decide(ctx, th, turn, s, at)
		select {
		case t.thoughts <- th:
		case <-ctx.Done():
		}
	}()
}

func (t *table) here() moment {
	m := moment{Bot: t.opponentIsBot(), Clock: t.clock()}
	if t.track != nil {
		if at, ok := t.track.at(t.moves); ok {
			m.Forced, m.Critical, m.Captured = at.legal == 1, at.check, at.captured
		}
	}
	return m
}

// decide runs beside the table's goroutine, which leaves the player alone while
// a thought is under way.
func (t *table) decide(ctx context.Context, th *thought, turn Turn, s situation, at moment) {
	start := time.Now()
	for n := 1; ; n++ {
		th.choice, th.err = t.player.Choose(ctx, turn)
		if th.err == nil || ctx.Err() != nil || errors.Is(th.err, ErrNoMove) || n == engineTries {
			break
		}
		t.log.Warn("engine broke", "error", th.err, "try", n)
		turn.Clock.SinceReceived += time.Since(start)
	}
	if th.err != nil {
		return
	}
	if score := th.choice.Score; score != nil {
		t.recMu.Lock()
		t.rec.add(th.ply, *score)
		th.resign = t.bot.cfg.Resign.resigns(&t.rec, s)
		th.offer = t.bot.cfg.Draw.Offer && t.bot.cfg.Draw.fair(&t.rec, s) && th.ply-t.lastOffer >= offerEvery
		t.recMu.Unlock()
	}
	if th.resign {
		th.err = t.insist(ctx, func() error { return t.bot.api.Bot.Resign(ctx, t.id) })
		return
	}
	at.Recapture = at.Captured != "" && strings.Contains(th.choice.Move, at.Captured)
	wait := t.bot.cfg.Pace.delay(at, t.rand) - time.Since(start)
	if wait > 0 {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
	var opts []client.ActionOption
	if th.offer {
		opts = append(opts, client.OfferDraw())
	}
	th.err = t.insist(ctx, func() error { return t.bot.api.Bot.Move(ctx, t.id, th.choice.Move, opts...) })
}

// insist repeats an action for as long as the server does not answer and the
// position stands.
func (t *table) insist(ctx context.Context, do func() error) error {
	for {
		err := do()
		if err == nil || !client.Temporary(err) || ctx.Err() != nil {
			return err
		}
		wait := moveRetry
		if limit, ok := errors.AsType[*client.RateLimitError](err); ok {
			wait = max(wait, limit.RetryAfter)
		}
		t.log.Warn("server does not take the move", "error", err, "retry", wait)
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

// decided takes in a finished thought.
func (t *table) decided(ctx context.Context, th *thought) {
	if th != t.thought {
		return
	}
	t.thought = nil
	if th.offer {
		t.lastOffer = th.ply
	}
	switch {
	case th.err == nil:
		t.sent = true
		t.log.Debug("moved", "ply", th.ply, "move", th.choice.Move, "depth", th.choice.Depth, "nodes", th.choice.Nodes)
	case errors.Is(th.err, ErrNoMove):
		t.sent = true // the server will say how the game ended
	case client.StatusOf(th.err) == http.StatusBadRequest:
		t.refused(ctx, th)
	case client.StatusOf(th.err) != 0:
		t.log.Warn("move refused", "move", th.choice.Move, "error", th.err)
		t.again()
	default:
		t.log.Error("engine has no move", "error", th.err)
		t.act(ctx, "resign", func() error { return t.bot.api.Bot.Resign(ctx, t.id) })
		t.sent = true
	}
}

// refused deals with a move that the server does not want. Usually the position
// has changed or a lost answer was asked for twice, and the state of a fresh
// stream settles it. An engine that insists on an illegal move loses the game.
func (t *table) refused(ctx context.Context, th *thought) {
	t.refusals++
	t.log.Warn("move refused", "move", th.choice.Move, "error", th.err, "times", t.refusals)
	if t.refusals >= maxRefusals {
		t.act(ctx, "resign", func() error { return t.bot.api.Bot.Resign(ctx, t.id) })
		t.sent = true
		return
	}
	t.again()
}

// again opens the stream anew; its first line asks for a move if it is ours.
func (t *table) again() {
	if t.reopen != nil {
		t.reopen()
	}
}

// stopThinking ends the thought under way and waits for it.
func (t *table) stopThinking() {
	if t.thought == nil {
		return
	}
	t.thought.cancel()
	<-t.thought.done
	t.thought = nil
}
