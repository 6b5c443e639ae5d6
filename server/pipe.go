package server

import (
	"context"
	"net"
	"sync"
)

// pipeListener takes connections from inside of the process, for clients that need no port.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
}

// pipeNetwork is the network of such connections, by which they are told from others.
const pipeNetwork = "pipe"

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return pipeNetwork }
func (pipeAddr) String() string  { return pipeNetwork }

func (l *pipeListener) dial(ctx context.Context) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		return ours, nil
	case <-l.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type pipeKey struct{}

// markPipe tells the requests of a connection that it comes from inside.
func markPipe(ctx context.Context, c net.Conn) context.Context {
	if c.LocalAddr().Network() == pipeNetwork {
		return context.WithValue(ctx, pipeKey{}, true)
	}
	return ctx
}

func fromInside(ctx context.Context) bool {
	inside, _ := ctx.Value(pipeKey{}).(bool)
	return inside
}
