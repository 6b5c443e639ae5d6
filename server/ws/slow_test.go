package ws_test

import (
	"errors"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"hoplite/openapi/frames"
)

// TestSocketsThatStopReading floods a game that a hundred sockets follow without reading. They lose their connection,
// what waits for them stays bounded, and everybody else plays on (G9).
func TestSocketsThatStopReading(t *testing.T) {
	// Not parallel: it measures the heap, and the servers of other tests would count.
	const deaf, lines = 100, 900
	s, hurry := startHurried(t)
	p := play(t, s, map[string]any{"clock.limit": nil, "clock.increment": nil})
	white, black, talker := as(t, s, p.white), as(t, s, p.black), as(t, s, newUser(t, s))
	listener, _ := dial(t, s, nil)
	listener.do("sub", p.sub())
	seen := make(chan int, 1)
	go func() {
		n := 0
		for n < lines {
			f, err := listener.read()
			if err != nil {
				break
			}
			if f.T == "event" && strings.Contains(string(f.D), `"kind":"chat"`) {
				n++
			}
		}
		seen <- n
	}()

	var sockets []*websocket.Conn
	for range deaf {
		d := websocket.Dialer{Subprotocols: []string{frames.Protocol}, NetDial: func(network, addr string) (net.Conn, error) {
			conn, err := net.Dial(network, addr)
			if err == nil {
				err = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
			}
			return conn, err
		}}
		conn, _, err := d.Dial("ws"+strings.TrimPrefix(s.URL, "http")+frames.Path, http.Header{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		if err := conn.WriteJSON(map[string]any{"t": "sub", "id": 1, "d": p.sub()}); err != nil {
			t.Fatal(err)
		}
		sockets = append(sockets, conn)
	}
	before := heap()
	var most uint64
	var waits []time.Duration
	text := strings.Repeat("𝄞", 140)
	moves := []string{"g1f3", "g8f6", "f3g1", "f6g8"}
	for i := range lines {
		hurry() // nobody may write that much at once
		talker.do("chat", frames.Chat{Game: p.game, Text: text})
		if i%100 == 0 && i < 800 {
			start := time.Now()
			n := i / 100
			[]*socket{white, black}[n%2].do("move", frames.Move{Game: p.game, Move: moves[n%4]})
			waits = append(waits, time.Since(start))
			most = max(most, heap())
		}
	}
	if n := <-seen; n != lines {
		t.Errorf("somebody who reads has %d lines, want %d", n, lines)
	}
	t.Logf("%d moves beside the flood, the slowest took %v; the heap grew by %d KiB at most", len(waits), slices.Max(waits),
		(max(most, before)-before)>>10)
	if slow := slices.Max(waits); slow > 10*time.Second {
		t.Errorf("a move took %v", slow)
	}
	// Each of them may have its queue and buffers, and the messages are shared.
	if grown := max(most, before) - before; grown > deaf*(512<<10) {
		t.Errorf("the heap grew by %d KiB for %d sockets", grown>>10, deaf)
	}
	var drained sync.WaitGroup
	for i, conn := range sockets {
		drained.Go(func() {
			// The kernel hands over what it holds in drips: it has stopped expecting that anybody reads.
			_ = conn.SetReadDeadline(time.Now().Add(2 * patience))
			var err error
			for err == nil {
				_, _, err = conn.ReadMessage()
			}
			if e, ok := errors.AsType[*websocket.CloseError](err); ok && e.Code != frames.CloseSlow && e.Code != websocket.CloseAbnormalClosure {
				t.Errorf("socket %d was closed with %d", i, e.Code)
			}
			if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
				t.Errorf("socket %d is still open", i)
			}
		})
	}
	drained.Wait()
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}
