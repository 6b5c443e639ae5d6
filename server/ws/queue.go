package ws

import "sync"

// message is one message on its way to the client. Its bytes are shared and never change.
type message struct {
	data    []byte
	game    string // set if it brings the client to a version of a game
	version uint64
}

// queue holds what waits for a client. A full queue takes nothing more. The zero queue is closed to nobody and takes
// nothing: see init.
type queue struct {
	most int

	mu      sync.Mutex
	waiting []message
	frames  int // waiting, or taken and not written yet
	bytes   int // of them
	closed  bool
	wake    chan struct{} // something waits
	drained chan struct{} // something was taken
}

func (q *queue) init(most int) {
	q.most = most
	q.wake = make(chan struct{}, 1)
	q.drained = make(chan struct{}, 1)
}

// push adds a message and returns false if there is no room for it. A closed queue drops it.
func (q *queue) push(m message) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return true
	}
	if q.frames >= q.most || q.bytes > 0 && q.bytes+len(m.data) > queueBytes {
		q.closed, q.waiting = true, nil
		return false
	}
	q.waiting = append(q.waiting, m)
	q.frames++
	q.bytes += len(m.data)
	signal(q.wake)
	return true
}

// take returns everything that waits; each message is to be reported as written. spare is an earlier result, to be used
// again.
func (q *queue) take(spare []message) []message {
	clear(spare)
	q.mu.Lock()
	defer q.mu.Unlock()
	taken := q.waiting
	q.waiting = nil
	if len(taken) == 0 {
		return spare[:0]
	}
	if cap(spare) <= keptMessages {
		q.waiting = spare[:0]
	}
	return taken
}

// wrote makes room: a message that was taken is on its way.
func (q *queue) wrote(m message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.frames--
	q.bytes -= len(m.data)
	signal(q.drained)
}

// keptMessages bounds the room that an idle connection keeps.
const keptMessages = 4

// crowded says whether so much waits that more should be asked for later.
func (q *queue) crowded() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return !q.closed && (q.frames > q.most/4 || q.bytes > queueBytes/4)
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
