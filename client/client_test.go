package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hoplite/client"
	"hoplite/openapi"
)

// quick repeats without making a test slow.
var quick = client.Retry{
	Backoff:  client.Backoff{First: time.Millisecond, Max: 5 * time.Millisecond},
	For:      5 * time.Second,
	MaxPause: time.Second,
}

func serve(t *testing.T, h http.HandlerFunc, opts ...client.Option) *client.Client {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	c, err := client.New(append([]client.Option{
		client.BaseURL(srv.URL), client.Token("lip_secret"), client.WithRetry(quick),
	}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestNewRefusesBadOptions(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]client.Option{
		"no scheme":         client.BaseURL("localhost:8080"),
		"other scheme":      client.BaseURL("ftp://host"),
		"no host":           client.BaseURL("http://"),
		"path":              client.BaseURL("http://host/lichess"),
		"query":             client.BaseURL("http://host?x=1"),
		"credentials":       client.BaseURL("http://user:pw@host"),
		"token with break":  client.Token("lip_a\r\nX: y"),
		"token with space":  client.Token("lip_a b"),
		"agent with break":  client.UserAgent("a\nb"),
		"empty agent":       client.UserAgent(""),
		"no HTTP client":    client.HTTPClient(nil),
		"client with limit": client.HTTPClient(&http.Client{Timeout: time.Second}),
		"timeout":           client.Timeout(0),
		"idle timeout":      client.IdleTimeout(-1),
		"retry":             client.WithRetry(client.Retry{For: time.Second}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c, err := client.New(o); err == nil {
				t.Errorf("got a client for %s, want an error", c.BaseURL())
			}
		})
	}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	type seen struct {
		Method, URI, Auth, Agent, Type, Accept, Body string
		Key                                          bool
	}
	limit, inc := 180, 2
	for name, tc := range map[string]struct {
		do   func(context.Context, *client.Client) error
		want seen
	}{
		"get": {
			func(ctx context.Context, c *client.Client) error { _, err := c.Account.Me(ctx); return err },
			seen{Method: "GET", URI: "/api/account", Accept: "application/json"},
		},
		"form with dotted names": {
			func(ctx context.Context, c *client.Client) error {
				_, err := c.Challenges.Create(ctx, "Anna", openapi.ChallengeForm{
					ClockLimit: &limit, ClockIncrement: &inc, Rated: true, Variant: "spartan", KeepAliveStream: true,
				})
				return err
			},
			seen{Method: "POST", URI: "/api/challenge/Anna", Type: "application/x-www-form-urlencoded", Accept: "application/json",
				Body: "clock.increment=2&clock.limit=180&rated=true&variant=spartan", Key: true},
		},
		"action with query": {
			func(ctx context.Context, c *client.Client) error {
				return c.Bot.Move(ctx, "abcd1234", "P@e4", client.OfferDraw())
			},
			seen{Method: "POST", URI: "/api/bot/game/abcd1234/move/P@e4?offeringDraw=true", Accept: "application/json", Key: true},
		},
		"segments stay segments": {
			func(ctx context.Context, c *client.Client) error {
				return c.Board.Move(ctx, "a/../b", "e2 e4?x")
			},
			seen{Method: "POST", URI: "/api/board/game/a%2F..%2Fb/move/e2%20e4%3Fx", Accept: "application/json", Key: true},
		},
		"raw text": {
			func(ctx context.Context, c *client.Client) error {
				_, err := c.Tokens.Test(ctx, "lip_a", "lip_b")
				return err
			},
			seen{Method: "POST", URI: "/api/token/test", Type: "text/plain", Accept: "application/json", Body: "lip_a,lip_b", Key: true},
		},
		"json": {
			func(ctx context.Context, c *client.Client) error {
				_, err := c.Account.SignUp(ctx, openapi.SignupForm{Username: "Anna", Password: "correct horse"})
				return err
			},
			seen{Method: "POST", URI: "/api/signup", Type: "application/json", Accept: "application/json",
				Body: `{"password":"correct horse","username":"Anna"}`, Key: true},
		},
		"pgn": {
			func(ctx context.Context, c *client.Client) error {
				_, err := c.Games.PGN(ctx, "abcd1234", openapi.GamePgnParams{Clocks: openapi.FlagFalse})
				return err
			},
			seen{Method: "GET", URI: "/game/export/abcd1234?clocks=false", Accept: "application/x-chess-pgn"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got seen
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got = seen{r.Method, r.RequestURI, r.Header.Get("Authorization"), r.UserAgent(), r.Header.Get("Content-Type"),
					r.Header.Get("Accept"), string(body), r.Header.Get("Idempotency-Key") != ""}
				io.WriteString(w, "{}")
			}, client.UserAgent("test/1"))
			if err := tc.do(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			tc.want.Auth, tc.want.Agent = "Bearer lip_secret", "test/1"
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status    int
		header    http.Header
		body      string
		message   string
		fields    map[string][]string
		temporary bool
		after     time.Duration // of a rate limit
		key       string
	}{
		"text":             {status: 400, body: `{"error":"Not your turn"}`, message: "Not your turn"},
		"fields":           {status: 400, body: `{"error":{"b":["too long"],"a":["x","y"]},"b":["too long"]}`, message: "a: x, y; b: too long", fields: map[string][]string{"a": {"x", "y"}, "b": {"too long"}}},
		"html":             {status: 502, body: `<html>`, message: "Bad Gateway", temporary: true},
		"no body":          {status: 404, message: "Not Found"},
		"wrong shape":      {status: 403, body: `{"error":7}`, message: "Forbidden"},
		"unavailable":      {status: 503, body: `{"error":"The disk is full"}`, message: "The disk is full", temporary: true},
		"limit by header":  {status: 429, header: http.Header{"Retry-After": {"7"}}, body: `{"error":"slow"}`, message: "slow", temporary: true, after: 7 * time.Second},
		"limit by body":    {status: 429, body: `{"error":"slow","ratelimit":{"key":"bot.vsBot.day","seconds":90}}`, message: "slow", temporary: true, after: 90 * time.Second, key: "bot.vsBot.day"},
		"limit without":    {status: 429, body: `{"error":"slow"}`, message: "slow", temporary: true, after: time.Minute},
		"endless":          {status: 400, body: strings.Repeat("x", 1<<20), message: "Bad Request"},
		"redirect to page": {status: 304, message: "Not Modified"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				for k, v := range tc.header {
					w.Header()[k] = v
				}
				w.WriteHeader(tc.status)
				io.WriteString(w, tc.body)
			}, client.WithRetry(client.Retry{}))
			_, err := c.Account.Me(t.Context())
			api, ok := errors.AsType[*client.APIError](err)
			if !ok {
				t.Fatalf("got %v (%T), want an APIError", err, err)
			}
			want := &client.APIError{Method: "GET", Path: "/api/account", Status: tc.status, Message: tc.message, Fields: tc.fields}
			if diff := cmp.Diff(want, api); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if got := client.Temporary(err); got != tc.temporary {
				t.Errorf("temporary: got %v, want %v", got, tc.temporary)
			}
			limit, ok := errors.AsType[*client.RateLimitError](err)
			if ok != (tc.after > 0) || ok && (limit.RetryAfter != tc.after || limit.Key != tc.key) {
				t.Errorf("rate limit: got %+v, want %v %q", limit, tc.after, tc.key)
			}
		})
	}
}

func TestMalformedAnswer(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<html>hello") })
	_, err := c.Account.Me(t.Context())
	d, ok := errors.AsType[*client.DecodeError](err)
	if !ok || d.Excerpt != "<html>hello" || client.Temporary(err) {
		t.Errorf("got %v (%T), want a lasting DecodeError with the excerpt", err, err)
	}
}

// TestRetriedMoveActsOnce loses answers after the server acted: the key stays the
// same, so that the server can tell.
func TestRetriedMoveActsOnce(t *testing.T) {
	t.Parallel()
	var tries atomic.Int32
	var mu sync.Mutex
	acted := map[string]int{}
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		acted[r.Header.Get("Idempotency-Key")]++
		mu.Unlock()
		switch tries.Add(1) {
		case 1:
			panic(http.ErrAbortHandler) // the connection breaks
		case 2:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 3:
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		default:
			io.WriteString(w, `{"ok":true}`)
		}
	})
	if err := c.Bot.Move(t.Context(), "abcd1234", "e2e4"); err != nil {
		t.Fatal(err)
	}
	if len(acted) != 1 || tries.Load() != 4 {
		t.Errorf("got %d tries with the keys %v, want 4 with one key", tries.Load(), acted)
	}
	if err := c.Bot.Move(t.Context(), "abcd1234", "e2e4"); err != nil {
		t.Fatal(err)
	}
	if len(acted) != 2 {
		t.Errorf("a new call has an old key: %v", acted)
	}
	if err := c.Bot.Resign(t.Context(), "abcd1234", client.Key("mine")); err != nil || acted["mine"] != 1 {
		t.Errorf("own key: got %v and %v", err, acted)
	}
}

// TestChallengeIsNotRepeated loses the answer of a call that would act twice.
func TestChallengeIsNotRepeated(t *testing.T) {
	t.Parallel()
	var tries atomic.Int32
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		tries.Add(1)
		panic(http.ErrAbortHandler)
	})
	_, err := c.Challenges.Create(t.Context(), "anna", openapi.ChallengeForm{})
	if _, ok := errors.AsType[*client.TransportError](err); !ok || tries.Load() != 1 {
		t.Errorf("got %v after %d tries, want a TransportError after one", err, tries.Load())
	}
}

func TestLongPauseIsTheCallers(t *testing.T) {
	t.Parallel()
	var tries atomic.Int32
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		tries.Add(1)
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	_, err := c.Account.Me(t.Context())
	if _, ok := errors.AsType[*client.RateLimitError](err); !ok || tries.Load() != 1 {
		t.Errorf("got %v after %d tries, want the rate limit after one", err, tries.Load())
	}
}

func TestNoCredentialsToAnotherHost(t *testing.T) {
	t.Parallel()
	var strayed atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { strayed.Add(1) }))
	t.Cleanup(other.Close)
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
	})
	_, err := c.Account.Me(t.Context())
	if e, ok := errors.AsType[*client.RedirectError](err); !ok || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v (%v), want a RedirectError without the token", err, e)
	}
	if err := c.Bot.Move(t.Context(), "abcd1234", "e2e4"); err == nil {
		t.Error("a move followed a redirect")
	}
	if n := strayed.Load(); n != 0 {
		t.Errorf("%d requests went to the other host", n)
	}
}

func TestPostDoesNotBecomeGet(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
			return
		}
		io.WriteString(w, `{"ok":true}`)
	})
	err := c.Bot.Resign(t.Context(), "abcd1234")
	if _, ok := errors.AsType[*client.RedirectError](err); !ok {
		t.Errorf("got %v, want a RedirectError", err)
	}
}

func TestCancelledCall(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	_, err := c.Account.Me(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled within", err)
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		client.Timeout(20*time.Millisecond), client.WithRetry(client.Retry{}))
	_, err := c.Account.Me(t.Context())
	if !errors.Is(err, client.ErrTimeout) || !client.Temporary(err) {
		t.Errorf("got %v, want a temporary ErrTimeout", err)
	}
}

// TestBridgesRestart starts the server only after the call began.
func TestBridgesRestart(t *testing.T) {
	t.Parallel()
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"id":"anna","username":"Anna"}`)
	}))
	address := srv.Listener.Addr().String()
	srv.Listener.Close()
	c, err := client.New(client.BaseURL("http://"+address), client.WithRetry(quick))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := c.Account.Me(t.Context())
		done <- err
	}()
	time.Sleep(30 * time.Millisecond)
	back := &http.Server{Handler: srv.Config.Handler, Addr: address}
	go back.ListenAndServe()
	t.Cleanup(func() { back.Close() })
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestFormLeavesOutWhatIsUnset(t *testing.T) {
	t.Parallel()
	var got url.Values
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		got = r.PostForm
		fmt.Fprint(w, `{"id":"abcd1234"}`)
	})
	zero := 0
	if _, err := c.Challenges.AI(t.Context(), openapi.AiForm{Level: 3, ClockLimit: &zero}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(url.Values{"level": {"3"}, "clock.limit": {"0"}}, got); diff != "" {
		t.Errorf("form (-want +got):\n%s", diff)
	}
}
