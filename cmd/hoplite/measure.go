package main

import (
	"hoplite/client/bot"
	"hoplite/server/metrics"
	"hoplite/store/gormdb"
)

// measure makes the metrics of a server, with those of its database and of the searches of its bots.
func measure(version string, db *gormdb.DB, pool *bot.Pool) *metrics.Metrics {
	m := metrics.New(version)
	for name, p := range db.Pools() {
		m.Database(name, p)
	}
	m.Gauge("database_writes_waiting", "Changes that wait for SQLite's one connection that writes.",
		func() float64 { return float64(db.WritesWaiting()) })
	m.Gauge("house_searches_waiting", "Searches of house bots that wait for a worker.",
		func() float64 { return float64(pool.Stats().Waiting) })
	m.Gauge("house_workers", "Workers that search for house bots.", func() float64 { return float64(pool.Size()) })
	m.Counter("house_searches_total", "Searches that house bots began.", func() float64 { return float64(pool.Stats().Searches) })
	m.Counter("house_search_seconds_total", "Time that searches of house bots took, of all workers together.",
		func() float64 { return pool.Stats().Busy.Seconds() })
	return m
}
