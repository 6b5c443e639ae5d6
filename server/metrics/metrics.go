// Package metrics counts what a server does and serves the counts to Prometheus. Labels have few values: routes as the
// API describes them, never what somebody sent.
package metrics

import (
	"database/sql"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"hoplite/server/live/game"
)

// namespace begins the name of every metric of ours.
const namespace = "hoplite"

// Metrics is the registry of one server. Its methods may be called from any goroutine.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	games    games
}

// New returns a registry with the counts of the Go runtime and of the process, and room for those of a server.
func New(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "http_requests_total",
			Help: "Requests by method, route and status; a stream counts when it has ended.",
		}, []string{"method", "route", "status"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "http_request_duration_seconds",
			Help:    "How long requests took by route. Streams and websockets are not in it.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, 1, 5},
		}, []string{"route"}),
	}
	m.games = newGames()
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "Always 1; the version is in the label.",
		ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	m.registry.MustRegister(m.requests, m.latency, m.games.actions, m.games.started, m.games.ended, m.games.batch, m.games.commit,
		m.games.failed, build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler serves the metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// Gauge adds a value that goes up and down and is read when somebody asks for it. The name has no prefix and carries the
// unit.
func (m *Metrics) Gauge(name, help string, read func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, read))
}

// Counter is Gauge for a value that only grows; its name ends with _total.
func (m *Metrics) Counter(name, help string, read func() float64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, read))
}

// Database adds the state of a pool of connections.
func (m *Metrics) Database(name string, pool *sql.DB) {
	m.registry.MustRegister(collectors.NewDBStatsCollector(pool, name))
}

// Request counts an answered request. The route must come from a fixed list. A stream has no duration of interest.
func (m *Metrics) Request(method, route string, status int, took time.Duration, stream bool) {
	m.requests.WithLabelValues(methodLabel(method), route, strconv.Itoa(status)).Inc()
	if !stream {
		m.latency.WithLabelValues(route).Observe(took.Seconds())
	}
}

// methodLabel keeps methods that somebody made up out of the labels.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// Games returns what counts the actions of games: a live.Watcher.
func (m *Metrics) Games() Games { return Games{&m.games} }

// Games counts what happens in games. Its methods allocate nothing.
type Games struct{ g *games }

// games has its counters at hand by kind: they are on the way of every move.
type games struct {
	actions, started, ended, failed *prometheus.CounterVec
	batch, commit                   prometheus.Histogram
	byKind                          [kinds]prometheus.Counter
	failedSteps                     prometheus.Counter
}

// kinds is more than the number of kinds of actions.
const kinds = 32

func newGames() games {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	}
	g := games{
		actions: counter("game_actions_total", "Actions that were done and are on disk, by kind.", "kind"),
		started: counter("games_started_total", "Games that began, by variant.", "variant"),
		ended:   counter("games_ended_total", "Games that ended, by how.", "status"),
		failed:  counter("commit_failed_steps_total", "Steps of games that the store did not take."),
		batch: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: namespace, Name: "commit_batch_steps", Help: "Steps of games in one transaction.",
			Buckets: prometheus.ExponentialBuckets(1, 2, 10),
		}),
		commit: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: namespace, Name: "commit_duration_seconds", Help: "How long the transaction of a batch took.",
			Buckets: []float64{.0005, .001, .002, .004, .008, .016, .032, .064, .25, 1, 4},
		}),
	}
	g.failedSteps = g.failed.WithLabelValues()
	for k := range g.byKind {
		if name := game.ActionKind(k).String(); name != "" {
			g.byKind[k] = g.actions.WithLabelValues(name)
		}
	}
	return g
}

// Acted counts an action that is on disk.
func (w Games) Acted(k game.ActionKind) {
	if int(k) < kinds && w.g.byKind[k] != nil {
		w.g.byKind[k].Inc()
	}
}

// Started counts a new game.
func (w Games) Started(variant string) { w.g.started.WithLabelValues(variant).Inc() }

// Ended counts the end of a game.
func (w Games) Ended(status string) { w.g.ended.WithLabelValues(status).Inc() }

// Committed counts a transaction of steps.
func (w Games) Committed(steps int, took time.Duration, err error) {
	if err != nil {
		w.g.failedSteps.Add(float64(steps))
		return
	}
	w.g.batch.Observe(float64(steps))
	w.g.commit.Observe(took.Seconds())
}
