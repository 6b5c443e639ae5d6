package challenge

import (
	"context"
	"errors"
	"time"

	"hoplite/store"
)

const (
	// sweepEvery is the pace while challenges with a clock may run out, and
	// restEvery the pace otherwise.
	sweepEvery = time.Second
	restEvery  = time.Minute
	// sweepSize bounds one write.
	sweepSize = 100
	// keepClosed is how long the end of a challenge can be shown.
	keepClosed = 30 * 24 * time.Hour
)

// stir makes Run look often for a while.
func (s *Service) stir() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run ends challenges that have lived their time and forgets old ones, until
// ctx is over.
func (s *Service) Run(ctx context.Context) error {
	busyUntil := s.Now().Add(2 * SeenLife) // some may be left from before a restart
	resting := false
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.wake:
			busyUntil = s.Now().Add(2 * SeenLife)
			if resting {
				resting = false
				timer.Reset(sweepEvery)
			}
			continue
		case <-timer.C:
		}
		err := s.Sweep(ctx)
		resting = !s.Now().Before(busyUntil)
		if resting {
			err = errors.Join(err, s.forget(ctx))
			timer.Reset(restEvery)
		} else {
			timer.Reset(sweepEvery)
		}
		if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrUnavailable) {
			s.Log.Error("challenges not swept", "error", err)
		}
	}
}

// Sweep ends the challenges that have lived their time and tells their
// players.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.Now()
	for {
		ended, err := s.Store.ExpireChallenges(ctx, now, now.Add(-SeenLife), sweepSize)
		if err != nil {
			return err
		}
		for _, c := range ended {
			s.tell(ctx, kindCanceled, c)
		}
		if len(ended) < sweepSize {
			return nil
		}
	}
}

// forget deletes what closed long ago.
func (s *Service) forget(ctx context.Context) error {
	_, err := s.Store.SweepChallenges(ctx, s.Now().Add(-keepClosed), sweepSize)
	return err
}
