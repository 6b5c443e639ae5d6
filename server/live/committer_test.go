package live

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hoplite/server/rating"
	"hoplite/store"
	"hoplite/store/storetest"
)

// begun is a store that notes how many steps each batch has, and when it came.
type begun struct {
	store.Store
	start time.Time
	steps []int
	at    []time.Duration
}

func (b *begun) CommitSteps(ctx context.Context, steps []store.Step, rate store.RateFunc) ([]store.StepResult, error) {
	b.steps, b.at = append(b.steps, len(steps)), append(b.at, time.Since(b.start))
	return b.Store.CommitSteps(ctx, steps, rate)
}

// A batch of many makes the next one wait for company; a lonely step waits for nobody.
func TestBatchesGatherWhereManyCome(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &begun{Store: storetest.New(t), start: time.Now()}
		c := newCommitter(b, rating.Game, slog.New(slog.DiscardHandler), unwatched{})
		var steps sync.WaitGroup
		games := 0
		submit := func(count int) {
			for range count {
				games++
				step := storetest.Begin(storetest.NewGame(fmt.Sprintf("game%d", games), b.start, "", ""))
				steps.Go(func() {
					if _, err := c.commit(step); err != nil {
						t.Error(err)
					}
				})
			}
			synctest.Wait()
		}
		submit(busyBatch) // they wait for a committer that does not run yet
		ctx, cancel := context.WithCancel(t.Context())
		steps.Go(func() { c.run(ctx) })
		synctest.Wait()
		submit(1)
		time.Sleep(pace / 2)
		submit(1)
		time.Sleep(pace)
		submit(1)
		submit(1)
		cancel()
		steps.Wait()
		if want := fmt.Sprint([]int{busyBatch, 2, 1, 1}); fmt.Sprint(b.steps) != want {
			t.Errorf("batches of %v, not %s", b.steps, want)
		}
		if want := fmt.Sprint([]time.Duration{0, pace, pace * 3 / 2, pace * 3 / 2}); fmt.Sprint(b.at) != want {
			t.Errorf("batches at %v, not %s", b.at, want)
		}
	})
}
