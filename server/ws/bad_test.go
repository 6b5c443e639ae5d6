package ws_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"hoplite/openapi/frames"
	"hoplite/server"
	"hoplite/server/servertest"
)

func TestHandshakesRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	tests := []struct {
		name, path, protocol string
		want                 int
	}{
		{"no subprotocol", frames.Path, "", http.StatusBadRequest},
		{"another subprotocol", frames.Path, "hoplite.v2", http.StatusBadRequest},
		{"a token in the query", frames.Path + "?token=lip_x", frames.Protocol, http.StatusBadRequest},
	}
	for _, test := range tests {
		conn, resp, err := tryDial(s, nil, test.path, test.protocol)
		if err == nil {
			_ = conn.Close()
			t.Errorf("%s: connected", test.name)
		} else if resp == nil || resp.StatusCode != test.want {
			t.Errorf("%s: %v, want status %d", test.name, resp, test.want)
		}
	}
	s.Anonymous().Get(t, frames.Path).Want(t, http.StatusUpgradeRequired)
}

// TestNoFrames sends what is no frame. Each is answered, and the socket goes on until there are too many.
func TestNoFrames(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	messages := []struct{ text, code string }{
		{"", frames.CodeMalformed},
		{"nonsense", frames.CodeMalformed},
		{"null", frames.CodeMalformed},
		{"[]", frames.CodeMalformed},
		{`"move"`, frames.CodeMalformed},
		{"{}", frames.CodeMalformed},
		{`{"t":1}`, frames.CodeMalformed},
		{`{"t":"ping"} {"t":"ping"}`, frames.CodeMalformed},
		{`{"t":"ping","id":-1}`, frames.CodeMalformed},
		{`{"t":"ping","id":1.5}`, frames.CodeMalformed},
		{`{"t":"ping","id":9007199254740993}`, frames.CodeMalformed},
		{`{"t":"move","d":[]}`, frames.CodeMalformed},
		{`{"t":"move","d":{"game":7}}`, frames.CodeMalformed},
		{`{"t":"sub","d":{"topic":"game","game":"abcdefg1","version":-1}}`, frames.CodeMalformed},
		{"{\"t\":\"chat\",\"d\":{\"text\":\"\xff\"}}", frames.CodeMalformed},
		{strings.Repeat("[", 10000), frames.CodeMalformed},
		{`{"t":"fly"}`, frames.CodeUnknown},
		{`{"t":"hello","d":{}}`, frames.CodeUnknown},
	}
	c, _ := dial(t, s, nil)
	for _, m := range messages {
		if err := c.WriteMessage(websocket.TextMessage, []byte(m.text)); err != nil {
			t.Fatal(err)
		}
		var e frames.Err
		c.want("err", &e)
		if e.Code != m.code {
			t.Errorf("%.60q: %s (%s), want %s", m.text, e.Code, e.Error, m.code)
		}
	}
	c.write("ping", 1, frames.Ping{})
	c.want("pong", nil)
	for range 3 {
		c.write("fly", 0, nil)
	}
	if code, bye := c.closed(); code != frames.CloseProtocol || bye.Code != code {
		t.Errorf("closed with %d after bye %+v, want %d", code, bye, frames.CloseProtocol)
	}
}

func TestMessagesThatEndTheSocket(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	c, _ := dial(t, s, nil)
	c.write("chat", 1, frames.Chat{Text: strings.Repeat("a", frames.MaxMessage)})
	if code, _ := c.closed(); code != websocket.CloseMessageTooBig {
		t.Errorf("too large: closed with %d", code)
	}
	c, _ = dial(t, s, nil)
	if err := c.WriteMessage(websocket.BinaryMessage, []byte(`{"t":"ping"}`)); err != nil {
		t.Fatal(err)
	}
	if code, _ := c.closed(); code != websocket.CloseUnsupportedData {
		t.Errorf("binary: closed with %d", code)
	}
	c, _ = dial(t, s, nil)
	for range 3 {
		c.refused("auth", frames.Auth{Token: "lip_0123456789abcdefghijABCDEFGHIJ01"}, frames.CodeUnauthenticated)
	}
	if code, _ := c.closed(); code != frames.CloseRevoked {
		t.Errorf("three wrong tokens: closed with %d", code)
	}
}

// TestRefusals sends frames that are understood and not done, in an order that does not hold, or about games of others.
func TestRefusals(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	p := play(t, s, nil)
	stranger := newUser(t, s)

	anonymous, _ := dial(t, s, nil)
	anonymous.refused("move", frames.Move{Game: p.game, Move: "e2e4"}, frames.CodeUnauthenticated)
	anonymous.refused("sub", frames.Sub{Topic: "events"}, frames.CodeUnauthenticated)
	anonymous.refused("seek", frames.Seek{Days: 2}, frames.CodeUnauthenticated)
	anonymous.refused("auth", frames.Auth{}, frames.CodeInvalid)
	anonymous.refused("sub", frames.Sub{Topic: "news"}, frames.CodeInvalid)
	anonymous.refused("sub", frames.Sub{Topic: "game"}, frames.CodeInvalid)
	anonymous.refused("sub", frames.Sub{Topic: "game", Game: "nogame01"}, frames.CodeNotFound)
	anonymous.do("unsub", frames.Unsub{Topic: "game", Game: p.game})
	anonymous.do("sub", p.sub())
	anonymous.refused("auth", frames.Auth{Token: p.white.Token}, frames.CodeConflict)

	other := as(t, s, stranger)
	other.refused("auth", frames.Auth{Token: stranger.Token}, frames.CodeConflict)
	other.refused("move", frames.Move{Game: p.game, Move: "e2e4"}, frames.CodeNotFound)
	other.refused("resign", frames.Resign{Game: p.game}, frames.CodeNotFound)
	other.refused("rematch", frames.Rematch{Game: p.game, Accept: true}, frames.CodeNotFound)
	other.refused("move", frames.Move{Game: "nogame01", Move: "e2e4"}, frames.CodeNotFound)
	other.refused("chat", frames.Chat{Game: p.game, Room: frames.RoomPlayer, Text: "psst"}, frames.CodeForbidden)
	other.refused("join", frames.Join{Seek: "noseek01"}, frames.CodeNotFound)
	other.refused("seek", frames.Seek{Days: 4, Variant: "nogame"}, frames.CodeInvalid)
	other.do("chat", frames.Chat{Game: p.game, Text: "who wins?"})

	white, black := as(t, s, p.white), as(t, s, p.black)
	black.refused("move", frames.Move{Game: p.game, Move: "e7e5"}, frames.CodeInvalid)
	white.refused("move", frames.Move{Game: p.game, Move: "e2e5"}, frames.CodeInvalid)
	white.refused("move", frames.Move{Game: p.game}, frames.CodeInvalid)
	white.refused("offer", frames.Offer{Game: p.game, Kind: "house"}, frames.CodeInvalid)
	white.refused("claim", frames.Claim{Game: p.game, Kind: "victory"}, frames.CodeInvalid)
	white.refused("rematch", frames.Rematch{Game: p.game, Accept: true}, frames.CodeInvalid)
	white.refused("chat", frames.Chat{Game: p.game, Room: frames.RoomSpectator, Text: "hi"}, frames.CodeForbidden)
	white.refused("move", frames.Move{Game: p.game, Move: "e2e4", Key: strings.Repeat("k", 101)}, frames.CodeInvalid)

	// Nothing of all that has become part of the game but the spectator's line.
	var g frames.Game
	watcher, _ := dial(t, s, nil)
	watcher.do("sub", p.sub())
	watcher.want("game", &g)
	if g.Version != 1 || len(g.Moves) != 0 || len(g.Chat) != 1 {
		t.Errorf("version %d with %d moves and %d lines, want 1, 0 and 1", g.Version, len(g.Moves), len(g.Chat))
	}
}

func TestTooManySubscriptions(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	p := play(t, s, nil)
	c, _ := dial(t, s, nil)
	c.do("sub", frames.Sub{Topic: "lobby"})
	for range frames.MaxSubscriptions - 1 {
		p.again(t, nil)
		c.do("sub", p.sub())
	}
	c.do("sub", p.sub()) // the same again is no other one
	p.again(t, nil)
	c.refused("sub", p.sub(), frames.CodeInvalid)
	c.do("unsub", frames.Unsub{Topic: "lobby"})
	c.do("sub", p.sub())
}

// cookie logs somebody in and returns the header that a browser would send from a page.
func cookie(t *testing.T, s *servertest.Server, u *servertest.User, origin string) http.Header {
	t.Helper()
	a := s.Anonymous().Post(t, "/api/login", url.Values{"username": {u.Name}, "password": {"correct horse battery"}})
	a.Want(t, http.StatusOK)
	value, _, _ := strings.Cut(a.Header.Get("Set-Cookie"), ";")
	h := http.Header{"Cookie": {value}}
	if origin != "" {
		h.Set("Origin", origin)
	}
	return h
}

// TestOrigins shows whose pages a cookie counts for. Any page may connect.
func TestOrigins(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	public := servertest.Start(t, servertest.Config(func(c *server.Config) { c.URL = "http://localhost:80" }))
	tests := []struct {
		server *servertest.Server
		origin string
		counts bool
	}{
		{s, s.URL, true},
		{s, "", false},
		{s, "http://evil.example", false},
		{s, "https://" + strings.TrimPrefix(s.URL, "http://") + ".evil.example", false},
		{s, "null", false},
		{public, "http://localhost", true},
		{public, "http://LOCALHOST:80", true},
		{public, "https://localhost", false},
		{public, public.URL, false},
		{public, "http://localhost.evil.example", false},
	}
	users := map[*servertest.Server]*servertest.User{s: newUser(t, s), public: newUser(t, public)}
	for _, test := range tests {
		u := users[test.server]
		_, hello := dial(t, test.server, cookie(t, test.server, u, test.origin))
		if got := hello.Account != nil; got != test.counts {
			t.Errorf("origin %q on %s: the cookie counts: %t, want %t", test.origin, test.server.URL, got, test.counts)
		}
	}
}

// TestRevoked shows that a socket ends with what opened it, and that nothing is done over it afterwards.
func TestRevoked(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	p := play(t, s, nil)

	header := cookie(t, s, p.white, s.URL)
	c, hello := dial(t, s, header)
	if hello.Account == nil || hello.Account.ID != p.white.ID {
		t.Fatalf("the cookie names %+v", hello.Account)
	}
	c.do("sub", p.sub())
	r := s.Anonymous().Request(t, http.MethodPost, "/api/logout", "", nil)
	r.Header = header.Clone()
	s.Anonymous().Do(t, r).Want(t, http.StatusOK)
	c.write("move", 99, frames.Move{Game: p.game, Move: "e2e4"}) // on its way when the end comes
	if code, bye := c.closed(); code != frames.CloseRevoked || bye.Code != code {
		t.Errorf("after log-out: closed with %d after bye %+v", code, bye)
	}

	var made struct{ ID, Token string }
	session := s.Anonymous().Request(t, http.MethodPost, "/api/account/tokens", "application/json",
		strings.NewReader(`{"description":"short","scopes":["board:play"]}`))
	session.Header.Set("Cookie", cookie(t, s, p.white, "").Get("Cookie"))
	s.Anonymous().Do(t, session).Want(t, http.StatusCreated).JSON(t, &made)
	c, _ = dial(t, s, nil)
	c.do("auth", frames.Auth{Token: made.Token})
	remove := s.Anonymous().Request(t, http.MethodDelete, "/api/account/tokens/"+made.ID, "", nil)
	remove.Header.Set("Cookie", session.Header.Get("Cookie"))
	s.Anonymous().Do(t, remove).Want(t, http.StatusNoContent)
	if code, _ := c.closed(); code != frames.CloseRevoked {
		t.Errorf("after revoking the token: closed with %d", code)
	}
	c, _ = dial(t, s, nil)
	c.refused("auth", frames.Auth{Token: made.Token}, frames.CodeUnauthenticated)
}

// TestScopes shows what a token without the scope may not do.
func TestScopes(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	p := play(t, s, nil)
	var made struct{ ID, Token string }
	r := s.Anonymous().Request(t, http.MethodPost, "/api/account/tokens", "application/json",
		strings.NewReader(`{"description":"reads","scopes":["email:read"]}`))
	r.Header.Set("Cookie", cookie(t, s, p.white, "").Get("Cookie"))
	s.Anonymous().Do(t, r).Want(t, http.StatusCreated).JSON(t, &made)
	c, _ := dial(t, s, nil)
	c.do("auth", frames.Auth{Token: made.Token})
	c.refused("move", frames.Move{Game: p.game, Move: "e2e4"}, frames.CodeForbidden)
	c.refused("sub", frames.Sub{Topic: "events"}, frames.CodeForbidden)
	c.refused("seek", frames.Seek{Days: 2}, frames.CodeForbidden)
	c.refused("rematch", frames.Rematch{Game: p.game}, frames.CodeForbidden)
	c.do("sub", p.sub())
}

// TestVersions resumes from a version that is present, past, far past, and still to come.
func TestVersions(t *testing.T) {
	t.Parallel()
	s, hurry := startHurried(t)
	p := play(t, s, nil)
	white, black := as(t, s, p.white), as(t, s, p.black)
	for i, m := range strings.Fields("e2e4 e7e5 g1f3 b8c6") {
		[]*socket{white, black}[i%2].do("move", frames.Move{Game: p.game, Move: m})
	}
	for _, from := range []uint64{4, 2, 0} {
		c, _ := dial(t, s, nil)
		if ack := c.do("sub", since(p.game, from)); ack.Version == nil || *ack.Version != 4 {
			t.Errorf("from %d: acknowledged with %v, want 4", from, ack.Version)
		}
		for v := from + 1; v <= 4; v++ {
			var e frames.Event
			c.want("event", &e)
			if e.Version != v {
				t.Errorf("from %d: version %d, want %d", from, e.Version, v)
			}
		}
		var now frames.Now
		c.want("now", &now)
		if now.Version != 4 || now.Clock == nil || !now.Clock.Running {
			t.Errorf("from %d: now %+v", from, now)
		}
	}
	future, _ := dial(t, s, nil)
	future.do("sub", since(p.game, 5))
	future.want("resync", nil)
	wantWhole(t, future, 4)
	for i := range 100 {
		hurry() // nobody may write that much at once
		white.do("chat", frames.Chat{Game: p.game, Text: fmt.Sprint("line ", i)})
	}
	stale, _ := dial(t, s, nil)
	stale.do("sub", since(p.game, 1))
	stale.want("resync", nil)
	wantWhole(t, stale, 104)
}

// wantWhole reads a whole game and the events, if any, that the readers of the game had still to hear of then, up to a version.
func wantWhole(t *testing.T, c *socket, version uint64) {
	t.Helper()
	var g frames.Game
	c.want("game", &g)
	if g.Version > version {
		t.Errorf("version %d, want %d at most", g.Version, version)
	}
	for v := g.Version + 1; v <= version; v++ {
		var e frames.Event
		c.want("event", &e)
		if e.Version != v {
			t.Errorf("version %d, want %d", e.Version, v)
		}
	}
}

// TestTwoTabs plays the same move from two sockets of one player, once as two wishes and once as one that was repeated.
func TestTwoTabs(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	p := play(t, s, nil)
	one, two := as(t, s, p.white), as(t, s, p.white)
	one.do("sub", p.sub())
	two.do("sub", p.sub())
	one.write("move", 50, frames.Move{Game: p.game, Move: "e2e4", Key: "one"})
	two.write("move", 50, frames.Move{Game: p.game, Move: "e2e4", Key: "two"})
	ackOne, errOne := one.answer(50)
	ackTwo, errTwo := two.answer(50)
	if (errOne == nil) == (errTwo == nil) {
		t.Fatalf("one %v %v, two %v %v: want one of them refused", ackOne, errOne, ackTwo, errTwo)
	}
	for _, c := range []*socket{one, two} {
		var e frames.Event
		c.want("event", &e)
		if e.Version != 1 || e.Ply == nil || e.Ply.Move != "e2e4" {
			t.Errorf("event %+v", e)
		}
	}
	as(t, s, p.black).do("move", frames.Move{Game: p.game, Move: "e7e5"})
	a := one.do("move", frames.Move{Game: p.game, Move: "d2d4", Key: "same"})
	b := two.do("move", frames.Move{Game: p.game, Move: "d2d4", Key: "same"})
	if a.Version == nil || b.Version == nil || *a.Version != 3 || *b.Version != 3 {
		t.Errorf("versions %v and %v, want 3 twice", a.Version, b.Version)
	}
}
