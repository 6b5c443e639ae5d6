// Package house runs the bots of the server itself: the visible house bots, one
// for each level of our engine, and the hidden accounts that play the games
// against "the engine". They play through the same client and bot as everybody
// else's, over connections inside of the process.
package house

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"hoplite/client"
	"hoplite/client/bot"
	"hoplite/engine/search"
	"hoplite/engine/variant"
	"hoplite/store"
)

// Config says which bots run and how.
type Config struct {
	// Levels are those of the visible bots, from 1 to 8. Without any no bot runs, and
	// games against the engine are refused.
	Levels []int
	// Games are those that the bots know the rules of; the catalogue's if nil.
	Games *variant.Set
	// Store is where the accounts of the bots and their tokens are kept.
	Store store.Store
	// Transport reaches the server.
	Transport http.RoundTripper
	// Ready, if not nil, is asked until it returns nil before any bot starts.
	Ready func(context.Context) error
	// Pool searches for all of them; nil makes one of Workers.
	Pool *bot.Pool
	// Workers is how many searches run at the same time, for all bots together;
	// 0 is half the cores, at least one.
	Workers int
	// Pace replaces the pace of the levels, for tests.
	Pace *bot.Pace
	Now  func() time.Time // time.Now if nil
	Log  *slog.Logger     // silent if nil
}

const (
	// hash is MiB for each worker and variant.
	hash = 16
	// moveTime and moveNodes bound every search of a house bot.
	moveTime  = time.Second
	moveNodes = 1_500_000
	// seats is how many games a visible bot plays at once, and perPerson how
	// many of them against one account.
	seats, perPerson = 64, 4
	// engineSeats is the same for an account of the engine, which does not choose.
	engineSeats = 1 << 20
	// overhead is kept back of the clock: the way is short, but workers are shared.
	overhead = 50 * time.Millisecond
	// address is what requests name as their server; the transport ignores it.
	address = "http://localhost"
	// restart is the wait before a bot that ended with an error runs again.
	restart = 5 * time.Second
	// readyEvery is the wait between questions whether the server is ready.
	readyEvery = 20 * time.Millisecond
)

// Run plays until ctx ends, and returns nil then. The server must be running,
// or about to be.
func Run(ctx context.Context, c Config) error {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	for c.Ready != nil && c.Ready(ctx) != nil {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(readyEvery):
		}
	}
	accounts := &accounts{store: c.Store, now: c.Now}
	if len(c.Levels) == 0 {
		if err := accounts.closeEngine(ctx); err != nil && ctx.Err() == nil {
			return err
		}
		return nil
	}
	crew, err := hire(c.Levels)
	if err != nil {
		return err
	}
	pool := c.Pool
	if pool == nil {
		pool = NewPool(c.Workers)
	}
	c.Log.Info("house bots play", "levels", c.Levels, "workers", pool.Size())
	var work sync.WaitGroup
	for _, m := range crew {
		work.Go(func() { c.keep(ctx, accounts, m, pool) })
	}
	work.Wait()
	return nil
}

// NewPool makes a pool that searches for all house bots; 0 workers are half the cores, at least one.
func NewPool(workers int) *bot.Pool { return bot.NewPool(workers, hash) }

// member is a bot of the house.
type member struct {
	name   string
	level  search.Level
	hidden bool // plays the games against the engine
}

// hire lists the visible bots of some levels and the engine's accounts, which
// play every level.
func hire(levels []int) ([]member, error) {
	all := search.Levels()
	var crew []member
	for _, n := range levels {
		i := slices.IndexFunc(all, func(l search.Level) bool { return l.Number == n })
		if i < 0 {
			return nil, fmt.Errorf("house bots: no level %d", n)
		}
		first, _, _ := strings.Cut(strings.ToLower(all[i].Name), " ")
		crew = append(crew, member{name: "hoplite-" + first, level: all[i]})
	}
	for _, l := range all {
		crew = append(crew, member{name: fmt.Sprintf("ai%d", l.Number), level: l, hidden: true})
	}
	return crew, nil
}

func (c *Config) bot(m member, pool *bot.Pool, token string) (*bot.Bot, error) {
	cfg := m.config()
	if c.Pace != nil {
		cfg.Pace = *c.Pace
	}
	cfg.Engine.Games = c.Games
	engine, err := bot.NewOwn(cfg.Engine, pool)
	if err != nil {
		return nil, err
	}
	api, err := client.New(
		client.BaseURL(address),
		client.Token(token),
		client.UserAgent("hoplite-house"),
		client.HTTPClient(&http.Client{Transport: c.Transport}),
	)
	if err != nil {
		return nil, err
	}
	return bot.New(api, engine, cfg, slog.New(quiet{c.Log.Handler()}).With("bot", m.name))
}

func (m member) config() bot.Config {
	cfg := bot.DefaultConfig()
	cfg.Engine.Level = m.level.Number
	cfg.Engine.Overhead = bot.Duration(overhead)
	cfg.Engine.Limits = bot.FixedLimits{MoveTime: bot.Duration(moveTime), Nodes: moveNodes}
	cfg.Challenges.Concurrency, cfg.Challenges.PerOpponent = seats, perPerson
	cfg.Pace = paceOf(m.level)
	cfg.Takebacks = 3 // people who learn want some of their moves back
	if m.hidden {
		cfg.Challenges.Concurrency, cfg.Challenges.PerOpponent = engineSeats, 0
		cfg.Chat = bot.ChatConfig{}
		cfg.AbortAfter = 0
	}
	return cfg
}

// paceOf lets strong levels seem to think longer than weak ones.
func paceOf(l search.Level) bot.Pace {
	return bot.Pace{
		Least:      bot.Duration(300 * time.Millisecond),
		Most:       bot.Duration(500*time.Millisecond + time.Duration(l.Number)*125*time.Millisecond),
		PeopleOnly: true,
	}
}

// keep runs a bot until ctx ends. One that ends with an error, because the store
// was away or an administrator revoked its token, logs in anew.
func (c *Config) keep(ctx context.Context, accounts *accounts, m member, pool *bot.Pool) {
	for {
		err := c.run(ctx, accounts, m, pool)
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, errTaken) {
			c.Log.Warn("house bot cannot play", "bot", m.name, "error", err)
			return
		}
		c.Log.Warn("house bot ended", "bot", m.name, "error", err, "restart", restart)
		select {
		case <-ctx.Done():
			return
		case <-time.After(restart):
		}
	}
}

func (c *Config) run(ctx context.Context, accounts *accounts, m member, pool *bot.Pool) error {
	token, err := accounts.token(ctx, m)
	if err != nil {
		return err
	}
	b, err := c.bot(m, pool, token)
	if err != nil {
		return err
	}
	return b.Run(ctx)
}
