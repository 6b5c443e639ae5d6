package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// running is the program, serving.
type running struct {
	url, ops string
	log      *lockedText
	client   *http.Client
	ended    chan int
	stop     context.CancelFunc
}

type lockedText struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// freeAddr is an address that nobody listens on, most likely.
func freeAddr(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// startServe runs the program as a user does, until the test ends. A database that is not named is a new file.
func startServe(t *testing.T, args ...string) *running {
	t.Helper()
	r := &running{ops: "http://" + freeAddr(t), log: &lockedText{}, ended: make(chan int, 1)}
	args = append([]string{"serve", "--listen", "127.0.0.1:0", "--ops", strings.TrimPrefix(r.ops, "http://")}, args...)
	if !strings.Contains(strings.Join(args, " "), "--db ") {
		args = append(args, "--db", filepath.Join(t.TempDir(), "h.db"))
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	stdout, out := io.Pipe()
	go func() {
		r.ended <- run(ctx, args, strings.NewReader(""), out, r.log)
		_ = out.Close()
	}()
	t.Cleanup(func() {
		cancel()
		if code := r.exit(t); code != 0 {
			t.Errorf("exit %d: %s", code, r.log)
		}
	})
	lines := bufio.NewScanner(stdout)
	if !lines.Scan() {
		t.Fatalf("exit %d, log %s", r.exit(t), r.log)
	}
	_, rest, _ := strings.Cut(lines.Text(), " at ")
	r.url, _, _ = strings.Cut(rest, ",")
	go func() { _, _ = io.Copy(io.Discard, stdout) }()
	r.client = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{}}
	t.Cleanup(r.client.CloseIdleConnections)
	for end := time.Now().Add(30 * time.Second); r.status(t, "GET", r.ops+"/readyz", "", nil) != http.StatusOK; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the server is not ready")
		}
	}
	return r
}

// exit waits for the program's end.
func (r *running) exit(t *testing.T) int {
	t.Helper()
	select {
	case code := <-r.ended:
		r.ended <- code
		return code
	case <-time.After(60 * time.Second):
		t.Fatal("the server does not stop")
		return 0
	}
}

// ask sends a form, or nothing, and returns the answer read to its end.
func (r *running) ask(t *testing.T, method, address, token string, form url.Values) (*http.Response, []byte) {
	t.Helper()
	if strings.HasPrefix(address, "/") {
		address = r.url + address
	}
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return &http.Response{StatusCode: 0}, []byte(err.Error())
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, body
}

func (r *running) status(t *testing.T, method, address, token string, form url.Values) int {
	t.Helper()
	resp, _ := r.ask(t, method, address, token, form)
	return resp.StatusCode
}

// must is ask for what has to work; it decodes the answer into v unless that is nil.
func (r *running) must(t *testing.T, method, address, token string, form url.Values, v any) {
	t.Helper()
	resp, body := r.ask(t, method, address, token, form)
	if resp.StatusCode/100 != 2 {
		t.Fatalf("%s %s: %d %s", method, address, resp.StatusCode, body)
	}
	if v != nil {
		if err := json.Unmarshal(body, v); err != nil {
			t.Fatalf("%s %s: %v: %s", method, address, err, body)
		}
	}
}

// signUp opens an account and returns its token.
func (r *running) signUp(t *testing.T, name string) string {
	t.Helper()
	var made struct{ Token string }
	r.must(t, "POST", "/api/signup", "", url.Values{"username": {name}, "password": {"correct horse battery"}}, &made)
	return made.Token
}

// until asks again and again.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(fmt.Sprint("in vain: ", what))
		}
	}
}
