package ws_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"hoplite/openapi/frames"
	"hoplite/server/servertest"
)

// socket is a client of the tests: bare gorilla, so that nothing hides what the server sends.
type socket struct {
	*websocket.Conn
	t    testing.TB
	last uint64 // id
	kept []frames.Frame
}

// dial opens a socket with an Origin and a cookie, both of which may be empty, and reads its hello.
func dial(t testing.TB, s *servertest.Server, header http.Header) (*socket, frames.Hello) {
	t.Helper()
	c := open(t, s, header)
	var hello frames.Hello
	c.want("hello", &hello)
	return c, hello
}

func open(t testing.TB, s *servertest.Server, header http.Header) *socket {
	t.Helper()
	conn, resp, err := tryDial(s, header, frames.Path, frames.Protocol)
	if err != nil {
		t.Fatalf("dial: %v (%v)", err, resp)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &socket{Conn: conn, t: t}
}

func tryDial(s *servertest.Server, header http.Header, path, protocol string) (*websocket.Conn, *http.Response, error) {
	d := websocket.Dialer{HandshakeTimeout: 10 * time.Second}
	if protocol != "" {
		d.Subprotocols = []string{protocol}
	}
	return d.Dial("ws"+strings.TrimPrefix(s.URL, "http")+path, header)
}

// as opens a socket and names its account.
func as(t testing.TB, s *servertest.Server, u *servertest.User) *socket {
	t.Helper()
	c, _ := dial(t, s, nil)
	c.do("auth", frames.Auth{Token: u.Token})
	return c
}

// write sends a frame without an answer.
func (c *socket) write(t string, id uint64, d any) {
	c.t.Helper()
	data, err := json.Marshal(map[string]any{"t": t, "id": id, "d": d})
	if err != nil {
		c.t.Fatal(err)
	}
	if err := c.WriteMessage(websocket.TextMessage, data); err != nil {
		c.t.Fatalf("write %s: %v", t, err)
	}
}

// read returns the next frame.
func (c *socket) read() (frames.Frame, error) {
	_ = c.SetReadDeadline(time.Now().Add(patience))
	_, data, err := c.ReadMessage()
	if err != nil {
		return frames.Frame{}, err
	}
	var f frames.Frame
	if err := json.Unmarshal(data, &f); err != nil {
		return f, err
	}
	fits(c.t, f, data)
	return f, nil
}

// want returns the next frame of a type. Others are kept for later.
func (c *socket) want(t string, d any) frames.Frame {
	c.t.Helper()
	f, err := c.first(func(f frames.Frame) bool { return f.T == t })
	if err != nil {
		c.t.Fatalf("waiting for %s: %v", t, err)
	}
	if d != nil {
		if err := json.Unmarshal(f.D, d); err != nil {
			c.t.Fatalf("%s: %v: %s", t, err, f.D)
		}
	}
	return f
}

// first returns the first frame that is meant, of those kept and those to come.
func (c *socket) first(meant func(frames.Frame) bool) (frames.Frame, error) {
	for i, f := range c.kept {
		if meant(f) {
			c.kept = append(c.kept[:i:i], c.kept[i+1:]...)
			return f, nil
		}
	}
	for end := time.Now().Add(patience); time.Now().Before(end); {
		f, err := c.read()
		if err != nil || meant(f) {
			return f, err
		}
		c.kept = append(c.kept, f)
	}
	return frames.Frame{}, errors.New("it did not come")
}

// patience is how long the tests wait for a frame, on a machine that has more to do.
const patience = 30 * time.Second

// ask sends a frame and returns its answer.
func (c *socket) ask(t string, d any) (frames.Ack, *frames.Err) {
	c.t.Helper()
	c.last++
	c.write(t, c.last, d)
	return c.answer(c.last)
}

// answer waits for the answer to a frame.
func (c *socket) answer(id uint64) (ack frames.Ack, refused *frames.Err) {
	c.t.Helper()
	f, err := c.first(func(f frames.Frame) bool { return f.ID == id })
	if err != nil {
		c.t.Fatalf("waiting for the answer to %d: %v", id, err)
	}
	if f.T == "err" {
		refused = new(frames.Err)
		err = json.Unmarshal(f.D, refused)
	} else {
		err = json.Unmarshal(f.D, &ack)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return ack, refused
}

// do is ask for what must succeed.
func (c *socket) do(t string, d any) frames.Ack {
	c.t.Helper()
	ack, refused := c.ask(t, d)
	if refused != nil {
		c.t.Fatalf("%s %v: %+v", t, d, *refused)
	}
	return ack
}

// refused is ask for what must not succeed.
func (c *socket) refused(t string, d any, code string) *frames.Err {
	c.t.Helper()
	_, refused := c.ask(t, d)
	if refused == nil {
		c.t.Fatalf("%s %v was done, want %s", t, d, code)
	}
	if refused.Code != code {
		c.t.Errorf("%s %v: %s (%s), want %s", t, d, refused.Code, refused.Error, code)
	}
	return refused
}

// closed waits for the end of the socket and returns the code and the bye before it.
func (c *socket) closed() (code int, bye frames.Bye) {
	c.t.Helper()
	for {
		f, err := c.read()
		if e, ok := errors.AsType[*websocket.CloseError](err); ok {
			return e.Code, bye
		}
		if err != nil {
			c.t.Fatalf("waiting for the close: %v", err)
		}
		if f.T == "bye" {
			if err := json.Unmarshal(f.D, &bye); err != nil {
				c.t.Fatal(err)
			}
		}
	}
}

// pair is two players with a game between them.
type pair struct {
	s            *servertest.Server
	white, black *servertest.User
	game         string
}

var names struct {
	sync.Mutex
	n int
}

// play makes a game of two new accounts by challenge.
func play(t testing.TB, s *servertest.Server, terms map[string]any) pair {
	t.Helper()
	p := pair{s: s, white: newUser(t, s), black: newUser(t, s)}
	p.again(t, terms)
	return p
}

// startHurried starts a server whose time goes on by half a second with each call of hurry.
func startHurried(t testing.TB) (s *servertest.Server, hurry func()) {
	t.Helper()
	var later atomic.Int64
	s = servertest.Start(t, servertest.Now(func() time.Time { return time.Now().Add(time.Duration(later.Load())) }))
	return s, func() { later.Add(int64(550 * time.Millisecond)) }
}

func newUser(t testing.TB, s *servertest.Server) *servertest.User {
	t.Helper()
	names.Lock()
	names.n++
	name := "p" + strings.Repeat("x", names.n/26) + string(rune('a'+names.n%26))
	names.Unlock()
	return s.SignUp(t, name+"er")
}

// again makes another game of the two.
func (p *pair) again(t testing.TB, terms map[string]any) {
	t.Helper()
	all := map[string]any{"color": "white", "clock.limit": 600, "clock.increment": 0}
	for k, v := range terms {
		all[k] = v
		if v == nil {
			delete(all, k)
		}
	}
	var made struct{ ID string }
	p.white.PostJSON(t, "/api/challenge/"+p.black.Name, all).Want(t, http.StatusOK).JSON(t, &made)
	p.black.Post(t, "/api/challenge/"+made.ID+"/accept", nil).Want(t, http.StatusOK)
	p.game = made.ID
}

func (p *pair) sub() frames.Sub { return frames.Sub{Topic: "game", Game: p.game} }

func since(game string, v uint64) frames.Sub {
	return frames.Sub{Topic: "game", Game: game, Version: &v}
}
