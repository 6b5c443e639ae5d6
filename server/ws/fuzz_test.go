package ws

import (
	"bytes"
	"encoding/json"
	"testing"

	"hoplite/openapi/frames"
)

// FuzzFrame reads anything as a frame. What is one can be written and read again.
func FuzzFrame(f *testing.F) {
	for _, seed := range []string{
		`{"t":"move","id":3,"d":{"game":"q7Ab3dEf","move":"e2e4","key":"k"}}`, `{"t":"sub","d":{"topic":"game","version":3}}`,
		`{"t":"ping"}`, `{"t":"seek","d":{"limit":300,"increment":3}}`, `{}`, `[]`, `{"t":"x","id":-1}`, "\xff", `{"t":"a","d":null}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		frame, err := decode(data)
		if err != nil {
			return
		}
		if frame.T == "" || frame.ID > frames.MaxID {
			t.Fatalf("accepted %+v", frame)
		}
		_, moveErr := body[frames.Move](frame)
		_, _ = body[frames.Sub](frame)
		_, _ = body[frames.Seek](frame)
		if moveErr == nil && len(frame.D) > 0 && frame.D[0] != '{' {
			t.Fatalf("accepted the body %s", frame.D)
		}
		written, err := json.Marshal(frame)
		if err != nil {
			t.Fatal(err)
		}
		again, err := decode(written)
		if err != nil || again.T != frame.T || again.ID != frame.ID || !sameJSON(again.D, frame.D) {
			t.Fatalf("%s reads back as %+v, %v", written, again, err)
		}
	})
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	// Writing also escapes what browsers trip over.
	json.HTMLEscape(&x, a)
	json.HTMLEscape(&y, b)
	var cx, cy bytes.Buffer
	return json.Compact(&cx, x.Bytes()) == nil && json.Compact(&cy, y.Bytes()) == nil && bytes.Equal(cx.Bytes(), cy.Bytes())
}

func TestQueueIsBounded(t *testing.T) {
	t.Parallel()
	var q queue
	q.init(3)
	for range 3 {
		if !q.push(message{data: []byte("x")}) {
			t.Fatal("no room for the first three")
		}
	}
	if q.push(message{data: []byte("x")}) {
		t.Error("room for a fourth")
	}
	if len(q.take(nil)) != 0 {
		t.Error("a full queue keeps what nobody will read")
	}
	var big queue
	big.init(100)
	if !big.push(message{data: make([]byte, queueBytes+1)}) {
		t.Error("no room for a single large message")
	}
	if big.push(message{data: []byte("x")}) {
		t.Error("room beside it")
	}
}

func TestEnvelope(t *testing.T) {
	t.Parallel()
	if got, want := string(encode("ack", 7, frames.Resync{Game: "a"})), `{"t":"ack","id":7,"d":{"game":"a"}}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := string(encode("resync", 0, frames.Resync{Game: "a"})), `{"t":"resync","d":{"game":"a"}}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
