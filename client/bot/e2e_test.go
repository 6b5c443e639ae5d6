package bot_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/client/bot"
	"hoplite/openapi"
	"hoplite/server"
	"hoplite/server/servertest"
)

// patience is for machines that are busy with other tests.
const patience = 3 * time.Minute

// await asks until ok.
func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

func clientTo(t *testing.T, address, token string, opts ...client.Option) *client.Client {
	t.Helper()
	c, err := client.New(append([]client.Option{
		client.BaseURL(address), client.Token(token),
		client.WithRetry(client.Retry{
			Backoff: client.Backoff{First: 20 * time.Millisecond, Max: 500 * time.Millisecond},
			For:     20 * time.Second, MaxPause: 3 * time.Second,
		}),
	}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// quickConfig is a bot that answers at once and plays on to the end.
func quickConfig() bot.Config {
	c := bot.DefaultConfig()
	c.Engine.Level, c.Engine.Limits.Nodes, c.Engine.Limits.MoveTime = 8, 500, bot.Duration(time.Second)
	c.Pace, c.Resign, c.Draw = bot.Pace{}, bot.ResignRules{}, bot.DrawRules{}
	c.Challenges.Concurrency = 8
	return c
}

// runBot runs a bot until the test ends or the returned function is called.
func runBot(t *testing.T, c *client.Client, cfg bot.Config) (stop func()) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	if testing.Verbose() && os.Getenv("HOPLITE_BOT_TEST_LOG") != "" {
		log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	engine, err := bot.NewEngine(t.Context(), cfg.Engine, log)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bot.New(c, engine, cfg, log)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("bot: %v", err)
			}
		case <-time.After(30 * time.Second):
			t.Error("the bot does not stop")
		}
		if err := engine.Close(); err != nil {
			t.Errorf("engine: %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

func online(t *testing.T, c *client.Client, name string) {
	t.Helper()
	await(t, name+" online", func() bool {
		users, err := c.Users.Status(t.Context(), openapi.APIUsersStatusParams{Ids: name})
		return err == nil && len(users) == 1 && users[0].Online
	})
}

// challenge makes a challenge that the other side must accept.
func challenge(t *testing.T, c *client.Client, name string, form openapi.ChallengeForm) string {
	t.Helper()
	ch, err := c.Challenges.Create(t.Context(), name, form)
	if err != nil {
		t.Fatal(err)
	}
	await(t, "accepted", func() bool {
		ch, err := c.Challenges.Show(t.Context(), ch.ID)
		if err == nil && ch.Status == openapi.ChallengeStatusDeclined {
			t.Fatalf("declined: %s", ch.DeclineReason)
		}
		return err == nil && ch.Status == openapi.ChallengeStatusAccepted
	})
	return ch.ID
}

// finished waits for the end of a game and returns it.
func finished(t *testing.T, c *client.Client, id string) openapi.Game {
	t.Helper()
	var g openapi.Game
	await(t, "end of "+id, func() bool {
		var err error
		g, err = c.Games.Get(t.Context(), id, openapi.GamePgnParams{})
		return err == nil && !client.Ongoing(g.Status)
	})
	return g
}

func movesIn(g openapi.Game) []string {
	if g.Moves == nil {
		return nil
	}
	return strings.Fields(*g.Moves)
}

func clock(limit, increment int) openapi.ChallengeForm {
	return openapi.ChallengeForm{ClockLimit: &limit, ClockIncrement: &increment}
}

// TestServerRestart restarts the server in the middle of a game of two bots. The
// game goes on and ends by the rules.
func TestServerRestart(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	address, listen := s.URL, s.Server.Addr().String()
	one, two := s.SignUpBot(t, "One"), s.SignUpBot(t, "Two")
	a, b := clientTo(t, address, one.Token), clientTo(t, address, two.Token)
	cfg := quickConfig()
	cfg.Engine.Limits.Nodes = 5000
	runBot(t, a, cfg)
	runBot(t, b, cfg)
	online(t, a, "two")
	form := clock(600, 5)
	form.Variant = "spartan"
	id := challenge(t, a, "Two", form)
	for restart := range 3 {
		await(t, "progress", func() bool {
			g, err := a.Games.Get(t.Context(), id, openapi.GamePgnParams{})
			return err == nil && (len(movesIn(g)) >= 6*(restart+1) || !client.Ongoing(g.Status))
		})
		s.Stop()
		s = servertest.Start(t, servertest.DSN(s.DSN), servertest.Config(func(c *server.Config) { c.Listen = listen }))
	}
	g := finished(t, a, id)
	ended := []openapi.GameStatusName{openapi.GameStatusNameMate, openapi.GameStatusNameDraw, openapi.GameStatusNameVariantEnd, openapi.GameStatusNameStalemate}
	if !contains(ended, g.Status) || len(movesIn(g)) < 18 {
		t.Errorf("got %s after %d plies, want an end by the rules after the restarts", g.Status, len(movesIn(g)))
	}
}

func contains[T comparable](list []T, v T) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

// TestConcurrency has more challenges come than the bot has places for.
func TestConcurrency(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	cfg := quickConfig()
	cfg.Challenges.Concurrency = 2
	cfg.Challenges.Block = []string{"Mallory"}
	runBot(t, clientTo(t, s.URL, s.SignUpBot(t, "Robby").Token), cfg)
	anna := clientTo(t, s.URL, s.SignUp(t, "Anna").Token)
	online(t, anna, "robby")
	mallory := clientTo(t, s.URL, s.SignUp(t, "Mallory").Token)
	reasons := map[string]int{}
	answer := func(c *client.Client, form openapi.ChallengeForm) {
		ch, err := c.Challenges.Create(t.Context(), "Robby", form)
		if err != nil {
			t.Fatal(err)
		}
		await(t, "answer", func() bool {
			ch, err = c.Challenges.Show(t.Context(), ch.ID)
			return err == nil && ch.Status != openapi.ChallengeStatusCreated
		})
		reasons[fmt.Sprint(ch.Status, ch.DeclineReasonKey)]++
	}
	answer(mallory, clock(600, 0))
	for range 4 {
		answer(anna, clock(600, 0))
	}
	want := map[string]int{"declinedgeneric": 1, "accepted": 2, "declinedlater": 2}
	if fmt.Sprint(reasons) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", reasons, want)
	}
}

// TestManners plays the person's part in a game against a bot: greeting, draw
// offer, takeback, farewell.
func TestManners(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	cfg := quickConfig()
	cfg.Takebacks, cfg.Chat.Greeting = 1, "Hello {opponent}, I am {me} in {game}"
	robby := s.SignUp(t, "Robby")
	cfg.Upgrade = true
	runBot(t, clientTo(t, s.URL, robby.Token), cfg)
	anna := clientTo(t, s.URL, s.SignUp(t, "Anna").Token)
	online(t, anna, "robby")
	form := clock(900, 0)
	form.Color = "white"
	id := challenge(t, anna, "Robby", form)
	states := make(chan client.GameEvent, 100)
	go func() {
		defer close(states)
		for e, err := range anna.Board.Stream(context.Background(), id) {
			if err != nil {
				t.Error(err)
				return
			}
			states <- e
		}
	}()
	next := func(what string, ok func(e client.GameEvent) bool) client.GameEvent {
		t.Helper()
		limit := time.After(patience)
		for {
			select {
			case e, open := <-states:
				if !open {
					t.Fatalf("%s: the stream ended", what)
				}
				if ok(e) {
					return e
				}
			case <-limit:
				t.Fatalf("%s: nothing within %v", what, patience)
			}
		}
	}
	want := "Hello Anna, I am Robby in " + id
	await(t, "greeting", func() bool { // it may have been said before the stream was open
		lines, err := anna.Board.Chat(t.Context(), id)
		return err == nil && len(lines) > 0 && lines[0].Text == want && lines[0].User == "Robby"
	})
	plies := func(n int) func(client.GameEvent) bool {
		return func(e client.GameEvent) bool { return e.State != nil && len(strings.Fields(e.State.Moves)) == n }
	}
	move := func(uci string, after int) {
		t.Helper()
		if err := anna.Board.Move(t.Context(), id, uci); err != nil {
			t.Fatal(err)
		}
		next("answer to "+uci, plies(after))
	}
	move("e2e4", 2)
	if _, err := anna.Board.Takeback(t.Context(), id, true); err != nil {
		t.Fatal(err)
	}
	next("takeback", plies(0))
	move("d2d4", 2)
	if _, err := anna.Board.Takeback(t.Context(), id, true); err != nil {
		t.Fatal(err)
	}
	next("second takeback declined", func(e client.GameEvent) bool { return e.State != nil && !e.State.Wtakeback && plies(2)(e) })
	if _, err := anna.Board.Draw(t.Context(), id, true); err != nil {
		t.Fatal(err)
	}
	next("draw declined", func(e client.GameEvent) bool { return e.State != nil && !e.State.Wdraw && plies(2)(e) })
	if err := anna.Board.Resign(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	await(t, "farewell", func() bool {
		lines, err := anna.Board.Chat(t.Context(), id)
		return err == nil && len(lines) > 0 && lines[len(lines)-1].Text == cfg.Chat.Farewell
	})
}

// TestNoToken and TestNoBot are refused at once instead of trying for ever.
func TestUnfitAccounts(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	for name, tc := range map[string]struct{ token, want string }{
		"unknown token": {"lip_unknown", "token is not good"},
		"a person":      {s.SignUp(t, "Anna").Token, "not a bot account"},
	} {
		cfg := quickConfig()
		engine, err := bot.NewEngine(t.Context(), cfg.Engine, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		b, err := bot.New(clientTo(t, s.URL, tc.token), engine, cfg, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Run(t.Context()); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %q", name, err, tc.want)
		}
	}
}
