package storetest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"hoplite/store"
	"hoplite/store/storetest"
)

func TestFaulty(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, c := range []struct {
		name   string
		fault  storetest.Fault
		stored int64
	}{{"fails", storetest.Fails, 3}, {"commits but fails", storetest.CommitsButFails, 4}} {
		t.Run(c.name, func(t *testing.T) {
			f := storetest.NewFaulty(storetest.New(t), storetest.Every(4, c.fault))
			g := storetest.NewGame("g", time.Now().UTC(), "a", "b")
			for i := range 4 {
				var step store.Step
				if i == 0 {
					step = storetest.Begin(g)
				} else {
					step = storetest.Move(g, "m", "")
				}
				res, err := f.CommitSteps(ctx, []store.Step{step}, nil)
				if bad := i == 3; bad != errors.Is(err, store.ErrUnavailable) || bad != (res == nil) {
					t.Fatalf("commit %d: %v, %v", i+1, res, err)
				}
			}
			stored, err := f.GameByID(ctx, "g")
			if err != nil || stored.Seq != c.stored {
				t.Fatalf("stored up to %d, want %d, %v", stored.Seq, c.stored, err)
			}
			f.Plan(storetest.Every(1, c.fault))
			if err := f.InTx(ctx, func(tx store.Store) error { return tx.SetMeta(ctx, "k", "v") }); !errors.Is(err, store.ErrUnavailable) {
				t.Fatalf("transaction: %v", err)
			}
			_, err = f.MetaValue(ctx, "k")
			if committed := c.fault == storetest.CommitsButFails; committed != (err == nil) {
				t.Fatalf("value of the transaction: %v", err)
			}
			if f.Commits() != 5 {
				t.Fatalf("%d commits counted", f.Commits())
			}
		})
	}
}
