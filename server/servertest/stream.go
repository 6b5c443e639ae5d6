package servertest

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"
)

// Stream is an open stream of JSON lines.
type Stream struct {
	// Lines carries what is not empty; it is closed at the stream's end.
	Lines  <-chan json.RawMessage
	Header http.Header
	cancel context.CancelFunc
	what   string
}

// Stream opens a stream, which is closed with the test.
func (u *User) Stream(t testing.TB, path string) *Stream {
	t.Helper()
	return u.OpenStream(t, u.Request(t, http.MethodGet, path, "", nil))
}

// OpenStream sends a request whose answer is a stream.
func (u *User) OpenStream(t testing.TB, r *http.Request) *Stream {
	t.Helper()
	ctx, cancel := context.WithCancel(r.Context())
	resp, err := u.server.client.Do(r.WithContext(ctx))
	if err != nil {
		cancel()
		t.Fatalf("%s %s: %v", r.Method, r.URL.Path, err)
	}
	if resp.StatusCode != http.StatusOK {
		cancel()
		_ = resp.Body.Close()
		t.Fatalf("%s %s: status %d", r.Method, r.URL.Path, resp.StatusCode)
	}
	lines := make(chan json.RawMessage, 256)
	go func() {
		defer close(lines)
		defer func() { _ = resp.Body.Close() }()
		scanner := bufio.NewScanner(resp.Body)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			if len(scanner.Bytes()) == 0 {
				continue
			}
			select {
			case lines <- append(json.RawMessage(nil), scanner.Bytes()...):
			case <-ctx.Done():
				return
			}
		}
	}()
	t.Cleanup(cancel)
	return &Stream{Lines: lines, Header: resp.Header, cancel: cancel, what: r.Method + " " + r.URL.Path}
}

// Close gives the stream up.
func (s *Stream) Close() { s.cancel() }

// Next returns the next line, decoded into v if v is not nil.
func (s *Stream) Next(t testing.TB, v any) json.RawMessage {
	t.Helper()
	select {
	case line, ok := <-s.Lines:
		if !ok {
			t.Fatalf("%s: the stream has ended", s.what)
		}
		if v != nil {
			if err := json.Unmarshal(line, v); err != nil {
				t.Fatalf("%s: %v: %s", s.what, err, line)
			}
		}
		return line
	case <-time.After(15 * time.Second):
		t.Fatalf("%s: no line for 15 s", s.what)
	}
	return nil
}

// NextType returns the next line of a type, passing over others.
func (s *Stream) NextType(t testing.TB, kind string, v any) json.RawMessage {
	t.Helper()
	for {
		line := s.Next(t, nil)
		var head struct{ Type string }
		if err := json.Unmarshal(line, &head); err != nil {
			t.Fatalf("%s: %v: %s", s.what, err, line)
		}
		if head.Type != kind {
			continue
		}
		if v != nil {
			if err := json.Unmarshal(line, v); err != nil {
				t.Fatalf("%s: %v: %s", s.what, err, line)
			}
		}
		return line
	}
}

// End waits for the stream's end and fails if another line comes.
func (s *Stream) End(t testing.TB) {
	t.Helper()
	select {
	case line, ok := <-s.Lines:
		if ok {
			t.Fatalf("%s: want the end, got %s", s.what, line)
		}
	case <-time.After(15 * time.Second):
		t.Fatalf("%s: still open after 15 s", s.what)
	}
}
