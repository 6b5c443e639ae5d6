package server_test

import (
	"io"
	"net/http"
	"testing"
	"time"

	"hoplite/server/servertest"
)

// TestHead asks for headers alone, of everything that GET answers.
func TestHead(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann := s.SignUp(t, "Ann")
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	ask := func(method, path string) (*http.Response, []byte) {
		t.Helper()
		r := ann.Request(t, method, path, "", nil)
		resp, err := client.Do(r)
		if err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
		return resp, body
	}
	for _, path := range []string{
		"/", "/healthz", "/docs/openapi.yaml", "/api/account", "/api/variants", "/api/user/nobody", "/api/nothing", "/api/games/user/Ann",
		"/api/account/tokens", "/api/ws",
	} {
		get, body := ask(http.MethodGet, path)
		head, none := ask(http.MethodHead, path)
		if head.StatusCode != get.StatusCode || len(none) != 0 || head.Header.Get("Content-Type") != get.Header.Get("Content-Type") {
			t.Errorf("HEAD %s: %d %q with %d bytes; GET: %d %q", path, head.StatusCode, head.Header.Get("Content-Type"), len(none),
				get.StatusCode, get.Header.Get("Content-Type"))
		}
		if n := head.ContentLength; n >= 0 && n != int64(len(body)) {
			t.Errorf("HEAD %s: length %d, GET has %d bytes", path, n, len(body))
		}
	}
	// A stream would never end.
	for _, path := range []string{"/api/stream/event"} {
		if resp, body := ask(http.MethodHead, path); resp.StatusCode != 200 || len(body) != 0 || resp.Header.Get("Content-Type") != "application/x-ndjson" {
			t.Errorf("HEAD %s: %d %v %q", path, resp.StatusCode, resp.Header, body)
		}
	}
	if resp, _ := ask(http.MethodHead, "/api/signup"); resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("HEAD of what only takes POST: %d", resp.StatusCode)
	}
}
