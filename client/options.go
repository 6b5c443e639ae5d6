package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Option configures a client in [New].
type Option func(*Client) error

// BaseURL sets the server's address. The API lives at the root of its host, so
// the address must have no path.
func BaseURL(address string) Option {
	return func(c *Client) error {
		u, err := url.Parse(address)
		if err != nil {
			return fmt.Errorf("base URL: %w", err)
		}
		switch {
		case u.Scheme != "http" && u.Scheme != "https":
			return fmt.Errorf("base URL %q: need http:// or https://", u.Redacted())
		case u.Host == "":
			return fmt.Errorf("base URL %q: no host", u.Redacted())
		case u.User != nil:
			return errors.New("base URL: credentials belong into a token, not into the address")
		case strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
			return fmt.Errorf("base URL %q: the API lives at the root of its host", u.Redacted())
		}
		c.base = &url.URL{Scheme: u.Scheme, Host: u.Host}
		return nil
	}
}

// Token sets the API token that every request carries.
func Token(token string) Option {
	return func(c *Client) error {
		token = strings.TrimSpace(token)
		for _, r := range token {
			if r <= ' ' || r > '~' {
				return errors.New("token: has characters that no token has")
			}
		}
		c.token = token
		return nil
	}
}

// HTTPClient sets the HTTP client to send requests with. Its Timeout must be
// zero, since streams live as long as they are read; [Timeout] bounds the
// other calls.
func HTTPClient(h *http.Client) Option {
	return func(c *Client) error {
		if h == nil {
			return errors.New("HTTP client: nil")
		}
		if h.Timeout != 0 {
			return errors.New("HTTP client: its Timeout would cut streams off; use the option Timeout")
		}
		c.http = h
		return nil
	}
}

// UserAgent sets the User-Agent header. A Lichess-compatible server keeps one
// game stream for each player and user agent.
func UserAgent(agent string) Option {
	return func(c *Client) error {
		if agent == "" || strings.ContainsAny(agent, "\r\n") {
			return fmt.Errorf("user agent %q", agent)
		}
		c.agent = agent
		return nil
	}
}

// Timeout bounds each attempt of a call that is not a stream. The default is
// 30 seconds.
func Timeout(d time.Duration) Option {
	return func(c *Client) error {
		if d <= 0 {
			return fmt.Errorf("timeout %v", d)
		}
		c.timeout = d
		return nil
	}
}

// IdleTimeout is how long a stream may stay silent before it counts as lost.
// The default is 20 seconds; servers send a blank line every 7.
func IdleTimeout(d time.Duration) Option {
	return func(c *Client) error {
		if d <= 0 {
			return fmt.Errorf("idle timeout %v", d)
		}
		c.idle = d
		return nil
	}
}

// WithRetry sets how calls are repeated; see [Retry].
func WithRetry(r Retry) Option {
	return func(c *Client) error {
		if err := r.validate(); err != nil {
			return err
		}
		c.retry = r
		return nil
	}
}
