package server

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"hoplite/openapi/frames"
	"hoplite/server/api"
	"hoplite/server/metrics"
	"hoplite/store"
)

// measure adds what is read off the services when somebody asks for it.
func (v *services) measure(m *metrics.Metrics) {
	whole := func(read func() int) func() float64 { return func() float64 { return float64(read()) } }
	count := func(read func() uint64) func() float64 { return func() float64 { return float64(read()) } }
	// A server that is alone has all games.
	shards, nodes := func() int { return store.Shards }, func() int { return 1 }
	if v.node != nil {
		shards, nodes = v.node.Shards, v.node.Peers
	}
	m.Gauge("shards_held", "Shards of the games that this node serves.", whole(shards))
	m.Gauge("nodes_alive", "Nodes that serve the database, this one among them.", whole(nodes))
	m.Gauge("games_live", "Games in memory that go on.", whole(v.live.Live))
	m.Gauge("games_loaded", "Games in memory.", whole(v.live.InMemory))
	m.Gauge("game_alarms", "Moments at which time may change a game.", whole(v.live.Alarms))
	m.Gauge("commit_queue_steps", "Steps of games that wait for their transaction.", whole(v.live.Committing))
	m.Gauge("websockets_open", "Open websockets.", whole(v.sockets.Open))
	m.Gauge("streams_open", "Open streams of JSON lines.", func() float64 {
		return float64(max(0, v.streams.Open()-v.sockets.Open()))
	})
	m.Counter("websockets_slow_total", "Websockets closed because their clients did not read.", count(v.sockets.Slow))
	m.Counter("bus_dropped_total", "Subscriptions to events that ended because their readers were too slow.", count(v.bus.Slow))
}

// routes outside of the description of the API.
const (
	routePage  = "page" // the web page and all its files
	routeOther = "other"
)

// measureRequest counts an answered request by its route, which comes from the description of the API.
func (s *Server) measureRequest(c echo.Context, took time.Duration) {
	route, stream := routePage, false
	switch op := api.OperationOf(c); {
	case op != nil:
		route = op.Path
		stream = endless(c.Response().Header())
	case c.Path() == frames.Path:
		route, stream = frames.Path, true
	case c.Response().Status >= http.StatusBadRequest:
		route = routeOther
	}
	s.deps.Metrics.Request(c.Request().Method, route, c.Response().Status, took, stream)
}
