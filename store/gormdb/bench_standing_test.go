package gormdb_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hoplite/store"
	"hoplite/store/storetest"
)

// BenchmarkStanding asks for places among 20,000 ranked players, and looks back
// on 2,000 games of one of them.
func BenchmarkStanding(b *testing.B) {
	const players, games, chunk = 20_000, 2_000, 500
	ctx := context.Background()
	db := storetest.New(b)
	now := time.Now().UTC().Truncate(time.Millisecond)
	name := func(i int) string { return fmt.Sprintf("player%05d", i) }
	for from := 0; from < players; from += chunk {
		err := db.InTx(ctx, func(tx store.Store) error {
			for i := from; i < from+chunk; i++ {
				if err := tx.CreateAccount(ctx, store.Account{ID: name(i), Name: name(i), Created: now}); err != nil {
					return err
				}
				p := store.Perf{AccountID: name(i), Key: "blitz", Rating: 1000 + float64(i)/20, RD: 60, Vol: 0.06, Games: 20, Updated: now}
				if err := tx.SavePerf(ctx, p); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	for from := 0; from < games; from += chunk {
		var steps []store.Step
		for i := from; i < from+chunk; i++ {
			g := storetest.NewGame(fmt.Sprintf("game%04d", i), now.Add(time.Duration(i)*time.Minute), name(0), name(1+i%50))
			g.Status, g.Winner = store.StatusMate, i%2
			steps = append(steps, storetest.Begin(g))
		}
		if _, err := db.CommitSteps(ctx, steps, storetest.Rate); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("top 10", func(b *testing.B) {
		for b.Loop() {
			if top, err := db.TopPerfs(ctx, "blitz", false, 10); err != nil || len(top) != 10 {
				b.Fatal(len(top), err)
			}
		}
	})
	b.Run("rank", func(b *testing.B) {
		for b.Loop() {
			if better, all, err := db.RankOf(ctx, "blitz", false, 1500); err != nil || all != players || better == 0 {
				b.Fatal(better, all, err)
			}
		}
	})
	b.Run("played", func(b *testing.B) {
		for b.Loop() {
			if list, err := db.Played(ctx, store.PlayedFilter{AccountID: name(0)}); err != nil || len(list) != games {
				b.Fatal(len(list), err)
			}
		}
	})
	b.Run("between two", func(b *testing.B) {
		for b.Loop() {
			if list, err := db.Played(ctx, store.PlayedFilter{AccountID: name(0), Vs: name(1)}); err != nil || len(list) != games/50 {
				b.Fatal(len(list), err)
			}
		}
	})
}
