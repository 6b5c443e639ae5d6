// Package server is Hoplite's HTTP server: it puts the capabilities together, guards them, and serves them.
package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"hoplite/engine/variant"
	"hoplite/openapi"
	"hoplite/openapi/frames"
	"hoplite/server/api"
	"hoplite/server/auth"
	"hoplite/server/limits"
	"hoplite/server/live"
	"hoplite/server/mail"
	"hoplite/server/metrics"
	"hoplite/server/play"
	"hoplite/server/spec"
	"hoplite/server/stream"
	"hoplite/store"
)

// Deps is what a server works with.
type Deps struct {
	Store store.Store
	// Variants is the catalogue of games.
	Variants *variant.Set
	// Page is the built web page; index.html may be missing.
	Page fs.FS
	Now  func() time.Time // time.Now if nil
	Log  *slog.Logger     // silent if nil
	// Metrics counts what the server does; nil makes one that only the server knows.
	Metrics *metrics.Metrics
}

// Server is one serving process. New binds its address; Run serves.
type Server struct {
	config Config
	deps   Deps
	now    func() time.Time
	log    *slog.Logger
	files  fs.FS

	started time.Time
	mail    *mail.Sender // nil: no mail is sent

	https    bool   // the public URL is an https one
	urlHost  string // host of the public URL
	loopback bool   // only this machine reaches the listener
	mode     limits.Mode
	limiter  *limits.Limiter
	uses     map[string][]limits.Use

	listener net.Listener
	ops      net.Listener // nil without ops
	pipe     *pipeListener
	base     string

	draining chan struct{} // closed when the server was told to stop
	leaving  chan struct{} // closed when it begins to

	doc      *spec.Document
	services *services
	echo     *echo.Echo
	http     *http.Server
}

// New builds a server and binds its addresses. It does not answer before Run.
func New(ctx context.Context, c Config, d Deps) (*Server, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if d.Store == nil || d.Variants == nil || d.Page == nil {
		return nil, errors.New("server: store, variants and page are required")
	}
	s := &Server{
		config: c, deps: d, now: d.Now, files: d.Page,
		log:  cmp.Or(d.Log, slog.New(slog.DiscardHandler)),
		uses: limits.Uses(),
		pipe: newPipeListener(),

		draining: make(chan struct{}), leaving: make(chan struct{}),
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.started = s.now()
	if c.SMTP != "" {
		var err error
		if s.mail, err = mail.Parse(c.SMTP, s.now); err != nil {
			return nil, err
		}
	}
	if s.deps.Metrics == nil {
		s.deps.Metrics = metrics.New(c.Version)
	}
	s.limiter = limits.New(s.now)
	if err := s.bind(ctx); err != nil {
		return nil, err
	}
	if err := s.assemble(ctx); err != nil {
		s.unbind()
		return nil, err
	}
	return s, nil
}

// mailer is what sends mail, nil if nothing does.
func (s *Server) mailer() auth.Mailer {
	if s.mail == nil {
		return nil
	}
	return s.mail
}

func (s *Server) bind(ctx context.Context) error {
	var lc net.ListenConfig
	var err error
	if s.listener, err = lc.Listen(ctx, "tcp", s.config.Listen); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	if s.config.Ops != "" {
		if s.ops, err = lc.Listen(ctx, "tcp", s.config.Ops); err != nil {
			s.unbind()
			return fmt.Errorf("listen for operators: %w", err)
		}
	}
	addr := s.listener.Addr()
	s.base = s.config.baseURL(addr)
	s.loopback = loopbackAddr(addr)
	s.mode = s.config.mode(addr)
	if u, err := url.Parse(s.config.URL); err == nil {
		s.https, s.urlHost = u.Scheme == "https", u.Hostname()
	}
	return nil
}

func (s *Server) unbind() {
	_ = s.listener.Close()
	if s.ops != nil {
		_ = s.ops.Close()
	}
}

// assemble compiles the spec while the services are made: it is the longest step of a start.
func (s *Server) assemble(ctx context.Context) error {
	type loaded struct {
		doc *spec.Document
		err error
	}
	compiled := make(chan loaded, 1)
	go func() {
		doc, err := spec.Load(openapi.Spec())
		compiled <- loaded{doc, err}
	}()
	var err error
	s.services, err = newServices(ctx, s)
	got := <-compiled
	if err := errors.Join(err, got.err); err != nil {
		return err
	}
	s.doc = got.doc
	s.echo = s.routes(api.NewGate(s.doc, s.services.auth, s.log))
	s.http = &http.Server{
		Handler:           headAsGet(s.echo),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ConnContext: func(ctx context.Context, conn net.Conn) context.Context {
			return stream.WithConn(markPipe(ctx, conn), conn)
		},
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	return nil
}

func (s *Server) routes(gate *api.Gate) *echo.Echo {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.Logger.SetOutput(discard{})
	e.IPExtractor = s.extractor()
	e.HTTPErrorHandler = gate.ErrorHandler
	e.Pre(trimSlash)
	// The order matters: who and where from, then what a browser may do, then who may do it at all, and only then is
	// the body read.
	e.Use(s.begin, s.recover, s.guard, gate.Route, s.crossOrigin(), gate.Access, gate.Canonical, s.limit, gate.Validate, s.fallback)
	api.RegisterHandlers(e, api.NewStrictHandler(s.services.handlers(s), nil))
	e.GET(specPath, serveSpec)
	e.GET(socketSpecPath, serveSocketSpec)
	e.GET(socketJSONPath, serveSocketJSON)
	e.GET(frames.Path, s.services.sockets.Handle)
	return e
}

// trimSlash serves a path with a final slash like the one without. A redirect would turn a POST into a GET.
func trimSlash(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		u := c.Request().URL
		if len(u.Path) > 1 && strings.HasSuffix(u.Path, "/") {
			u.Path = strings.TrimRight(u.Path, "/")
			if u.Path == "" {
				u.Path = "/"
			}
			u.RawPath = strings.TrimRight(u.RawPath, "/")
		}
		return next(c)
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// URL is where people reach the server, without a final slash.
func (s *Server) URL() string { return s.base }

// Addr is the address that the server listens on.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// OpsAddr is the address for operators, nil without one.
func (s *Server) OpsAddr() net.Addr {
	if s.ops == nil {
		return nil
	}
	return s.ops.Addr()
}

// Limits is the limit mode in force.
func (s *Server) Limits() limits.Mode { return s.mode }

// Document is the compiled spec that requests are held against.
func (s *Server) Document() *spec.Document { return s.doc }

// Routes returns every method and route of the API that is served, for tests against the spec.
func (s *Server) Routes() []*echo.Route { return s.echo.Routes() }

// Transport returns an HTTP transport that reaches the server inside of the process, whatever host it is asked for.
// The server must be running. Close its idle connections when it is no longer used.
func (s *Server) Transport() *http.Transport {
	return &http.Transport{
		DialContext:        func(ctx context.Context, _, _ string) (net.Conn, error) { return s.pipe.dial(ctx) },
		DisableCompression: true,
		MaxIdleConns:       64, MaxIdleConnsPerHost: 64,
	}
}

// errDraining keeps those away who ask whether to come.
var errDraining = errors.New("the server is about to stop")

// Ready says whether requests can be answered and more are welcome: the store is there, the games are open, and the
// server was not told to stop.
func (s *Server) Ready(ctx context.Context) error {
	select {
	case <-s.draining:
		return errDraining
	default:
	}
	if err := s.services.ready(ctx); err != nil {
		return err
	}
	return s.deps.Store.Ping(ctx)
}

// Lead runs f as long as this server is the one of its kind that does what must be done once, again whenever it becomes
// that, until ctx ends. A server that is alone always is.
func (s *Server) Lead(ctx context.Context, f func(context.Context) error) error {
	if s.services.node == nil {
		return f(ctx)
	}
	return s.services.node.Lead(ctx, f)
}

// FirstRun returns what to print while the server has no administrator, empty otherwise.
func (s *Server) FirstRun(ctx context.Context) (string, error) {
	return s.services.firstRun(ctx, s.base)
}

// shutdownPatience is how long open requests may take to end.
const shutdownPatience = 10 * time.Second

// Leaving is closed when the server begins to stop, after it has gone on for the time that Config.Drain gives.
func (s *Server) Leaving() <-chan struct{} { return s.leaving }

// drain lets everybody know that the server is about to stop, and some time pass.
func (s *Server) drain(failed <-chan error) error {
	close(s.draining)
	if s.config.Drain <= 0 {
		return nil
	}
	s.log.Info("told to stop", "in", s.config.Drain)
	text := fmt.Sprintf("The server restarts in %v. Games go on afterwards, and no clock runs meanwhile.", s.config.Drain)
	s.services.sockets.Announce(frames.Announce{Msg: text, Date: s.now().Add(s.config.Drain).UnixMilli()})
	s.services.bus.Broadcast(live.GameTopic(""), play.Notice(text))
	select {
	case err := <-failed:
		return err
	case <-time.After(s.config.Drain):
		return nil
	}
}

// Run serves until ctx ends and the time of Config.Drain has passed, then ends the streams, waits for the requests in flight and for the services, and
// returns nil. It may be called once.
func (s *Server) Run(ctx context.Context) error {
	// The services outlive the requests.
	serving, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	failed := make(chan error, 4)
	fail := func(err error) {
		select {
		case failed <- err:
		default:
		}
	}
	var work sync.WaitGroup
	for _, job := range s.services.jobs() {
		work.Go(func() {
			if err := job.run(serving); err != nil && serving.Err() == nil {
				fail(fmt.Errorf("%s: %w", job.name, err))
			}
		})
	}
	var listeners sync.WaitGroup
	serve := func(h *http.Server, l net.Listener) {
		listeners.Go(func() {
			if err := h.Serve(l); !closedError(err) {
				fail(err)
			}
		})
	}
	serve(s.http, s.listener)
	serve(s.http, s.pipe)
	operators := &http.Server{Handler: opsHandler(s.Ready, s.deps.Metrics.Handler()), ReadHeaderTimeout: 10 * time.Second}
	if s.ops != nil {
		serve(operators, s.ops)
	}

	var err error
	select {
	case <-ctx.Done():
		err = s.drain(failed)
	case err = <-failed:
	}
	close(s.leaving)
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownPatience)
	defer cancel()
	if s.services.node != nil {
		s.services.node.Leave(end) // others go on with the games, and this server reaches them there
	}
	err = errors.Join(err, s.shutdown(end, operators))
	listeners.Wait()
	stop(nil)
	work.Wait()
	s.services.close()
	return err
}

// shutdown ends the streams first: the HTTP server waits for open answers, and a stream would stay open for ever.
func (s *Server) shutdown(ctx context.Context, operators *http.Server) error {
	s.http.SetKeepAlivesEnabled(false)
	_ = s.listener.Close()
	err := s.services.closeStreams(ctx)
	for _, h := range []*http.Server{s.http, operators} {
		// The listener is closed already; whether Serve has noticed is a race.
		if e := h.Shutdown(ctx); e != nil && !errors.Is(e, net.ErrClosed) {
			err = errors.Join(err, e, h.Close())
		}
	}
	if s.ops != nil {
		_ = s.ops.Close()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("some requests were cut off at shutdown")
		return nil
	}
	return err
}

// Close gives the addresses of a server back that is not going to run.
func (s *Server) Close() {
	s.unbind()
	s.services.close()
}
