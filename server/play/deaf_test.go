package play_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hoplite/server/servertest"
)

// TestStreamsThatStopReading floods a game that a hundred streams follow without reading. They end, what waits for them
// stays bounded, and everybody else plays on (G9).
func TestStreamsThatStopReading(t *testing.T) {
	// Not parallel: it measures the heap, and the servers of other tests would count.
	const deaf, lines = 100, 900
	var later atomic.Int64
	s := servertest.Start(t, servertest.Now(func() time.Time { return time.Now().Add(time.Duration(later.Load())) }))
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	unlimited := terms()
	unlimited.Del("clock.limit")
	unlimited.Del("clock.increment")
	id, other := begin(t, ann, bob, unlimited), begin(t, ann, bob, unlimited)
	watcher := ann.Stream(t, board+"stream/"+other)
	watcher.NextType(t, "gameFull", nil)
	var conns []net.Conn
	for range deaf {
		conn, err := net.Dial("tcp", s.Server.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		if err := conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
			t.Fatal(err)
		}
		// Each has a token of its own: the newer stream of a token closes the older one.
		token := s.NewToken(t, ann.ID, "board:play")
		request := "GET " + board + "stream/" + id + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer " + token + "\r\n\r\n"
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReaderSize(conn, 16).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
			t.Fatalf("%q, %v", line, err)
		}
		conns = append(conns, conn)
	}
	before := heapInUse()
	var most uint64
	var slowest time.Duration
	text := strings.Repeat("𝄞", 140)
	moves := strings.Fields("g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8 e2e4")
	for i := range lines {
		later.Add(int64(time.Second)) // nobody may write that much at once
		bob.Post(t, board+id+"/chat", url.Values{"room": {"player"}, "text": {text}}).Want(t, http.StatusOK)
		if i%100 != 0 {
			continue
		}
		start := time.Now()
		move(t, []*servertest.User{ann, bob}[i/100%2], board, other, moves[i/100])
		nextState(t, watcher)
		slowest = max(slowest, time.Since(start))
		most = max(most, heapInUse())
	}
	t.Logf("the slowest move beside the flood took %v; the heap grew by %d KiB at most", slowest, (max(most, before)-before)>>10)
	if slowest > 10*time.Second {
		t.Errorf("a move took %v", slowest)
	}
	if grown := max(most, before) - before; grown > deaf*(512<<10) {
		t.Errorf("the heap grew by %d KiB for %d streams", grown>>10, deaf)
	}
	var drained sync.WaitGroup
	for i, conn := range conns {
		drained.Go(func() {
			_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
			_, err := io.Copy(io.Discard, conn)
			if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
				t.Errorf("stream %d is still open", i)
			}
		})
	}
	drained.Wait()
	move(t, []*servertest.User{ann, bob}[lines/100%2], board, other, "e7e5") // e2e4 was the last
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}
