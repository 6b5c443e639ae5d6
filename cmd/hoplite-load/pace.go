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
// was due, so that a server that stalls cannot hide it. first tells how many moves a table has behind it.
func keepPace[T table](ctx context.Context, tables []T, first []int, rate float64, duration time.Duration, most int) (*outcome, error) {
	var o outcome
	gap := time.Duration(float64(len(tables)) / rate * float64(time.Second))
	begin := time.Now().Add(100 * time.Millisecond)
	err := each(tables, func(i int, t T) error {
		timer := time.NewTimer(0)
		defer timer.Stop()
		<-timer.C
		for due := begin.Add(gap * time.Duration(i) / time.Duration(len(tables))); due.Before(begin.Add(duration)); due = due.Add(gap) {
			if first[i] >= most {
				return nil
			}
			timer.Reset(time.Until(due))
			select {
			case <-timer.C:
			case <-ctx.Done():
				return ctx.Err()
			}
			acked, heard, err := t.play(ctx, first[i])
			if err != nil {
				return err
			}
			first[i]++
			o.acked.add(acked.Sub(due))
			o.heard.add(heard.Sub(due))
		}
		return nil
	})
	o.elapsed = time.Since(begin)
	o.moves = len(o.acked.all)
	return &o, err
}

// rush plays on all tables as fast as answers come.
func rush[T table](ctx context.Context, tables []T, first []int, duration time.Duration, most int) (*outcome, error) {
	var o outcome
	begin := time.Now()
	err := each(tables, func(i int, t T) error {
		for time.Since(begin) < duration && first[i] < most {
			sent := time.Now()
			acked, heard, err := t.play(ctx, first[i])
			if err != nil {
				return err
			}
			first[i]++
			o.acked.add(acked.Sub(sent))
			o.heard.add(heard.Sub(sent))
		}
		return nil
	})
	o.elapsed = time.Since(begin)
	o.moves = len(o.acked.all)
	return &o, err
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
