package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/openapi/frames"
	"hoplite/server"
	"hoplite/server/servertest"
	"hoplite/store"
)

// logbook keeps everything that a server logs.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// lines returns the lines with a message.
func (l *logbook) lines(t *testing.T, msg string) (list []map[string]any) {
	t.Helper()
	for line := range strings.Lines(l.String()) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if m["msg"] == msg {
			list = append(list, m)
		}
	}
	return list
}

func (l *logbook) option() servertest.Option {
	return servertest.Log(slog.New(slog.NewJSONHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug})))
}

// brokenStore fails in a way that nobody has foreseen.
type brokenStore struct {
	store.Store
	broken atomic.Bool
}

func (b *brokenStore) AccountByID(ctx context.Context, id string) (store.Account, error) {
	if b.broken.Load() {
		return store.Account{}, errors.New("the disk is on fire")
	}
	return b.Store.AccountByID(ctx, id)
}

// TestLogHoldsNoSecrets goes through all that has to do with secrets, and finds none of them in the log, at its most
// talkative.
func TestLogHoldsNoSecrets(t *testing.T) {
	t.Parallel()
	book := &logbook{}
	s := servertest.Start(t, book.option())
	secrets := []string{"correct horse battery", "another staple 77", "wrong guess 123", "lip_ThisIsNobodysToken0123456789abcdef"}
	ann := s.SignUp(t, "Ann")
	secrets = append(secrets, ann.Token)
	login := s.Anonymous().Post(t, "/api/login", url.Values{"username": {"Ann"}, "password": {"correct horse battery"}}).Want(t, 200)
	var session struct{ Session string }
	login.JSON(t, &session)
	secrets = append(secrets, session.Session, strings.SplitN(session.Session, ".", 3)[2])
	s.Anonymous().Post(t, "/api/login", url.Values{"username": {"Ann"}, "password": {"wrong guess 123"}})
	s.Anonymous().Post(t, "/api/login?password=wrong+guess+123", url.Values{"username": {"wrong guess 123"}})
	for _, path := range []string{"/api/account", "/api/stream/event?token=" + ann.Token, "/login?password=correct%20horse%20battery", "/oauth?state=" + ann.Token} {
		r := s.Anonymous().Request(t, "GET", path, "", nil)
		r.Header.Set("Authorization", "Bearer lip_ThisIsNobodysToken0123456789abcdef")
		s.Anonymous().Do(t, r)
	}
	with := func(method, path string, form url.Values) *servertest.Answer {
		r := s.Anonymous().Request(t, method, path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
		r.Header.Set("Cookie", "hoplite_session="+session.Session)
		return s.Anonymous().Do(t, r)
	}
	var made struct{ Token string }
	with("POST", "/api/account/tokens", url.Values{"description": {"mine"}, "scopes": {"board:play"}}).JSON(t, &made)
	if made.Token == "" {
		t.Fatal("no token was made")
	}
	secrets = append(secrets, made.Token)
	s.Anonymous().Do(t, s.Anonymous().Request(t, "POST", "/api/token/test", "text/plain", strings.NewReader(made.Token)))
	c, err := client.New(client.BaseURL(s.URL), client.Token(made.Token))
	if err != nil {
		t.Fatal(err)
	}
	socket, err := c.Socket(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stream := ann.Stream(t, "/api/stream/event")
	if _, err := socket.Move(t.Context(), frames.Move{Game: "nogame01", Move: "e2e4"}); err == nil {
		t.Error("a move in no game")
	}
	stream.Close()
	_ = socket.Close()
	with("POST", "/api/logout", nil)
	s.Stop()

	text := book.String()
	for _, secret := range secrets {
		if i := strings.Index(text, secret); i >= 0 {
			t.Errorf("the log holds %q: %s", secret, text[max(0, i-200):min(len(text), i+100)])
		}
	}
	if len(book.lines(t, "request")) < 10 {
		t.Errorf("only %d requests in the log", len(book.lines(t, "request")))
	}
}

// TestRequestIDs finds the id that a caller was given in every line about its request or socket.
func TestRequestIDs(t *testing.T) {
	t.Parallel()
	book := &logbook{}
	broken := &brokenStore{}
	s := servertest.Start(t, book.option(), servertest.Store(func(inner store.Store) store.Store { broken.Store = inner; return broken }))
	find := func(msg, id string) map[string]any {
		t.Helper()
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			for _, line := range book.lines(t, msg) {
				if line["request"] == id {
					return line
				}
			}
		}
		t.Fatalf("no line %q of request %s in the log:\n%s", msg, id, book)
		return nil
	}
	ann := s.SignUp(t, "Ann")
	got := ann.Get(t, "/api/account")
	line := find("request", got.Header.Get("X-Request-Id"))
	if line["route"] != "/api/account" || line["status"] != 200.0 || line["account"] != "ann" || line["level"] != "DEBUG" {
		t.Errorf("the line of a request: %v", line)
	}
	// What a stranger calls its request is not believed.
	r := ann.Request(t, "GET", "/api/account", "", nil)
	r.Header.Set("X-Request-Id", "chosen-by-me")
	if id := ann.Do(t, r).Header.Get("X-Request-Id"); id == "chosen-by-me" || len(id) != 16 {
		t.Errorf("request id %q", id)
	}
	broken.broken.Store(true)
	got = s.Anonymous().Get(t, "/api/user/Ann")
	var refused struct{ Request string }
	got.Want(t, http.StatusInternalServerError).JSON(t, &refused)
	line = find("request failed", got.Header.Get("X-Request-Id"))
	if line["level"] != "ERROR" || !strings.Contains(line["err"].(string), "on fire") || refused.Request != line["request"] {
		t.Errorf("the line of a failure: %v; the caller was told %+v", line, refused)
	}
	if strings.Contains(string(got.Body), "fire") {
		t.Errorf("the caller is told what is not for it: %s", got.Body)
	}
	broken.broken.Store(false)

	c, err := client.New(client.BaseURL(s.URL), client.Token(ann.Token))
	if err != nil {
		t.Fatal(err)
	}
	socket, err := c.Socket(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_ = socket.Close()
	var id string
	for end := time.Now().Add(10 * time.Second); id == "" && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		for _, line := range book.lines(t, "socket opened") {
			id, _ = line["request"].(string)
		}
	}
	if line := find("socket closed", id); line["account"] != "ann" || line["why"] == nil {
		t.Errorf("the line of a socket: %v", line)
	}
	find("request", id)
}

// TestRequestIDOfProxy takes the name that a trusted proxy gave a request, if it looks like one.
func TestRequestIDOfProxy(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Config(func(c *server.Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }))
	for _, tt := range []struct {
		sent string
		kept bool
	}{
		{"0123456789abcdef", true},
		{"req_2026-03-01", true},
		{"short", false},
		{strings.Repeat("x", 65), false},
		{"with blanks and \"", false},
	} {
		r := s.Anonymous().Request(t, "GET", "/healthz", "", nil)
		r.Header.Set("X-Request-Id", tt.sent)
		if got := s.Anonymous().Do(t, r).Header.Get("X-Request-Id"); (got == tt.sent) != tt.kept || got == "" {
			t.Errorf("%q became %q", tt.sent, got)
		}
	}
}
