package rules

import "hoplite/engine/board"

// state is what a position of a staged game holds beyond the men, the hands and the rights. It is a small value: Make
// copies it into the undo record, and each mechanism has fields of its own in it.
type state struct {
	// passed are the cells on which a man may be captured in passing, passes their number. Only targets that a legal
	// capture uses are kept.
	passed [maxPassed]target
	passes uint8
	series series
	chain  chain
	// astray marks a move that cannot pass to the other layer, or whose royal man was not safe before it passed.
	astray bool
	// passing is the number of passes made last. opposed is whether the royal men face each other, wereOpposed whether
	// they did before the last move; all three in games with RoyalBikjang only.
	passing              uint8
	opposed, wereOpposed bool
	// checks are the checks that each of two sides has given since the last capture, where the clock asks for them.
	checks [2]uint16
	// swaps are the sides that may still exchange their royal man, one bit each.
	swaps uint8
	count count
	// leaps are the cells whose men have a leap left.
	leaps board.Set
	// weighty are the sides whose series of checks holds one that makes a mate count, a bit for each.
	weighty uint8
	seats   seats
	// claimed is the result that a claim has brought about: 0 none, 1 a draw by a count, drawClaimed another
	// draw, 2 and more a win of side claimed-2.
	claimed uint8
	// prisons are the men that each side holds, unmoved the kings that have never moved, a bit for each side.
	prisons prisons
	unmoved uint8
	// checksGiven counts the checks that each side has given, in games that count them.
	checksGiven [2]uint8
	// struck is one more than the cell on which a lion has just been taken by another man, or 0.
	struck uint8
}

// maxPassed bounds the targets of capture in passing that one turn can leave.
const maxPassed = 8

// target is a cell that may be captured on in passing and the cell of the man that would go.
type target struct{ cell, victim Cell }

// PassedCells lists the cells on which the side to move can legally capture in passing, nearest to the cell that the man
// came from first.
func (p *Position) PassedCells() []Cell {
	if !p.rules.stages.on {
		if p.passed == board.Wall {
			return nil
		}
		return []Cell{p.passed}
	}
	var cells []Cell
	for _, t := range p.state.passed[:p.state.passes] {
		cells = append(cells, t.cell)
	}
	return cells
}

// MapState returns the setup of a staged game with the cells that its state names, beside those of the men, the rights
// and the hands, moved to their images and the sides exchanged, as for a board that is turned round.
func (s Setup) MapState(image func(Cell) Cell) Setup {
	if s.state.count.kind != notCounting {
		s.state.count.side ^= 1
	}
	s.state.weighty = s.state.weighty&1<<1 | s.state.weighty>>1&1
	leaps := s.state.leaps
	s.state.leaps = board.Set{}
	for c := range leaps.All {
		s.state.leaps.Add(image(c))
	}
	for i := range s.state.passed[:s.state.passes] {
		s.state.passed[i] = target{cell: image(s.state.passed[i].cell), victim: board.Wall}
	}
	if s.state.chain.man != 0 {
		s.state.chain.at = image(s.state.chain.at)
	}
	for i := range s.state.series.steps[:s.state.series.stepped] {
		s.state.series.steps[i] = target{cell: image(s.state.series.steps[i].cell), victim: board.Wall}
	}
	s.state.unmoved = s.state.unmoved>>1&1 | s.state.unmoved<<1&2
	if c := s.state.struck; c != 0 {
		s.state.struck = uint8(image(Cell(c-1))) + 1
	}
	return s
}

// stateKey returns what the state adds to the key of the position.
func (p *Position) stateKey() (key uint64) {
	r := p.rules
	for _, t := range p.state.passed[:p.state.passes] {
		key ^= r.keys.pass[t.cell]
	}
	for _, part := range r.stages.keys {
		key ^= part(p)
	}
	return key
}

// Salts keep the parts of the state apart in the key. That of prisons is the first of one for each side, so it stands last.
const (
	saltPassing = 1 + iota
	saltSeries
	saltSeriesStep
	saltChain
	saltChecks
	saltWeighty
	saltStruck
	saltLeaps
	saltUnmoved
	saltSeats
	saltSwap
	saltPrison
)

// mix scrambles a number so that different values of a state give unrelated keys. salt keeps the parts of the state
// apart. The function is the finalizer of splitmix64 (Steele, Lea, Flood 2014).
func mix(salt, value uint64) uint64 {
	if value == 0 {
		return 0
	}
	z := value*0x9e3779b97f4a7c15 + salt*0xd1b54a32d192ed03
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
