package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/openapi/frames"
)

// pair are two people in a game with clocks, both over sockets that come back by themselves.
type pair struct {
	id           string
	tokens       [2]string
	white, black *client.Socket
}

// pairUp starts a game of three minutes.
func pairUp(t *testing.T, r *running) *pair {
	t.Helper()
	p := &pair{tokens: [2]string{r.signUp(t, "Ann"), r.signUp(t, "Bob")}}
	var made struct{ ID string }
	r.must(t, "POST", "/api/challenge/Bob", p.tokens[0], url.Values{"clock.limit": {"180"}, "clock.increment": {"0"}, "color": {"white"}}, &made)
	r.must(t, "POST", "/api/challenge/"+made.ID+"/accept", p.tokens[1], nil, nil)
	p.id = made.ID
	p.white, p.black = p.socket(t, r, 0), p.socket(t, r, 1)
	return p
}

func (p *pair) socket(t *testing.T, r *running, n int) *client.Socket {
	t.Helper()
	c, err := client.New(client.BaseURL(r.url), client.Token(p.tokens[n]))
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Socket(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func (p *pair) move(t *testing.T, s *client.Socket, m string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, err := s.Move(ctx, frames.Move{Game: p.id, Move: m}); err != nil {
		t.Fatalf("%s: %v", m, err)
	}
}

// clocks are the remaining times as the public export of the game's stream gives them.
func (p *pair) clocks(t *testing.T, r *running) (white, black time.Duration) {
	t.Helper()
	c, err := client.New(client.BaseURL(r.url), client.Token(p.tokens[0]))
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Socket(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for u, err := range s.Game(t.Context(), p.id) {
		if err != nil {
			t.Fatal(err)
		}
		if u.Game != nil {
			left := func(n int) time.Duration { return time.Duration(u.Game.Clock.Left[n]) * time.Millisecond }
			return left(0), left(1)
		}
	}
	t.Fatal("no game came")
	return 0, 0
}

// TestDrain tells a server to stop while people play: it says that it is not ready, announces the stop on the sockets,
// plays on, ends every answer properly, and its successor goes on with the clocks as they stood.
func TestDrain(t *testing.T) {
	t.Parallel()
	db, listen := filepath.Join(t.TempDir(), "h.db"), freeAddr(t)
	args := []string{"--bots", "none", "--db", db, "--listen", listen}
	r := startServe(t, append(args, "--drain", "3s")...)
	p := pairUp(t, r)
	p.move(t, p.white, "e2e4")
	p.move(t, p.black, "e7e5")

	// A stream as it is on the wire: its last chunk says that the body is whole.
	wire, err := net.Dial("tcp", listen)
	if err != nil {
		t.Fatal(err)
	}
	defer wire.Close()
	fmt.Fprintf(wire, "GET /api/board/game/stream/%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", p.id, listen, p.tokens[0])
	reader := bufio.NewReader(wire)
	for line := ""; !strings.Contains(line, "gameFull"); {
		if line, err = reader.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}

	told := time.Now()
	r.stop()
	for line := ""; !strings.Contains(line, "restarts in 3s") || !strings.Contains(line, `"type":"chatLine"`) || !strings.Contains(line, `"username":"lichess"`); {
		if line, err = reader.ReadString('\n'); err != nil {
			t.Fatalf("the stream says nothing of the stop: %v", err)
		}
	}
	until(t, "the sockets are told", func() bool { return p.white.Announcement() != nil && p.black.Announcement() != nil })
	a := p.white.Announcement()
	if at := time.UnixMilli(a.Date); at.Before(told.Add(2*time.Second)) || at.After(time.Now().Add(4*time.Second)) || !strings.Contains(a.Msg, "3s") {
		t.Errorf("announced: %+v", a)
	}
	if late := p.socket(t, r, 0); true {
		until(t, "a socket that opens now is told as well", func() bool { return late.Announcement() != nil })
	}
	if resp, body := r.ask(t, "GET", r.ops+"/readyz", "", nil); resp.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(body), "about to stop") {
		t.Errorf("readiness: %d %s", resp.StatusCode, body)
	}
	p.move(t, p.white, "g1f3") // play goes on
	rest, err := io.ReadAll(reader)
	if err != nil || !strings.HasSuffix(string(rest), "\r\n0\r\n\r\n") || !strings.Contains(string(rest), "g1f3") {
		t.Errorf("the stream ends with %.200q, %v", rest[max(0, len(rest)-200):], err)
	}
	if code := r.exit(t); code != 0 {
		t.Fatalf("exit %d: %s", code, r.log)
	}
	if took := time.Since(told); took < 2500*time.Millisecond {
		t.Errorf("it stopped after %v", took)
	}

	time.Sleep(2 * time.Second) // nobody pays for this
	next := startServe(t, args...)
	white, black := p.clocks(t, next)
	if black < 180*time.Second-500*time.Millisecond || black > 180*time.Second || white > 180*time.Second || white < 170*time.Second {
		t.Errorf("the clocks stand at %v and %v", white, black)
	}
	p.move(t, p.black, "b8c6") // over the socket that came back
	until(t, "the notice is gone", func() bool { return p.black.Announcement() == nil })
}
