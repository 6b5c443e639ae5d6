package client

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"time"
)

// fewFailures bounds how far the wait grows while streams still tell something.
const fewFailures = 2

// Reconnect makes one stream of many: whenever the stream that open returns is
// lost, or ends although the last value was not final, it is opened again after
// a wait. It is meant for streams that begin with the full state. It ends after
// a final value, when the context ends, and with the error when the server
// refuses for good (see [Temporary]). final may be nil if no value is final.
func Reconnect[T any](ctx context.Context, b Backoff, log *slog.Logger,
	open func(context.Context) iter.Seq2[T, error], final func(T) bool,
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		if err := b.validate(); err != nil {
			yield(none, err)
			return
		}
		for failures := 0; ctx.Err() == nil; {
			var lost error
			gave := false
			opened := time.Now()
			for v, err := range open(ctx) {
				if err != nil {
					lost = err
					break
				}
				gave = true
				if !yield(v, nil) || final != nil && final(v) {
					return
				}
			}
			if ctx.Err() != nil {
				return
			}
			if lost != nil && !Temporary(lost) {
				yield(none, lost)
				return
			}
			// A stream that lived for a while was a success, so its loss is a
			// first failure. One that told something before it was lost is missed
			// more than a server that does not answer.
			switch {
			case time.Since(opened) > b.Max:
				failures = 0
			case gave:
				failures = min(failures, fewFailures)
			}
			failures++
			wait := b.wait(failures)
			if limit, ok := errors.AsType[*RateLimitError](lost); ok {
				wait = max(wait, limit.RetryAfter)
			}
			if log != nil {
				log.Info("stream lost", "error", lost, "retry", wait)
			}
			if sleep(ctx, wait) != nil {
				return
			}
		}
	}
}
