package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"hoplite/openapi/frames"
)

// Socket is a websocket that stays: when the connection is lost it connects again, takes every subscription up after the
// last version that came, and sends the actions again that have had no answer. With their keys they act once.
//
// Its methods may be called from any goroutine.
type Socket struct {
	c       *Client
	backoff Backoff
	dialer  websocket.Dialer
	stop    context.CancelCauseFunc
	done    <-chan struct{} // closed when the socket has ended for good
	why     func() error
	over    sync.WaitGroup

	write sync.Mutex // one writer at a time; before mu

	mu      sync.Mutex
	conn    *websocket.Conn // nil while there is none that may be used
	last    uint64          // id of the last frame
	waiting map[uint64]*request
	feeds   map[string]*feed
	lag     time.Duration
	offset  time.Duration // the server's time minus ours
	notice  *frames.Announce
}

// request is a frame that waits for its answer.
type request struct {
	frame  []byte
	repeat bool // it may be sent again over another connection
	answer chan answer
}

type answer struct {
	ack frames.Ack
	err error
}

// FrameError is a frame that the server refused.
type FrameError struct {
	Type    string // of the frame, as far as it is known
	Code    string // one of frames.Codes
	Message string
	Fields  map[string][]string
	Retry   time.Duration // when another try makes sense, 0 if the server did not say
}

func (e *FrameError) Error() string {
	return fmt.Sprintf("websocket %s: %s: %s", e.Type, e.Code, e.Message)
}

// Temporary reports whether the same frame may be done later.
func (e *FrameError) Temporary() bool {
	return e.Code == frames.CodeUnavailable || e.Code == frames.CodeLimited
}

// The ends of a Socket and of what it was asked.
var (
	// ErrSocketClosed says that Close was called.
	ErrSocketClosed = errors.New("the socket was closed")
	// ErrRevoked says that the token does not hold any more.
	ErrRevoked = errors.New("the token does not hold any more")
	// ErrLost says that the connection went away before the answer came, and that the request cannot be repeated
	// without acting twice.
	ErrLost = errors.New("the connection was lost before the answer")
)

const (
	socketPatience = 15 * time.Second // for a handshake or a write
	frameLimit     = 4 << 20
)

// Socket connects to the server's websocket as the client's account. ctx bounds the first try alone; the socket lives
// until Close, and until its token is revoked.
func (c *Client) Socket(ctx context.Context) (*Socket, error) {
	s := &Socket{
		c: c, backoff: Backoff{First: 250 * time.Millisecond, Max: 10 * time.Second},
		dialer:  websocket.Dialer{Subprotocols: []string{frames.Protocol}, HandshakeTimeout: socketPatience},
		waiting: make(map[uint64]*request), feeds: make(map[string]*feed),
	}
	if t, ok := c.http.Transport.(*http.Transport); ok {
		s.dialer.NetDialContext, s.dialer.TLSClientConfig, s.dialer.Proxy = t.DialContext, t.TLSClientConfig, t.Proxy
	} else {
		s.dialer.Proxy = http.ProxyFromEnvironment
	}
	conn, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	life, stop := context.WithCancelCause(context.Background())
	s.stop, s.done, s.why = stop, life.Done(), func() error { return context.Cause(life) }
	s.over.Go(func() { s.run(life, conn) })
	return s, nil
}

// Close ends the socket. Requests and streams end with ErrSocketClosed.
func (s *Socket) Close() error {
	s.stop(ErrSocketClosed)
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	if conn != nil {
		text := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
		_ = conn.WriteControl(websocket.CloseMessage, text, time.Now().Add(time.Second))
		_ = conn.Close()
	}
	s.over.Wait()
	return nil
}

// Lag is the last round trip as the server measured it, 0 before it has.
func (s *Socket) Lag() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lag
}

// Announcement returns the last notice from those who run the server: that it is about to restart, say. It is nil without
// one on the present connection.
func (s *Socket) Announcement() *frames.Announce {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.notice
}

// ServerTime is the server's time at a time of ours.
func (s *Socket) ServerTime(at time.Time) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return at.Add(s.offset)
}

// connect opens one connection and names its account.
func (s *Socket) connect(ctx context.Context) (*websocket.Conn, error) {
	lost := func(err error) error { return &TransportError{Method: http.MethodGet, Path: frames.Path, Err: err} }
	scheme := map[string]string{"http": "ws", "https": "wss"}[s.c.base.Scheme]
	header := http.Header{"User-Agent": {s.c.agent}}
	conn, resp, err := s.dialer.DialContext(ctx, scheme+"://"+s.c.base.Host+frames.Path, header)
	if err != nil {
		if resp != nil && resp.StatusCode >= 300 {
			return nil, checkResponse(http.MethodGet, frames.Path, resp)
		}
		return nil, lost(err)
	}
	conn.SetReadLimit(frameLimit)
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	_ = conn.SetReadDeadline(time.Now().Add(socketPatience))
	var hello frames.Hello
	f := frames.Frame{}
	if err = conn.ReadJSON(&f); err == nil {
		err = json.Unmarshal(f.D, &hello)
	}
	if err == nil && (f.T != "hello" || hello.Protocol != frames.Protocol) {
		err = fmt.Errorf("the server speaks %q", hello.Protocol)
	}
	if err == nil {
		s.mu.Lock()
		s.offset = time.Until(time.UnixMilli(hello.Time))
		s.mu.Unlock()
		err = s.authenticate(conn)
	}
	if err != nil {
		_ = conn.Close()
		if _, refused := errors.AsType[*FrameError](err); refused {
			return nil, err
		}
		return nil, lost(err)
	}
	return conn, nil
}

// authID is the id of the auth frame; no other frame has it.
const authID = frames.MaxID

func (s *Socket) authenticate(conn *websocket.Conn) error {
	if s.c.token == "" {
		return nil
	}
	_ = conn.SetWriteDeadline(time.Now().Add(socketPatience))
	if err := conn.WriteMessage(websocket.TextMessage, frame("auth", authID, frames.Auth{Token: s.c.token})); err != nil {
		return err
	}
	for {
		var f frames.Frame
		if err := conn.ReadJSON(&f); err != nil {
			return err
		}
		if f.ID == authID {
			if f.T == "err" {
				return refusalOf("auth", f.D)
			}
			return nil
		}
		s.receive(f)
	}
}

func frame(t string, id uint64, d any) []byte {
	body, err := json.Marshal(d)
	if err == nil {
		body, err = json.Marshal(frames.Frame{T: t, ID: id, D: body})
	}
	if err != nil {
		panic("client: a frame cannot be encoded: " + err.Error()) // the types of package frames always can
	}
	return body
}

func refusalOf(t string, d json.RawMessage) error {
	var e frames.Err
	if err := json.Unmarshal(d, &e); err != nil {
		return &DecodeError{Method: "websocket", Path: t, Excerpt: string(d[:min(len(d), 120)]), Err: err}
	}
	return &FrameError{Type: t, Code: e.Code, Message: e.Error, Fields: e.Fields, Retry: time.Duration(e.Retry) * time.Millisecond}
}

// run keeps the socket connected until it is closed.
func (s *Socket) run(ctx context.Context, conn *websocket.Conn) {
	failures := 0
	for {
		opened := time.Now()
		s.use(conn)
		code := s.read(ctx, conn)
		s.lose(conn)
		if ctx.Err() == nil && code == frames.CloseRevoked {
			s.stop(ErrRevoked)
		}
		if time.Since(opened) > s.backoff.Max {
			failures = 0
		}
		for conn = nil; conn == nil && ctx.Err() == nil; {
			failures++
			if sleep(ctx, s.backoff.wait(failures)) != nil {
				break
			}
			var err error
			if conn, err = s.connect(ctx); err == nil {
				continue
			}
			conn = nil
			if e, ok := errors.AsType[*FrameError](err); ok && !e.Temporary() {
				s.stop(fmt.Errorf("%w: %w", ErrRevoked, e))
			}
		}
		if ctx.Err() != nil {
			if conn != nil {
				_ = conn.Close()
			}
			s.end(context.Cause(ctx))
			return
		}
	}
}

// use makes a connection the present one: subscriptions first, so that no event of what is repeated is missed.
func (s *Socket) use(conn *websocket.Conn) {
	s.write.Lock()
	defer s.write.Unlock()
	s.mu.Lock()
	s.conn = conn
	var out [][]byte
	for _, f := range s.feeds {
		out = append(out, s.subscribe(f))
	}
	ids := make([]uint64, 0, len(s.waiting))
	for id, r := range s.waiting {
		if r.repeat {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		out = append(out, s.waiting[id].frame)
	}
	s.mu.Unlock()
	for _, data := range out {
		put(conn, data)
	}
}

// put writes a frame. A failure is the reader's to notice.
func put(conn *websocket.Conn, data []byte) {
	_ = conn.SetWriteDeadline(time.Now().Add(socketPatience))
	if conn.WriteMessage(websocket.TextMessage, data) != nil {
		_ = conn.Close()
	}
}

// send writes a frame over the present connection, if there is one.
func (s *Socket) send(data []byte) {
	s.write.Lock()
	defer s.write.Unlock()
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	if conn != nil {
		put(conn, data)
	}
}

// lose gives the connection up and fails what must not be repeated.
func (s *Socket) lose(conn *websocket.Conn) {
	_ = conn.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn, s.notice = nil, nil
	for id, r := range s.waiting {
		if !r.repeat {
			delete(s.waiting, id)
			r.answer <- answer{err: ErrLost}
		}
	}
}

// end fails everything that still waits.
func (s *Socket) end(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, r := range s.waiting {
		delete(s.waiting, id)
		r.answer <- answer{err: cause}
	}
	for key, f := range s.feeds {
		delete(s.feeds, key)
		f.finish(cause)
	}
}

// read handles frames until the connection ends, and returns the code with which the server closed it.
func (s *Socket) read(ctx context.Context, conn *websocket.Conn) int {
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	for {
		_ = conn.SetReadDeadline(time.Now().Add(s.c.idle)) // live frames come far more often
		var f frames.Frame
		if err := conn.ReadJSON(&f); err != nil {
			if e, ok := errors.AsType[*websocket.CloseError](err); ok {
				return e.Code
			}
			return 0
		}
		s.receive(f)
	}
}
