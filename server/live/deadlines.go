package live

import (
	"container/heap"
	"context"
	"sync"
	"time"
)

// What an alarm is for.
type alarmKind uint8

const (
	alarmDue   alarmKind = iota // time may have ended the game
	alarmGone0                  // player 0 may have left
	alarmGone1                  // player 1 may have left
	alarmMoved                  // the game may have come from or gone to another node
)

type alarmKey struct {
	game string
	kind alarmKind
}

// alarms is an index of moments: each key has at most one. It rings once for
// each and forgets it.
//
// Lock order: mu is taken last and nothing is called while it is held.
type alarms struct {
	mu    sync.Mutex
	queue alarmQueue
	byKey map[alarmKey]*alarm
	wake  chan struct{} // the earliest moment has changed
}

type alarm struct {
	key   alarmKey
	at    time.Time
	index int
}

func newAlarms() *alarms {
	return &alarms{byKey: make(map[alarmKey]*alarm), wake: make(chan struct{}, 1)}
}

// set moves the key's alarm to a moment.
func (a *alarms) set(key alarmKey, at time.Time) { a.put(key, at, true) }

// setIfAbsent is set for a key that has no alarm yet.
func (a *alarms) setIfAbsent(key alarmKey, at time.Time) { a.put(key, at, false) }

func (a *alarms) put(key alarmKey, at time.Time, move bool) {
	a.mu.Lock()
	x := a.byKey[key]
	switch {
	case x == nil:
		x = &alarm{key: key, at: at}
		a.byKey[key] = x
		heap.Push(&a.queue, x)
	case move:
		x.at = at
		heap.Fix(&a.queue, x.index)
	}
	first := x.index == 0
	a.mu.Unlock()
	if first {
		select {
		case a.wake <- struct{}{}:
		default:
		}
	}
}

// cancel forgets the key's alarm.
func (a *alarms) cancel(key alarmKey) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if x := a.byKey[key]; x != nil {
		heap.Remove(&a.queue, x.index)
		delete(a.byKey, key)
	}
}

// pop takes the alarms that are due, and returns when the next one is.
func (a *alarms) pop(now time.Time, due []alarmKey) (_ []alarmKey, next time.Time, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.queue) > 0 {
		x := a.queue[0]
		if x.at.After(now) {
			return due, x.at, true
		}
		heap.Pop(&a.queue)
		delete(a.byKey, x.key)
		due = append(due, x.key)
	}
	return due, time.Time{}, false
}

// run sends every due key to ring until ctx ends.
func (a *alarms) run(ctx context.Context, now func() time.Time, ring chan<- alarmKey) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	var due []alarmKey
	for {
		var next time.Time
		var ok bool
		due, next, ok = a.pop(now(), due[:0])
		for _, key := range due {
			select {
			case ring <- key:
			case <-ctx.Done():
				return
			}
		}
		if len(due) > 0 {
			continue // time has passed
		}
		wait := time.Hour
		if ok {
			wait = next.Sub(now())
		}
		timer.Reset(wait)
		select {
		case <-timer.C:
		case <-a.wake:
		case <-ctx.Done():
			return
		}
	}
}

// alarmQueue is a heap with the earliest alarm first.
type alarmQueue []*alarm

func (q alarmQueue) Len() int           { return len(q) }
func (q alarmQueue) Less(i, j int) bool { return q[i].at.Before(q[j].at) }
func (q alarmQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *alarmQueue) Push(x any) {
	a := x.(*alarm)
	a.index = len(*q)
	*q = append(*q, a)
}

func (q *alarmQueue) Pop() any {
	old := *q
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return last
}
