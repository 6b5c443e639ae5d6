package storetest

import (
	"context"
	"fmt"
	"sync"

	"hoplite/store"
)

// Fault is what happens to a commit.
type Fault int

const (
	// Works commits and says so.
	Works Fault = iota
	// Fails commits nothing and reports store.ErrUnavailable.
	Fails
	// CommitsButFails commits and reports store.ErrUnavailable, as when the
	// connection breaks before the answer.
	CommitsButFails
)

// Faulty is a store whose commits (CommitSteps and InTx) go wrong by plan;
// everything else goes to the store below. InTx with CommitsButFails runs its
// function once and commits it.
type Faulty struct {
	store.Store
	mu   sync.Mutex
	n    int
	plan func(n int) Fault
}

// NewFaulty wraps a store. The plan gets the number of the commit, from 1.
func NewFaulty(s store.Store, plan func(n int) Fault) *Faulty {
	return &Faulty{Store: s, plan: plan}
}

// Every is the plan by which every n-th commit meets the fault.
func Every(n int, f Fault) func(int) Fault {
	return func(i int) Fault {
		if i%n == 0 {
			return f
		}
		return Works
	}
}

// Plan replaces the plan, from the next commit on.
func (f *Faulty) Plan(plan func(n int) Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.plan = plan
}

// Commits returns how many commits were tried.
func (f *Faulty) Commits() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.n
}

func (f *Faulty) next() (int, Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	return f.n, f.plan(f.n)
}

// CommitSteps implements store.Games.
func (f *Faulty) CommitSteps(ctx context.Context, steps []store.Step, rate store.RateFunc) (res []store.StepResult, err error) {
	err = f.commit(func() (err error) {
		res, err = f.Store.CommitSteps(ctx, steps, rate)
		return err
	})
	if err != nil {
		res = nil
	}
	return res, err
}

// InTx implements store.Store.
func (f *Faulty) InTx(ctx context.Context, do func(store.Store) error) error {
	return f.commit(func() error { return f.Store.InTx(ctx, do) })
}

func (f *Faulty) commit(do func() error) error {
	n, fault := f.next()
	if fault == Fails {
		return fmt.Errorf("commit %d fails by plan: %w", n, store.ErrUnavailable)
	}
	if err := do(); err != nil {
		return err
	}
	if fault == CommitsButFails {
		return fmt.Errorf("commit %d breaks after it by plan: %w", n, store.ErrUnavailable)
	}
	return nil
}
