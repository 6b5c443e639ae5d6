package ws

import (
	"bufio"
	"net"
	"net/http"
	"sync"
)

// cork is a connection that holds back what is written until it is let go, so that frames that wait together go in one
// write.
type cork struct {
	net.Conn
	mu   sync.Mutex // the reader answers pings
	held []byte
	on   bool
}

// keptCork bounds the room that an idle connection keeps for what it holds back.
const keptCork = 1 << 10

func (c *cork) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.on {
		return c.Conn.Write(b)
	}
	c.held = append(c.held, b...)
	return len(b), nil
}

// hold begins to hold back.
func (c *cork) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on = true
}

// letGo writes what was held back.
func (c *cork) letGo() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on = false
	if len(c.held) == 0 {
		return nil
	}
	_, err := c.Conn.Write(c.held)
	if c.held = c.held[:0]; cap(c.held) > keptCork {
		c.held = nil
	}
	return err
}

// corking gives whoever takes over a connection a cork around it.
type corking struct {
	http.ResponseWriter
	cork *cork
}

// Hijack is http.Hijacker's.
func (w *corking) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	w.cork = &cork{Conn: conn}
	return w.cork, rw, nil
}
