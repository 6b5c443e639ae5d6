package tv_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/engine/enginetest/testgame"
	"hoplite/engine/variant"
	"hoplite/openapi"
	"hoplite/openapi/frames"
	"hoplite/server/servertest"
)

// begin starts a game in which the first user is White.
func begin(t *testing.T, white, black *servertest.User, variant string) string {
	t.Helper()
	var c openapi.Challenge
	white.Post(t, "/api/challenge/"+black.Name, url.Values{
		"clock.limit": {"600"}, "clock.increment": {"0"}, "color": {"white"}, "variant": {variant},
	}).Want(t, http.StatusOK).JSON(t, &c)
	black.Post(t, "/api/challenge/"+c.ID+"/accept", nil).Want(t, http.StatusOK)
	return c.ID
}

func move(t *testing.T, u *servertest.User, id, uci string) {
	t.Helper()
	u.Post(t, "/api/board/game/"+id+"/move/"+uci, nil).Want(t, http.StatusOK)
}

// TestTV plays games of several kinds and sees each on its channel, and a feed go from one to the next.
func TestTV(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob, robot := s.SignUp(t, "Ann"), s.SignUp(t, "Bob"), s.SignUpBot(t, "Robot")
	c := s.Anonymous().Client(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if channels, err := c.TV.Channels(ctx); err != nil || len(channels) != 0 {
		t.Fatalf("channels without games: %v, %v", channels, err)
	}
	feed := make(chan client.TVEvent, 20)
	go func() {
		defer close(feed)
		for ev, err := range c.TV.ChannelFeed(ctx, "spartan") {
			if err != nil {
				return
			}
			feed <- ev
		}
	}()
	spartan, rapid, withBot := begin(t, ann, bob, "spartan"), begin(t, bob, ann, "standard"), begin(t, ann, robot, "standard")
	move(t, ann, spartan, "e2e4")
	move(t, bob, rapid, "d2d4")
	move(t, ann, withBot, "c2c4")

	featured := func() *openapi.TvFeatured {
		t.Helper()
		for ev := range feed {
			if ev.Featured != nil {
				return ev.Featured
			}
		}
		t.Fatal("the feed has ended")
		return nil
	}
	first := featured()
	if first.D.ID != spartan || first.D.Variant != "spartan" || len(first.D.Players) != 2 || first.D.Players[1].User.ID != "bob" || !strings.Contains(first.D.Fen, "/4P3/") {
		t.Errorf("featured %+v, want %s", first.D, spartan)
	}
	move(t, bob, spartan, "h7f5")
	ev := <-feed
	if ev.Position == nil || ev.Position.D.Lm != "h7f5" || ev.Position.D.Wc == nil || *ev.Position.D.Wc < 590 {
		t.Errorf("after the move: %+v", ev.Position)
	}
	time.Sleep(2100 * time.Millisecond) // what was read of the games holds for a moment
	channels, err := c.TV.Channels(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for channel, want := range map[string]string{"spartan": spartan, "rapid": rapid, "bot": withBot} {
		if got := channels[channel]; got.GameID != want || got.User.ID == "" || got.Rating != 1500 {
			t.Errorf("channel %s: %+v, want %s", channel, got, want)
		}
	}
	if _, on := channels["computer"]; on || channels["best"].GameID == "" || channels["best"].GameID == withBot || len(channels) != 4 {
		t.Errorf("channels %+v", channels)
	}
	var games []string
	for g, err := range c.TV.Games(ctx, "best", openapi.TvChannelGamesParams{Nb: 5}) {
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g.ID)
	}
	if len(games) != 2 || !slices.Contains(games, spartan) || !slices.Contains(games, rapid) {
		t.Errorf("best games %v", games)
	}
	s.Anonymous().Get(t, "/api/tv/nonsense").Want(t, http.StatusNotFound)
	s.Anonymous().Get(t, "/api/tv/correspondence/feed").Want(t, http.StatusNotFound)

	ann.Post(t, "/api/board/game/"+spartan+"/resign", nil).Want(t, http.StatusOK)
	next := begin(t, bob, ann, "spartan")
	move(t, bob, next, "d2d4")
	if second := featured(); second.D.ID != next {
		t.Errorf("then featured %s, want %s", second.D.ID, next)
	}
}

// TestTVOverTheSocket sees a channel come.
func TestTVOverTheSocket(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	socket, err := s.Anonymous().Client(t).Socket(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	id := ""
	seen := 0
	for tv, err := range socket.TV(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if seen++; seen == 1 {
			if len(tv.Channels) != 0 {
				t.Fatalf("channels at the beginning: %+v", tv.Channels)
			}
			id = begin(t, ann, bob, "spartan")
			move(t, ann, id, "e2e4")
			continue
		}
		want := frames.TVChannel{Channel: "best", Name: "Best", Game: id, Player: frames.Player{ID: "ann", Name: "Ann", Rating: 1500, Provisional: true}, Games: 1}
		if len(tv.Channels) != 2 || tv.Channels[0] != want || tv.Channels[1].Channel != "spartan" {
			t.Errorf("channels %+v", tv.Channels)
		}
		return
	}
	t.Error("no channel came")
}

// TestTVLeaksNothing: what a player of a game that hides something may not know, TV does not tell.
func TestTVLeaksNothing(t *testing.T) {
	t.Parallel()
	set, err := variant.Compile(append(variant.All(), testgame.Dark()))
	if err != nil {
		t.Fatal(err)
	}
	s := servertest.Start(t, servertest.Games(set))
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	key := testgame.Dark().Key
	id := begin(t, ann, bob, key)
	var full openapi.GameFull
	sees := ann.Stream(t, "/api/board/game/stream/"+id)
	sees.Next(t, &full)
	if full.State.View.Fen == "" || len(full.State.View.Moves) == 0 {
		t.Fatalf("Ann sees %+v", full.State.View)
	}
	first := full.State.View.Moves[0]
	move(t, ann, id, first)
	c := s.Anonymous().Client(t)
	for ev, err := range c.TV.ChannelFeed(ctx, key) {
		if err != nil {
			t.Fatal(err)
		}
		if ev.Featured != nil {
			if ev.Featured.D.Fen == full.State.View.Fen {
				t.Error("TV shows what Ann sees")
			}
			var bobs openapi.GameFull
			bob.Stream(t, "/api/board/game/stream/"+id).Next(t, &bobs)
			if len(bobs.State.View.Moves) == 0 {
				t.Fatal("Bob has no move")
			}
			move(t, bob, id, bobs.State.View.Moves[0])
			continue
		}
		if ev.Position.D.Lm != "" {
			t.Errorf("TV tells the move %s", ev.Position.D.Lm)
		}
		break
	}
	for g, err := range c.TV.Games(ctx, key, openapi.TvChannelGamesParams{}) {
		if err != nil || g.Moves == nil || *g.Moves != "" || g.InitialFen != "" {
			t.Errorf("the list of games tells %+v, %v", g, err)
		}
	}
}
