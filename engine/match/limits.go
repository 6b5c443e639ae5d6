package match

import (
	"errors"
	"time"

	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// Limits say how long a contestant thinks. Nodes and Depth go together with
// others; of MoveTime, CPU and Clock there is one at most.
type Limits struct {
	Nodes    uint64        `json:"nodes,omitempty"`
	Depth    int           `json:"depth,omitempty"`
	MoveTime time.Duration `json:"movetime,omitempty"`
	// CPU is the processor time of a move on average.
	CPU time.Duration `json:"cpu,omitempty"`
	// Clock is the time for Moves moves, or for the game if that is 0.
	Clock time.Duration `json:"clock,omitempty"`
	Inc   time.Duration `json:"inc,omitempty"`
	Moves int           `json:"moves,omitempty"`
}

// Validate reports limits that do not bound a move or contradict each other.
func (l Limits) Validate() error {
	times := 0
	for _, d := range []time.Duration{l.MoveTime, l.CPU, l.Clock} {
		if d < 0 {
			return errors.New("limits: a time is negative")
		}
		if d > 0 {
			times++
		}
	}
	switch {
	case times > 1:
		return errors.New("limits: only one of movetime, cpu and tc")
	case times == 0 && l.Nodes == 0 && l.Depth == 0:
		return errors.New("limits: none given; nodes, depth, movetime, cpu or tc is needed")
	case l.CPU > 0 && l.Nodes > 0:
		return errors.New("limits: cpu turns the number of nodes, so nodes cannot be given too")
	}
	return nil
}

// budget is what one contestant has left in one game.
type budget struct {
	limits Limits
	steer  *steer // nil without CPU
	clocks bool   // the steer turns the clock, not the nodes
	left   time.Duration
	moves  int // made so far
}

// ask returns the limits of the next search. other is the opponent's budget.
func (b *budget) ask(turn rules.Side, other *budget) search.Limits {
	l := search.Limits{Nodes: b.limits.Nodes, Depth: b.limits.Depth, MoveTime: b.limits.MoveTime}
	us := int(turn & 1)
	switch {
	case b.steer != nil && b.clocks:
		d := time.Duration(b.steer.setting() * float64(time.Second))
		l.Clock = &search.Clock{Time: [2]time.Duration{d, d}}
	case b.steer != nil:
		l.Nodes = uint64(max(b.steer.setting(), 1))
	case b.limits.Clock > 0:
		c := &search.Clock{}
		c.Time[us], c.Inc[us] = b.left, b.limits.Inc
		c.Time[1-us], c.Inc[1-us] = other.left, other.limits.Inc
		if b.limits.Moves > 0 {
			c.MovesToGo = b.limits.Moves - b.moves%b.limits.Moves
		}
		l.Clock = c
	}
	return l
}

// settle accounts for a move and reports whether the flag has fallen.
func (b *budget) settle(asked search.Limits, nodes uint64, used spent) (flag bool) {
	b.moves++
	switch {
	case b.steer != nil && b.clocks:
		b.steer.tell(asked.Clock.Time[0].Seconds(), used.cpu)
	case b.steer != nil:
		searched := asked.Nodes
		if nodes > 0 {
			searched = nodes
		}
		b.steer.tell(float64(searched), used.cpu)
	case b.limits.Clock > 0:
		b.left -= used.wall
		if b.left < 0 {
			return true
		}
		b.left += b.limits.Inc
		if b.limits.Moves > 0 && b.moves%b.limits.Moves == 0 {
			b.left += b.limits.Clock
		}
	}
	return false
}
