// Package stream writes the server's long answers: one compact JSON object a
// line, flushed as it happens, with blank lines as a sign of life.
//
// A [Hub] knows every open stream, so that the newer stream of a place closes
// the older one, a revoked token closes what it opened, and a shutdown ends
// every stream with a complete body.
package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"time"
)

// ContentType is the media type of every stream of this package.
const ContentType = "application/x-ndjson"

// Patience is how long one write may take before its reader counts as gone.
// A reader that stops reading blocks only its own stream, and only this long.
const Patience = 10 * time.Second

// A Writer puts lines on one response. It belongs to one goroutine.
type Writer struct {
	w   http.ResponseWriter
	rc  *http.ResponseController
	buf bytes.Buffer
	enc *json.Encoder
	err error
	end atomic.Pointer[time.Time] // when the stream has to be written out; nil while it goes on
}

// newWriter sends the header at once, so that the client knows that it is
// connected before anything happens.
func newWriter(w http.ResponseWriter) (*Writer, error) {
	out := makeWriter(w)
	h := w.Header()
	h.Set("Content-Type", ContentType)
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no") // a buffering proxy would hold the events back
	h.Del("Content-Length")
	w.WriteHeader(http.StatusOK)
	return out, out.flush(nil)
}

func makeWriter(w http.ResponseWriter) *Writer {
	out := &Writer{w: w, rc: http.NewResponseController(w)}
	out.enc = json.NewEncoder(&out.buf)
	out.enc.SetEscapeHTML(false)
	return out
}

// Send writes v as one line. A value that cannot be encoded writes nothing.
func (w *Writer) Send(v any) error {
	w.buf.Reset()
	if err := w.enc.Encode(v); err != nil {
		return err
	}
	return w.flush(escapeNextLine(w.buf.Bytes()))
}

// Blank writes an empty line, which readers skip.
func (w *Writer) Blank() error { return w.flush(newline) }

// write puts v on the response without flushing it: the reader of a finite
// list gains nothing from single lines.
func (w *Writer) write(v any) error {
	w.buf.Reset()
	if err := w.enc.Encode(v); err != nil {
		return err
	}
	return w.put(escapeNextLine(w.buf.Bytes()))
}

func (w *Writer) put(line []byte) error {
	if w.err != nil {
		return w.err
	}
	w.deadline(time.Now().Add(Patience))
	if end := w.end.Load(); end != nil { // a write begun after the end must not put it off
		w.deadline(*end)
	}
	if len(line) > 0 {
		if _, err := w.w.Write(line); err != nil {
			w.err = err
		}
	}
	return w.err
}

func (w *Writer) flush(line []byte) error {
	if err := w.put(line); err != nil {
		return err
	}
	if err := w.rc.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		w.err = err
	}
	return w.err
}

// done lifts the write deadline, which would otherwise cut off the next
// answer on this connection.
func (w *Writer) done() {
	if w.err == nil {
		w.deadline(time.Time{})
	}
}

// hurryAtEnd gives all writes one more second when ctx ends. The function it returns must run before the response is given back: a late
// deadline would hit the next answer on the connection.
func (w *Writer) hurryAtEnd(ctx context.Context) func() {
	set := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		end := time.Now().Add(time.Second)
		w.end.Store(&end)
		w.deadline(end)
		close(set)
	})
	return func() {
		if !stop() {
			<-set
		}
	}
}

func (w *Writer) deadline(t time.Time) {
	// Not every connection has deadlines (a recorder in a test); without
	// them a stuck reader is found by its transport instead.
	_ = w.rc.SetWriteDeadline(t)
}

var (
	newline  = []byte{'\n'}
	nextLine = []byte{0xC2, 0x85}
	escaped  = []byte(`\u0085`)
)

// escapeNextLine escapes U+0085, at which Python's line splitter breaks a
// line; encoding/json already escapes U+2028 and U+2029. The two bytes occur
// nowhere but inside a string.
func escapeNextLine(line []byte) []byte {
	if !bytes.Contains(line, nextLine) {
		return line
	}
	return bytes.ReplaceAll(line, nextLine, escaped)
}
