// Package ws is the websocket of the API: one connection over which a page or a program follows games, the lobby and its
// own events, and plays. Package frames has the frames, asyncapi.yaml describes them.
package ws

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
	"github.com/labstack/echo/v4"

	"hoplite/openapi"
	"hoplite/openapi/frames"
	"hoplite/server/api"
	"hoplite/server/bus"
	"hoplite/server/lichess"
	"hoplite/server/live/game"
	"hoplite/server/stream"
)

// Live is what sockets need of the games being played.
type Live interface {
	Act(ctx context.Context, gameID string, a game.Action) (game.Ack, error)
	Snapshot(ctx context.Context, gameID string) (*game.Snapshot, error)
	Subscribe(ctx context.Context, gameID string) (*game.Snapshot, *bus.Subscription, error)
	Since(ctx context.Context, gameID string, version uint64) ([]game.Event, *game.Snapshot, error)
	Version(gameID string) (uint64, bool)
	Ongoing(ctx context.Context, accountID string) ([]*game.Snapshot, error)
	Attend(gameID string, player int) (leave func())
}

// Wait is an open seek of a socket. Game is set if it made a game at once; Done is closed when the seek is over.
type Wait struct {
	ID, Game string
	Done     <-chan struct{}
	Cancel   func()
}

// Lobby is where people look for anybody to play.
type Lobby interface {
	// Watch returns the open seeks and a subscription to frames.LobbySeek and frames.SeekGone.
	Watch(ctx context.Context) ([]frames.LobbySeek, *bus.Subscription, error)
	Ask(ctx context.Context, accountID string, f frames.Seek) (Wait, error)
	Withdraw(ctx context.Context, accountID, seekID string) error
	Join(ctx context.Context, accountID, seekID string) (gameID string, err error)
}

// Challenges lists the challenges of an account and makes rematches.
type Challenges interface {
	// Open returns the challenges that wait for an answer: those to the account and those that it made.
	Open(ctx context.Context, accountID string) ([]openapi.Challenge, error)
	OfferRematch(ctx context.Context, by *api.Identity, gameID string) (id string, started bool, err error)
	RefuseRematch(ctx context.Context, by *api.Identity, gameID string) (done bool, err error)
	// Challenge makes a challenge, or a game if started. Until ctx ends, alive keeps a challenge that needs it.
	Challenge(ctx context.Context, by *api.Identity, f frames.Challenge) (id string, started bool, alive func(ctx context.Context), err error)
	// Answer accepts or declines; started says that the game has begun.
	Answer(ctx context.Context, by *api.Identity, f frames.Answer) (started bool, err error)
	Cancel(ctx context.Context, by *api.Identity, id string) error
}

// TV knows the channels and the best game on each.
type TV interface {
	Channels(ctx context.Context) ([]frames.TVChannel, error)
}

// Presence notes who is online, and how long messages to them take.
type Presence interface {
	Enter(accountID string) (leave func())
	Measured(accountID string, lag time.Duration)
}

// Deps is what sockets work with. Admit may be nil; everything else is required.
type Deps struct {
	Live       Live
	Lobby      Lobby
	Challenges Challenges
	Presence   Presence
	Blocks     lichess.Relations
	Auth       api.Authenticator
	Games      *lichess.Games
	TV         TV
	Bus        *bus.Bus
	Streams    *stream.Hub
	// Admit says whether one more socket may be opened from where the request comes from.
	Admit func(c echo.Context) (leave func(), err error)
	Now   func() time.Time
	Log   *slog.Logger
}

// Config is how sockets behave; zero values stand for the usual ones.
type Config struct {
	// URL is the public address of the server. Without one the page's origin is that of the request.
	URL string
	// KeepAlive is the time between live frames.
	KeepAlive time.Duration
	// Silence is how long a peer may send nothing, not even a pong.
	Silence time.Duration
	// Queue is how many frames may wait for a client.
	Queue int
	// Unlimited drops the limit on what a socket asks for.
	Unlimited bool
}

const (
	defaultKeepAlive = 6 * time.Second
	defaultSilence   = 40 * time.Second
	defaultQueue     = 256
	// queueBytes bounds what waits for a client; one frame may always wait.
	queueBytes = 256 << 10
	// writePatience is how long a write may be stuck.
	writePatience = 10 * time.Second
	// closePatience is the same for the last frames of a connection.
	closePatience = time.Second
	// ioBuffer is the size of the buffers of a connection. That for writing is borrowed.
	ioBuffer = 1 << 10
	// kernelBuffer is what the kernel may keep unsent for a connection. It is enough for the usual bursts.
	kernelBuffer = 64 << 10
)

// Server serves sockets.
type Server struct {
	Deps
	config   Config
	upgrader websocket.Upgrader
	rooms    rooms
	lobby    hall
	slow     atomic.Uint64

	mu     sync.Mutex // guards what follows; before conn.mu and queue.mu
	conns  map[*conn]struct{}
	notice []byte // what everybody is to know, nil without any
}

// Open returns how many sockets are open.
func (s *Server) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

// Announce tells every socket something, those too that are opened later.
func (s *Server) Announce(a frames.Announce) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notice = encode("announce", 0, a)
	for c := range s.conns {
		c.send(message{data: s.notice})
	}
}

// welcome notes a connection until leave is called.
func (s *Server) welcome(c *conn) (leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns[c] = struct{}{}
	c.push("hello", 0, c.hello())
	if s.notice != nil {
		c.send(message{data: s.notice})
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.conns, c)
	}
}

// Slow returns how many sockets were closed because their clients did not read.
func (s *Server) Slow() uint64 { return s.slow.Load() }

// New returns a server of sockets.
func New(c Config, d Deps) *Server {
	s := &Server{Deps: d, config: c}
	if s.config.KeepAlive <= 0 {
		s.config.KeepAlive = defaultKeepAlive
	}
	if s.config.Silence <= 0 {
		s.config.Silence = defaultSilence
	}
	if s.config.Queue <= 0 {
		s.config.Queue = defaultQueue
	}
	s.upgrader = websocket.Upgrader{
		HandshakeTimeout: writePatience,
		ReadBufferSize:   ioBuffer,
		WriteBufferSize:  ioBuffer,
		WriteBufferPool:  new(sync.Pool),
		Subprotocols:     []string{frames.Protocol},
		// Pages of any origin may connect. What they may not do is use the visitor's cookie: see ownOrigin.
		CheckOrigin: func(*http.Request) bool { return true },
		Error:       func(http.ResponseWriter, *http.Request, int, error) {}, // the caller answers
	}
	s.rooms.open = make(map[string]*room)
	s.conns = make(map[*conn]struct{})
	return s
}

// Handle takes a socket. It returns once the connection is handed over.
func (s *Server) Handle(c echo.Context) error {
	r := c.Request()
	switch {
	case !websocket.IsWebSocketUpgrade(r):
		c.Response().Header().Set("Upgrade", "websocket")
		return api.Refuse(http.StatusUpgradeRequired, "This address takes websockets only")
	case r.URL.RawQuery != "":
		return api.Refuse(http.StatusBadRequest, "The websocket takes no query. A token goes into an auth frame.")
	case !slices.Contains(websocket.Subprotocols(r), frames.Protocol):
		return api.Refuse(http.StatusBadRequest, "The subprotocol must be "+frames.Protocol)
	}
	id, err := s.caller(r)
	if err != nil {
		return err
	}
	leave := func() {}
	if s.Admit != nil {
		if leave, err = s.Admit(c); err != nil {
			return err
		}
	}
	taken := &corking{ResponseWriter: c.Response()}
	socket, err := s.upgrader.Upgrade(taken, r, nil)
	if err != nil {
		leave()
		return api.Refuse(http.StatusBadRequest, "Not a websocket handshake")
	}
	c.Response().Status = http.StatusSwitchingProtocols
	if tcp, ok := taken.cork.Conn.(interface{ SetWriteBuffer(int) error }); ok {
		// What the kernel keeps for a client that does not read is memory too.
		_ = tcp.SetWriteBuffer(kernelBuffer)
	}
	// The request's own context ends with this call.
	ctx := api.WithClient(context.Background(), api.ClientOf(r.Context()))
	go func() {
		defer leave()
		s.serve(ctx, socket, taken.cork, id)
	}()
	return nil
}

// caller is who a cookie names, if the cookie counts.
func (s *Server) caller(r *http.Request) (*api.Identity, error) {
	anonymous := &api.Identity{Anonymous: true}
	c, err := r.Cookie(api.SessionCookie)
	if err != nil || !s.ownOrigin(r) {
		return anonymous, nil
	}
	id, err := s.Auth.Authenticate(r.Context(), "", c.Value)
	if err != nil {
		return nil, err
	}
	if id == nil {
		return anonymous, nil
	}
	return id, nil
}

// ownOrigin says whether the server's own page opens the socket.
func (s *Server) ownOrigin(r *http.Request) bool {
	origin, err := url.Parse(r.Header.Get("Origin"))
	if err != nil || origin.Host == "" {
		return false
	}
	if s.config.URL == "" {
		return strings.EqualFold(origin.Host, r.Host)
	}
	own, err := url.Parse(s.config.URL)
	return err == nil && origin.Scheme == own.Scheme && hostPort(origin) == hostPort(own)
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return strings.ToLower(u.Hostname()) + ":" + port
}

// Why a connection ends, beside the causes of package stream.
var (
	errGone     = errors.New("the peer is gone")
	errSlow     = errors.New("the peer does not read")
	errProtocol = errors.New("the peer does not speak the protocol")
	errTokens   = errors.New("the peer guesses tokens")
	errBinary   = errors.New("the peer sends binary messages")
)

// closing is how a connection is closed for a cause: with which code, and whether a bye says so before.
func closing(cause error) (code int, text string, bye bool) {
	switch {
	case errors.Is(cause, stream.ErrRevoked):
		return frames.CloseRevoked, "The session or token does not hold any more", true
	case errors.Is(cause, errTokens):
		return frames.CloseRevoked, "Too many wrong tokens", true
	case errors.Is(cause, stream.ErrShutdown):
		return frames.CloseRestart, "The server is going down, please connect again", true
	case errors.Is(cause, errSlow):
		return frames.CloseSlow, "Too many frames are waiting, please connect again and resume", true
	case errors.Is(cause, errProtocol):
		return frames.CloseProtocol, "Too many messages that are no frames", true
	case errors.Is(cause, errBinary):
		return websocket.CloseUnsupportedData, "Frames are text", false
	}
	return 0, "", false
}
