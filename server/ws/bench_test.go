package ws_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/openapi/frames"
	"hoplite/server/servertest"
)

// benchGames is how many games are played side by side: commits come in groups.
const benchGames = 64

// scriptPlies is less than what ends a game without captures.
const scriptPlies = 140

// script is a long game in which nothing ends by itself.
func script(b *testing.B) []string {
	b.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		b.Fatal(err)
	}
	r, _ := set.Get("standard")
	start, err := r.Start(0)
	if err != nil {
		b.Fatal(err)
	}
	g := rules.NewGame(start)
	var moves []string
	for n := uint64(1); len(moves) < scriptPlies; n = n*6364136223846793005 + 1442695040888963407 {
		legal := g.Position().Moves(nil)
		m := legal[(n>>33)%uint64(len(legal))]
		text := notation.FormatMove(g.Position(), m)
		if g.Position().IsCapture(m) && len(legal) > 1 {
			continue
		}
		if err := g.Play(m); err != nil {
			b.Fatal(err)
		}
		if _, over := g.Outcome(); over || g.CanClaimDraw() {
			g.Undo()
			if len(legal) == 1 {
				break
			}
			continue
		}
		moves = append(moves, text)
	}
	return moves
}

// BenchmarkMove plays whole moves over the websocket: sent, checked, stored, acknowledged, and told to the opponent.
// Beside it BenchmarkBare decodes and acknowledges the same frames with nothing but gorilla and encoding/json.
func BenchmarkMove(b *testing.B) {
	s := servertest.Start(b)
	moves := script(b)
	type table struct {
		pair
		sockets [2]*socket
	}
	games := make([]table, benchGames)
	two := play(b, s, nil)
	for i := range games {
		two.again(b, nil)
		games[i].pair = two
		games[i].sockets = [2]*socket{as(b, s, games[i].white), as(b, s, games[i].black)}
		for _, c := range games[i].sockets {
			c.do("sub", games[i].sub())
			_ = c.SetReadDeadline(time.Time{})
		}
	}
	b.ResetTimer()
	each := b.N/benchGames + 1
	if each > len(moves) {
		b.Fatalf("%d moves a game are too many: run with -benchtime=%dx at most", each, (len(moves)-1)*benchGames)
	}
	var players sync.WaitGroup
	for i := range games {
		players.Go(func() {
			g := &games[i]
			for n, m := range moves[:each] {
				mover, other := g.sockets[n%2], g.sockets[1-n%2]
				mover.raw(fmt.Appendf(nil, `{"t":"move","id":%d,"d":{"game":%q,"move":%q,"key":"k%d"}}`, n+1, g.game, m, n))
				mover.until(`{"t":"ack"`)
				other.until(`{"t":"event"`)
			}
		})
	}
	players.Wait()
	report(b, each*benchGames)
}

// BenchmarkBare is what BenchmarkMove is measured against.
func BenchmarkBare(b *testing.B) {
	up := websocket.Upgrader{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		for {
			_, data, err := conn.ReadMessage()
			if err != nil {
				return
			}
			var f frames.Frame
			var m frames.Move
			if json.Unmarshal(data, &f) != nil || json.Unmarshal(f.D, &m) != nil {
				return
			}
			d, _ := json.Marshal(frames.Ack{Note: m.Move})
			ack, _ := json.Marshal(frames.Frame{T: "ack", ID: f.ID, D: d})
			if conn.WriteMessage(websocket.TextMessage, ack) != nil {
				return
			}
		}
	}))
	defer srv.Close()
	sockets := make([]*socket, benchGames)
	for i := range sockets {
		conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(srv.URL, "http"), nil)
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		sockets[i] = &socket{Conn: conn, t: b}
	}
	b.ResetTimer()
	each := b.N/benchGames + 1
	var players sync.WaitGroup
	for _, c := range sockets {
		players.Go(func() {
			for n := range each {
				c.raw(fmt.Appendf(nil, `{"t":"move","id":%d,"d":{"game":"q7Ab3dEf","move":"e2e4","key":"k%d"}}`, n+1, n))
				c.until(`{"t":"ack"`)
			}
		})
	}
	players.Wait()
	report(b, each*benchGames)
}

func report(b *testing.B, n int) {
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "moves/s")
}

func (c *socket) raw(data []byte) {
	if err := c.WriteMessage(websocket.TextMessage, data); err != nil {
		c.t.Error(err)
	}
}

// until reads up to a message with a prefix, without decoding anything.
func (c *socket) until(prefix string) {
	for {
		_, data, err := c.ReadMessage()
		if err != nil {
			c.t.Error(err)
			return
		}
		if strings.HasPrefix(string(data), prefix) {
			return
		}
		if strings.HasPrefix(string(data), `{"t":"err"`) {
			c.t.Errorf("%s", data)
			return
		}
	}
}

// BenchmarkIdle reports the memory of an idle connection, ours with a greeting that was read and bare gorilla with a
// read and a write pump. Run it with -benchtime=2000x.
func BenchmarkIdle(b *testing.B) {
	b.Run("hoplite", func(b *testing.B) {
		s := servertest.Start(b)
		idle(b, s.Server.Addr().String())
	})
	b.Run("bare", func(b *testing.B) {
		up := websocket.Upgrader{}
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			conn, err := up.Upgrade(w, r, nil)
			if err != nil {
				return
			}
			out := make(chan []byte, 256)
			go func() {
				tick := time.NewTicker(6 * time.Second)
				defer tick.Stop()
				for {
					select {
					case data, ok := <-out:
						if !ok || conn.WriteMessage(websocket.TextMessage, data) != nil {
							return
						}
					case <-tick.C:
						if conn.WriteMessage(websocket.PingMessage, nil) != nil {
							return
						}
					}
				}
			}()
			defer close(out)
			for {
				if _, _, err := conn.ReadMessage(); err != nil {
					return
				}
			}
		}))
		defer srv.Close()
		idle(b, srv.Listener.Addr().String())
	})
}

// idle opens connections whose client side is a bare socket, and measures what they cost.
func idle(b *testing.B, addr string) {
	conns := make([]net.Conn, 0, b.N)
	defer func() {
		for _, c := range conns {
			_ = c.Close()
		}
	}()
	open := func() {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			b.Fatal(err)
		}
		conns = append(conns, c)
		_, _ = fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
			"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: %s\r\n\r\n",
			frames.Path, addr, frames.Protocol)
		if line, err := bufio.NewReaderSize(c, 16).ReadString('\n'); err != nil || !strings.Contains(line, "101") {
			b.Fatalf("handshake: %q %v", line, err)
		}
	}
	open()
	before := inUse()
	b.ResetTimer()
	for range b.N {
		open()
	}
	b.StopTimer()
	b.ReportMetric(float64(inUse()-before)/float64(b.N), "B/conn")
}

func inUse() int64 {
	runtime.GC()
	time.Sleep(200 * time.Millisecond)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}
