//go:build unix

package server_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/server"
	"hoplite/server/limits"
	"hoplite/server/servertest"
)

// table is two people and the game that they play, without the checks of the spec in between: those would be measured.
type table struct {
	url     string
	client  *http.Client
	rules   *rules.Rules
	players [2]*servertest.User

	id   string
	game *rules.Game
	seed uint64
}

func (tb *table) post(user *servertest.User, path string, form url.Values) error {
	r, err := http.NewRequest(http.MethodPost, tb.url+path, nil)
	if err != nil {
		return err
	}
	r.URL.RawQuery = form.Encode()
	r.Header.Set("Authorization", "Bearer "+user.Token)
	answer, err := tb.client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	body, _ := io.ReadAll(answer.Body)
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("POST %s: %d %s", path, answer.StatusCode, body)
	}
	return nil
}

func (tb *table) begin(b *testing.B) {
	b.Helper()
	var made struct{ ID string }
	tb.players[0].Post(b, "/api/challenge/"+tb.players[1].ID, url.Values{
		"variant": {tb.rules.Key()}, "color": {"white"}, "clock.limit": {"10800"}, "clock.increment": {"60"},
	}).Want(b, http.StatusOK).JSON(b, &made)
	tb.players[1].Post(b, "/api/challenge/"+made.ID+"/accept", nil).Want(b, http.StatusOK)
	start, err := tb.rules.Start(0)
	if err != nil {
		b.Fatal(err)
	}
	tb.id, tb.game = made.ID, rules.NewGame(start)
}

// move plays a random legal move, in a new game where the old one is over.
func (tb *table) move(b *testing.B) error {
	if _, over := tb.game.Outcome(); over || len(tb.game.Moves()) > 500 {
		tb.begin(b)
	}
	p := tb.game.Position()
	legal := p.Moves(nil)
	tb.seed = tb.seed*6364136223846793005 + 1442695040888963407
	m := legal[tb.seed>>33%uint64(len(legal))]
	path := "/api/board/game/" + tb.id + "/move/" + notation.FormatMove(p, m)
	if err := tb.post(tb.players[p.Turn()], path, nil); err != nil {
		return err
	}
	return tb.game.Play(m)
}

// BenchmarkMoveOverHTTP is a move as a client makes it: request, token, validation, durable commit on SQLite, answer.
// Clients and server share the processors.
func BenchmarkMoveOverHTTP(b *testing.B) {
	for _, n := range []int{1, 64} {
		b.Run(fmt.Sprintf("games=%d", n), func(b *testing.B) {
			s := servertest.Start(b, servertest.Config(func(c *server.Config) { c.Limits = limits.Off }))
			set, err := variant.Catalogue()
			if err != nil {
				b.Fatal(err)
			}
			spartan, _ := set.Get("spartan")
			client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: n}}
			tables := make([]*table, n)
			for i := range tables {
				tables[i] = &table{url: s.URL, client: client, rules: spartan, seed: uint64(i), players: [2]*servertest.User{
					s.SignUp(b, fmt.Sprintf("White%d", i)), s.SignUp(b, fmt.Sprintf("Black%d", i)),
				}}
				tables[i].begin(b)
			}
			cpu := processorTime()
			b.ResetTimer()
			var left atomic.Int64
			left.Store(int64(b.N))
			var wg sync.WaitGroup
			for _, tb := range tables {
				wg.Go(func() {
					for left.Add(-1) >= 0 {
						if err := tb.move(b); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "moves/s")
			b.ReportMetric(float64((processorTime()-cpu).Microseconds())/float64(b.N), "cpu-µs/move")
		})
	}
}

// BenchmarkIdleStreams is the memory of an open event stream beside that of a bare Echo handler that only flushes and
// waits. Both ends of each connection live in this process.
func BenchmarkIdleStreams(b *testing.B) {
	const streams = 400
	open := func(b *testing.B, client *http.Client, target string, tokens []string) (perStream float64) {
		before := memory()
		bodies := make([]io.Closer, 0, streams)
		for i := range streams {
			r, err := http.NewRequest(http.MethodGet, target, nil)
			if err != nil {
				b.Fatal(err)
			}
			if len(tokens) > 0 {
				r.Header.Set("Authorization", "Bearer "+tokens[i])
			}
			answer, err := client.Do(r)
			if err != nil {
				b.Fatal(err)
			}
			if answer.StatusCode != http.StatusOK {
				b.Fatalf("status %d", answer.StatusCode)
			}
			bodies = append(bodies, answer.Body)
		}
		perStream = float64(memory()-before) / streams
		for _, body := range bodies {
			_ = body.Close()
		}
		return perStream
	}

	for b.Loop() {
		bare := echo.New()
		bare.GET("/", func(c echo.Context) error {
			c.Response().WriteHeader(http.StatusOK)
			_, _ = c.Response().Write([]byte("\n"))
			c.Response().Flush()
			<-c.Request().Context().Done()
			return nil
		})
		peer := httptest.NewServer(bare)
		plain := open(b, &http.Client{Transport: &http.Transport{}}, peer.URL, nil)
		peer.CloseClientConnections()
		peer.Close()

		s := servertest.Start(b, servertest.Config(func(c *server.Config) { c.Limits = limits.Off }))
		var tokens []string
		for len(tokens) < streams {
			tokens = append(tokens, manyTokens(b, s, fmt.Sprintf("Watcher%d", len(tokens)), 400)...)
		}
		ours := open(b, &http.Client{Transport: &http.Transport{}}, s.URL+"/api/stream/event", tokens)
		s.Stop()
		b.ReportMetric(plain, "B/bare-stream")
		b.ReportMetric(ours, "B/stream")
		b.ReportMetric(ours/plain, "ratio")
	}
}

// manyTokens are tokens of one account: each may have an event stream of its own.
func manyTokens(b *testing.B, s *servertest.Server, name string, n int) []string {
	b.Helper()
	user := s.SignUp(b, name)
	var login struct{ Session string }
	s.Anonymous().Post(b, "/api/login", url.Values{"username": {user.ID}, "password": {"correct horse battery"}}).
		Want(b, http.StatusOK).JSON(b, &login)
	user.Token = login.Session // only a session makes tokens
	tokens := make([]string, n)
	for i := range tokens {
		var made struct{ Token string }
		user.PostJSON(b, "/api/account/tokens", map[string]any{"description": fmt.Sprint(i), "scopes": []string{"board:play"}}).
			Want(b, http.StatusCreated).JSON(b, &made)
		tokens[i] = made.Token
	}
	return tokens
}

func memory() int64 {
	time.Sleep(200 * time.Millisecond) // for goroutines that are just starting or ending
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// processorTime is what this process has used so far, both in it and in the kernel for it.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
