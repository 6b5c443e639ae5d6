package gormdb_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/store/storetest"
)

// TestTakeover lets a shard change hands again and again while its holder of
// the moment, and all who were it before, go on committing. Once a claim has
// returned, nothing of an earlier epoch lands any more.
func TestTakeover(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		ctx := context.Background()
		const holders, turns = 4, 12
		g := storetest.NewGame("takeover", start, "a", "b")
		if _, err := db.CommitSteps(ctx, []store.Step{storetest.Begin(g)}, nil); err != nil {
			t.Fatal(err)
		}
		shard := store.ShardOf(g.ID)
		epochs := make([]chan int64, holders)
		var wg sync.WaitGroup
		for i := range holders {
			epochs[i] = make(chan int64, turns)
			wg.Go(func() { insist(t, db, g.ID, epochs[i]) })
		}
		// Whoever holds it is the only one whose rows carry its epoch as player.
		var begins []int64 // the seq at which each epoch began
		for turn := range turns {
			node := fmt.Sprint("n", turn%holders)
			var claims []store.Claim
			for len(claims) == 0 { // while the others are committing
				var err error
				if claims, err = db.ClaimLeases(ctx, node, time.Hour, []int{shard}); err != nil {
					t.Fatal(err)
				}
			}
			stored, err := db.GameByID(ctx, g.ID)
			if err != nil {
				t.Fatal(err)
			}
			begins = append(begins, stored.Seq)
			epochs[turn%holders] <- claims[0].Epoch
			time.Sleep(30 * time.Millisecond)
			if err := db.ReleaseLeases(ctx, node, []int{shard}); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range epochs {
			close(c)
		}
		wg.Wait()
		log, err := db.LogOf(ctx, g.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		landed := 0
		for _, row := range log[1:] {
			turn := row.Player / 2 // epochs go up by two: one for the claim, one for the release
			if row.Seq <= begins[turn] || turn+1 < turns && row.Seq > begins[turn+1] {
				t.Errorf("row %d of turn %d, which began after %d and ended by %v", row.Seq, turn, begins[turn], begins[turn+1:])
			}
			landed++
		}
		if landed < turns {
			t.Errorf("only %d rows in %d turns", landed, turns)
		}
		t.Logf("%d rows in %d turns", landed, turns)
	})
}

// insist goes on committing under the last epoch that it was given, whatever
// becomes of the lease.
func insist(t *testing.T, db *gormdb.DB, id string, epochs <-chan int64) {
	epoch := <-epochs
	for {
		select {
		case next, more := <-epochs:
			if !more {
				return
			}
			epoch = next
		default:
		}
		g, err := db.GameByID(context.Background(), id)
		if err != nil {
			t.Error(err)
			return
		}
		step := storetest.Move(&g, "m", "")
		step.Epoch, step.Rows[0].Player = epoch, int(epoch)
		_, err = db.CommitSteps(context.Background(), []store.Step{step}, nil)
		// Another's step may have come between the reading and the writing.
		if err != nil && !errors.Is(err, store.ErrStale) {
			t.Error(err)
			return
		}
	}
}
