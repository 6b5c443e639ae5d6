package house_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/client/bot"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant"
	"hoplite/openapi"
	"hoplite/server/house"
	"hoplite/server/servertest"
)

// open runs the house bots on a server until the test ends or the returned
// function is called. They answer at once.
func open(t *testing.T, s *servertest.Server, log *slog.Logger, levels ...int) (leave func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	transport := s.Server.Transport()
	go func() {
		ended <- house.Run(ctx, house.Config{
			Levels: levels, Store: s.Store, Transport: transport, Ready: s.Server.Ready, Pace: &bot.Pace{}, Log: log,
		})
	}()
	leave = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("house: %v", err)
		}
		transport.CloseIdleConnections()
	})
	t.Cleanup(leave)
	return leave
}

func clientOf(t *testing.T, s *servertest.Server, token string) *client.Client {
	t.Helper()
	c, err := client.New(client.BaseURL(s.URL), client.Token(token), client.HTTPClient(s.Client()),
		client.WithRetry(client.Retry{
			Backoff: client.Backoff{First: 20 * time.Millisecond, Max: 200 * time.Millisecond}, For: 20 * time.Second, MaxPause: time.Second,
		}))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// patience is for machines that are busy with other tests.
const patience = 3 * time.Minute

// await asks until ok, for things that happen a moment later.
func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// online waits until the account's event stream is open.
func online(t *testing.T, c *client.Client, names ...string) {
	t.Helper()
	await(t, strings.Join(names, ", ")+" online", func() bool {
		users, err := c.Users.Status(t.Context(), openapi.APIUsersStatusParams{Ids: strings.Join(names, ",")})
		n := 0
		for _, u := range users {
			if u.Online {
				n++
			}
		}
		return err == nil && n == len(names)
	})
}

// visitor plays a level 1 bot of our own against the house until all given games
// are over, and returns them. It neither resigns nor takes a draw, so that the
// rules end every game.
func visitor(t *testing.T, c *client.Client, ids []string) map[string]openapi.Game {
	t.Helper()
	cfg := bot.DefaultConfig()
	cfg.Engine.Level, cfg.Resign, cfg.Draw, cfg.Pace = 1, bot.ResignRules{}, bot.DrawRules{}, bot.Pace{}
	cfg.Challenges.Concurrency = 100
	engine, err := bot.NewEngine(t.Context(), cfg.Engine, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	b, err := bot.New(c, engine, cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- b.Run(ctx) }()
	over := map[string]openapi.Game{}
	await(t, "games", func() bool {
		for _, id := range ids {
			g, err := c.Games.Get(t.Context(), id, openapi.GamePgnParams{})
			if err != nil {
				t.Fatal(err)
			}
			if !client.Ongoing(g.Status) {
				over[id] = g
			}
		}
		return len(over) == len(ids)
	})
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	return over
}

func movesIn(g openapi.Game) []string {
	if g.Moves == nil {
		return nil
	}
	return strings.Fields(*g.Moves)
}

// replay plays an exported game by the rules and returns how it ends there.
func replay(t *testing.T, set *variant.Set, g openapi.Game) (outcome rules.Outcome, over bool) {
	t.Helper()
	key := g.Variant
	r, ok := set.Get(key)
	if !ok {
		t.Fatalf("no rules for %s", key)
	}
	start, err := r.Start(r.Definition().Start.Usual)
	if g.InitialFen != "" {
		start, err = notation.ParseFEN(r, g.InitialFen)
	}
	if err != nil {
		t.Fatal(err)
	}
	game := rules.NewGame(start)
	for i, san := range movesIn(g) {
		m, err := notation.ParseSAN(game.Position(), san)
		if err == nil {
			err = game.Play(m)
		}
		if err != nil {
			t.Fatalf("%s: move %d, %s: %v", key, i+1, san, err)
		}
	}
	return game.Outcome()
}

// wholeGames is how many games of the catalogue are played to the end;
// TestEveryGame plays the beginning of all of them.
const wholeGames = 5

// TestWholeGames lets a visitor play games against a house bot and against the
// engine to their ends.
func TestWholeGames(t *testing.T) {
	t.Parallel()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	s := servertest.Start(t)
	open(t, s, nil, 3, 4)
	c := clientOf(t, s, s.SignUpBot(t, "Visitor").Token)
	online(t, c, "hoplite-learner", "hoplite-casual")
	limit, inc := 300, 1
	var ids []string
	for _, r := range set.List()[:wholeGames] {
		ch, err := c.Challenges.Create(t.Context(), "hoplite-learner", openapi.ChallengeForm{
			Variant: r.Key(), ClockLimit: &limit, ClockIncrement: &inc, Rated: true,
		})
		if err == nil {
			ids = append(ids, ch.ID)
			await(t, "accepted "+r.Key(), func() bool {
				ch, err := c.Challenges.Show(t.Context(), ch.ID)
				return err == nil && ch.Status == openapi.ChallengeStatusAccepted
			})
		} else {
			t.Errorf("%s: %v", r.Key(), err)
		}
		g, err := c.Challenges.AI(t.Context(), openapi.AiForm{Level: 2, Variant: r.Key(), ClockLimit: &limit, ClockIncrement: &inc})
		if err != nil {
			t.Fatalf("%s: %v", r.Key(), err)
		}
		ids = append(ids, g.ID)
		if len(ids) >= 8 { // its limit is four games against one account
			checkGames(t, set, visitor(t, c, ids))
			ids = nil
		}
	}
	checkGames(t, set, visitor(t, c, ids))
}

func checkGames(t *testing.T, set *variant.Set, games map[string]openapi.Game) {
	t.Helper()
	for id, g := range games {
		outcome, over := replay(t, set, g)
		if !over {
			t.Errorf("%s %s: status %s, but by the rules the game goes on after %q", g.Variant, id, g.Status, movesIn(g))
			continue
		}
		want := openapi.Color("")
		if outcome.Winner >= 0 {
			want = []openapi.Color{"white", "black"}[outcome.Winner]
		}
		if g.Winner != want {
			t.Errorf("%s %s: winner %q, want %q (%s)", g.Variant, id, g.Winner, want, outcome.Reason)
		}
		t.Logf("%s %s: %s %s after %d plies", g.Variant, id, g.Status, g.Winner, len(movesIn(g)))
	}
}

// TestResumesAfterRestart restarts the server in the middle of a game against
// the engine and of one against a house bot.
func TestResumesAfterRestart(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	leave := open(t, s, nil, 1)
	anna := s.SignUp(t, "Anna")
	c := clientOf(t, s, anna.Token)
	online(t, c, "hoplite-novice")
	var ids []string
	g, err := c.Challenges.AI(t.Context(), openapi.AiForm{Level: 1, Color: "black", Variant: "spartan"})
	if err != nil {
		t.Fatal(err)
	}
	ids = append(ids, g.ID)
	ch, err := c.Challenges.Create(t.Context(), "hoplite-novice", openapi.ChallengeForm{Color: "black", Days: 1})
	if err != nil {
		t.Fatal(err)
	}
	ids = append(ids, ch.ID)
	for _, id := range ids {
		awaitPlies(t, c, id, 1)
		playSomething(t, c, id)
	}
	leave()
	s.Stop()

	s = servertest.Start(t, servertest.DSN(s.DSN))
	c = clientOf(t, s, anna.Token)
	open(t, s, nil, 1)
	for _, id := range ids {
		awaitPlies(t, c, id, 3)
	}
}

// awaitPlies waits until so many moves were played; a game from a challenge
// may not have begun yet.
func awaitPlies(t *testing.T, c *client.Client, id string, plies int) {
	t.Helper()
	await(t, fmt.Sprintf("%s: %d plies", id, plies), func() bool { return len(movesOf(t, c, id)) >= plies })
}

func movesOf(t *testing.T, c *client.Client, id string) []string {
	t.Helper()
	for e, err := range c.Board.Stream(t.Context(), id) {
		if client.StatusOf(err) == http.StatusNotFound {
			return nil
		}
		if err != nil {
			t.Fatal(err)
		}
		return strings.Fields(e.State.Moves)
	}
	return nil
}

// playSomething plays the first legal move of the person's side.
func playSomething(t *testing.T, c *client.Client, id string) {
	t.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range c.Board.Stream(t.Context(), id) {
		if err != nil {
			t.Fatal(err)
		}
		r, _ := set.Get(e.Full.Variant.Key)
		p, err := r.Start(r.Definition().Start.Usual)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range strings.Fields(e.State.Moves) {
			m, err := notation.ParseMove(p, text)
			if err == nil {
				err = p.Play(m)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Board.Move(t.Context(), id, notation.FormatMove(p, p.Moves(nil)[0])); err != nil {
			t.Fatal(err)
		}
		return
	}
}

func TestNoBots(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	leave := open(t, s, nil, 1)
	c := clientOf(t, s, s.SignUp(t, "Anna").Token)
	online(t, c, "hoplite-novice")
	var names []string
	for u, err := range c.Bot.Online(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, u.Username)
	}
	if strings.Join(names, " ") != "hoplite-novice" {
		t.Errorf("bots online: got %q, want hoplite-novice alone", names)
	}
	novice, err := c.Users.Get(t.Context(), "hoplite-novice", openapi.APIUserParams{})
	if want := search.Levels()[0].Character; err != nil || novice.Profile.Bio != want {
		t.Errorf("the bot's profile: got %+v, %v, want %q", novice.Profile, err, want)
	}
	leave()
	open(t, s, nil)
	await(t, "engine closed", func() bool {
		_, err := c.Challenges.AI(t.Context(), openapi.AiForm{Level: 1})
		return err != nil
	})
	open(t, s, nil, 2)
	await(t, "engine open again", func() bool {
		_, err := c.Challenges.AI(t.Context(), openapi.AiForm{Level: 1})
		return err == nil
	})
}

// TestTakenName has a person own the name of a house bot: the others play.
func TestTakenName(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	var log bytes.Buffer
	anna := s.SignUp(t, "Hoplite-Novice")
	leave := open(t, s, slog.New(slog.NewTextHandler(&log, nil)), 1, 2)
	c := clientOf(t, s, anna.Token)
	online(t, c, "hoplite-beginner")
	if me, err := c.Account.Me(t.Context()); err != nil || me.Title != "" {
		t.Errorf("the person's account: got %+v, %v", me.Title, err)
	}
	leave()
	if !strings.Contains(log.String(), "belongs to somebody else") {
		t.Errorf("the log does not tell: %s", log.String())
	}
}

func TestUnknownLevel(t *testing.T) {
	t.Parallel()
	if err := house.Run(t.Context(), house.Config{Levels: []int{9}}); err == nil {
		t.Error("level 9 runs")
	}
}
