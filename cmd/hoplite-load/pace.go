package main

import (
	"context"
	"errors"
	"sync"
	"time"
)

// table is a game that is played over some connection. play makes the n-th move and returns when it was acknowledged to
// the mover and when the opponent had heard of it.
type table interface {
	play(ctx context.Context, n int) (acked, heard time.Time, err error)
}

// outcome is what playing showed.
type outcome struct {
	moves   int
	elapsed time.Duration
	acked   times // from when the move was due
	heard   times
}

// keepPace plays on all tables at a rate that does not wait for the server: a move that comes late is counted from when it
// was due, so that a server that stalls cannot hide it. first tells how many moves a table has behind it, most how many a
// game has.
func keepPace[T table](ctx context.Context, tables []T, first []int, rate float64, duration time.Duration, most int) (*outcome, error) {
	gap := time.Duration(float64(len(tables)) / rate * float64(time.Second))
	begin := time.Now().Add(100 * time.Millisecond)
	return playAll(ctx, tables, first, most, begin, begin.Add(duration), func(i, n int) time.Time {
		return begin.Add(gap*time.Duration(i)/time.Duration(len(tables)) + gap*time.Duration(n))
	})
}

// rush plays on all tables as fast as answers come.
func rush[T table](ctx context.Context, tables []T, first []int, duration time.Duration, most int) (*outcome, error) {
	begin := time.Now()
	return playAll(ctx, tables, first, most, begin, begin.Add(duration), func(int, int) time.Time { return time.Now() })
}

// playAll plays on all tables from begin to end. due tells when the n-th move from now of a table is due.
func playAll[T table](ctx context.Context, tables []T, first []int, most int, begin, end time.Time, due func(i, n int) time.Time) (*outcome, error) {
	var o outcome
	err := each(tables, func(i int, t T) error {
		for n := 0; first[i] < most; n++ {
			at := due(i, n)
			if !at.Before(end) {
				return nil
			}
			if err := sleepUntil(ctx, at); err != nil {
				return err
			}
			acked, heard, err := t.play(ctx, first[i])
			if err != nil {
				return err
			}
			first[i]++
			o.acked.add(acked.Sub(at))
			o.heard.add(heard.Sub(at))
		}
		return nil
	})
	o.elapsed = time.Since(begin)
	o.moves = len(o.acked.all)
	return &o, err
}

// sleepUntil returns at a time, or when ctx ends.
func sleepUntil(ctx context.Context, at time.Time) error {
	wait := time.Until(at)
	if wait <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// each runs f for every table at once and returns the first few errors.
func each[T any](tables []T, f func(i int, t T) error) error {
	errs := make(chan error, len(tables))
	var wg sync.WaitGroup
	for i, t := range tables {
		wg.Go(func() {
			if err := f(i, t); err != nil {
				errs <- err
			}
		})
	}
	wg.Wait()
	close(errs)
	var few []error
	for err := range errs {
		if few = append(few, err); len(few) == 3 {
			break
		}
	}
	return errors.Join(few...)
}
