package presence

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// Nodes is how a tracker reaches those of the other nodes.
type Nodes interface {
	ID() string
	Tell(channel string, v any)
	Hear(ctx context.Context, channel string, f func(data []byte)) (stop func(), err error)
}

const (
	channel = "presence"
	// every is how often a node says who is online at it, and life how long
	// that holds: a node that died is forgotten then.
	every = 10 * time.Second
	life  = 3 * every
	// chunk bounds one message.
	chunk = 2000
)

// notice is what a node says of its connections.
type notice struct {
	Node string
	On   []string `json:",omitempty"`
	Off  []string `json:",omitempty"`
	Ask  bool     `json:",omitempty"` // a node that has just begun wants to know all
}

type link struct{ nodes Nodes }

func (l *link) tell(accountID string, on bool) {
	n := notice{Node: l.nodes.ID()}
	if on {
		n.On = []string{accountID}
	} else {
		n.Off = []string{accountID}
	}
	l.nodes.Tell(channel, n)
}

// Share lets the tracker know who is online at the other nodes, and them who is
// here. It comes before the first Enter; Run keeps it up.
func (t *Tracker) Share(ctx context.Context, nodes Nodes) error {
	t.mu.Lock()
	t.link = &link{nodes}
	t.mu.Unlock()
	if _, err := nodes.Hear(ctx, channel, t.hear); err != nil {
		return err
	}
	nodes.Tell(channel, notice{Node: nodes.ID(), Ask: true})
	return nil
}

func (t *Tracker) hear(data []byte) {
	var n notice
	if json.Unmarshal(data, &n) != nil {
		return // of a later version
	}
	t.mu.Lock()
	until := time.Now().Add(life)
	for _, id := range n.On {
		t.away.Note(id, n.Node, until)
	}
	for _, id := range n.Off {
		t.away.Left(id, n.Node)
	}
	t.mu.Unlock()
	if n.Ask {
		t.tellAll()
	}
}

// tellAll says who is online here.
func (t *Tracker) tellAll() {
	t.mu.RLock()
	defer t.mu.RUnlock()
	ids := slices.Collect(maps.Keys(t.open))
	for part := range slices.Chunk(ids, chunk) {
		t.link.nodes.Tell(channel, notice{Node: t.link.nodes.ID(), On: part})
	}
}

// forget drops what was said too long ago.
func (t *Tracker) forget(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.away.Forget(now)
}

// Run repeats who is online here, for nodes that have missed it, until ctx ends.
// Without other nodes it has nothing to do.
func (t *Tracker) Run(ctx context.Context) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			t.tellAll()
			t.forget(time.Now())
		}
	}
}
