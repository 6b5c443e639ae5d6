package server_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"hoplite/server"
	"hoplite/server/servertest"
	"hoplite/store"
)

// TestInside reaches the server without a port.
func TestInside(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	transport := s.Server.Transport()
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: servertest.NewTransport(t, s.Document(), transport)}
	u := s.SignUp(t, "Leonidas")
	r := u.Request(t, "GET", "/api/account", "", nil)
	r.URL.Host, r.Host = "anywhere.example", "anywhere.example"
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), "leonidas") {
		t.Errorf("status %d, %v: %s", resp.StatusCode, err, body)
	}
	s.Stop()
	if _, err := client.Do(r); err == nil {
		t.Error("a stopped server still answers inside")
	}
}

func TestOps(t *testing.T) {
	t.Parallel()
	lost := &lostStore{}
	s := servertest.Start(t, servertest.Config(func(c *server.Config) { c.Ops = "127.0.0.1:0" }),
		servertest.Store(func(inner store.Store) store.Store { lost.Store = inner; return lost }))
	get := func(path string) (int, string) {
		resp, err := http.Get("http://" + s.Server.OpsAddr().String() + path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(body)
	}
	if status, body := get("/readyz"); status != 200 || body != "ready\n" {
		t.Errorf("readiness: %d %q", status, body)
	}
	if status, body := get("/debug/pprof/goroutine?debug=1"); status != 200 || !strings.Contains(body, "goroutine profile") {
		t.Errorf("profile: %d %.80q", status, body)
	}
	lost.down.Store(true)
	if status, body := get("/readyz"); status != 503 || !strings.Contains(body, "unavailable") {
		t.Errorf("readiness without a store: %d %q", status, body)
	}
	lost.down.Store(false)
	if status := s.Anonymous().Get(t, "/debug/pprof/").Header.Get("Content-Type"); !strings.HasPrefix(status, "text/html") {
		t.Errorf("the main port answers for profiles: %s", status)
	}
	if strings.Contains(string(s.Anonymous().Get(t, "/debug/pprof/").Body), "goroutine") {
		t.Error("profiles are on the main port")
	}
}

// TestStoreLost: a lost database is a 503 with a time to come back, and heals by itself.
func TestStoreLost(t *testing.T) {
	t.Parallel()
	lost := &lostStore{}
	s := servertest.Start(t, servertest.Store(func(inner store.Store) store.Store { lost.Store = inner; return lost }))
	u := s.SignUp(t, "Leonidas")
	lost.down.Store(true)
	a := u.Get(t, "/api/user/leonidas").Want(t, http.StatusServiceUnavailable)
	if a.Header.Get("Retry-After") == "" || a.Error(t) == "" {
		t.Errorf("503 with %v: %s", a.Header, a.Body)
	}
	s.Anonymous().Get(t, "/healthz").Want(t, http.StatusOK)
	lost.down.Store(false)
	u.Get(t, "/api/user/leonidas").Want(t, http.StatusOK)
}

// TestSlowBody: a request whose body does not come is given up, and so is one whose header does not come.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	for name, start := range map[string]string{
		"header": "POST /api/login HTTP/1.1\r\nHost: localhost\r\n",
		"body":   "POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", s.Server.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			if _, err := io.WriteString(conn, start); err != nil {
				t.Fatal(err)
			}
			if err := conn.SetReadDeadline(time.Now().Add(60 * time.Second)); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			switch {
			case err == nil && resp.StatusCode != 400 && resp.StatusCode != 408:
				t.Errorf("status %d", resp.StatusCode)
			case errors.Is(err, context.DeadlineExceeded), isTimeout(err):
				t.Errorf("still open after %v", time.Since(began))
			}
		})
	}
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}
