package node

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

const (
	// earCount is how many channels are heard at the same time. What is told on
	// one channel is heard in order.
	earCount = 16
	// earBuffer is how much may wait in an ear. What does not fit is lost, as
	// on a connection that breaks: nobody relies on having heard it.
	earBuffer = 4096
	// flushTime bounds the wait until the NATS server knows of a subscription.
	flushTime = 2 * time.Second
)

// ears hand what is heard to those who listen.
type ears struct {
	chans [earCount]chan *nats.Msg
	mu    sync.RWMutex
	hear  map[string]func(data []byte) // by subject
	done  chan struct{}
	work  sync.WaitGroup
}

func newEars() *ears {
	e := &ears{hear: make(map[string]func([]byte)), done: make(chan struct{})}
	for i := range e.chans {
		e.chans[i] = make(chan *nats.Msg, earBuffer)
		e.work.Go(func() { e.run(e.chans[i]) })
	}
	return e
}

func (e *ears) run(c <-chan *nats.Msg) {
	for {
		select {
		case <-e.done:
			return
		case m := <-c:
			e.mu.RLock()
			f := e.hear[m.Subject]
			e.mu.RUnlock()
			if f != nil {
				f(m.Data)
			}
		}
	}
}

func (e *ears) close() {
	close(e.done)
	e.work.Wait()
}

// Tell says something to whoever listens to a channel on the other nodes. It
// does not wait.
func (n *Node) Tell(channel string, v any) {
	data, err := json.Marshal(v)
	if err == nil {
		err = n.nc.Publish(n.prefix+".say."+channel, data)
	}
	if err != nil {
		n.log.Warn("the other nodes were not told", "channel", channel, "error", err)
	}
}

// Hear calls f with everything that other nodes tell on a channel, until stop
// is called: all that is told after Hear has returned, unless the connection
// breaks. A channel has one hearer. f must not wait for long.
func (n *Node) Hear(ctx context.Context, channel string, f func(data []byte)) (stop func(), err error) {
	subject := n.prefix + ".say." + channel
	h := fnv.New32a()
	_, _ = h.Write([]byte(channel)) // it never fails
	n.ears.mu.Lock()
	n.ears.hear[subject] = f
	n.ears.mu.Unlock()
	sub, err := n.nc.ChanSubscribe(subject, n.ears.chans[h.Sum32()%earCount])
	stop = func() {
		if sub != nil {
			_ = sub.Unsubscribe() // it ends with the connection at the latest
		}
		n.ears.mu.Lock()
		defer n.ears.mu.Unlock()
		delete(n.ears.hear, subject)
	}
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, flushTime)
		defer cancel()
		err = n.nc.FlushWithContext(ctx)
	}
	if err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}
