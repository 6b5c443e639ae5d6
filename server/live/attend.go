package live

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"hoplite/store"
)

const (
	// attendEvery is how often a node says who watches the games of others at
	// it, and attendLife how long that holds.
	attendEvery = 5 * time.Second
	attendLife  = 3 * attendEvery
	// attendChunk bounds one message.
	attendChunk = 500
)

// watcher is a player who watches its game at some node.
type watcher struct {
	Game   string
	Player int
}

// attended is what a node says of who watches at it.
type attended struct {
	Node string
	Here []watcher `json:",omitempty"`
	Left []watcher `json:",omitempty"`
}

func attendChannel(shard int) string { return fmt.Sprintf("attend.%d", shard%attendChannels) }

// attendChannels is how many channels share the shards.
const attendChannels = 16

// hearAttendance listens to who watches at the other nodes.
func (s *Service) hearAttendance(ctx context.Context) error {
	for i := range attendChannels {
		if _, err := s.node.Hear(ctx, attendChannel(i), s.attendedElsewhere); err != nil {
			return fmt.Errorf("NATS: %w", err)
		}
	}
	return nil
}

// attendedElsewhere notes who watches at another node. Every node notes it,
// since any may become the owner.
func (s *Service) attendedElsewhere(data []byte) {
	var a attended
	if err := json.Unmarshal(data, &a); err != nil {
		s.log.Error("who watches elsewhere cannot be read", "error", err)
		return
	}
	now := s.now()
	for _, w := range a.Here {
		if w.Player < 0 || w.Player > 1 {
			continue
		}
		back := s.seats.elsewhere(w, a.Node, now.Add(attendLife))
		if _, mine := s.hold(w.Game); !mine {
			continue
		}
		at := now.Add(attendLife + leaveGrace) // rings if the node is not heard of again
		if back {
			at = now
		}
		s.alarms.set(goneKey(w.Game, w.Player), at)
	}
	for _, w := range a.Left {
		if w.Player < 0 || w.Player > 1 || !s.seats.leftElsewhere(w, a.Node) {
			continue
		}
		if _, mine := s.hold(w.Game); mine {
			s.alarms.set(goneKey(w.Game, w.Player), now.Add(leaveGrace))
		}
	}
}

// tellAttend says that a player has begun, or ceased, to watch here.
func (s *Service) tellAttend(gameID string, player int, here bool) {
	if s.node == nil {
		return
	}
	a, w := attended{Node: s.node.ID()}, []watcher{{gameID, player}}
	if here {
		a.Here = w
	} else {
		a.Left = w
	}
	s.node.Tell(attendChannel(store.ShardOf(gameID)), a)
}

// tellAttendance says who watches here. What was said before is forgotten after
// a while, as that of a node that is no more.
func (s *Service) tellAttendance() {
	lists := make(map[string][]watcher)
	for _, w := range s.seats.watchers() {
		channel := attendChannel(store.ShardOf(w.Game))
		lists[channel] = append(lists[channel], w)
	}
	for channel, list := range lists {
		for len(list) > 0 {
			part := list[:min(len(list), attendChunk)]
			list = list[len(part):]
			s.node.Tell(channel, attended{Node: s.node.ID(), Here: part})
		}
	}
	s.seats.forgetElsewhere(s.now())
}

// waitForAbsent gives the players of games that have come here some time to be
// seen, if somebody waits for them here.
func (s *Service) waitForAbsent(shards []int) {
	in := make(map[int]bool, len(shards))
	for _, n := range shards {
		in[n] = true
	}
	now := s.now()
	for _, w := range s.seats.watchers() {
		if in[store.ShardOf(w.Game)] {
			s.alarms.setIfAbsent(goneKey(w.Game, 1-w.Player), now.Add(joinGrace))
		}
	}
}
