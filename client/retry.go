package client

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"syscall"
	"time"
)

// Backoff is a growing, randomised wait between tries.
type Backoff struct {
	First time.Duration // the first wait
	Max   time.Duration // the longest wait
}

// wait returns the wait before try n, counted from 1: doubled each time, at
// most Max, and then a random part of its upper half so that many clients of a
// restarted server do not come back in step.
func (b Backoff) wait(n int) time.Duration {
	d := b.First
	for ; n > 1 && d < b.Max; n-- {
		d *= 2
	}
	d = min(d, b.Max)
	return d/2 + time.Duration(rand.Int64N(int64(d/2)+1))
}

func (b Backoff) validate() error {
	if b.First <= 0 || b.Max < b.First {
		return fmt.Errorf("back-off from %v to %v", b.First, b.Max)
	}
	return nil
}

// Retry says how often and how long a call is repeated after a temporary
// error. Each try of an action carries the same idempotency key. A server that
// does not know keys refuses a move that comes twice, because it is not that
// player's turn any more.
type Retry struct {
	Backoff
	For      time.Duration // no new try once this much time has passed; 0 never repeats
	MaxPause time.Duration // a rate limit asking for a longer wait is returned at once
}

// DefaultRetry repeats for ten seconds, which bridges a short restart of a
// server.
func DefaultRetry() Retry {
	return Retry{
		Backoff:  Backoff{First: 100 * time.Millisecond, Max: 2 * time.Second},
		For:      10 * time.Second,
		MaxPause: 5 * time.Second,
	}
}

func (r Retry) validate() error {
	if r.For == 0 {
		return nil
	}
	if r.For < 0 || r.MaxPause < 0 {
		return fmt.Errorf("retry: negative duration")
	}
	return r.Backoff.validate()
}

// run calls attempt until it succeeds, fails for good, or time is up. The error
// is that of the last attempt.
func (r Retry) run(ctx context.Context, cl call, attempt func() error) error {
	start := time.Now()
	for n := 1; ; n++ {
		err := attempt()
		if err == nil || ctx.Err() != nil || !r.again(cl, err) {
			return err
		}
		wait := r.wait(n)
		if limit, ok := errors.AsType[*RateLimitError](err); ok {
			if limit.RetryAfter > r.MaxPause {
				return err
			}
			wait = max(wait, limit.RetryAfter)
		}
		if time.Since(start)+wait > r.For {
			return err
		}
		if sleep(ctx, wait) != nil {
			return err
		}
	}
}

// again tells whether the call may be sent once more after err.
func (r Retry) again(cl call, err error) bool {
	if r.For == 0 || !Temporary(err) {
		return false
	}
	return !cl.once || neverArrived(err)
}

// neverArrived reports whether the server surely did not act: no connection
// came about, or it refused because of a rate limit.
func neverArrived(err error) bool {
	if _, ok := errors.AsType[*RateLimitError](err); ok {
		return true
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		return true
	}
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}
