package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/openapi"
	"hoplite/openapi/frames"
)

// quietPlies are the moves that the clients play before White resigns: nothing is taken.
var quietPlies = strings.Fields("a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6 g2g3 g7g6 h2h3 h7h6")

// guests are a person with a websocket at one node and a bot with its streams at another, who play many games at once.
type guests struct {
	t      testing.TB
	person *client.Socket
	bot    *client.Client
	plies  atomic.Int64
	ended  [2]sync.Map // whose events have told which end: person, bot
}

func clientAt(t testing.TB, p *process, token string) *client.Client {
	t.Helper()
	c, err := client.New(client.BaseURL(p.url), client.Token(token))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// insist does an action until it is acknowledged, always under the same key.
func insist(ctx context.Context, do func() error) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		err := do()
		frame, isFrame := errors.AsType[*client.FrameError](err)
		if err == nil || !(isFrame && frame.Temporary() || client.Temporary(err)) || ctx.Err() != nil {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// white plays over the websocket as a page does, and sees every version once.
func (g *guests) white(ctx context.Context, id string) error {
	version, plies := uint64(0), 0
	begun := false
	for u, err := range g.person.Game(ctx, id) {
		switch {
		case err != nil:
			return err
		case u.Game != nil && begun:
			return fmt.Errorf("game %s was told anew at version %d after %d", id, u.Game.Version, version)
		case u.Game != nil:
			begun, version, plies = true, u.Game.Version, len(u.Game.Moves)
		case u.Event == nil:
			continue
		case u.Event.Version != version+1:
			return fmt.Errorf("game %s over the websocket: version %d after %d", id, u.Event.Version, version)
		default:
			version++
			if u.Event.Ply != nil {
				plies++
			}
			if u.Event.Status == "resign" {
				return nil
			}
		}
		if plies%2 != 0 {
			continue
		}
		g.plies.Add(1)
		key := keyOf(id, plies)
		err := insist(ctx, func() (err error) {
			if plies == len(quietPlies) {
				_, err = g.person.Resign(ctx, frames.Resign{Game: id, Key: key})
			} else {
				_, err = g.person.Move(ctx, frames.Move{Game: id, Move: quietPlies[plies], Key: key})
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("game %s, ply %d: %w", id, plies, err)
		}
	}
	return fmt.Errorf("game %s: the websocket has ended", id)
}

// black plays over the Bot API.
func (g *guests) black(ctx context.Context, id string) error {
	version := int64(-1)
	return g.follow(ctx, g.bot.Bot.Stream(ctx, id), id, &version, func(s *openapi.GameState) error {
		plies := len(strings.Fields(s.Moves))
		if plies%2 == 0 || s.Status != "started" {
			return nil
		}
		g.plies.Add(1)
		return insist(ctx, func() error {
			return g.bot.Bot.Move(ctx, id, quietPlies[plies], client.Key(keyOf(id, plies)))
		})
	})
}

// follow reads a stream of lines, which must have every version once and end with the game.
func (g *guests) follow(
	ctx context.Context, lines iter.Seq2[client.GameEvent, error], id string, version *int64, act func(*openapi.GameState) error,
) error {
	final := false
	for ev, err := range lines {
		if err != nil {
			return fmt.Errorf("stream of %s: %w", id, err)
		}
		if ev.State == nil {
			continue
		}
		if ev.Full == nil && ev.State.Version != *version+1 {
			return fmt.Errorf("stream of %s: version %d after %d", id, ev.State.Version, *version)
		}
		*version, final = ev.State.Version, ev.Final()
		if err := act(ev.State); err != nil {
			return err
		}
	}
	if !final {
		return fmt.Errorf("stream of %s ends at version %d", id, *version)
	}
	return nil
}

func keyOf(id string, ply int) string { return fmt.Sprint(id, "-", ply) }

// hear notes the ends of games that the two are told of outside of the games, until the context ends.
func (g *guests) hear(ctx context.Context, hearing *sync.WaitGroup) {
	hearing.Go(func() {
		for me, err := range g.person.Events(ctx) {
			if err == nil && me.Kind == frames.MeGameFinish {
				g.count(0, me.Game.ID)
			}
		}
	})
	hearing.Go(func() {
		for ev, err := range g.bot.Account.Events(ctx) {
			if err == nil && ev.Type == client.EventGameFinish {
				g.count(1, ev.Game.ID)
			}
		}
	})
}

func (g *guests) count(who int, id string) {
	if _, again := g.ended[who].LoadOrStore(id, true); again {
		g.t.Errorf("the end of game %s was told twice", id)
	}
}

// TestClientsElsewhere plays over the websocket, the Board and the Bot API at nodes that stay, while the node that has a
// third of the games is killed, each time in the middle of them. Nobody's stream breaks or misses a version.
func TestClientsElsewhere(t *testing.T) {
	n := startNodes(t, 3)
	if n == nil {
		return
	}
	p := n.list()
	anna, bert := signUp(t, p[0], "Anna"), signUp(t, p[0], "Bert")
	wantCode(t, "upgrade", 200)(post(p[2], bert, "/api/bot/account/upgrade", nil))
	socket, err := clientAt(t, p[0], anna).Socket(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	g := &guests{t: t, person: socket, bot: clientAt(t, p[2], bert)}
	ctx, cancel := context.WithCancel(t.Context())
	var hearing sync.WaitGroup
	defer hearing.Wait()
	defer cancel()
	g.hear(ctx, &hearing)
	var games []played
	for victim, left := p[1], faultRounds(); left > 0; left-- {
		games = append(games, g.round(ctx, n, victim, anna)...)
		victim = n.add()
	}
	for who := range g.ended {
		for _, played := range games {
			eventually(t, "the end of game "+played.id+" is told", 20*time.Second, func() bool {
				_, told := g.ended[who].Load(played.id)
				return told
			})
		}
	}
	n.verify(games)
}

// round plays games at once and kills a node that no client is connected to.
func (g *guests) round(ctx context.Context, n *nodes, victim *process, token string) (games []played) {
	const count = 24 // so that every node has some
	person := clientAt(g.t, n.list()[0], token)
	limit, increment := 600, 5
	var wg sync.WaitGroup
	run := func(play func() error) {
		wg.Go(func() {
			if err := play(); err != nil {
				g.t.Error(err)
			}
		})
	}
	g.plies.Store(0)
	for range count {
		made, err := person.Challenges.Create(ctx, "Bert", openapi.ChallengeForm{
			ClockLimit: &limit, ClockIncrement: &increment, Color: "white", Rated: true,
		})
		if err == nil {
			err = g.bot.Challenges.Accept(ctx, made.ID, "")
		}
		if err != nil {
			g.t.Fatal(err)
		}
		played := played{id: made.ID}
		for ply := range len(quietPlies) + 1 {
			played.keys = append(played.keys, keyOf(made.ID, ply))
		}
		games = append(games, played)
		run(func() error { return g.white(ctx, made.ID) })
		run(func() error { return g.black(ctx, made.ID) })
		run(func() error {
			version := int64(-1)
			return g.follow(ctx, person.Board.Stream(ctx, made.ID), made.ID, &version, func(*openapi.GameState) error { return nil })
		})
	}
	eventually(g.t, "the games are under way", time.Minute, func() bool { return g.plies.Load() >= count*4 })
	victim.kill()
	n.drop(victim)
	wg.Wait()
	return games
}

// TestNewerStreamElsewhere opens the streams of one token at another node, which ends the older ones.
func TestNewerStreamElsewhere(t *testing.T) {
	n := startNodes(t, 2)
	if n == nil {
		return
	}
	p := n.list()
	anna := signUp(t, p[0], "Anna")
	older := openFeed(t, p[0], http.MethodGet, anna, "/api/stream/event", nil)
	newer := openFeed(t, p[1], http.MethodGet, anna, "/api/stream/event", nil)
	older.ends()
	newest := openFeed(t, p[0], http.MethodGet, anna, "/api/stream/event", nil)
	newer.ends()
	wantCode(t, "challenge", 200)(post(p[1], signUp(t, p[1], "Bert"), "/api/challenge/Anna", nil))
	newest.want("challenge")
}
