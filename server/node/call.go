package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"hoplite/server/fault"
)

// ErrHere says that the shard of a call belongs to this node.
var ErrHere = errors.New("node: the shard is held here")

// ErrMoved is what a handler returns if the node has lost the shard before it
// did anything.
var ErrMoved = errors.New("node: the shard has moved")

var errNobody = fault.Unavailable("This is being moved to another server, please try again")

const (
	// attempt is how long a node may take to answer before it is asked again,
	// if asking again is safe.
	attempt = 3 * time.Second
	// answerTime is how long a call may be worked on.
	answerTime = 15 * time.Second
	// again marks calls that may be repeated.
	againHeader = "Hoplite-Again"
)

// handler answers one kind of call.
type handler func(ctx context.Context, body []byte) (any, error)

// Serve makes the node answer calls to the shards that it holds. It comes
// before Run.
func Serve[Q any](n *Node, op string, h func(ctx context.Context, q Q) (any, error)) {
	n.ops[op] = func(ctx context.Context, body []byte) (any, error) {
		var q Q
		if err := json.Unmarshal(body, &q); err != nil {
			return nil, fmt.Errorf("call %s: %w", op, err)
		}
		return h(ctx, q)
	}
}

// reply is the answer to a call.
type reply struct {
	Fault *wireFault      `json:"fault,omitempty"`
	Moved bool            `json:"moved,omitempty"`
	Body  json.RawMessage `json:"body,omitempty"`
}

type wireFault struct {
	Kind       fault.Kind          `json:"kind"`
	Text       string              `json:"text,omitempty"`
	Fields     map[string][]string `json:"fields,omitempty"`
	RetryAfter time.Duration       `json:"retryAfter,omitempty"`
	LimitKey   string              `json:"limitKey,omitempty"`
}

func (n *Node) subject(shard int, op string) string {
	return n.prefix + ".shard." + strconv.Itoa(shard) + "." + op
}

// listen subscribes to the calls for a shard.
func (n *Node) listen(shard int) error {
	sub, err := n.nc.Subscribe(n.subject(shard, "*"), func(m *nats.Msg) {
		n.mu.Lock()
		defer n.mu.Unlock()
		if !n.closed {
			n.serving.Go(func() { n.answer(shard, m) })
		}
	})
	if err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if old := n.subs[shard]; old != nil {
		_ = old.Unsubscribe() // it ends with the connection at the latest
	}
	n.subs[shard] = sub
	return nil
}

func (n *Node) deafen(shard int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if sub := n.subs[shard]; sub != nil {
		_ = sub.Unsubscribe() // it ends with the connection at the latest
		delete(n.subs, shard)
	}
}

// answer works on a call. A node that is not the holder any more is silent:
// the caller may be listening to two, and the other one knows better. Only a
// caller who can ask again is told at once.
func (n *Node) answer(shard int, m *nats.Msg) {
	op := m.Subject[strings.LastIndexByte(m.Subject, '.')+1:]
	h := n.ops[op]
	var r reply
	if _, ok := n.Holds(shard); !ok || h == nil {
		r.Moved = true
	} else {
		ctx, cancel := context.WithTimeout(context.Background(), answerTime)
		defer cancel()
		body, err := h(ctx, m.Data)
		if err == nil {
			r.Body, err = json.Marshal(body)
		}
		if errors.Is(err, ErrMoved) {
			r.Moved = true
		} else if err != nil {
			r.Fault = n.faultOf(op, err)
		}
	}
	if r.Moved && m.Header.Get(againHeader) == "" {
		return
	}
	data, err := json.Marshal(r)
	if err == nil {
		err = m.Respond(data)
	}
	if err != nil && !errors.Is(err, nats.ErrMsgNoReply) {
		n.log.Warn("a call was not answered", "op", op, "error", err)
	}
}

func (n *Node) faultOf(op string, err error) *wireFault {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		n.log.Error("a call failed", "op", op, "error", err)
		return &wireFault{Kind: fault.KindInternal}
	}
	return &wireFault{Kind: f.Kind, Text: f.Text, Fields: f.Fields, RetryAfter: f.RetryAfter, LimitKey: f.LimitKey}
}

func (f *wireFault) err() error {
	return &fault.Error{Kind: f.Kind, Text: f.Text, Fields: f.Fields, RetryAfter: f.RetryAfter, LimitKey: f.LimitKey}
}

// Call asks the holder of a shard, and waits for one while there is none. again
// says that a question which may have been heard can be repeated. It returns
// what the handler said, ErrHere if this node holds the shard, and
// fault.Unavailable if nobody answers.
func (n *Node) Call(ctx context.Context, shard int, op string, again bool, question, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return fmt.Errorf("call %s: %w", op, err)
	}
	patience, cancel := context.WithTimeout(ctx, n.ttl+5*time.Second)
	defer cancel()
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		if _, ok := n.Holds(shard); ok {
			return ErrHere
		}
		r, err := n.ask(patience, shard, op, again, body)
		switch {
		case err == nil && r.Fault != nil:
			return r.Fault.err()
		case err == nil && !r.Moved:
			if answer == nil {
				return nil
			}
			return json.Unmarshal(r.Body, answer)
		case ctx.Err() != nil:
			return ctx.Err()
		case patience.Err() != nil, err != nil && !again && !errors.Is(err, nats.ErrNoResponders):
			return errNobody.Because(err)
		}
		select {
		case <-patience.Done():
		case <-time.After(pause):
		}
	}
}

func (n *Node) ask(ctx context.Context, shard int, op string, again bool, body []byte) (r reply, err error) {
	m := &nats.Msg{Subject: n.subject(shard, op), Data: body}
	if again {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, attempt)
		defer cancel()
		m.Header = nats.Header{againHeader: []string{"1"}}
	}
	got, err := n.nc.RequestMsgWithContext(ctx, m)
	if err != nil {
		return r, err
	}
	err = json.Unmarshal(got.Data, &r)
	return r, err
}
