package search_test

import (
	"context"
	"syscall"
	"testing"
	"time"

	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant/varianttest"
)

// BenchmarkSearch reports the nodes searched per second of CPU time from the
// start positions.
func BenchmarkSearch(b *testing.B) {
	for _, key := range []string{"standard", "spartan", "seirawan", "spartan28"} {
		b.Run(key, func(b *testing.B) {
			r := varianttest.Rules(b, key)
			p, err := r.Start(r.Definition().Start.Usual)
			if err != nil {
				b.Fatal(err)
			}
			e := search.New(r, search.Options{})
			var nodes uint64
			before := cpuTime(b)
			b.ReportAllocs()
			for b.Loop() {
				e.NewGame()
				res := e.Search(context.Background(), rules.NewGame(p), search.Limits{Nodes: 500_000}, nil)
				if res.Best == 0 {
					b.Fatal("no move")
				}
				nodes += res.Nodes
			}
			b.ReportMetric(float64(nodes)/(cpuTime(b)-before).Seconds(), "nodes/cpu-s")
		})
	}
}

func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
