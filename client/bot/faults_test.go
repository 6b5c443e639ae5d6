package bot_test

import (
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/openapi"
	"hoplite/server/servertest"
)

// faulty stands between a client and the server and does harm at random.
type faulty struct {
	to    *url.URL
	proxy *httputil.ReverseProxy
	mu    sync.Mutex
	rand  *rand.Rand
	done  map[string]int // faults by kind
}

func newFaulty(t *testing.T, target string, seed uint64) (*faulty, string) {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(u) }}
	f := &faulty{to: u, proxy: proxy, rand: rand.New(rand.NewPCG(seed, 1)), done: map[string]int{}}
	f.proxy.FlushInterval = -1
	f.proxy.ErrorLog = log.New(io.Discard, "", 0)
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return f, s.URL
}

// pick draws a fault for a request.
func (f *faulty) pick(r *http.Request) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	kinds := []string{"", "", "", "", "unavailable", "limited", "lost request", "lost answer"}
	if strings.Contains(r.URL.Path, "/stream/") {
		kinds = []string{"cut", "cut", "cut", "cut", "unavailable"}
	}
	kind := kinds[f.rand.IntN(len(kinds))]
	f.done[kind]++
	return kind
}

func (f *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch f.pick(r) {
	case "":
		f.proxy.ServeHTTP(w, r)
	case "unavailable":
		http.Error(w, `{"error":"later"}`, http.StatusServiceUnavailable)
	case "limited":
		w.Header().Set("Retry-After", "0")
		http.Error(w, `{"error":"slow"}`, http.StatusTooManyRequests)
	case "lost request":
		panic(http.ErrAbortHandler)
	case "lost answer":
		f.proxy.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	case "cut":
		f.mu.Lock()
		life := 300*time.Millisecond + time.Duration(f.rand.IntN(2000))*time.Millisecond
		f.mu.Unlock()
		conn, buf, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		f.tunnel(conn, buf, r, life)
	}
}

// tunnel passes a stream on and cuts it in the middle of whatever it says.
func (f *faulty) tunnel(conn net.Conn, _ io.Writer, r *http.Request, life time.Duration) {
	defer conn.Close()
	target := r.Clone(r.Context())
	target.URL.Scheme, target.URL.Host = f.to.Scheme, f.to.Host
	up, err := net.Dial("tcp", target.URL.Host)
	if err != nil {
		return
	}
	defer up.Close()
	cut := time.AfterFunc(life, func() { up.Close(); conn.Close() })
	defer cut.Stop()
	target.Host = target.URL.Host
	if target.Write(up) == nil {
		_, _ = io.Copy(conn, up) // ends when it is cut
	}
}

// TestFaults lets two bots play through a network that loses requests, answers
// and streams, and a server that is overloaded now and then. Every move acts
// once, and the games end by the rules.
func TestFaults(t *testing.T) {
	t.Parallel()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	s := servertest.Start(t)
	network, address := newFaulty(t, s.URL, 7)
	idle := client.IdleTimeout(2 * time.Second)
	runBot(t, clientTo(t, address, s.SignUpBot(t, "One").Token, idle), quickConfig())
	two := s.SignUpBot(t, "Two")
	runBot(t, clientTo(t, address, two.Token, idle), quickConfig())
	watcher := clientTo(t, s.URL, two.Token) // not through the bad network
	online(t, watcher, "one")
	var ids []string
	for _, key := range []string{"spartan", "standard"} {
		form := clock(1800, 20)
		form.Variant = key
		ch, err := watcher.Challenges.Create(t.Context(), "One", form)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, ch.ID)
		// Its stream may be cut just now; the challenge comes again with the next.
		await(t, "accepted", func() bool {
			c, err := watcher.Challenges.Show(t.Context(), ch.ID)
			return err == nil && c.Status == openapi.ChallengeStatusAccepted
		})
	}
	for _, id := range ids {
		g := finished(t, watcher, id)
		r, _ := set.Get(g.Variant)
		p, err := r.Start(r.Definition().Start.Usual)
		if err != nil {
			t.Fatal(err)
		}
		game := rules.NewGame(p)
		for _, san := range movesIn(g) {
			m, err := notation.ParseSAN(game.Position(), san)
			if err == nil {
				err = game.Play(m)
			}
			if err != nil {
				t.Fatalf("%s: %v", g.Variant, err)
			}
		}
		// A server claims for its bots what may be claimed.
		if _, over := game.Outcome(); !over && !game.CanClaimDraw() {
			t.Errorf("%s ended with %s after %d plies, but not by the rules", g.Variant, g.Status, len(movesIn(g)))
		}
	}
	network.mu.Lock()
	defer network.mu.Unlock()
	for _, kind := range []string{"unavailable", "limited", "lost request", "lost answer", "cut"} {
		if network.done[kind] == 0 {
			t.Errorf("no fault of the kind %q happened: %v", kind, network.done)
		}
	}
	t.Log(network.done)
}
