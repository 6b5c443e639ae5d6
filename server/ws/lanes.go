package ws

import (
	"sync"
	"time"
)

// maxInFlight bounds what one socket has in work. The reader waits for room, so a client that sends faster is slowed
// down, and nothing is refused.
const maxInFlight = 64

// lanes do the work of a socket: what is in one lane in order, the lanes beside each other. Actions of one game share a
// lane. The zero lanes are ready.
type lanes struct {
	mu      sync.Mutex
	room    *sync.Cond
	flight  int
	waiting map[string][]func() // by lane; present while the lane is at work
	work    sync.WaitGroup
}

// run does f after what is in the lane already. It waits while too much is in flight.
func (l *lanes) run(lane string, f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting == nil {
		l.waiting = make(map[string][]func())
		l.room = sync.NewCond(&l.mu)
	}
	for l.flight >= maxInFlight {
		l.room.Wait()
	}
	l.flight++
	line, busy := l.waiting[lane]
	l.waiting[lane] = append(line, f)
	if !busy {
		l.work.Go(func() { l.drive(lane) })
	}
}

func (l *lanes) drive(lane string) {
	for {
		l.mu.Lock()
		line := l.waiting[lane]
		if len(line) == 0 {
			delete(l.waiting, lane)
			l.mu.Unlock()
			return
		}
		f := line[0]
		l.waiting[lane] = line[1:]
		l.mu.Unlock()
		f()
		l.mu.Lock()
		l.flight--
		l.room.Signal()
		l.mu.Unlock()
	}
}

// wait returns when all work is done.
func (l *lanes) wait() { l.work.Wait() }

// bucket limits how fast a socket may ask for things. Moves do not count.
type bucket struct {
	tokens float64
	at     time.Time
}

const (
	bucketSize = 60
	bucketRate = 10 // a second
)

// take says how long to wait, 0 if the request may pass.
func (b *bucket) take(now time.Time) time.Duration {
	if b.at.IsZero() {
		b.tokens = bucketSize
	} else {
		b.tokens = min(bucketSize, b.tokens+max(0, now.Sub(b.at).Seconds())*bucketRate)
	}
	b.at = now
	if b.tokens >= 1 {
		b.tokens--
		return 0
	}
	return time.Duration((1 - b.tokens) / bucketRate * float64(time.Second))
}
