package metrics_test

import (
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"hoplite/server/live/game"
	"hoplite/server/metrics"
)

func scrape(t *testing.T, m *metrics.Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	text, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCounts(t *testing.T) {
	t.Parallel()
	m := metrics.New("1.2.3")
	g := m.Games()
	for k := range game.ActionKind(40) {
		g.Acted(k) // those that there are not count nowhere
	}
	g.Started("standard")
	g.Ended("mate")
	g.Committed(3, 2*time.Millisecond, nil)
	g.Committed(2, time.Second, errors.New("the disk is full"))
	m.Request("GET", "/api/account", 200, 3*time.Millisecond, false)
	m.Request("GET", "/api/stream/event", 200, time.Hour, true)
	m.Request("<script>", "other", 405, time.Millisecond, false)
	m.Gauge("things", "Things.", func() float64 { return 7 })
	m.Counter("more_things_total", "More things.", func() float64 { return 8 })
	text := scrape(t, m)
	for _, want := range []string{
		`hoplite_build_info{version="1.2.3"} 1`,
		`hoplite_game_actions_total{kind="move"} 1`,
		`hoplite_game_actions_total{kind="rematched"} 1`,
		`hoplite_games_started_total{variant="standard"} 1`,
		`hoplite_games_ended_total{status="mate"} 1`,
		"hoplite_commit_batch_steps_sum 3\n",
		"hoplite_commit_duration_seconds_count 1\n",
		"hoplite_commit_failed_steps_total 2\n",
		`hoplite_http_requests_total{method="GET",route="/api/stream/event",status="200"} 1`,
		`hoplite_http_requests_total{method="other",route="other",status="405"} 1`,
		`hoplite_http_request_duration_seconds_count{route="/api/account"} 1`,
		"hoplite_things 7\n", "hoplite_more_things_total 8\n", "go_goroutines ", "process_open_fds ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, unwanted := range []string{"<script>", `http_request_duration_seconds_count{route="/api/stream/event"}`, `kind=""`} {
		if strings.Contains(text, unwanted) {
			t.Errorf("%q is there", unwanted)
		}
	}
}

// TestNothingIsAllocated on the way of a move.
func TestNothingIsAllocated(t *testing.T) {
	g := metrics.New("").Games()
	n := testing.AllocsPerRun(1000, func() {
		g.Acted(game.Move)
		g.Committed(1, time.Millisecond, nil)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkMove is what counting adds to a move that has a transaction of its own; in a batch it is less.
func BenchmarkMove(b *testing.B) {
	g := metrics.New("").Games()
	b.ReportAllocs()
	for b.Loop() {
		g.Acted(game.Move)
		g.Committed(1, time.Millisecond, nil)
	}
}

// BenchmarkRequest is what counting adds to a request.
func BenchmarkRequest(b *testing.B) {
	m := metrics.New("")
	b.ReportAllocs()
	for b.Loop() {
		m.Request("POST", "/api/board/game/{gameId}/move/{move}", 200, time.Millisecond, false)
	}
}
