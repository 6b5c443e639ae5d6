//go:build unix

package live_test

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/store"
	"hoplite/store/storetest"
)

// manyGames is how many games must fit.
const manyGames = 8000

// fill makes games with some moves in the store, without a service.
func fill(b *testing.B, st store.Store) {
	b.Helper()
	w := start(b, st)
	su := setup()
	su.Control = clock.NewFischer(170*time.Second, 0) // soon enough to be watched
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for range manyGames / 64 {
				snap, err := w.live.Create(b.Context(), su)
				if err != nil {
					b.Error(err)
					return
				}
				for ply, m := range shuffle {
					a := game.Action{Kind: game.Move, Player: ply % 2, Move: m}
					if _, err := w.live.Act(b.Context(), snap.ID, a); err != nil {
						b.Error(err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	if n := w.live.InMemory(); n != manyGames {
		b.Fatalf("%d games in memory", n)
	}
	w.stop()
}

// BenchmarkStart is a start with 8,000 games going on. It reads no log.
func BenchmarkStart(b *testing.B) {
	st := storetest.New(b)
	fill(b, st)
	for b.Loop() {
		w := start(b, st)
		if n := w.live.InMemory(); n != 0 {
			b.Fatalf("%d games were loaded", n)
		}
		w.stop()
	}
}

// BenchmarkMemory is what 8,000 games in memory cost, each with a subscriber.
func BenchmarkMemory(b *testing.B) {
	st := storetest.New(b)
	fill(b, st)
	ids := make([]string, 0, manyGames)
	err := st.EachGame(b.Context(), func(g store.Game) error {
		ids = append(ids, g.ID)
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		w := start(b, st)
		before := heap()
		for _, id := range ids {
			_, sub, err := w.live.Subscribe(b.Context(), id)
			if err != nil {
				b.Fatal(err)
			}
			defer sub.Close()
		}
		b.ReportMetric(float64(heap()-before)/manyGames, "B/game")
		if n := w.live.InMemory(); n != manyGames {
			b.Fatalf("%d games in memory", n)
		}
		w.stop()
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse)
}

// shuffle is a loop of moves without captures; a new game begins before it
// repeats too often.
var shuffle = []string{"g1f3", "g8f6", "f3g1", "f6g8"}

// cpuTime is what the process has used so far. Machines are noisy; this is
// the steadier figure.
func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkMove is one move from Act to its acknowledgement: ordered,
// validated, durable on SQLite, published. Every game has one action in
// flight, and one subscriber.
func BenchmarkMove(b *testing.B) {
	for _, games := range []int{1, 64, 512} {
		b.Run(fmt.Sprintf("games=%d", games), func(b *testing.B) {
			w := start(b, storetest.New(b))
			su := setup()
			su.Control = clock.Control{}
			var left atomic.Int64
			var wg sync.WaitGroup
			lines := make([]func(), games)
			for i := range lines {
				snap := w.create(su)
				lines[i] = func() {
					id := snap.ID
					for ply := 0; left.Add(-1) >= 0; ply++ {
						if ply == 3*len(shuffle) {
							next, err := w.live.Create(b.Context(), su)
							if err != nil {
								b.Error(err)
								return
							}
							id, ply = next.ID, 0
						}
						a := game.Action{Kind: game.Move, Player: ply % 2, Move: shuffle[ply%len(shuffle)]}
						if _, err := w.live.Act(b.Context(), id, a); err != nil {
							b.Error(err)
							return
						}
					}
				}
			}
			left.Store(int64(b.N))
			b.ReportAllocs()
			b.ResetTimer()
			cpu := cpuTime(b)
			for _, line := range lines {
				wg.Go(line)
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "moves/s")
			b.ReportMetric(float64((cpuTime(b)-cpu).Microseconds())/float64(b.N), "cpu-µs/move")
		})
	}
}
