// Package servertest runs the whole server for tests: the real listener, the real database, the real spec. Its HTTP
// client holds every answer against the spec.
package servertest

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"hoplite/engine/variant"
	"hoplite/server"
	"hoplite/server/spec"
	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/store/storetest"
	"hoplite/web"
)

// Server is a running server on a loopback port of its own.
type Server struct {
	URL    string // without a final slash
	Server *server.Server
	Store  store.Store // what the server works with
	DSN    string

	client *http.Client
	db     *gormdb.DB
	stop   func()
}

type options struct {
	games  *variant.Set // nil: the catalogue
	dsn    string
	config server.Config
	now    func() time.Time
	wrap   func(store.Store) store.Store
	log    *slog.Logger
}

// Option changes how a server is started.
type Option func(*options)

// DSN makes the server use a database that exists already. Without it each server has an empty SQLite file.
func DSN(dsn string) Option { return func(o *options) { o.dsn = dsn } }

// Config changes the configuration, which is that of a server that only its own machine reaches.
func Config(change func(*server.Config)) Option { return func(o *options) { change(&o.config) } }

// Now gives the server a time of its own.
func Now(now func() time.Time) Option { return func(o *options) { o.now = now } }

// Store puts something between the server and its database, such as a store that fails.
func Store(wrap func(store.Store) store.Store) Option { return func(o *options) { o.wrap = wrap } }

// Games lets the server play other games than those of the catalogue.
func Games(set *variant.Set) Option { return func(o *options) { o.games = set } }

// Log lets the server's log be read.
func Log(log *slog.Logger) Option { return func(o *options) { o.log = log } }

// Start runs a server until the test ends.
func Start(t testing.TB, opts ...Option) *Server {
	t.Helper()
	o := options{config: server.Config{Listen: "127.0.0.1:0", Version: "test"}}
	for _, opt := range opts {
		opt(&o)
	}
	if o.dsn == "" {
		o.dsn = storetest.SQLiteDSN(t)
	}
	if o.log == nil {
		o.log = slog.New(slog.NewTextHandler(testLog{t}, &slog.HandlerOptions{Level: slog.LevelWarn}))
	}
	ctx := context.Background()
	games := o.games
	if games == nil {
		var err error
		if games, err = variant.Catalogue(); err != nil {
			t.Fatalf("catalogue: %v", err)
		}
	}
	db, err := gormdb.Open(ctx, o.dsn, gormdb.Options{Exclusive: true})
	if err != nil {
		t.Fatalf("open store: %v", err)
	}
	s := &Server{DSN: o.dsn, Store: db, db: db}
	if o.wrap != nil {
		s.Store = o.wrap(db)
	}
	s.Server, err = server.New(ctx, o.config, server.Deps{
		Store: s.Store, Variants: games, Page: web.Dist(), Now: o.now, Log: o.log,
	})
	if err != nil {
		_ = db.Close()
		t.Fatalf("server: %v", err)
	}
	s.URL = "http://" + s.Server.Addr().String()
	s.client = &http.Client{Transport: NewTransport(t, s.Server.Document(), nil)}
	s.run(t)
	return s
}

func (s *Server) run(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Server.Run(ctx) }()
	s.stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("server: %v", err)
			}
		case <-time.After(30 * time.Second):
			t.Error("the server did not stop")
		}
		if err := s.db.Close(); err != nil {
			t.Errorf("close store: %v", err)
		}
	})
	t.Cleanup(s.stop)
	deadline := time.Now().Add(20 * time.Second)
	for {
		err := s.Server.Ready(ctx)
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server is not ready: %v", err)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// Stop ends the server and closes its database before the test ends, so that another can be started on the same one.
func (s *Server) Stop() { s.stop() }

// Client returns a client whose transport fails the test at every answer that is not as the spec says.
func (s *Server) Client() *http.Client { return s.client }

// Document returns the compiled spec.
func (s *Server) Document() *spec.Document { return s.Server.Document() }

// testLog shows the server's log with a test that fails. Lines after its end are dropped.
type testLog struct{ t testing.TB }

func (l testLog) Write(p []byte) (int, error) {
	defer func() { _ = recover() }() // a log line of a request that outlives its test must not break another test
	l.t.Logf("%s", p)
	return len(p), nil
}
