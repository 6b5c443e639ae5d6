package gormdb

import (
	"context"
	"slices"
	"sync"
)

// class orders those who wait for the write connection.
type class int

const (
	gameSteps class = iota // the game path goes first
	other
)

// fairness is how many game batches may pass a waiting other write. With one
// committer the two alternate anyway; this is for several.
const fairness = 8

// queue hands SQLite's one write connection from one writer to the next.
type queue struct {
	mu      sync.Mutex
	busy    bool
	waiting [2][]chan struct{} // by class, first come first
	passed  int                // game batches since the last other write
}

// acquire waits for the turn. The caller must call release afterwards.
func (q *queue) acquire(ctx context.Context, c class) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	q.mu.Lock()
	if !q.busy {
		q.busy = true
		q.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	q.waiting[c] = append(q.waiting[c], turn)
	q.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	if i := slices.Index(q.waiting[c], turn); i >= 0 {
		q.waiting[c] = slices.Delete(q.waiting[c], i, i+1)
		q.mu.Unlock()
		return ctx.Err()
	}
	q.mu.Unlock()
	q.release() // the turn came at the same moment: pass it on
	return ctx.Err()
}

// length returns how many wait.
func (q *queue) length() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting[gameSteps]) + len(q.waiting[other])
}

func (q *queue) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	c := gameSteps
	switch {
	case len(q.waiting[other]) > 0 && (len(q.waiting[gameSteps]) == 0 || q.passed >= fairness):
		c = other
		q.passed = 0
	case len(q.waiting[gameSteps]) > 0:
		q.passed++
	default:
		q.busy = false
		q.passed = 0
		return
	}
	turn := q.waiting[c][0]
	q.waiting[c] = slices.Delete(q.waiting[c], 0, 1)
	close(turn)
}
