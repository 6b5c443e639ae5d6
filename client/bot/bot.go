// Package bot plays games with a bot account, over the public API only, so it
// works on Lichess as well as on a Hoplite server. It accepts challenges by a
// policy, plays several games at once by the clock, and finds its games again
// after a lost stream, a restart of the server or its own.
package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"hoplite/client"
	"hoplite/openapi"
)

// maxChat is the longest chat line of the API, in characters.
const maxChat = 140

// acceptedFor is how long an accepted challenge holds its place while its game
// has not been announced.
const acceptedFor = 30 * time.Second

// reconnect is the back-off of the bot's streams. The longest wait is short: a
// clock may be running.
var reconnect = client.Backoff{First: 250 * time.Millisecond, Max: 8 * time.Second}

// Bot is one account that plays. Use it once.
type Bot struct {
	api    *client.Client
	cfg    Config
	engine Engine
	log    *slog.Logger
	games  games

	id, name string // of the account, once it is known

	mu       sync.Mutex
	tables   map[string]string // opponent's id by game id
	accepted map[string]seat   // challenges on their way to becoming games
	work     sync.WaitGroup    // tables and answers to challenges
}

// seat is the place that an accepted challenge takes.
type seat struct {
	opponent string
	until    time.Time
}

// New makes a bot that talks as the account of the client's token. The engine
// stays the caller's to close.
func New(api *client.Client, engine Engine, cfg Config, log *slog.Logger) (*Bot, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("bot: %w", err)
	}
	g, err := newGames(cfg.Engine.Games)
	if err != nil {
		return nil, fmt.Errorf("bot: %w", err)
	}
	return &Bot{
		api: api, cfg: cfg, engine: engine, log: log, games: g,
		tables:   map[string]string{},
		accepted: map[string]seat{},
	}, nil
}

// Run plays until the context ends, which is no error. Running games stay on
// the server and go on when the account's bot runs again. It returns an error
// when the account cannot play: no such token, no bot account.
func (b *Bot) Run(ctx context.Context) error {
	if err := b.sitDown(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return fmt.Errorf("bot: %w", err)
	}
	b.log.Info("bot is ready", "account", b.name, "engine", b.engine.Name())
	ctx, cancel := context.WithCancel(ctx)
	defer b.work.Wait()
	defer cancel()
	for ev, err := range client.Reconnect(ctx, reconnect, b.log, b.api.Account.Events, nil) {
		if err != nil {
			return fmt.Errorf("bot: event stream: %w", err)
		}
		b.handle(ctx, ev)
	}
	return nil
}

// sitDown checks the account, for as long as the server needs to answer.
func (b *Bot) sitDown(ctx context.Context) error {
	for n := 0; ; n++ {
		err := b.checkAccount(ctx)
		if err == nil || !client.Temporary(err) {
			return err
		}
		wait := min(reconnect.First<<min(n, 10), reconnect.Max)
		if limit, ok := errors.AsType[*client.RateLimitError](err); ok {
			wait = max(wait, limit.RetryAfter)
		}
		b.log.Warn("server does not answer", "error", err, "retry", wait)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

func (b *Bot) checkAccount(ctx context.Context) error {
	me, err := b.api.Account.Me(ctx)
	if err != nil {
		if client.StatusOf(err) == http.StatusUnauthorized {
			return fmt.Errorf("the token is not good: %w", err)
		}
		return err
	}
	if me.Title != titleBot {
		if !b.cfg.Upgrade {
			return fmt.Errorf("%s is not a bot account; start with --upgrade to make it one for good", me.Username)
		}
		if err := b.api.Bot.Upgrade(ctx); err != nil {
			return fmt.Errorf("%s cannot become a bot account: %w", me.Username, err)
		}
		b.log.Info("account is a bot account now", "account", me.Username)
	}
	b.id, b.name = me.ID, me.Username
	return nil
}

const titleBot = "BOT"

func (b *Bot) handle(ctx context.Context, ev client.Event) {
	switch {
	case ev.Type == client.EventGameStart && ev.Game != nil:
		b.sitAt(ctx, ev.Game)
	case ev.Type == client.EventChallenge && ev.Challenge != nil:
		b.consider(ctx, ev.Challenge)
	case ev.Type == client.EventChallengeCanceled && ev.Challenge != nil:
		b.release(ev.Challenge.ID)
	}
}

// sitAt starts playing a game unless it is played already.
func (b *Bot) sitAt(ctx context.Context, g *openapi.GameInfo) {
	id := g.GameID
	if id == "" {
		id = g.ID
	}
	opponent, _ := g.Opponent.ID.Get() // the server's engine has none
	b.mu.Lock()
	delete(b.accepted, id)
	_, playing := b.tables[id]
	if id != "" && !playing {
		b.tables[id] = opponent
	}
	b.mu.Unlock()
	if id == "" || playing {
		return
	}
	b.work.Go(func() {
		defer b.standUp(id)
		b.play(ctx, id)
	})
}

func (b *Bot) standUp(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.tables, id)
}

// consider answers a challenge.
func (b *Bot) consider(ctx context.Context, ch *openapi.Challenge) {
	from, named := ch.Challenger.Get()
	if named != nil {
		from = openapi.ChallengeUser{}
	}
	if from.ID == b.id && b.id != "" || ch.Status != openapi.ChallengeStatusCreated && ch.Status != "" {
		return // ours, or answered already
	}
	reason, ours := b.decide(ch.ID, offerOf(ch, from))
	if ours {
		return
	}
	b.work.Go(func() {
		if reason != "" {
			b.log.Info("challenge declined", "challenge", ch.ID, "from", from.Name, "variant", ch.Variant.Key, "reason", reason)
			if err := b.api.Challenges.Decline(ctx, ch.ID, string(reason)); err != nil && ctx.Err() == nil {
				b.log.Info("decline refused", "challenge", ch.ID, "error", err)
			}
			return
		}
		if err := b.api.Challenges.Accept(ctx, ch.ID, ""); err != nil {
			// A 404 can follow a first try that did accept; the game's start
			// takes its seat by itself then.
			b.release(ch.ID)
			if ctx.Err() == nil {
				b.log.Info("challenge is gone", "challenge", ch.ID, "error", err)
			}
			return
		}
		b.log.Info("challenge accepted", "challenge", ch.ID, "from", from.Name, "variant", ch.Variant.Key)
	})
}

// decide asks the policy and takes the seat if it accepts, in one step, so that
// challenges that come together do not share a place. ours says that the
// challenge has been accepted before.
func (b *Bot) decide(id string, o Offer) (reason DeclineReason, ours bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if s, ok := b.accepted[id]; ok && now.Before(s.until) {
		return "", true
	}
	var load Load
	count := func(opponent string) {
		load.Games++
		if opponent == o.Opponent {
			load.WithOpponent++
		}
	}
	for _, opponent := range b.tables {
		count(opponent)
	}
	for other, s := range b.accepted {
		if now.After(s.until) {
			delete(b.accepted, other)
			continue
		}
		count(s.opponent)
	}
	reason = b.cfg.Challenges.Decide(o, load, b.engine.Plays)
	if reason == "" {
		b.accepted[id] = seat{opponent: o.Opponent, until: now.Add(acceptedFor)}
	}
	return reason, false
}

func (b *Bot) release(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.accepted, id)
}

func offerOf(ch *openapi.Challenge, from openapi.ChallengeUser) Offer {
	o := Offer{
		Variant: ch.Variant.Key, Speed: string(ch.Speed), Rated: ch.Rated, Days: ch.TimeControl.DaysPerTurn,
		Opponent: strings.ToLower(from.ID), OpponentBot: from.Title == titleBot, Rating: from.Rating,
	}
	if l := ch.TimeControl.Limit; l != nil {
		o.Clock, o.Limit = true, time.Duration(*l)*time.Second
	}
	if i := ch.TimeControl.Increment; i != nil {
		o.Clock, o.Increment = true, time.Duration(*i)*time.Second
	}
	return o
}
