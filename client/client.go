// Package client is a typed client of Hoplite's HTTP API, which is also the
// API of Lichess as far as the two overlap: nothing in the calls that Lichess
// has depends on a Hoplite server.
//
// A [Client] is a set of small services, one for each group of calls, that
// share one transport. Every call takes a context first and returns errors of
// four kinds, to be told apart with errors.As: [*APIError] (the server refused),
// [*RateLimitError] (it asked to wait), [*TransportError] (no usable answer
// came) and [*DecodeError] (the answer was not what the API promises).
//
// Streams are iterators. Breaking out of the loop or ending the context closes
// the connection; an error is the last thing that a stream yields.
//
// Actions carry an Idempotency-Key header. It stays the same over the retries
// that a Client makes by itself, so that a Hoplite server acts once on an action
// whose answer was lost.
package client

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// DefaultBaseURL is where a server listens that was started without flags.
const DefaultBaseURL = "http://127.0.0.1:8080"

const (
	defaultUserAgent   = "hoplite-client"
	defaultTimeout     = 30 * time.Second
	defaultIdle        = 20 * time.Second // keep-alives come every 7 s
	defaultMaxResponse = 32 << 20
)

// Client talks to one server as one account, or as nobody if it has no token.
// It is safe for use by several goroutines.
type Client struct {
	http    *http.Client
	base    *url.URL
	token   string
	agent   string
	timeout time.Duration
	idle    time.Duration
	retry   Retry
	key     func() string

	Account    *AccountService
	Users      *UsersService
	Relations  *RelationsService
	Tokens     *TokensService
	OAuth      *OAuthService
	Challenges *ChallengesService
	Bot        *BotService
	Board      *BoardService
	Games      *GamesService
	TV         *TVService
	Analysis   *AnalysisService
	Engines    *EnginesService
	Puzzles    *PuzzlesService
	Variants   *VariantsService
	Admin      *AdminService
}

// New makes a client. Without options it is anonymous and talks to
// [DefaultBaseURL].
func New(opts ...Option) (*Client, error) {
	c := &Client{
		http:    &http.Client{},
		agent:   defaultUserAgent,
		timeout: defaultTimeout,
		idle:    defaultIdle,
		retry:   DefaultRetry(),
		key:     rand.Text,
	}
	if err := BaseURL(DefaultBaseURL)(c); err != nil {
		return nil, err
	}
	for _, o := range opts {
		if err := o(c); err != nil {
			return nil, fmt.Errorf("client: %w", err)
		}
	}
	c.guardRedirects()
	s := service{c}
	c.Account = &AccountService{s}
	c.Users = &UsersService{s}
	c.Relations = &RelationsService{s}
	c.Tokens = &TokensService{s}
	c.OAuth = &OAuthService{s}
	c.Challenges = &ChallengesService{s}
	c.Bot = &BotService{PlayService{s, "/api/bot/game/"}}
	c.Board = &BoardService{PlayService{s, "/api/board/game/"}}
	c.Games = &GamesService{s}
	c.TV = &TVService{s}
	c.Analysis = &AnalysisService{s}
	c.Engines = &EnginesService{s}
	c.Puzzles = &PuzzlesService{s}
	c.Variants = &VariantsService{s}
	c.Admin = &AdminService{s}
	return c, nil
}

// BaseURL returns the address of the server, without a final slash.
func (c *Client) BaseURL() string { return c.base.Scheme + "://" + c.base.Host }

// service is what every group of calls embeds.
type service struct{ c *Client }

// guardRedirects makes the HTTP client refuse redirects that would carry a
// request, and with it the token, to another host, and those that would turn a
// POST into a GET.
func (c *Client) guardRedirects() {
	h := *c.http // the caller's client stays as it is
	next := h.CheckRedirect
	h.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		first := via[0]
		switch {
		case req.URL.Host != first.URL.Host || req.URL.Scheme != first.URL.Scheme:
			return &RedirectError{From: first.URL.Redacted(), To: req.URL.Redacted(), Reason: "another host"}
		case req.Method != first.Method:
			return &RedirectError{From: first.URL.Redacted(), To: req.URL.Redacted(), Reason: "another method"}
		case len(via) > 5:
			return &RedirectError{From: first.URL.Redacted(), To: req.URL.Redacted(), Reason: "too many redirects"}
		case next != nil:
			return next(req, via)
		}
		return nil
	}
	c.http = &h
}

// sleep waits for d or until the context ends.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
