package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/openapi/frames"
)

// proxyHost is the name in the examples of deploy/.
const proxyHost = "chess.example.org"

// certificate makes a key and a certificate for our name, and returns their files.
func certificate(t *testing.T, dir, name string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "EC PRIVATE KEY", Bytes: raw}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// example is a file of deploy/, in which some lines are those of this machine.
func example(t *testing.T, name string, lines map[string]string) string {
	t.Helper()
	text, err := os.ReadFile(deploy + name)
	if err != nil {
		t.Fatal(err)
	}
	site := string(text)
	for from, to := range lines {
		if !strings.Contains(site, from) {
			t.Fatalf("%s has no %q", name, from)
		}
		site = strings.Replace(site, from, to, 1)
	}
	return site
}

// TestNginx runs Debian's nginx with our file before the server, which takes the proxy's names of the requests.
func TestNginx(t *testing.T) {
	t.Parallel()
	nginx := installed(t, "/usr/sbin/nginx")
	r := startServe(t, "--bots", "none", "--url", "https://"+proxyHost, "--trusted-proxies", "127.0.0.1/32", "--signup", "open", "--log-level", "debug")
	dir, plain, secure := t.TempDir(), freeAddr(t), freeAddr(t)
	cert, key := certificate(t, dir, proxyHost)
	site := example(t, "nginx.conf", map[string]string{
		"server 127.0.0.1:8080;": "server " + r.log.address(t) + ";",
		"listen 80;":             "listen " + plain + ";",
		"listen 443 ssl http2;":  "listen " + secure + " ssl http2;",
		"/etc/letsencrypt/live/chess.example.org/fullchain.pem": cert,
		"/etc/letsencrypt/live/chess.example.org/privkey.pem":   key,
	})
	conf := fmt.Sprintf("daemon off;\npid %[1]s/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n", dir)
	if os.Getuid() == 0 {
		conf = "user root;\n" + conf
	}
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		conf += fmt.Sprintf("%s_temp_path %s/%s;\n", kind, dir, kind)
	}
	if err := os.WriteFile(filepath.Join(dir, "nginx.conf"), []byte(conf+site+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	startProxy(t, exec.CommandContext(context.WithoutCancel(t.Context()), nginx, "-p", dir, "-c", filepath.Join(dir, "nginx.conf")))
	if id := throughProxy(t, r, plain, secure, cert); len(id) != 32 {
		t.Errorf("nginx does not name the requests: %q", id)
	}
}

// TestCaddy runs Debian's caddy with our file before the server.
func TestCaddy(t *testing.T) {
	t.Parallel()
	caddy := installed(t, "caddy")
	r := startServe(t, "--bots", "none", "--url", "https://"+proxyHost, "--trusted-proxies", "127.0.0.1/32", "--signup", "open", "--log-level", "debug")
	dir, plain, secure := t.TempDir(), freeAddr(t), freeAddr(t)
	cert, key := certificate(t, dir, proxyHost)
	_, httpPort, _ := net.SplitHostPort(plain)
	_, httpsPort, _ := net.SplitHostPort(secure)
	site := example(t, "Caddyfile", map[string]string{
		"reverse_proxy 127.0.0.1:8080": "reverse_proxy " + r.log.address(t),
		proxyHost + " {\n":             proxyHost + " {\n\ttls " + cert + " " + key + "\n",
	})
	site = fmt.Sprintf("{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port %s\n\thttps_port %s\n}\n", httpPort, httpsPort) + site
	file := filepath.Join(dir, "Caddyfile")
	if err := os.WriteFile(file, []byte(site), 0o600); err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(context.WithoutCancel(t.Context()), caddy, append(args, "--config", file, "--adapter", "caddyfile")...)
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
		return cmd
	}
	if out, err := command("validate").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	startProxy(t, command("run"))
	throughProxy(t, r, plain, secure, cert)
}

// startProxy runs a proxy until the test ends.
func startProxy(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	said := &lockedText{}
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		if t.Failed() {
			t.Log(said)
		}
	})
}

// throughProxy uses the server as clients do: the lines of streams and of uploads come at once, a game is played over the websocket and the
// Board API, the server knows its clients' own addresses and when they have gone, and plain http leads to https. It returns
// the name that a request got.
func throughProxy(t *testing.T, r *running, plain, secure, cert string) (requestID string) {
	t.Helper()
	roots := x509.NewCertPool()
	if pemText, err := os.ReadFile(cert); err != nil || !roots.AppendCertsFromPEM(pemText) {
		t.Fatal(err)
	}
	from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 5)}, Timeout: 10 * time.Second}
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: proxyHost},
		DialContext:     func(ctx context.Context, _, _ string) (net.Conn, error) { return from.DialContext(ctx, "tcp", secure) },
	}
	proxied := &running{url: "https://" + proxyHost, log: r.log, client: &http.Client{Timeout: 30 * time.Second, Transport: transport}}
	defer transport.CloseIdleConnections()
	until(t, "the proxy is up", func() bool { return proxied.status(t, "GET", "/healthz", "", nil) == 200 })

	ann, bob := proxied.signUp(t, "Ann"), proxied.signUp(t, "Bob")
	req, err := http.NewRequestWithContext(t.Context(), "GET", "https://"+proxyHost+"/api/account", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+ann)
	req.Header.Set("X-Forwarded-For", "203.0.113.9")
	resp, err := proxied.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	id := resp.Header.Get("X-Request-Id")
	if id == "" || resp.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("status %d, headers %v", resp.StatusCode, resp.Header)
	}
	until(t, "the request is in the log", func() bool { return strings.Contains(r.log.String(), "request="+id) })
	for line := range strings.Lines(r.log.String()) {
		if strings.Contains(line, "request="+id) && !strings.Contains(line, "ip=127.0.0.5 ") {
			t.Errorf("the client's address is not 127.0.0.5: %s", line)
		}
	}

	// The stream's first line comes while the stream is open, and so does the event.
	c, err := client.New(client.BaseURL("https://"+proxyHost), client.Token(bob), client.HTTPClient(&http.Client{Transport: transport}))
	if err != nil {
		t.Fatal(err)
	}
	listening, leave := context.WithCancel(t.Context())
	defer leave()
	events := make(chan string, 10)
	go func() {
		for e, err := range c.Account.Events(listening) {
			if err != nil {
				return
			}
			events <- e.Type
		}
	}()
	time.Sleep(300 * time.Millisecond)
	var made struct{ ID string }
	proxied.must(t, "POST", "/api/challenge/Bob", ann, url.Values{"clock.limit": {"180"}, "clock.increment": {"0"}, "color": {"white"}}, &made)
	told := func(kind string) {
		t.Helper()
		select {
		case got := <-events:
			if got != kind {
				t.Errorf("told of %s, want %s", got, kind)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("the proxy holds the stream back")
		}
	}
	told(client.EventChallenge)
	if err := c.Challenges.Accept(t.Context(), made.ID, ""); err != nil {
		t.Fatal(err)
	}
	told(client.EventGameStart)
	playOver(t, proxied, c, made.ID, ann)
	told(client.EventGameFinish)
	lendOver(t, transport, bob)
	leave()
	until(t, "the server knows that its client has gone", func() bool {
		time.Sleep(250 * time.Millisecond) // or the limit of this question is soon reached
		var users []struct{ Online bool }
		proxied.must(t, "GET", "/api/users/status?ids=bob", ann, nil, &users)
		return len(users) == 1 && !users[0].Online
	})

	redirect, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Get("http://" + plain + "/x?y=z")
	if err != nil {
		t.Fatal(err)
	}
	_ = redirect.Body.Close()
	if got := redirect.Header.Get("Location"); redirect.StatusCode != 301 && redirect.StatusCode != 308 || !strings.HasPrefix(got, "https://") || !strings.HasSuffix(got, "/x?y=z") {
		t.Errorf("plain http: %d to %s", redirect.StatusCode, got)
	}
	if strings.Contains(r.log.String(), "203.0.113.9") {
		t.Error("an address that a client made up is in the log")
	}
	return id
}

// playOver plays a game: Black over the websocket, White over the Board API.
func playOver(t *testing.T, proxied *running, black *client.Client, id, white string) {
	t.Helper()
	socket, err := black.Socket(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	proxied.must(t, "POST", "/api/board/game/"+id+"/move/e2e4", white, nil, nil)
	if _, err := socket.Move(t.Context(), frames.Move{Game: id, Move: "e7e5"}); err != nil {
		t.Fatal(err)
	}
	proxied.must(t, "POST", "/api/board/game/"+id+"/resign", white, nil, nil)
	last := ""
	for update, err := range socket.Game(t.Context(), id) {
		if err != nil {
			t.Fatal(err)
		}
		if update.Game != nil {
			last = update.Game.Status
			break
		}
	}
	if last != "resign" {
		t.Errorf("the game over the websocket: %q", last)
	}
}

// address is where the server listens, as its log says: the public URL is another one.
func (l *lockedText) address(t *testing.T) string {
	t.Helper()
	_, rest, ok := strings.Cut(l.String(), "msg=serving addr=")
	if !ok {
		t.Fatal("the log does not say where the server listens: ", l)
	}
	addr, _, _ := strings.Cut(rest, " ")
	return addr
}
