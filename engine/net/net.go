package net

import (
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Hidden is the number of neurons for the view of a side.
const Hidden = 32

const (
	// lanes are the neurons in a machine word.
	lanes = 4
	words = Hidden / lanes
	// one is what 1 is in a neuron, and unit in a weight of the output.
	one  = 255
	unit = 4096
	// Scale is what the output 1 is worth, in hundredths of a pawn.
	Scale = 400
	// zero is what 0 is in a lane, so that no lane is below 0.
	zero = 1 << 15
)

// layer holds the sums of the neurons for the first side's view, then for the
// second's, four to a word. A word is the sum of its lanes, each times a power
// of 2^16: adding words adds all lanes at once, and as long as what comes out
// in the end fits in each lane, what one borrows from another on the way there
// does not matter.
type layer [2 * words]uint64

// Net is a network in the form that is fast to compute. It never changes and
// is safe to share.
type Net struct {
	layout *Layout
	bias   layer
	rows   []layer           // by row of the layout
	out    [2 * Hidden]int32 // for the side to move, then for the other
	base   int
}

// New makes a network of weights that fit the layout.
func New(l *Layout, w *Weights) *Net {
	n := &Net{layout: l, rows: make([]layer, len(l.seen)), base: int(w.Base)}
	for i, v := range w.Bias {
		n.bias.add(0, i, int(v)+zero)
		n.bias.add(1, i, int(v)+zero)
	}
	for row := 1; row < len(l.seen); row++ {
		for view, f := range l.seen[row] {
			for i, v := range w.Features[f] {
				n.rows[row].add(view, i, int(v))
			}
		}
	}
	for i, v := range w.Out {
		n.out[i] = int32(v)
	}
	return n
}

// add adds v to a neuron for the view of a side.
func (l *layer) add(view, i, v int) {
	l[view*words+i/lanes] += uint64(v) << (16 * (i % lanes))
}

// Memory remembers layers of positions of a line, so that only what changed
// since must be computed. Each goroutine needs its own.
type Memory struct {
	net   *Net
	plies []recall
}

// recall is a position as the network saw it.
type recall struct {
	key   uint64
	cells [256]rules.Piece
	hands []uint8
	gates [2]board.Set
	layer layer
}

// NewMemory makes the memory for a line of that many plies.
func (n *Net) NewMemory(plies int) *Memory {
	m := &Memory{net: n, plies: make([]recall, plies)}
	for i := range m.plies {
		m.plies[i].hands = make([]uint8, len(n.layout.hands))
		m.plies[i].layer = n.bias
	}
	return m
}

// Score is what the network says of a position, in hundredths of a pawn for the
// side to move. keys are those of the positions that led to it, the last its own.
func (m *Memory) Score(p *rules.Position, keys []uint64) int {
	return m.net.output(&m.see(p, keys).layer, p.Turn())
}

// see brings the memory of a place in the line up to date. It begins with what
// is known of one of the two positions before, or else with what was seen last
// in this place.
func (m *Memory) see(p *rules.Position, keys []uint64) *recall {
	at := len(keys) - 1
	r := m.place(at)
	from := r
	for back := 1; back <= 2 && back <= at; back++ {
		if before := m.place(at - back); before.key == keys[at-back] {
			from = before
			break
		}
	}
	if from != r {
		r.layer = from.layer
	}
	m.lookAtCells(r, from, p.Cells())
	m.lookAtHands(r, from, p)
	if m.net.layout.gates[0] != 0 {
		m.lookAtGates(r, from, p)
	}
	r.key = keys[at]
	return r
}

func (m *Memory) place(at int) *recall { return &m.plies[at%len(m.plies)] }

// lookAtCells changes what is different from the position seen before, eight
// cells at a time.
func (m *Memory) lookAtCells(r, from *recall, cells *[256]rules.Piece) {
	l := m.net.layout
	for c := 0; c < l.cells; c += 8 {
		old, now := (*[8]rules.Piece)(from.cells[c:]), (*[8]rules.Piece)(cells[c:])
		if *old != *now {
			for j := range old {
				if old[j] != now[j] {
					m.net.change(&r.layer, l.cellRow(c+j, old[j]), l.cellRow(c+j, now[j]))
				}
			}
		}
		*(*[8]rules.Piece)(r.cells[c:]) = *now
	}
}

func (m *Memory) lookAtHands(r, from *recall, p *rules.Position) {
	for i := range m.net.layout.hands {
		h := &m.net.layout.hands[i]
		old, now := from.hands[i], uint8(p.Hand(h.side, h.kind))
		if old != now {
			m.net.change(&r.layer, h.rowOf(int(old)), h.rowOf(int(now)))
		}
		r.hands[i] = now
	}
}

func (m *Memory) lookAtGates(r, from *recall, p *rules.Position) {
	for side := range rules.Side(2) {
		first := m.net.layout.gates[side]
		old, now := from.gates[side], p.GateRights(side)
		if old != now {
			for c := range old.Without(now).All {
				m.net.change(&r.layer, first+int32(c), 0)
			}
			for c := range now.Without(old).All {
				m.net.change(&r.layer, 0, first+int32(c))
			}
		}
		r.gates[side] = now
	}
}

// change takes a row from the sums and adds another.
func (n *Net) change(l *layer, old, now int32) {
	a, b := &n.rows[old], &n.rows[now]
	for i := range l {
		l[i] += b[i] - a[i]
	}
}

// output computes the score: the squares of the neurons, each held between 0
// and 1, times the weights of the output.
func (n *Net) output(l *layer, turn rules.Side) int {
	us, them := (*[words]uint64)(l[:words]), (*[words]uint64)(l[words:])
	if turn&1 != 0 {
		us, them = them, us
	}
	sum := side(us, (*[Hidden]int32)(n.out[:Hidden])) + side(them, (*[Hidden]int32)(n.out[Hidden:]))
	return (sum/one + n.base) * Scale / (one * unit)
}

func side(l *[words]uint64, w *[Hidden]int32) (sum int) {
	for i, v := range l {
		a, b, c, d := clip(v), clip(v>>16), clip(v>>32), clip(v>>48)
		o := (*[lanes]int32)(w[lanes*i:])
		sum += a*a*int(o[0]) + b*b*int(o[1]) + c*c*int(o[2]) + d*d*int(o[3])
	}
	return sum
}

func clip(v uint64) int { return min(max(int(v&0xffff)-zero, 0), one) }
