package rules

import (
	"slices"

	"hoplite/engine/board"
)

// What is looked for through the chains of a turn.
type aim uint8

const (
	aimEnd    aim = iota // a move that ends the turn
	aimPass              // a capture in passing
	aimStrike            // a move onto one of certain cells in the way of capturing
)

// quest is a search through the chains of the side to move. A chain may go round in circles, so positions are seen once.
type quest struct {
	aim   aim
	cells board.Set // of aimStrike
	seen  *[]uint64
}

// maxSeen bounds the positions of a quest, far above what the men of a game can bring about. Beyond it the answer is that
// nothing is found, but for aimStrike, where a cell then counts as struck.
const maxSeen = 4096

// completable reports whether the released man can move on, so that the turn can be ended.
func (p *Position) completable() bool {
	q := quest{aim: aimEnd}
	return p.run(&q)
}

// unionPassable reports whether a chain of the side to move can make use of the target.
func (p *Position) unionPassable(t target) bool {
	if p.cell[t.cell] != 0 || p.cell[t.victim] == 0 {
		return false
	}
	before := p.state
	p.state.passed[0], p.state.passes = t, 1
	q := quest{aim: aimPass}
	found := p.run(&q)
	p.state = before
	return found
}

// chainStrikes reports whether the other side could come onto one of the cells, in the way it captures, if it were its
// turn.
func (p *Position) chainStrikes(cells *board.Set) bool {
	before, us := p.state, p.turn
	p.turn = p.next(us)
	p.state.passes, p.state.chain = 0, chain{}
	q := quest{aim: aimStrike, cells: *cells}
	found := p.run(&q)
	p.state, p.turn = before, us
	return found
}

// run starts a quest.
func (p *Position) run(q *quest) bool {
	u := p.rules.union
	probing, log := p.probing, p.log
	p.probing = true
	q.seen = u.seen.Get().(*[]uint64)
	*q.seen = (*q.seen)[:0]
	found := p.follow(q)
	u.seen.Put(q.seen)
	p.probing, p.log = probing, log
	return found
}

// follow looks at the position and at all that chains lead to from it.
func (p *Position) follow(q *quest) bool {
	if slices.Contains(*q.seen, p.key) {
		return false
	}
	if len(*q.seen) >= maxSeen {
		return q.aim == aimStrike
	}
	*q.seen = append(*q.seen, p.key)
	if q.aim == aimStrike && p.struck(&q.cells) {
		return true
	}
	st := &p.rules.stages
	list := st.scratch.Get().(*[]Move)
	moves := p.unionMoves((*list)[:0], false)
	found := false
	for _, m := range moves {
		if found = p.serves(m, q); found {
			break
		}
	}
	for _, m := range moves {
		if found || m.Kind() != TakeOver && m.Kind() != Gift {
			continue
		}
		var u Undo
		p.Make(m, &u)
		found = p.follow(q)
		p.Unmake(m, &u)
	}
	*list = moves
	st.scratch.Put(list)
	return found
}

// serves reports whether a move is what is looked for.
func (p *Position) serves(m Move, q *quest) bool {
	switch kind := m.Kind(); q.aim {
	case aimEnd:
		return kind != TakeOver && kind != Gift
	case aimPass:
		if kind != Unite && kind != TakeOver || m.Second() == board.Wall {
			return false
		}
		if kind == Unite {
			return true
		}
		var u Undo
		p.Make(m, &u)
		ends := p.completable()
		p.Unmake(m, &u)
		return ends
	}
	return false
}

// struck reports whether the man to move, or any single man if none is released, strikes one of the cells.
func (p *Position) struck(cells *board.Set) bool {
	r, us := p.rules, p.turn
	hits := func(q Piece, c Cell) bool {
		t := p.onto(q, c)
		return meets(&t, cells, r.words)
	}
	if q, c, ok := p.Released(); ok {
		return hits(q, c)
	}
	for c := range p.men[us].Without(p.royals[us]).All {
		if hits(p.cell[c], c) {
			return true
		}
	}
	return false
}
