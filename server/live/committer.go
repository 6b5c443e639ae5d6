package live

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"hoplite/store"
)

const (
	// maxBatch bounds the steps of one transaction, so that nobody waits long
	// for a batch of others.
	maxBatch = 512
	// commitTimeout is when a commit that does not come back counts as failed.
	commitTimeout = 15 * time.Second
)

// errStopped says that the committer does not run any more.
var errStopped = errors.New("the committer has stopped")

// pending is a step on its way to the disk.
type pending struct {
	step   store.Step
	result store.StepResult
	err    error
	done   chan struct{} // closed when result and err are set
}

// committer makes steps durable in batches. While the disk works on one batch
// the next one gathers, so that a batch grows with the load and a lonely step
// waits for nobody.
type committer struct {
	games store.Games
	rate  store.RateFunc
	log   *slog.Logger
	watch Watcher
	in    chan *pending
	quit  chan struct{} // closed when the committer has stopped
}

func newCommitter(games store.Games, rate store.RateFunc, log *slog.Logger, watch Watcher) *committer {
	return &committer{games: games, rate: rate, log: log, watch: watch, in: make(chan *pending, maxBatch), quit: make(chan struct{})}
}

// commit returns once the step is durable, or known to have failed. It does
// not give up before: whoever submitted a step must learn what became of it.
func (c *committer) commit(step store.Step) (store.StepResult, error) {
	p := &pending{step: step, done: make(chan struct{})}
	select {
	case c.in <- p:
	case <-c.quit:
		return store.StepResult{}, errStopped
	}
	select {
	case <-p.done:
		return p.result, p.err
	case <-c.quit:
	}
	select { // it may have been the last one
	case <-p.done:
		return p.result, p.err
	default:
		return store.StepResult{}, errStopped
	}
}

// run serves until ctx ends. Nobody may call commit any more by then.
func (c *committer) run(ctx context.Context) {
	defer close(c.quit)
	batch := make([]*pending, 0, maxBatch)
	for {
		select {
		case <-ctx.Done():
			return
		case p := <-c.in:
			batch = append(batch[:0], p)
		}
	gather:
		for len(batch) < maxBatch {
			select {
			case p := <-c.in:
				batch = append(batch, p)
			default:
				break gather
			}
		}
		c.write(context.WithoutCancel(ctx), batch)
	}
}

// write commits the batch and tells everybody in it. A step that the store
// refuses is left out and the rest tried again; any other failure fails all.
func (c *committer) write(ctx context.Context, batch []*pending) {
	ctx, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	for len(batch) > 0 {
		steps := make([]store.Step, len(batch))
		for i, p := range batch {
			steps[i] = p.step
		}
		begin := time.Now()
		results, err := c.games.CommitSteps(ctx, steps, c.rate)
		if se, ok := errors.AsType[*store.StepError](err); ok && se.Index >= 0 && se.Index < len(batch) {
			c.log.Error("a step was refused by the store", "game", se.GameID, "error", err)
			bad := batch[se.Index]
			bad.err = err
			c.watch.Committed(1, 0, err)
			close(bad.done)
			// The batch is the committer's own slice: order stays, no copy.
			batch = append(batch[:se.Index], batch[se.Index+1:]...)
			continue
		}
		c.watch.Committed(len(batch), time.Since(begin), err)
		if err != nil {
			c.log.Warn("steps not stored", "steps", len(batch), "error", err)
		}
		for i, p := range batch {
			if err != nil {
				p.err = err
			} else {
				p.result = results[i]
			}
			close(p.done)
		}
		return
	}
}
