package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"sync"
	"time"
)

// maxLine bounds one line of a stream. The longest are games with hundreds of
// moves and a PGN inside.
const maxLine = 4 << 20

var errLineTooLong = errors.New("line too long")

// lines yields the non-empty lines of r without their line breaks. A slice is
// valid until the next one. Blank lines are keep-alives. The last line counts
// also without a line break; a read error comes last and is never io.EOF.
func lines(r io.Reader, most int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		br := bufio.NewReader(r)
		var long []byte // a line that did not fit into the buffer
		for {
			part, err := br.ReadSlice('\n')
			if len(long)+len(part) > most+1 {
				yield(nil, errLineTooLong)
				return
			}
			if err == bufio.ErrBufferFull {
				long = append(long, part...)
				continue
			}
			line := part
			if len(long) > 0 {
				long = append(long, part...)
				line = long
			}
			// A line cut short by an error is not a line.
			if err == nil || err == io.EOF {
				if line = bytes.TrimSpace(line); len(line) > 0 && !yield(line, nil) {
					return
				}
			}
			long = long[:0]
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// streamLines opens a stream and yields its lines. The connection opens when
// the iteration begins and closes when it ends. Opening it is not repeated;
// [Reconnect] does that.
func (c *Client) streamLines(ctx context.Context, cl call) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		watch := newWatchdog(max(c.idle, c.timeout), func() { cancel(ErrTimeout) })
		defer watch.stop()
		resp, err := c.send(ctx, cl)
		if err != nil {
			yield(nil, err)
			return
		}
		defer resp.Body.Close()
		watch.arm(c.idle, func() { cancel(ErrIdle) })
		for line, err := range lines(&watched{r: resp.Body, watch: watch}, maxLine) {
			switch {
			case errors.Is(err, errLineTooLong):
				yield(nil, cl.malformed(nil, err))
				return
			case err != nil:
				yield(nil, cl.lost(ctx, err))
				return
			}
			// Time that the reader takes is not silence of the server.
			watch.stop()
			if !yield(line, nil) {
				return
			}
			watch.reset()
		}
	}
}

// stream yields the lines of an NDJSON stream, each decoded into a fresh T.
func stream[T any](ctx context.Context, c *Client, cl call) iter.Seq2[T, error] {
	if cl.accept == "" {
		cl.accept = typeNDJSON
	}
	if cl.method != http.MethodGet && cl.key == "" {
		cl.key = c.key()
	}
	return func(yield func(T, error) bool) {
		for line, err := range c.streamLines(ctx, cl) {
			var v T
			if err == nil {
				if e := json.Unmarshal(line, &v); e != nil {
					err = cl.malformed(line, e)
				}
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// watchdog calls a function when it was not reset for a while.
type watchdog struct {
	mu    sync.Mutex
	timer *time.Timer
	after time.Duration
}

func newWatchdog(after time.Duration, bark func()) *watchdog {
	return &watchdog{timer: time.AfterFunc(after, bark), after: after}
}

// arm replaces what the watchdog does and how long it waits.
func (w *watchdog) arm(after time.Duration, bark func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Stop()
	w.after = after
	w.timer = time.AfterFunc(after, bark)
}

func (w *watchdog) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Reset(w.after)
}

func (w *watchdog) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Stop()
}

// watched resets the watchdog at each read that brought something.
type watched struct {
	r     io.Reader
	watch *watchdog
	err   error // the last read's, other than io.EOF
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if n > 0 {
		w.watch.reset()
	}
	if err != io.EOF {
		w.err = err
	}
	return n, err
}
