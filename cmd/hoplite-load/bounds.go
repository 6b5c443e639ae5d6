package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/gorilla/websocket"
)

// bounds are what no server on this machine can beat.
type bounds struct {
	Connections int
	// Echo and Socket: answers a second of a bare Echo handler, and of a bare socket that decodes and acknowledges.
	Echo, Socket rateOf
	// Commit: rows a second of a bare group commit on SQLite, with 512 games.
	Commit rateOf
	// SocketMemory and StreamMemory: resident bytes of an idle connection.
	SocketMemory, StreamMemory int64
}

// rateOf is how fast something went, and what it cost its server.
type rateOf struct {
	PerSecond float64
	CPU       microseconds // of the server, each
	quantiles
}

// microseconds is a duration as people read it.
type microseconds float64

func us(d time.Duration) microseconds { return microseconds(d.Nanoseconds()) / 1000 }

const (
	// boundFor is how long a bound is measured at most.
	boundFor = 5 * time.Second
	// idleConnections are opened to see what one of them takes.
	idleConnections = 2000
	// endless is more than any bound plays.
	endless = 1 << 30
)

func (c runCmd) boundFor() time.Duration { return min(boundFor, c.For) }

func measureBounds(ctx context.Context, c runCmd, moves []string) (bounds, error) {
	b := bounds{Connections: c.Bounds}
	var err error
	if b.Echo, b.StreamMemory, err = bareRate(ctx, c, "echo", openEcho, openStream); err != nil {
		return b, fmt.Errorf("bare Echo: %w", err)
	}
	if b.Socket, b.SocketMemory, err = bareRate(ctx, c, "socket", openBareSocket, idleSocket); err != nil {
		return b, fmt.Errorf("bare socket: %w", err)
	}
	if b.Commit, err = bareCommit(ctx, c, 512, 0, moves); err != nil {
		return b, fmt.Errorf("bare commit: %w", err)
	}
	return b, nil
}

// bareCommit stores the moves of n games in a SQLite file, at a rate, or as fast as it goes if that is 0.
func bareCommit(ctx context.Context, c runCmd, n int, rate float64, moves []string) (r rateOf, err error) {
	folder, err := os.MkdirTemp("", "hoplite-load-")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	tables, done, err := openCommits(ctx, filepath.Join(folder, "commit.db"), n, moves)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, done()) }()
	var o *outcome
	cpu := ownCPU()
	if rate == 0 {
		o, err = rush(ctx, tables, make([]int, n), c.boundFor(), len(moves))
	} else {
		o, err = keepPace(ctx, tables, make([]int, n), rate, c.boundFor(), len(moves))
	}
	return o.rate(ownCPU() - cpu), err
}

func (o *outcome) rate(cpu time.Duration) rateOf {
	return rateOf{
		PerSecond: float64(o.moves) / o.elapsed.Seconds(), CPU: us(cpu / time.Duration(max(o.moves, 1))), quantiles: o.acked.quantiles(),
	}
}

// bareRate asks a bare server over n connections as fast as it answers, and then opens many that stay idle.
func bareRate[T table](ctx context.Context, c runCmd, kind string, open func(url string) (T, io.Closer, error),
	idle func(url string) (io.Closer, error),
) (r rateOf, perIdle int64, err error) {
	p, err := startBare(ctx, kind)
	if err != nil {
		return r, 0, err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	var opened closers
	defer func() { opened.close() }()
	tables := make([]T, c.Bounds)
	for i := range tables {
		var one io.Closer
		if tables[i], one, err = open(p.URL); err != nil {
			return r, 0, err
		}
		opened = append(opened, one)
	}
	before, err := p.usage()
	if err != nil {
		return r, 0, err
	}
	o, err := rush(ctx, tables, make([]int, c.Bounds), c.boundFor(), endless)
	if err != nil {
		return r, 0, err
	}
	after, err := p.usage()
	if err != nil {
		return r, 0, err
	}
	r = o.rate(after.cpu - before.cpu)
	for range idleConnections {
		one, err := idle(p.URL)
		if err != nil {
			return r, 0, err
		}
		opened = append(opened, one)
	}
	full, err := p.usage()
	return r, (full.rss - after.rss) / idleConnections, err
}

type closers []io.Closer

func (c closers) close() {
	for _, one := range c {
		_ = one.Close()
	}
}

// echoTable asks the bare handler.
type echoTable struct {
	client *http.Client
	url    string
}

func openEcho(url string) (*echoTable, io.Closer, error) {
	transport := &http.Transport{MaxIdleConnsPerHost: 1, DisableCompression: true}
	return &echoTable{client: &http.Client{Transport: transport}, url: url + "/move"}, idleCloser{transport}, nil
}

type idleCloser struct{ *http.Transport }

// Close ends the connections.
func (c idleCloser) Close() error {
	c.CloseIdleConnections()
	return nil
}

func (t *echoTable) play(ctx context.Context, _ int) (acked, heard time.Time, err error) {
	err = post(ctx, t.client, t.url, "")
	now := time.Now()
	return now, now, err
}

// openStream opens a bare stream over a bare connection, so that this end costs little.
func openStream(url string) (io.Closer, error) {
	return rawConn(url, "GET /stream HTTP/1.1\r\nHost: bare\r\n\r\n")
}

func idleSocket(url string) (io.Closer, error) {
	return rawConn(url, "GET / HTTP/1.1\r\nHost: bare\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
}

func rawConn(url, request string) (io.Closer, error) {
	conn, err := net.Dial("tcp", url[len("http://"):])
	if err != nil {
		return nil, err
	}
	var first [12]byte // HTTP/1.1 101
	if _, err = io.WriteString(conn, request); err == nil {
		_, err = io.ReadFull(conn, first[:])
	}
	if err == nil && first[9] != '1' && first[9] != '2' {
		err = fmt.Errorf("the bare server answered %q", first[:])
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// bareTable asks the bare socket.
type bareTable struct{ conn *websocket.Conn }

func openBareSocket(url string) (*bareTable, io.Closer, error) {
	conn, _, err := websocket.DefaultDialer.Dial("ws"+url[len("http"):], nil)
	return &bareTable{conn}, conn, err
}

func (t *bareTable) play(_ context.Context, n int) (acked, heard time.Time, err error) {
	if err = t.conn.WriteMessage(websocket.TextMessage, moveFrame("q7Ab3dEf", "e2e4", n)); err == nil {
		_, _, err = t.conn.ReadMessage()
	}
	now := time.Now()
	return now, now, err
}

func moveFrame(game, move string, n int) []byte {
	return fmt.Appendf(nil, `{"t":"move","id":%d,"d":{"game":%q,"move":%q,"key":"k%d"}}`, n+1, game, move, n)
}
