package stream

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// KeepAlive is the time between blank lines. lichess-bot gives a stream up
// after 15 s of silence and runs its own clockwork on the blank lines, which
// it expects every five to seven seconds.
const KeepAlive = 6 * time.Second

// A Response is a stream as the answer of a request handler. Everything that
// can be refused must have been checked before: once it is written, the
// status is 200.
type Response struct {
	ctx   context.Context
	hub   *Hub
	owner Owner
	slot  string
	run   func(ctx context.Context, w *Writer) error
}

// New returns a stream that run writes. The stream ends when run returns; run
// must return soon after its context is done. An error of run has nobody to
// go to (the reader is gone, or sees the end of the stream) and is dropped.
func New(ctx context.Context, hub *Hub, owner Owner, slot string, run func(ctx context.Context, w *Writer) error) Response {
	return Response{ctx: ctx, hub: hub, owner: owner, slot: slot, run: run}
}

// Visit writes the stream.
func (r Response) Visit(rw http.ResponseWriter) error {
	boundKernel(r.ctx)
	ctx, leave := r.hub.Enter(r.ctx, r.owner, r.slot)
	defer leave()
	w, err := newWriter(rw)
	if err != nil {
		return nil
	}
	defer w.done()
	defer w.hurryAtEnd(ctx)()
	_ = r.run(ctx, w)
	return nil
}

// Pump hands every value of events to handle and writes blank lines
// meanwhile. It returns nil when events is closed, when handle says that the
// stream is complete, or when ctx is done.
func Pump[E any](ctx context.Context, w *Writer, events <-chan E, handle func(E) (done bool, err error)) error {
	tick := time.NewTicker(KeepAlive)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case ev, ok := <-events:
			if !ok {
				return nil
			}
			if done, err := handle(ev); done || err != nil {
				return err
			}
		case <-tick.C:
			if err := w.Blank(); err != nil {
				return err
			}
		}
	}
}

// A List is a finite list of lines: no blank line ever, and nothing
// flushed line by line.
type List[T any] struct {
	Items iter.Seq2[T, error]
}

// Visit writes the list. An error after the first line can only cut the
// answer off, which it does by aborting the connection: the reader must not
// take a part for the whole.
func (l List[T]) Visit(rw http.ResponseWriter) error {
	w := makeWriter(rw)
	return finite(rw, w, ContentType, l.Items, func(item T) error { return w.write(item) })
}

// Text is a finite answer that is put together as it is written.
type Text struct {
	ContentType string
	Parts       iter.Seq2[string, error]
}

// Visit writes the parts, with errors as in [List.Visit].
func (t Text) Visit(rw http.ResponseWriter) error {
	w := makeWriter(rw)
	return finite(rw, w, t.ContentType, t.Parts, func(s string) error { return w.put([]byte(s)) })
}

func finite[T any](rw http.ResponseWriter, w *Writer, contentType string, items iter.Seq2[T, error], write func(T) error) error {
	started := false
	start := func() {
		rw.Header().Set("Content-Type", contentType)
		rw.WriteHeader(http.StatusOK)
		started = true
	}
	for item, err := range items {
		if err != nil {
			if !started {
				return err
			}
			panic(http.ErrAbortHandler)
		}
		if !started {
			start()
		}
		if write(item) != nil {
			return nil // the reader is gone
		}
	}
	if !started {
		start()
	}
	w.done()
	return nil
}
