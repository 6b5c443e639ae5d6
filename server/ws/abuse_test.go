package ws_test

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"hoplite/openapi/frames"
	"hoplite/server/servertest"
)

// wire is a socket without a library: it sends what no library would.
type wire struct {
	net.Conn
	t testing.TB
	r *bufio.Reader
}

// handshake opens a websocket by hand, with more headers than needed.
func handshake(t testing.TB, s *servertest.Server, more string) (*wire, *http.Response) {
	t.Helper()
	conn, err := net.Dial("tcp", s.Server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(2 * patience))
	head := "GET " + frames.Path + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: " + frames.Protocol +
		"\r\n" + more + "\r\n"
	if _, err := io.WriteString(conn, head); err != nil {
		t.Fatal(err)
	}
	w := &wire{Conn: conn, t: t, r: bufio.NewReader(conn)}
	resp, err := http.ReadResponse(w.r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return w, resp
}

const (
	final  = 0x80
	packed = 0x40 // the first reserved bit, which compression uses
	masked = 0x80
)

// frame is one frame with the mask 0, which leaves the payload as it is.
func frame(first byte, payload string) []byte {
	out := []byte{first}
	switch n := len(payload); {
	case n < 126:
		out = append(out, masked|byte(n))
	default:
		out = append(out, masked|126)
		out = binary.BigEndian.AppendUint16(out, uint16(n))
	}
	return append(append(out, 0, 0, 0, 0), payload...)
}

// closing reads to the end of the connection and returns the code with which the server closes, 0 if it says none.
func (w *wire) closing() (code int) {
	w.t.Helper()
	for {
		var head [2]byte
		if _, err := io.ReadFull(w.r, head[:]); err != nil {
			if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
				w.t.Error("still open")
			}
			return code
		}
		n := uint64(head[1] & 0x7f)
		switch n {
		case 126:
			var b [2]byte
			if _, err := io.ReadFull(w.r, b[:]); err != nil {
				return code
			}
			n = uint64(binary.BigEndian.Uint16(b[:]))
		case 127:
			var b [8]byte
			if _, err := io.ReadFull(w.r, b[:]); err != nil {
				return code
			}
			n = binary.BigEndian.Uint64(b[:])
		}
		payload := make([]byte, n)
		if _, err := io.ReadFull(w.r, payload); err != nil {
			return code
		}
		if head[0]&0xf == websocket.CloseMessage && n >= 2 {
			code = int(binary.BigEndian.Uint16(payload))
		}
	}
}

// TestBrokenSockets breaks the protocol below the frames of asyncapi.yaml. Each such socket is closed, with the code that
// RFC 6455 has for it if there is one.
func TestBrokenSockets(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	endless := append(frame(websocket.TextMessage, `{"t":"chat","d":{"text":"`), []byte{}...)
	for range 64 {
		endless = append(endless, frame(0, strings.Repeat("a", 1024))...)
	}
	for _, tt := range []struct {
		name string
		raw  []byte
		code int // 0: without a word
	}{
		{"a frame that claims to be large", []byte{final | websocket.TextMessage, masked | 127, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, websocket.CloseMessageTooBig},
		{"a length beyond all bounds", []byte{final | websocket.TextMessage, masked | 127, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0}, 0},
		{"fragments without end", endless, websocket.CloseMessageTooBig},
		{"no mask", append([]byte{final | websocket.TextMessage, 12}, `{"t":"ping"}`...), websocket.CloseProtocolError},
		{"a compressed frame", frame(final|packed|websocket.TextMessage, `{"t":"ping"}`), websocket.CloseProtocolError},
		{"an unknown opcode", frame(final|3, "x"), websocket.CloseProtocolError},
		{"a large ping", frame(final|websocket.PingMessage, strings.Repeat("a", 126)), websocket.CloseProtocolError},
		{"a ping in parts", frame(websocket.PingMessage, "a"), websocket.CloseProtocolError},
		{"a part of nothing", frame(final, "a"), websocket.CloseProtocolError},
		{"a message within another", append(frame(websocket.TextMessage, "a"), frame(final|websocket.TextMessage, "b")...), websocket.CloseProtocolError},
		{"a close with half a code", frame(final|websocket.CloseMessage, "\x03"), 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w, resp := handshake(t, s, "")
			if resp.StatusCode != http.StatusSwitchingProtocols {
				t.Fatalf("status %d", resp.StatusCode)
			}
			if _, err := w.Write(tt.raw); err != nil {
				t.Fatal(err)
			}
			if code := w.closing(); code != tt.code {
				t.Errorf("closed with %d, want %d", code, tt.code)
			}
		})
	}
}

// TestHandshakesByHand: compression is not taken up, and half a handshake is an error in JSON.
func TestHandshakesByHand(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	_, resp := handshake(t, s, "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n")
	if got := resp.Header.Get("Sec-WebSocket-Extensions"); resp.StatusCode != 101 || got != "" {
		t.Errorf("status %d with the extensions %q", resp.StatusCode, got)
	}
	for name, change := range map[string]func(http.Header){
		"no upgrade":     func(h http.Header) { h.Del("Upgrade") },
		"no connection":  func(h http.Header) { h.Del("Connection") },
		"no key":         func(h http.Header) { h.Del("Sec-WebSocket-Key") },
		"a short key":    func(h http.Header) { h.Set("Sec-WebSocket-Key", "abc") },
		"an old version": func(h http.Header) { h.Set("Sec-WebSocket-Version", "8") },
	} {
		r := s.Anonymous().Request(t, "GET", frames.Path, "", nil)
		r.Header.Set("Connection", "Upgrade")
		r.Header.Set("Upgrade", "websocket")
		r.Header.Set("Sec-WebSocket-Version", "13")
		r.Header.Set("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
		r.Header.Set("Sec-WebSocket-Protocol", frames.Protocol)
		change(r.Header)
		if a := s.Anonymous().Do(t, r); a.Status < 400 || a.Status > 499 || a.Error(t) == "" {
			t.Errorf("%s: status %d: %s", name, a.Status, a.Body)
		}
	}
}

// TestPingFlood: somebody who sends pings without end and reads nothing is put off, and nobody else notices.
func TestPingFlood(t *testing.T) {
	// Not parallel: it measures the heap.
	s := servertest.Start(t)
	p := play(t, s, nil)
	white := as(t, s, p.white)
	before := heap()
	flood := strings.Repeat(string(frame(final|websocket.PingMessage, strings.Repeat("p", 125))), 500)
	var flooders []*wire
	for range 20 {
		w, _ := handshake(t, s, "")
		flooders = append(flooders, w)
		go func() {
			for range 200 {
				_ = w.SetWriteDeadline(time.Now().Add(time.Second))
				if _, err := io.WriteString(w, flood); err != nil {
					return
				}
			}
		}()
	}
	start := time.Now()
	white.do("move", frames.Move{Game: p.game, Move: "g1f3"})
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("a move beside the flood took %v", took)
	}
	time.Sleep(2 * time.Second)
	if now := heap(); now > before+20*(512<<10) {
		t.Errorf("the heap grew by %d KiB", (now-before)>>10)
	}
	for _, w := range flooders {
		_ = w.Close()
	}
	white.do("chat", frames.Chat{Game: p.game, Text: "still here"})
}
