package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"

	"hoplite/client/bot"
	"hoplite/engine/variant"
	"hoplite/engine/variantfile"
	"hoplite/server"
	"hoplite/server/analysis"
	"hoplite/server/auth"
	"hoplite/server/house"
	"hoplite/server/limits"
	"hoplite/server/node"
	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/web"
)

// secretEnv holds the secret that signs sessions. It is no flag: those are seen by everybody on the machine.
const secretEnv = "HOPLITE_SECRET"

// oidcSecretEnv holds the secret of our client at the other provider.
const oidcSecretEnv = "HOPLITE_OIDC_SECRET"

type serveCmd struct {
	Listen         string        `default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address to listen on (default: ${default})."`
	URL            string        `name:"url" placeholder:"URL" help:"Where the public reaches the server, such as https://chess.example.org."`
	Bots           string        `default:"1-8" placeholder:"LEVELS" help:"House bots: levels such as 1-8 or 1,3,8, or none (default: ${default})."`
	Analysis       int           `default:"0" placeholder:"N" help:"How many searches of games and positions run at the same time; 0 is half the cores, -1 takes none (default: ${default})."`
	Limits         string        `enum:",strict,relaxed,off" default:"" placeholder:"MODE" help:"Rate limits: strict, relaxed or off (default: relaxed if only this machine reaches the server, else strict)."`
	TrustedProxies []string      `placeholder:"CIDR" help:"Networks of reverse proxies whose forwarding headers are believed."`
	Signup         string        `enum:",open,invite,closed" default:"" placeholder:"MODE" help:"Who may sign up: open, invite or closed (default: open on loopback; with a public URL closed until there is an administrator)."`
	SMTP           string        `name:"smtp" placeholder:"URL" help:"Mail server, smtp://USER:PASSWORD@HOST:PORT?from=ADDRESS, or smtps://. Better given as HOPLITE_SMTP: flags are seen by everybody on the machine."`
	OIDC           string        `name:"oidc" placeholder:"URL" help:"Issuer of an OpenID Connect provider at which people can log in as well; its client's redirect address is URL/oidc/callback. The client's secret comes from HOPLITE_OIDC_SECRET."`
	OIDCClient     string        `name:"oidc-client" placeholder:"ID" help:"Client id at that provider."`
	OIDCName       string        `name:"oidc-name" placeholder:"NAME" help:"What the page calls the provider (default: its host)."`
	Drain          time.Duration `default:"0s" placeholder:"TIME" help:"How long to go on after a signal to stop, such as 30s: not ready any more, and everybody is told. A second signal ends it at once."`
	NATS           string        `name:"nats" placeholder:"URL" help:"NATS server by which several servers of one PostgreSQL share the games, such as nats://user:password@host:4222."`
	NATSCreds      string        `name:"nats-creds" placeholder:"FILE" help:"File with the NATS credentials."`
	Lease          time.Duration `default:"9s" placeholder:"TIME" help:"How long a server that is not heard of keeps its games; the same on all of them (default: ${default})."`
	Ops            string        `placeholder:"HOST:PORT" help:"Address for readiness, metrics and profiles; keep it private."`
}

// Run serves until the context ends.
func (c *serveCmd) Run(ctx context.Context, g *Globals, log *slog.Logger, s *streams) (err error) {
	config, err := c.config()
	if err != nil {
		return err
	}
	levels, err := parseLevels(c.Bots)
	if err != nil {
		return err
	}
	// The rules are compiled while the database waits for its disk.
	var games *variant.Set
	var wrong error
	var compiling sync.WaitGroup
	compiling.Go(func() { games, wrong = variantfile.Catalogue(g.Variants) })
	db, err := gormdb.Open(ctx, g.DB, gormdb.Options{Exclusive: c.NATS == "", Shared: c.NATS != ""})
	compiling.Wait()
	if err != nil {
		return databaseError(g, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if wrong != nil {
		return fmt.Errorf("catalogue of games: %w", wrong)
	}
	pool := house.NewPool(0)
	srv, err := server.New(ctx, config, server.Deps{
		Store: db, Variants: games, Page: web.Dist(), Log: log, Metrics: measure(config.Version, db, pool),
	})
	if err != nil {
		return err
	}
	notice, err := srv.FirstRun(ctx)
	if err != nil {
		srv.Close()
		return err
	}
	fmt.Fprintf(s.out, "Hoplite %s at %s, limits %s\n", config.Version, srv.URL(), srv.Limits())
	if notice != "" {
		fmt.Fprint(s.out, notice)
	}
	return c.serve(ctx, srv, db, games, levels, pool, log)
}

func (c *serveCmd) config() (server.Config, error) {
	config := server.Config{
		Listen: c.Listen, URL: c.URL, Ops: c.Ops,
		Limits: limits.Mode(c.Limits), Signup: auth.Mode(c.Signup),
		SMTP: c.SMTP, Analysis: analysis.Config{Workers: c.Analysis},
		Secrets: os.Getenv(secretEnv), Drain: c.Drain, Version: versionText(),
		Nodes: node.Config{URL: c.NATS, Credentials: c.NATSCreds, Lease: c.Lease},
	}
	if c.OIDC != "" || c.OIDCClient != "" {
		config.OIDC = auth.OIDCConfig{
			Issuer: c.OIDC, ClientID: c.OIDCClient, ClientSecret: os.Getenv(oidcSecretEnv), Name: c.OIDCName,
		}
	}
	for _, text := range c.TrustedProxies {
		prefix, err := parsePrefix(strings.TrimSpace(text))
		if err != nil {
			return config, err
		}
		config.TrustedProxies = append(config.TrustedProxies, prefix)
	}
	return config, config.Validate()
}

// parsePrefix reads a network, or a single address.
func parsePrefix(s string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(s); err == nil {
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	prefix, err := netip.ParsePrefix(s)
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("trusted proxy %q: want a network such as 10.0.0.0/8", s)
	}
	return prefix, nil
}

// parseLevels reads the levels of the house bots: none, 3, 1-8, 1,4-6.
func parseLevels(s string) ([]int, error) {
	if s == "none" || s == "" {
		return nil, nil
	}
	var wanted [9]bool
	for part := range strings.SplitSeq(s, ",") {
		var first, last int
		part = strings.TrimSpace(part)
		if n, err := fmt.Sscanf(part, "%d-%d", &first, &last); err != nil || n != 2 {
			if n, err := fmt.Sscanf(part, "%d", &first); err != nil || n != 1 || fmt.Sprint(first) != part {
				return nil, fmt.Errorf("bots %q: want levels such as 1-8 or 1,3,8, or none", s)
			}
			last = first
		} else if fmt.Sprintf("%d-%d", first, last) != part {
			return nil, fmt.Errorf("bots %q: want levels such as 1-8 or 1,3,8, or none", s)
		}
		if first < 1 || last > 8 || first > last {
			return nil, fmt.Errorf("bots %q: levels go from 1 to 8", s)
		}
		for level := first; level <= last; level++ {
			wanted[level] = true
		}
	}
	var levels []int
	for level, want := range wanted {
		if want {
			levels = append(levels, level)
		}
	}
	return levels, nil
}

// serve runs the server, and the house bots on it as soon as it answers.
func (c *serveCmd) serve(
	ctx context.Context, srv *server.Server, db store.Store, games *variant.Set, levels []int, pool *bot.Pool, log *slog.Logger,
) error {
	start := time.Now()
	log.Info("serving", "addr", srv.Addr().String(), "url", srv.URL(), "limits", string(srv.Limits()))
	// The bots play on until the server begins to stop.
	housing, leave := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		select {
		case <-srv.Leaving():
			leave()
		case <-housing.Done():
		}
	}()
	housed := make(chan struct{})
	go func() {
		defer close(housed)
		err := srv.Lead(housing, func(leading context.Context) error {
			return house.Run(leading, house.Config{
				Levels: levels, Games: games, Store: db, Transport: srv.Transport(), Ready: srv.Ready, Pool: pool,
				Log: log.With("part", "house"),
			})
		})
		if err != nil {
			log.Error("house bots do not play", "error", err) // people still can
		}
	}()
	err := srv.Run(ctx)
	leave()
	<-housed
	log.Info("stopped", "after", time.Since(start).Round(time.Second))
	return err
}
