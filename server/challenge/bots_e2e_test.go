package challenge_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/openapi"
	"hoplite/server"
	"hoplite/server/lichess"
	"hoplite/server/limits"
	"hoplite/server/servertest"
	"hoplite/store"
	"hoplite/store/storetest"
)

// TestBotRules holds bots to what bots may do.
func TestBotRules(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Config(func(c *server.Config) { c.Limits = limits.Strict }))
	ctx := t.Context()
	one, two, three := s.SignUpBot(t, "BotOne"), s.SignUpBot(t, "BotTwo"), s.SignUpBot(t, "BotThree")
	ann := s.SignUp(t, "Ann")
	form := openapi.ChallengeForm{ClockLimit: ptr(300), ClockIncrement: ptr(3)}

	// The Board API and the lobby are for people.
	seek := one.Post(t, "/api/board/seek", map[string][]string{"time": {"10"}, "increment": {"0"}})
	if seek.Status != 403 || !strings.Contains(seek.Error(t), "not for Bot accounts") {
		t.Errorf("a bot's seek: %d %s", seek.Status, seek.Body)
	}
	var game struct{ ID string }
	ann.Post(t, "/api/challenge/BotOne", map[string][]string{"clock.limit": {"300"}, "clock.increment": {"3"}}).Want(t, 200).JSON(t, &game)
	one.Post(t, "/api/challenge/"+game.ID+"/accept", nil).Want(t, 200)
	one.Post(t, "/api/board/game/"+game.ID+"/move/e2e4", nil).Want(t, 403)
	ann.Post(t, "/api/bot/game/"+game.ID+"/resign", nil).Want(t, 400)
	// Nothing faster than bullet.
	one.Post(t, "/api/challenge/Ann", map[string][]string{"clock.limit": {"15"}, "clock.increment": {"0"}}).Want(t, 400)

	// A hundred games against other bots in a day.
	played(t, s.Store, "botone", "bottwo", "BOT", 0, 100)
	_, err := one.Client(t).Challenges.Create(ctx, "BotThree", form)
	limited, ok := errors.AsType[*client.RateLimitError](err)
	if !ok || limited.Key != "bot.vsBot.day" || limited.RetryAfter < 23*time.Hour || limited.RetryAfter > 24*time.Hour {
		t.Fatalf("the 101st game: %v", err)
	}
	// Who asks one that has played as many is told so, and need not wait itself.
	refused := three.Post(t, "/api/challenge/BotTwo", map[string][]string{"clock.limit": {"300"}, "clock.increment": {"3"}}).Want(t, 400)
	var said struct{ Ratelimit struct{ Key string } }
	refused.JSON(t, &said)
	if said.Ratelimit.Key != "bot.vsBot.day" {
		t.Errorf("refused with %s", refused.Body)
	}
	// People may go on.
	ann.Post(t, "/api/challenge/BotOne", map[string][]string{"clock.limit": {"300"}, "clock.increment": {"3"}}).Want(t, 200)
	_ = two

	played(t, s.Store, "botthree", "", "", 3, 50)
	a := three.Post(t, "/api/challenge/ai", map[string][]string{"level": {"1"}}).Want(t, 429)
	a.JSON(t, &said)
	if said.Ratelimit.Key != "bot.vsAi.day" {
		t.Errorf("refused with %s", a.Body)
	}
}

func ptr[T any](v T) *T { return &v }

// played stores finished games between an account and a program.
func played(t *testing.T, s store.Store, id, other, title string, level, n int) {
	t.Helper()
	now := time.Now().UTC().Truncate(time.Millisecond)
	for range n {
		g := storetest.NewGame(lichess.NewID(), now, id, other)
		g.Status = store.StatusResign
		g.Players = []store.GamePlayer{{AccountID: id, Name: id, Title: "BOT"}, {AccountID: other, Name: other, Title: title, AILevel: level}}
		if _, err := s.CommitSteps(context.Background(), []store.Step{storetest.Begin(g)}, nil); err != nil {
			t.Fatal(err)
		}
	}
}
