package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"hoplite/store"
)

// testCancelled checks that a change either happens or reports an error, and
// that the store works on.
func testCancelled(t *testing.T, s store.Store) {
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.SetMeta(gone, "a", "1"); !errors.Is(err, context.Canceled) {
		t.Fatalf("write: %v", err)
	}
	if _, err := s.MetaValue(gone, "a"); !errors.Is(err, context.Canceled) {
		t.Fatalf("read: %v", err)
	}
	if _, err := s.CommitSteps(gone, []store.Step{Begin(NewGame("one", now, "a", "b"))}, Rate); !errors.Is(err, context.Canceled) {
		t.Fatalf("steps: %v", err)
	}
	_, err := s.GameByID(ctx, "one")
	want(t, err, store.ErrNotFound)

	// Cancelled at some moment within.
	for i := range 40 {
		short, cancel := context.WithTimeout(ctx, time.Duration(i)*20*time.Microsecond)
		err := s.SetMeta(short, "b", time.Duration(i).String())
		cancel()
		v, readErr := s.MetaValue(ctx, "b")
		switch {
		case err == nil && (readErr != nil || v != time.Duration(i).String()):
			t.Fatalf("reported as stored, but is not: %q %v", v, readErr)
		case err != nil && !errors.Is(err, context.DeadlineExceeded):
			t.Fatalf("write: %v", err)
		}
	}
	// Whoever waits for its turn may give up.
	held, release := make(chan struct{}), make(chan struct{})
	done := make(chan error)
	go func() {
		done <- s.InTx(ctx, func(tx store.Store) error {
			err := tx.SetMeta(ctx, "c", "1")
			close(held)
			<-release
			return err
		})
	}()
	<-held
	short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	if err := s.SetMeta(short, "c", "2"); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("waiting write: %v", err)
	}
	close(release)
	must(t, <-done)
	must(t, s.SetMeta(ctx, "c", "3"))
}
