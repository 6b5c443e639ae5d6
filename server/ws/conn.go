package ws

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"hoplite/openapi/frames"
	"hoplite/server/api"
	"hoplite/server/stream"
)

// conn is one socket. One goroutine reads and one writes; whatever is to be sent goes through the queue.
//
// Lock order: Server.mu, rooms.mu, room.mu or hall.mu, conn.mu, queue.mu.
type conn struct {
	s      *Server
	socket *websocket.Conn
	cork   *cork // of the socket
	end    context.CancelCauseFunc
	queue  queue
	lag    atomic.Int64 // ms of the last round trip
	lanes  lanes

	// What follows belongs to the reader.
	bucket  bucket
	bad     int // frames that were none
	guesses int // wrong tokens

	mu     sync.Mutex
	id     *api.Identity
	exit   func() // leaves the hub, for the present identity
	online func() // leaves the list of those who are online
	games  map[string]*member
	hall   bool
	events context.CancelFunc // ends the subscription to the own events; nil without one
	tv     context.CancelFunc // ends the subscription to TV; nil without one
	seek   *Wait
}

// serve runs a connection until it ends.
func (s *Server) serve(ctx context.Context, socket *websocket.Conn, cork *cork, id *api.Identity) {
	ctx, end := context.WithCancelCause(ctx)
	c := &conn{s: s, socket: socket, cork: cork, end: end, id: id}
	c.queue.init(s.config.Queue)
	c.join(ctx, id)
	leave := s.welcome(c)
	defer leave()
	begin := s.Now()
	s.Log.DebugContext(ctx, "socket opened", "request", api.ClientOf(ctx).RequestID, "account", id.AccountID)
	var writer sync.WaitGroup
	writer.Go(func() { c.write(ctx) })
	c.read(ctx)
	end(errGone)
	c.leaveAll()
	writer.Wait()
	c.lanes.wait()
	if errors.Is(context.Cause(ctx), errSlow) {
		s.slow.Add(1)
	}
	s.Log.DebugContext(ctx, "socket closed", "request", api.ClientOf(ctx).RequestID, "account", c.caller().AccountID,
		"after", s.Now().Sub(begin), "why", context.Cause(ctx))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.online()
	c.exit() // last: a shutdown waits for it
}

// join makes the connection that of an identity.
func (c *conn) join(ctx context.Context, id *api.Identity) {
	held, leave := c.s.Streams.Enter(ctx, stream.OwnerOf(id), "")
	stop := context.AfterFunc(held, func() { c.end(context.Cause(held)) })
	online := func() {}
	if !id.Anonymous {
		online = c.s.Presence.Enter(id.AccountID)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.id, c.online = id, online
	c.exit = func() {
		stop()
		leave()
	}
}

func (c *conn) hello() frames.Hello {
	return frames.Hello{
		Protocol: frames.Protocol, Time: c.s.Now().UnixMilli(), Account: account(c.id),
		Limits: frames.Limits{
			Message: frames.MaxMessage, Subscriptions: frames.MaxSubscriptions, Queue: c.s.config.Queue,
			KeepAlive: c.s.config.KeepAlive.Milliseconds(),
		},
	}
}

func account(id *api.Identity) *frames.Account {
	if id.Anonymous {
		return nil
	}
	return &frames.Account{ID: id.AccountID, Name: id.Name, Title: id.Title}
}

func (c *conn) caller() *api.Identity {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.id
}

// read is the read pump.
func (c *conn) read(ctx context.Context) {
	c.socket.SetReadLimit(frames.MaxMessage)
	wait := func() { _ = c.socket.SetReadDeadline(time.Now().Add(c.s.config.Silence)) }
	wait()
	c.socket.SetPongHandler(func(sent string) error {
		wait()
		if ns, err := strconv.ParseInt(sent, 10, 64); err == nil {
			lag := time.Duration(c.s.Now().UnixNano() - ns)
			c.lag.Store(max(1, lag.Milliseconds()))
			if id := c.caller(); !id.Anonymous {
				c.s.Presence.Measured(id.AccountID, lag)
			}
		}
		return nil
	})
	for ctx.Err() == nil {
		kind, data, err := c.socket.ReadMessage()
		if err != nil || ctx.Err() != nil {
			return
		}
		wait()
		if kind != websocket.TextMessage {
			c.end(errBinary)
			return
		}
		c.handle(ctx, data)
	}
}

// write is the write pump.
func (c *conn) write(ctx context.Context) {
	defer func() { _ = c.socket.Close() }()
	tick := time.NewTicker(c.s.config.KeepAlive)
	defer tick.Stop()
	var batch []message
	var sent map[string]uint64
	flush := func(patience time.Duration) bool {
		batch = c.queue.take(batch)
		if len(batch) > 1 {
			c.cork.hold()
		}
		for _, m := range batch {
			if !c.writeOne(m.data, patience) {
				return false
			}
		}
		if c.cork.letGo() != nil {
			return false
		}
		for _, m := range batch {
			c.queue.wrote(m)
			if m.game != "" {
				if sent == nil {
					sent = make(map[string]uint64)
				}
				sent[m.game] = m.version
			}
		}
		return true
	}
	for {
		select {
		case <-ctx.Done():
			if !errors.Is(context.Cause(ctx), errSlow) && !flush(closePatience) {
				return
			}
			c.farewell(context.Cause(ctx), sent)
			return
		case <-c.queue.wake:
			if !flush(writePatience) {
				c.end(errGone)
				return
			}
		case <-tick.C:
			c.push("live", 0, c.live())
			sentAt := strconv.FormatInt(c.s.Now().UnixNano(), 10)
			if c.socket.WriteControl(websocket.PingMessage, []byte(sentAt), time.Now().Add(writePatience)) != nil {
				c.end(errGone)
				return
			}
		}
	}
}

func (c *conn) writeOne(data []byte, patience time.Duration) bool {
	_ = c.socket.SetWriteDeadline(time.Now().Add(patience))
	return c.socket.WriteMessage(websocket.TextMessage, data) == nil
}

// farewell tells the peer why the connection ends, if it still listens.
func (c *conn) farewell(cause error, sent map[string]uint64) {
	code, text, bye := closing(cause)
	if code == 0 {
		return
	}
	if bye {
		data := encode("bye", 0, frames.Bye{Code: code, Reason: text, Resume: sent})
		if !c.writeOne(data, closePatience) {
			return
		}
	}
	close := websocket.FormatCloseMessage(code, text)
	_ = c.socket.WriteControl(websocket.CloseMessage, close, time.Now().Add(closePatience))
}

func (c *conn) authenticate(ctx context.Context, secret string) (*api.Identity, error) {
	id, err := c.s.Auth.Authenticate(ctx, secret, "")
	if err == nil && id == nil {
		id = &api.Identity{Anonymous: true}
	}
	return id, err
}

// push encodes a frame and queues it.
func (c *conn) push(t string, id uint64, d any) { c.send(message{data: encode(t, id, d)}) }

// send queues a message. A client for which there is no room loses its connection: it never holds up anybody else.
func (c *conn) send(m message) {
	if c.queue.push(m) {
		return
	}
	c.end(errSlow)
	// The writer may be stuck in a write to a peer that does not read.
	_ = c.socket.NetConn().SetWriteDeadline(time.Now().Add(closePatience))
}

// breathe waits until the client has read most of what it asked for.
func (c *conn) breathe(ctx context.Context) {
	for c.queue.crowded() {
		select {
		case <-c.queue.drained:
		case <-ctx.Done():
			return
		}
	}
}

// live is the keep-alive: the present version of each game that is followed.
func (c *conn) live() frames.Live {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := frames.Live{Time: c.s.Now().UnixMilli(), Lag: c.lag.Load(), Games: make(map[string]uint64, len(c.games))}
	for id, m := range c.games {
		v := m.version.Load()
		if stored, ok := c.s.Live.Version(id); ok {
			v = max(v, stored)
		}
		f.Games[id] = v
	}
	return f
}

// encode writes a frame.
func encode(t string, id uint64, d any) []byte {
	body, err := json.Marshal(d)
	if err != nil {
		panic("ws: a frame cannot be encoded: " + err.Error()) // the types of package frames always can
	}
	return envelope(t, id, body)
}

// envelope puts a frame around its encoded d.
func envelope(t string, id uint64, d []byte) []byte {
	data := make([]byte, 0, len(d)+len(t)+32)
	data = append(append(append(data, `{"t":"`...), t...), '"')
	if id != 0 {
		data = strconv.AppendUint(append(data, `,"id":`...), id, 10)
	}
	data = append(append(data, `,"d":`...), d...)
	return append(data, '}')
}
