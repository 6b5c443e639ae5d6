package stream

import (
	"context"
	"encoding/json"
	"time"
)

// Nodes is how a hub reaches those of the other nodes.
type Nodes interface {
	ID() string
	Tell(channel string, v any)
	Hear(ctx context.Context, channel string, f func(data []byte)) (stop func(), err error)
}

const channel = "streams"

// claim says that a slot was taken. Of two claims the later one holds, by the
// clocks of the nodes, and of two of the same moment that of the node whose id
// is greater: every node comes to the same end, whatever it hears first.
type claim struct {
	Slot string
	At   int64 // nanoseconds since 1970
	Node string
}

func (c claim) beats(other claim) bool {
	return c.At > other.At || c.At == other.At && c.Node > other.Node
}

// Share lets the rule of the slots hold over all nodes: a newer stream at one
// ends the older at another. It comes before the first Enter.
func (h *Hub) Share(ctx context.Context, nodes Nodes) error {
	h.nodes = nodes
	_, err := nodes.Hear(ctx, channel, h.hear)
	return err
}

// stake makes the claim of a new stream.
func (h *Hub) stake(slot string) claim {
	c := claim{Slot: slot, At: time.Now().UnixNano()}
	if h.nodes != nil {
		c.Node = h.nodes.ID()
	}
	return c
}

func (h *Hub) tell(c claim) {
	if h.nodes != nil {
		h.nodes.Tell(channel, c)
	}
}

// hear takes the claim of another node.
func (h *Hub) hear(data []byte) {
	var c claim
	if json.Unmarshal(data, &c) != nil {
		return // of a later version
	}
	h.mu.Lock()
	mine := h.slots[c.Slot]
	h.mu.Unlock()
	switch {
	case mine == nil:
	case c.beats(mine.claim):
		mine.cancel(ErrReplaced)
	default:
		h.tell(mine.claim) // the other one may not have heard of it: it began there meanwhile
	}
}
