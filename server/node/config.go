package node

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"
)

// DefaultLease is how long a lease lasts without a word of its holder.
const DefaultLease = 9 * time.Second

// minLease leaves time for a round of renewals on a busy machine.
const minLease = time.Second

// Config is how a node finds the others.
type Config struct {
	// URL is the address of the NATS server, or of several, separated by
	// commas. Off loopback it needs credentials: in the address, or in a file.
	URL string
	// Credentials is a file of NATS credentials; empty for none.
	Credentials string
	// Lease is how long a lease lasts; DefaultLease if 0. It must be the same
	// on all nodes.
	Lease time.Duration
}

// Validate says what is wrong with the configuration.
func (c Config) Validate() error {
	var errs []error
	if c.Lease != 0 && c.Lease < minLease {
		errs = append(errs, fmt.Errorf("lease %v: want at least %v", c.Lease, minLease))
	}
	if c.Credentials != "" {
		if _, err := os.Stat(c.Credentials); err != nil {
			errs = append(errs, fmt.Errorf("NATS credentials: %w", err))
		}
	}
	for part := range strings.SplitSeq(c.URL, ",") {
		u, err := url.Parse(strings.TrimSpace(part))
		switch {
		case err != nil:
			errs = append(errs, errors.New("NATS URL: cannot be read")) // the text may hold a password
		case !strings.Contains(" nats tls ws wss ", " "+u.Scheme+" ") || u.Host == "":
			errs = append(errs, fmt.Errorf("NATS URL %q: want nats://HOST:PORT or tls://HOST:PORT", u.Redacted()))
		case u.User == nil && c.Credentials == "" && !loopback(u.Hostname()):
			errs = append(errs, fmt.Errorf("NATS URL %q: off this machine credentials are needed, in the URL or in a file", u.Redacted()))
		}
	}
	return errors.Join(errs...)
}

func loopback(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	return strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback()
}
