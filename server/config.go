package server

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"hoplite/server/analysis"
	"hoplite/server/auth"
	"hoplite/server/external"
	"hoplite/server/limits"
	"hoplite/server/mail"
	"hoplite/server/node"
)

// Config is what an operator decides about the server.
type Config struct {
	Listen string // host:port; port 0 picks a free one
	URL    string // where the public reaches the server, without a path; empty: at the listener's own address
	Ops    string // host:port of readiness and profiles; empty: none
	// Limits is how strict the rate limits are; empty: relaxed on a server that only its own machine reaches.
	Limits         limits.Mode
	TrustedProxies []netip.Prefix
	Signup         auth.Mode
	// Nodes is how this server finds the others that serve the same database; without a URL it serves alone.
	Nodes node.Config
	// Secrets signs sessions; empty: made at the first start and kept in the store.
	Secrets string
	// SMTP is the mail server, as mail.Parse reads it; empty: no mail is sent.
	SMTP string
	// OIDC is a provider at which people can log in as well.
	OIDC auth.OIDCConfig
	// Analysis bounds what the engine is asked to look at.
	Analysis analysis.Config
	// External is how long external engines and their clients wait for each other.
	External external.Config
	// Drain is how long a server that was told to stop goes on: it says that it is not ready, tells everybody, and serves.
	Drain   time.Duration
	Version string
}

// Validate says what is wrong with the configuration, all of it at once.
func (c Config) Validate() error {
	var errs []error
	if _, _, err := net.SplitHostPort(c.Listen); err != nil {
		errs = append(errs, fmt.Errorf("listen address %q: want host:port", c.Listen))
	}
	if c.Ops != "" {
		if _, _, err := net.SplitHostPort(c.Ops); err != nil {
			errs = append(errs, fmt.Errorf("ops address %q: want host:port", c.Ops))
		}
	}
	if c.URL != "" {
		if err := checkURL(c.URL); err != nil {
			errs = append(errs, err)
		}
	}
	if c.Limits != "" {
		if _, err := limits.ParseMode(string(c.Limits)); err != nil {
			errs = append(errs, err)
		}
	}
	if c.Limits == limits.Off && c.public() {
		errs = append(errs, errors.New("limits cannot be off with a public URL"))
	}
	if c.Drain < 0 {
		errs = append(errs, fmt.Errorf("drain %v: want a time that is not negative", c.Drain))
	}
	if c.Nodes.URL != "" {
		errs = append(errs, c.Nodes.Validate())
	}
	switch c.Signup {
	case auth.ByURL, auth.Open, auth.Invite, auth.Closed:
	default:
		errs = append(errs, fmt.Errorf("sign-up %q is none of open, invite, closed", c.Signup))
	}
	if err := c.OIDC.Validate(); err != nil {
		errs = append(errs, err)
	}
	if c.SMTP != "" {
		if _, err := mail.Parse(c.SMTP, time.Now); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func checkURL(s string) error {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return fmt.Errorf("URL %q: %w", s, err)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("URL %q: want http:// or https:// and a host", s)
	case strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil:
		return fmt.Errorf("URL %q: clients reach the API at the root of the host, so it has nothing after the host", s)
	}
	return nil
}

// public says whether others than this machine are told to come.
func (c Config) public() bool {
	if c.URL == "" {
		return false
	}
	u, err := url.Parse(c.URL)
	return err != nil || !loopbackHost(u.Hostname())
}

// mode is the limit mode in force for a listener.
func (c Config) mode(listener net.Addr) limits.Mode {
	switch {
	case c.Limits != "":
		return c.Limits
	case loopbackAddr(listener) && !c.public():
		return limits.Relaxed
	}
	return limits.Strict
}

// baseURL is where people reach the server, without a final slash.
func (c Config) baseURL(listener net.Addr) string {
	if c.URL != "" {
		return strings.TrimSuffix(c.URL, "/")
	}
	host, port, err := net.SplitHostPort(listener.String())
	if err != nil {
		return "http://" + listener.String()
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// loopbackHost says whether a host name, without a port, means this machine.
func loopbackHost(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.Unmap().IsLoopback()
}

func loopbackAddr(a net.Addr) bool {
	host, _, err := net.SplitHostPort(a.String())
	return err == nil && loopbackHost(host)
}
