package node

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"log/slog"
	"reflect"
	"time"

	"hoplite/server/bus"
)

// Relay carries events of a bus to the buses of the other nodes. Each type of
// event that travels is named with Carry or CarryAs; the others stay here.
type Relay struct {
	node  *Node
	bus   *bus.Bus
	log   *slog.Logger
	types map[reflect.Type]string
	kinds map[string]kind
}

type kind struct {
	encode func(ev any) any
	decode func(ctx context.Context, data []byte) (any, error)
}

// relayed is an event on its way.
type relayed struct {
	Topic string          `json:"topic"`
	Kind  string          `json:"kind"`
	Event json.RawMessage `json:"event"`
}

// decodeTime bounds what the form of an event needs of others.
const decodeTime = 5 * time.Second

// NewRelay returns the relay of a bus. Start it when all types are named.
func NewRelay(n *Node, b *bus.Bus, log *slog.Logger) *Relay {
	return &Relay{node: n, bus: b, log: log, types: make(map[reflect.Type]string), kinds: make(map[string]kind)}
}

// Carry lets events of type T travel in their JSON form.
func Carry[T any](r *Relay, name string) {
	CarryAs(r, name, func(ev T) T { return ev }, func(_ context.Context, ev T) (T, error) { return ev, nil })
}

// CarryAs lets events of type T travel as JSON of W.
func CarryAs[T, W any](r *Relay, name string, encode func(T) W, decode func(context.Context, W) (T, error)) {
	r.types[reflect.TypeFor[T]()] = name
	r.kinds[name] = kind{
		encode: func(ev any) any { return encode(ev.(T)) },
		decode: func(ctx context.Context, data []byte) (any, error) {
			var w W
			if err := json.Unmarshal(data, &w); err != nil {
				return nil, err
			}
			return decode(ctx, w)
		},
	}
}

// Start connects the bus with the others.
func (r *Relay) Start(ctx context.Context) error {
	for i := range earCount {
		if _, err := r.node.Hear(ctx, channelOf(i), r.hear); err != nil {
			return fmt.Errorf("NATS: %w", err)
		}
	}
	r.bus.Relay(r.tell)
	return nil
}

func channelOf(i int) string { return fmt.Sprintf("bus.%d", i) }

func (r *Relay) tell(topic string, ev any) {
	name, ok := r.types[reflect.TypeOf(ev)]
	if !ok {
		r.log.Error("an event has no form in which it could travel", "type", fmt.Sprintf("%T", ev))
		return
	}
	data, err := json.Marshal(r.kinds[name].encode(ev))
	if err != nil {
		r.log.Error("an event cannot be told", "type", name, "error", err)
		return
	}
	// What is about one thing is heard in order.
	h := fnv.New32a()
	_, _ = h.Write([]byte(topic)) // it never fails
	r.node.Tell(channelOf(int(h.Sum32()%earCount)), relayed{Topic: topic, Kind: name, Event: data})
}

func (r *Relay) hear(data []byte) {
	var m relayed
	if err := json.Unmarshal(data, &m); err != nil {
		r.log.Error("an event cannot be read", "error", err)
		return
	}
	k, ok := r.kinds[m.Kind]
	if !ok || r.bus.Subscribers(m.Topic) == 0 {
		return // of a later version, or of interest to nobody here
	}
	ctx, cancel := context.WithTimeout(context.Background(), decodeTime)
	defer cancel()
	ev, err := k.decode(ctx, m.Event)
	if err != nil {
		r.log.Error("an event cannot be read", "type", m.Kind, "error", err)
		return
	}
	r.bus.Deliver(m.Topic, ev)
}
