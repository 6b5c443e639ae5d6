package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"

	"hoplite/client"
	"hoplite/openapi/frames"
)

const deploy = "../../deploy/"

// TestUnit has systemd read the unit.
func TestUnit(t *testing.T) {
	t.Parallel()
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Log("there is no systemd-analyze, which make deps installs")
		return
	}
	text, err := os.ReadFile(deploy + "hoplite.service")
	if err != nil {
		t.Fatal(err)
	}
	program := "/usr/local/bin/hoplite"
	if !strings.Contains(string(text), "ExecStart="+program+" serve --config /etc/hoplite/hoplite.yml\n") {
		t.Error("the unit does not start what docs/running.md installs")
	}
	unit := filepath.Join(t.TempDir(), "hoplite.service")
	if err := os.WriteFile(unit, []byte(strings.ReplaceAll(string(text), program, os.Args[0])), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(analyze, "verify", "--man=no", unit).CombinedOutput(); err != nil || strings.Contains(string(out), "hoplite.service") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestSettingsFile reads the settings that the unit uses. What it refuses is refused after they have been read.
func TestSettingsFile(t *testing.T) {
	t.Parallel()
	code, _, stderr := command(t, "serve", "--config", deploy+"hoplite.yml", "--limits", "off")
	if code != 1 || !strings.Contains(stderr, "limits cannot be off with a public URL") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// TestContainerFiles holds what can be held without an engine: the settings in both files are settings of the server, and
// the image is built with the Go that the module asks for.
func TestContainerFiles(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	dockerfile, compose := read(deploy+"Dockerfile"), read(deploy+"compose.yml")
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read("../../go.mod"))
	if version == nil || !strings.Contains(dockerfile, "golang:"+version[1]+"-") {
		t.Errorf("the image is not built with Go %v", version)
	}
	if err := yaml.Unmarshal([]byte(compose), new(map[string]any)); err != nil {
		t.Error(err)
	}
	app, err := kong.New(&cli{}, kong.DefaultEnvars("HOPLITE"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, n := range append(slices.Clone(app.Model.Children), app.Model.Node) {
		for _, f := range n.Flags {
			for _, name := range f.Envs {
				known[name] = true
			}
		}
	}
	named := regexp.MustCompile(`HOPLITE_[A-Z_]+`).FindAllString(dockerfile+compose, -1)
	if len(named) < 9 {
		t.Errorf("only %d settings: %v", len(named), named)
	}
	for _, name := range named {
		if !known[name] {
			t.Errorf("there is no setting %s", name)
		}
	}
}

// nobody is a user that owns nothing on this machine.
const nobody = 65532

// TestAloneInAnEmptyRoot runs the static binary where there is nothing else, as the container image does: as a user
// without a name, who may write to the data folder only. It serves a game.
func TestAloneInAnEmptyRoot(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Log("only root may change the root directory")
		return
	}
	// Not the test's own folder, which only root may enter.
	root, err := os.MkdirTemp("", "hoplite-root-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	buildProgram(t, root)
	for _, err := range []error{
		os.Mkdir(filepath.Join(root, "data"), 0o700),
		os.Chown(filepath.Join(root, "data"), nobody, nobody), os.Chmod(root, 0o555),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	addr, ops := freeAddr(t), freeAddr(t)
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "/hoplite", "serve")
	cmd.Dir = "/"
	cmd.Env = []string{"HOPLITE_LISTEN=" + addr, "HOPLITE_OPS=" + ops, "HOPLITE_DB=/data/hoplite.db", "HOPLITE_BOTS=1"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	said := &lockedText{}
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			_ = cmd.Process.Kill() // it may have ended
			_ = cmd.Wait()
			t.Log(said)
		}
	})
	r := &running{url: "http://" + addr, ops: "http://" + ops, client: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{}}}
	defer r.client.CloseIdleConnections()
	until(t, "it is ready", func() bool {
		return r.status(t, "GET", r.ops+"/readyz", "", nil) == http.StatusOK
	})
	token := r.signUp(t, "Ann")
	var game struct{ ID string }
	until(t, "the engine plays", func() bool {
		return r.status(t, "POST", "/api/challenge/ai", token, url.Values{"level": {"1"}}) == 201
	})
	var list struct {
		NowPlaying []struct{ GameID string }
	}
	r.must(t, "GET", "/api/account/playing", token, nil, &list)
	if len(list.NowPlaying) == 0 {
		t.Fatal("no game is played")
	}
	game.ID = list.NowPlaying[0].GameID
	r.must(t, "POST", "/api/board/game/"+game.ID+"/resign", token, nil, nil)
	if status := r.status(t, "GET", "/", "", nil); status != 200 {
		t.Errorf("the page: %d", status)
	}
	if resp, body := r.ask(t, "GET", r.ops+"/metrics", "", nil); resp.StatusCode != 200 || !strings.Contains(string(body), "hoplite_games_ended_total") {
		t.Errorf("metrics: %d %.200s", resp.StatusCode, body)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if name := strings.TrimPrefix(path, root); err == nil && name != "" && name != "/hoplite" && name != "/data" && !strings.HasPrefix(name, "/data/hoplite.db") {
			t.Errorf("it wrote %s", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

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

// TestNginx runs Debian's nginx with our file before the server: a stream's lines come at once, a websocket passes, and
// the server knows its clients' own addresses and the proxy's names of their requests.
func TestNginx(t *testing.T) {
	t.Parallel()
	const host = "chess.example.org"
	nginx := "/usr/sbin/nginx"
	if _, err := os.Stat(nginx); err != nil {
		t.Log("there is no nginx, which make deps installs")
		return
	}
	r := startServe(t, "--bots", "none", "--url", "https://"+host, "--trusted-proxies", "127.0.0.1/32", "--signup", "open", "--log-level", "debug")
	dir, plain, secure := t.TempDir(), freeAddr(t), freeAddr(t)
	cert, key := certificate(t, dir, host)
	text, err := os.ReadFile(deploy + "nginx.conf")
	if err != nil {
		t.Fatal(err)
	}
	site := string(text)
	for from, to := range map[string]string{
		"server 127.0.0.1:8080;": "server " + r.log.address(t) + ";",
		"listen 80;":             "listen " + plain + ";",
		"listen 443 ssl http2;":  "listen " + secure + " ssl http2;",
		"/etc/letsencrypt/live/chess.example.org/fullchain.pem": cert,
		"/etc/letsencrypt/live/chess.example.org/privkey.pem":   key,
	} {
		if !strings.Contains(site, from) {
			t.Fatalf("nginx.conf has no %q", from)
		}
		site = strings.Replace(site, from, to, 1)
	}
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
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), nginx, "-p", dir, "-c", filepath.Join(dir, "nginx.conf"))
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

	roots := x509.NewCertPool()
	if pemText, err := os.ReadFile(cert); err != nil || !roots.AppendCertsFromPEM(pemText) {
		t.Fatal(err)
	}
	from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 5)}, Timeout: 10 * time.Second}
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: host},
		DialContext:     func(ctx context.Context, _, _ string) (net.Conn, error) { return from.DialContext(ctx, "tcp", secure) },
	}
	proxied := &running{url: "https://" + host, log: r.log, client: &http.Client{Timeout: 30 * time.Second, Transport: transport}}
	defer transport.CloseIdleConnections()
	until(t, "nginx is up", func() bool { return proxied.status(t, "GET", "/healthz", "", nil) == 200 })

	ann, bob := proxied.signUp(t, "Ann"), proxied.signUp(t, "Bob")
	req, err := http.NewRequestWithContext(t.Context(), "GET", "https://"+host+"/api/account", nil)
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
	if len(id) != 32 || resp.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("status %d, headers %v", resp.StatusCode, resp.Header)
	}
	until(t, "the request is in the log", func() bool { return strings.Contains(r.log.String(), "request="+id) })
	for line := range strings.Lines(r.log.String()) {
		if strings.Contains(line, "request="+id) && !strings.Contains(line, "ip=127.0.0.5 ") {
			t.Errorf("the client's address is not 127.0.0.5: %s", line)
		}
	}

	// The stream's first line comes while the stream is open, and so does the event.
	c, err := client.New(client.BaseURL("https://"+host), client.Token(bob), client.HTTPClient(&http.Client{Transport: transport}))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	events := make(chan string, 10)
	go func() {
		for e, err := range c.Account.Events(t.Context()) {
			if err != nil {
				return
			}
			events <- fmt.Sprintf("%T", e)
		}
	}()
	time.Sleep(300 * time.Millisecond)
	proxied.must(t, "POST", "/api/challenge/Bob", ann, url.Values{"clock.limit": {"180"}, "clock.increment": {"0"}}, nil)
	select {
	case <-events:
	case <-time.After(20 * time.Second):
		t.Error("nginx holds the stream back")
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the first event came after %v", took)
	}

	socket, err := c.Socket(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	if _, err := socket.Move(t.Context(), frames.Move{Game: "nogame01", Move: "e2e4"}); err == nil || !strings.Contains(err.Error(), "notFound") {
		t.Errorf("a frame over the websocket: %v", err)
	}
	redirect, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Get("http://" + plain + "/x?y=z")
	if err != nil {
		t.Fatal(err)
	}
	_ = redirect.Body.Close()
	if got := redirect.Header.Get("Location"); redirect.StatusCode != 301 || !strings.HasPrefix(got, "https://") || !strings.HasSuffix(got, "/x?y=z") {
		t.Errorf("plain http: %d to %s", redirect.StatusCode, got)
	}
	if bytes.Contains([]byte(r.log.String()), []byte("203.0.113.9")) {
		t.Error("an address that a client made up is in the log")
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
