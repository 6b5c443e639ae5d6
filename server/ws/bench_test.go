package ws_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"hoplite/openapi/frames"
	"hoplite/server/servertest"
)

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
