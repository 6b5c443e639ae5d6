package server_test

import (
	"bytes"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"hoplite/server"
	"hoplite/server/limits"
	"hoplite/server/servertest"
)

func TestUnknownPaths(t *testing.T) {
	t.Parallel()
	anyone := servertest.Start(t).Anonymous()
	for _, tt := range []struct {
		method, path string
		status       int
		kind         string
	}{
		{"GET", "/api/nope", 404, "application/json"},
		{"GET", "/api", 404, "application/json"},
		{"GET", "/api/", 404, "application/json"},
		{"POST", "/api/nope/deeper", 404, "application/json"},
		{"PUT", "/api/account", 405, "application/json"},
		{"POST", "/healthz", 405, "application/json"},
		{"GET", "/api/signup", 405, "application/json"},
		{"POST", "/nope", 405, "application/json"},
		{"GET", "/assets/gone-12345678.js", 404, "application/json"},
		{"GET", "/../../etc/passwd.txt", 404, "application/json"},
		{"GET", "/", 200, "text/html"},
		{"GET", "/x4Tq9bZe", 200, "text/html"},
		{"GET", "/@/Leonidas", 200, "text/html"},
		{"GET", "/@/le.onidas", 200, "text/html"},
		{"GET", "/variant/spartan", 200, "text/html"},
		{"GET", "/docs", 200, "text/html"},
		{"GET", "/docs/", 200, "text/html"},
		{"GET", "/docs/openapi.yaml", 200, "application/yaml"},
		{"GET", "/docs/ws", 200, "text/html"},
		{"GET", "/docs/asyncapi.yaml", 200, "application/yaml"},
		{"GET", "/docs/asyncapi.json", 200, "application/json"},
		{"GET", "/healthz/", 200, "application/json"},
	} {
		a := anyone.Do(t, anyone.Request(t, tt.method, tt.path, "", nil))
		if a.Status != tt.status || !strings.HasPrefix(a.Header.Get("Content-Type"), tt.kind) {
			t.Errorf("%s %s: %d %s, want %d %s", tt.method, tt.path, a.Status, a.Header.Get("Content-Type"), tt.status, tt.kind)
		}
		if a.Header.Get("Content-Security-Policy") == "" || a.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: no security headers", tt.method, tt.path)
		}
	}
}

func TestForeignHosts(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Config(func(c *server.Config) { c.URL = "http://chess.example" }))
	anyone := s.Anonymous()
	for host, status := range map[string]int{
		"127.0.0.1:1234": 200, "localhost": 200, "[::1]:80": 200, "127.9.9.9": 200, "app.localhost:8": 200,
		"chess.example": 200, "CHESS.example:443": 200,
		"evil.example": 421, "127.0.0.1.evil.example": 421, "192.168.1.7": 421, "localhost.evil.example:80": 421,
	} {
		r := anyone.Request(t, "GET", "/healthz", "", nil)
		r.Host = host
		if got := anyone.Do(t, r).Status; got != status {
			t.Errorf("host %s: status %d, want %d", host, got, status)
		}
	}
}

func TestPreflight(t *testing.T) {
	t.Parallel()
	anyone := servertest.Start(t).Anonymous()
	r := anyone.Request(t, "OPTIONS", "/api/challenge/somebody", "", nil)
	r.Header.Set("Origin", "https://other.example")
	r.Header.Set("Access-Control-Request-Method", "POST")
	a := anyone.Do(t, r).Want(t, http.StatusNoContent)
	if a.Header.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.Contains(a.Header.Get("Access-Control-Allow-Methods"), "POST") ||
		!strings.Contains(a.Header.Get("Access-Control-Allow-Headers"), "Authorization") {
		t.Errorf("preflight answered with %v", a.Header)
	}
	if anyone.Get(t, "/").Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("other sites may read the page")
	}
}

// TestCookieOfAnotherSite: a page elsewhere must not act with a visitor's session, whereas a token may come from
// anywhere.
func TestCookieOfAnotherSite(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	u := s.SignUp(t, "Leonidas")
	login := s.Anonymous().Post(t, "/api/login", url.Values{"username": {"leonidas"}, "password": {"correct horse battery"}})
	cookie, err := http.ParseSetCookie(login.Want(t, 200).Header.Get("Set-Cookie"))
	if err != nil {
		t.Fatal(err)
	}
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" {
		t.Errorf("the cookie is %v", cookie)
	}
	post := func(path, site string, withCookie, withToken bool) int {
		r := s.Anonymous().Request(t, "POST", path, "application/x-www-form-urlencoded", strings.NewReader("username=leonidas&password=wrong-password"))
		r.Header.Set("Sec-Fetch-Site", site)
		if withCookie {
			r.AddCookie(cookie)
		}
		if withToken {
			r.Header.Set("Authorization", "Bearer "+u.Token)
		}
		return s.Anonymous().Do(t, r).Status
	}
	for _, tt := range []struct {
		name, path, site string
		cookie, token    bool
		status           int
	}{
		{"our page", "/api/account/kid?v=true", "same-origin", true, false, 200},
		{"another site's page", "/api/account/kid?v=true", "cross-site", true, false, 403},
		{"a sibling's page", "/api/account/kid?v=true", "same-site", true, false, 403},
		{"another site's page with a token", "/api/account/kid?v=true", "cross-site", false, true, 200},
		{"log-in by another site", "/api/login", "cross-site", false, false, 403},
		{"log-in by our page", "/api/login", "same-origin", false, false, 401},
	} {
		if got := post(tt.path, tt.site, tt.cookie, tt.token); got != tt.status {
			t.Errorf("%s: status %d, want %d", tt.name, got, tt.status)
		}
	}
	// A session may also be sent as a bearer.
	var session struct{ Session string }
	login.JSON(t, &session)
	bearer := &servertest.User{}
	*bearer = *u
	bearer.Token = session.Session
	bearer.Get(t, "/api/account/tokens").Want(t, 200)
	u.Get(t, "/api/account/tokens").Want(t, 403)
}

func TestForwardedAddresses(t *testing.T) {
	t.Parallel()
	limited := func(c *server.Config) { c.Limits = limits.Strict }
	trusting := func(c *server.Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }
	// Budgets are kept by address: who can choose an address has no limit.
	signUps := func(s *servertest.Server) (limitedAt int) {
		for i := range 14 {
			r := s.Anonymous().Request(t, "POST", "/api/signup", "application/x-www-form-urlencoded", strings.NewReader("username=x"))
			r.Header.Set("X-Forwarded-For", net.IPv4(203, 0, 113, byte(i)).String())
			if s.Anonymous().Do(t, r).Status == 429 {
				return i
			}
		}
		return -1
	}
	if got := signUps(servertest.Start(t, servertest.Config(limited))); got != 10 {
		t.Errorf("a made-up X-Forwarded-For: limited at request %d, want 10", got)
	}
	if got := signUps(servertest.Start(t, servertest.Config(limited), servertest.Config(trusting))); got != -1 {
		t.Errorf("a trusted proxy: limited at request %d, want never", got)
	}
	if got := signUps(servertest.Start(t)); got != 10 {
		t.Errorf("relaxed limits behind a proxy: limited at request %d, want 10, as in strict mode", got)
	}
}

func TestLimitAnswers(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	wrong := url.Values{"username": {"leonidas"}, "password": {"wrong-password"}}
	for range 10 {
		s.Anonymous().Post(t, "/api/login", wrong).Want(t, 401)
	}
	a := s.Anonymous().Post(t, "/api/login", wrong).Want(t, 429)
	var body struct {
		Error     string
		Ratelimit struct {
			Key     string
			Seconds int
		}
	}
	a.JSON(t, &body)
	if body.Error == "" || body.Ratelimit.Key != "login" || body.Ratelimit.Seconds < 1 || body.Ratelimit.Seconds > 60 {
		t.Errorf("429 says %s", a.Body)
	}
	if retry := a.Header.Get("Retry-After"); retry == "" || retry == "0" {
		t.Errorf("Retry-After is %q", retry)
	}
	// Others are not punished for it.
	wrong.Set("username", "gorgo")
	s.Anonymous().Post(t, "/api/login", wrong).Want(t, 401)
}

func TestLimitModes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		config server.Config
		want   limits.Mode
	}{
		{"loopback", server.Config{Listen: "127.0.0.1:0"}, limits.Relaxed},
		{"loopback with a local URL", server.Config{Listen: "127.0.0.1:0", URL: "http://localhost:8080"}, limits.Relaxed},
		{"loopback with a public URL", server.Config{Listen: "127.0.0.1:0", URL: "https://chess.example"}, limits.Strict},
		{"told so", server.Config{Listen: "127.0.0.1:0", Limits: limits.Off}, limits.Off},
	} {
		s := servertest.Start(t, servertest.Config(func(c *server.Config) { *c = tt.config }))
		if got := s.Server.Limits(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		s.Stop()
	}
}

func TestConfigValidate(t *testing.T) {
	t.Parallel()
	good := server.Config{Listen: "127.0.0.1:0"}
	if err := good.Validate(); err != nil {
		t.Errorf("the default: %v", err)
	}
	for name, change := range map[string]func(*server.Config){
		"no listen address":        func(c *server.Config) { c.Listen = "" },
		"no port":                  func(c *server.Config) { c.Listen = "127.0.0.1" },
		"no ops port":              func(c *server.Config) { c.Ops = "127.0.0.1" },
		"relative URL":             func(c *server.Config) { c.URL = "chess.example" },
		"URL with a path":          func(c *server.Config) { c.URL = "https://chess.example/hoplite" },
		"URL with a name":          func(c *server.Config) { c.URL = "https://me@chess.example" },
		"ftp":                      func(c *server.Config) { c.URL = "ftp://chess.example" },
		"unknown limits":           func(c *server.Config) { c.Limits = "lax" },
		"limits off in public":     func(c *server.Config) { c.Limits, c.URL = limits.Off, "https://chess.example" },
		"unknown sign-up":          func(c *server.Config) { c.Signup = "sometimes" },
		"limits off, public https": func(c *server.Config) { c.Limits, c.URL = limits.Off, "https://10.0.0.1" },
	} {
		c := good
		change(&c)
		if c.Validate() == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// TestShutdownEndsStreams: open streams do not hold the server up, and their readers see a clean end.
func TestShutdownEndsStreams(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	u := s.SignUp(t, "Leonidas")
	events := u.Stream(t, "/api/stream/event")
	start := time.Now()
	s.Stop()
	events.End(t)
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("the server took %v to stop", took)
	}
}

// TestLogHasNoSecrets does what a secret could leak from, with everything logged.
func TestLogHasNoSecrets(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	s := servertest.Start(t, servertest.Log(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
	u := s.SignUp(t, "Leonidas")
	u.Get(t, "/api/account").Want(t, 200)
	login := s.Anonymous().Post(t, "/api/login", url.Values{"username": {"leonidas"}, "password": {"correct horse battery"}})
	var session struct{ Session string }
	login.Want(t, 200).JSON(t, &session)
	u.Post(t, "/api/challenge/aaaaaaaa/cancel?opponentToken="+u.Token, nil)
	u.Post(t, "/api/challenge/aaaaaaaa/start-clocks?token1="+u.Token, nil)
	r := u.Request(t, "POST", "/api/token/test", "", strings.NewReader(u.Token))
	u.Do(t, r).Want(t, 200)
	u.Get(t, "/"+u.Token)
	if !strings.Contains(log.String(), "/api/token/test") {
		t.Fatal("the requests are not logged at all")
	}
	for name, secret := range map[string]string{"token": u.Token, "session": session.Session, "password": "correct horse"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the %s is in the log", name)
		}
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
