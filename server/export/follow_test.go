package export_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hoplite/openapi"
	"hoplite/server/servertest"
)

func startGame(t *testing.T, white, black *servertest.User) string {
	t.Helper()
	var c openapi.Challenge
	white.Post(t, "/api/challenge/"+black.Name, url.Values{
		"clock.limit": {"300"}, "clock.increment": {"2"}, "color": {"white"}, "variant": {"spartan"},
	}).Want(t, http.StatusOK).JSON(t, &c)
	black.Post(t, "/api/challenge/"+c.ID+"/accept", nil).Want(t, http.StatusOK)
	return c.ID
}

func postStream(t *testing.T, u *servertest.User, path, body string) *servertest.Stream {
	t.Helper()
	// The clients send no type with such a body.
	return u.OpenStream(t, u.Request(t, http.MethodPost, path, "", strings.NewReader(body)))
}

// TestGamesByUsers: only games in which both players are listed are told, at the beginning and at the end.
func TestGamesByUsers(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob, eve := s.SignUp(t, "Ann"), s.SignUp(t, "Bob"), s.SignUp(t, "Eve")
	running := startGame(t, ann, bob)
	with := postStream(t, s.Anonymous(), "/api/stream/games-by-users?withCurrentGames=true", "Ann, BOB\n")
	var g openapi.FollowedGame
	with.Next(t, &g)
	if g.ID != running || g.Status != 20 || g.StatusName != "started" || g.Players.White.UserID != "ann" || g.Players.Black.UserID != "bob" ||
		g.Clock.Initial != 300 || g.Clock.Increment != 2 || g.Clock.TotalTime != 380 || g.Perf != "spartan" || g.Variant != "spartan" {
		t.Errorf("current game %+v", g)
	}
	without := postStream(t, eve, "/api/stream/games-by-users", "ann,bob,nobody")
	startGame(t, ann, eve)
	next := startGame(t, bob, ann)
	for _, sees := range []*servertest.Stream{with, without} {
		sees.Next(t, &g)
		if g.ID != next || g.Winner != "" {
			t.Errorf("next %+v, want %s", g, next)
		}
	}
	bob.Post(t, "/api/board/game/"+next+"/move/e2e4", nil).Want(t, http.StatusOK)
	ann.Post(t, "/api/board/game/"+next+"/move/h7f5", nil).Want(t, http.StatusOK)
	bob.Post(t, "/api/board/game/"+next+"/resign", nil).Want(t, http.StatusOK)
	for _, sees := range []*servertest.Stream{with, without} {
		g = openapi.FollowedGame{}
		sees.Next(t, &g)
		if g.ID != next || g.Status != 31 || g.StatusName != "resign" || g.Winner != "black" {
			t.Errorf("the end is %+v", g)
		}
	}
	many := strings.Repeat("x,", 10)
	for i := range 301 {
		many += "user" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + ","
	}
	eve.Do(t, eve.Request(t, http.MethodPost, "/api/stream/games-by-users", "", strings.NewReader(many))).Want(t, http.StatusBadRequest)
}

// TestGamesByIds: the games that exist come first, then what becomes of them, and of those that are added.
func TestGamesByIds(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	first := startGame(t, ann, bob)
	sees := postStream(t, s.Anonymous(), "/api/stream/games/mine1", first+"A1b2,nogame01")
	var g openapi.FollowedGame
	sees.Next(t, &g)
	if g.ID != first {
		t.Fatalf("first %+v, want %s", g, first)
	}
	second := startGame(t, bob, ann)
	other := s.Anonymous()
	other.Do(t, other.Request(t, http.MethodPost, "/api/stream/games/mine1/add", "", strings.NewReader(second))).Want(t, http.StatusOK)
	sees.Next(t, &g)
	if g.ID != second || g.StatusName != "started" {
		t.Errorf("added %+v, want %s", g, second)
	}
	for _, id := range []string{second, first} {
		ann.Post(t, "/api/board/game/"+id+"/abort", nil).Want(t, http.StatusOK)
		sees.Next(t, &g)
		if g.ID != id || g.StatusName != "aborted" || g.Status != 25 {
			t.Errorf("%+v, want the end of %s", g, id)
		}
	}
	// Adding to a stream that nobody has open does no harm.
	other.Do(t, other.Request(t, http.MethodPost, "/api/stream/games/nobodys/add", "", strings.NewReader(first))).Want(t, http.StatusOK)
}
