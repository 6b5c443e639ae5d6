package gormdb_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"hoplite/store"
	"hoplite/store/storetest"
)

// BenchmarkCommitSteps measures durable moves a second: one commit for 64
// games that wait, against one commit a move.
func BenchmarkCommitSteps(b *testing.B) {
	for _, dialect := range []string{"sqlite", "postgres"} {
		for _, batch := range []int{1, 64, 256} {
			b.Run(fmt.Sprintf("%s/games=%d", dialect, batch), func(b *testing.B) {
				if dialect == "postgres" && os.Getenv(storetest.PostgresEnv) == "" {
					b.Skip("no PostgreSQL to measure")
				}
				benchmarkCommit(b, open(b, dialect == "postgres"), batch)
			})
		}
	}
}

func benchmarkCommit(b *testing.B, s store.Games, batch int) {
	ctx := context.Background()
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	steps := make([]store.Step, batch)
	round := 0
	var games []*store.Game
	fresh := func() {
		games = make([]*store.Game, batch)
		for i := range games {
			games[i] = storetest.NewGame(fmt.Sprintf("%d.%d", round, i), start, "a", "b")
			steps[i] = storetest.Begin(games[i])
		}
		if _, err := s.CommitSteps(ctx, steps, nil); err != nil {
			b.Fatal(err)
		}
	}
	rows := 0
	for b.Loop() {
		if round%80 == 0 { // a game of 80 plies
			fresh()
		}
		round++
		for i, g := range games {
			steps[i] = storetest.Move(g, "e2e4", fmt.Sprint("key", round))
		}
		if _, err := s.CommitSteps(ctx, steps, nil); err != nil {
			b.Fatal(err)
		}
		rows += batch
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(rows), "µs/row")
}
