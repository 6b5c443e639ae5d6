// Package eval judges positions without looking ahead. It knows no game: the
// values of men, their best cells, mobility, king danger and passed pawns are
// all computed from the definition's pieces on the definition's board.
package eval

import (
	"slices"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// score holds the value of a term in the middle game and in the end game, the
// former in the upper half. Sums of scores are right as long as both halves
// fit in 16 bits.
type score int32

func pair(mg, eg int) score       { return score(int32(mg)<<16 + int32(eg)) }
func (s score) mg() int           { return int(int32(s+0x8000) >> 16) }
func (s score) eg() int           { return int(int16(s)) }
func (s score) times(n int) score { return s * score(n) }

// nature is what is known about one type of one side, but for where it goes.
type nature struct {
	kind   rules.PieceType
	side   rules.Side
	royal  bool
	pawn   bool
	lonely int    // 1 if it cannot win alone with the royals, by the game's own list
	pair   int    // 1 if it is colour-bound
	strong uint64 // all bits if it is worth more than four pawns, else none
	wide   bool   // a pawn that can choose among several ways
	value  int
	phase  int
	mean   float64   // mobility on average
	above  []float64 // mobility by cell, above the mean
	rows   []uint8   // rows advanced
	mob    score     // for one attacked cell
	units  int       // danger of an attack on a royal zone
	guard  score     // for a step nearer to a royal man of its own
	siege  score     // to one of the enemy
}

// man is all that is known about one type of one side.
type man[S cells] struct {
	nature
	geometry[S]

	span  []S // cells from which an enemy pawn holds up this pawn
	ahead []S // cells on its way to promotion
	steps []S // the next of them
	back  []S // cells from which a pawn of its side may come to guard it
}

// Evaluator holds the tables of one game and weight vector. It never changes
// and is safe to share.
type Evaluator struct {
	rules      *rules.Rules
	weights    Weights
	n          int
	sets       sets
	values     [256]int
	typeValues []int
	inHand     []int // by type, what a man counts that may be dropped
	fullPhase  int
	others     []rules.Side // that are not evaluated, but stand in the way

	distance   []uint8
	farthest   int
	remote     []int            // mean distance to all cells above the least, in tenths of a step
	manyRoyals bool             // check is an attack on all royals: they may be taken but for one
	pieceCodes [2][]rules.Piece // neither royal nor pawn
	escorts    bool             // pawns count by how near to royals they stand
	handTypes  []rules.PieceType
	drops      bool // men in hand enter by drops, not on cells with a right
	aims       aims
	material   bool // the game knows material that cannot win
}

// sets are tables of an evaluator that hold sets of cells.
type sets interface {
	// copied returns tables for another evaluator of the same game.
	copied(e *Evaluator) sets
	// weigh computes what depends on the weights.
	weigh()
	newJudge() judging
	answer(p *rules.Position, m rules.Move, standing int) int
	checks(p *rules.Position, q rules.Piece, m rules.Move) bool
	seen(p *rules.Position, from, to rules.Cell) bool
}

// tables are those for boards of a width.
type tables[S cells] struct {
	*Evaluator
	men     [256]*man[S]
	zone    []S    // royal zone of a cell
	reaches [2][]S // by side, the cells from which some man would take on a cell of the bare board
}

// New makes an evaluator with the best weights known for the game.
func New(r *rules.Rules) *Evaluator { return NewWith(r, For(r)) }

// NewWith makes an evaluator with the given weights, which must belong to the
// game of r.
func NewWith(r *rules.Rules, w Weights) *Evaluator {
	def := r.Definition()
	b := r.Board()
	mv := newMovement(r)
	e := &Evaluator{rules: r, weights: w, n: b.N()}
	e.typeValues = make([]int, len(def.Pieces)+1)
	for t := range e.typeValues {
		e.typeValues[t] = (w.Types[t][TypeValueMG] + w.Types[t][TypeValueEG]) / 2
	}
	e.manyRoyals = def.Royal == rules.RoyalAllAttacked
	if def.Blocker != nil || r.Sides() > 2 {
		e.others = []rules.Side{2, 3, 4, 5, 6, 7}
	}
	e.distance = mv.distances()
	e.remote, e.farthest = remoteness(e.distance, e.n)
	e.readAims()
	for _, end := range def.Ends {
		e.material = e.material || end.Kind == rules.EndMaterial
	}
	e.handTypes, e.drops = r.HandTypes(), def.Gate == nil
	switch {
	case e.n <= 64:
		e.sets = newTables[[1]uint64](e, mv)
	case e.n <= 128:
		e.sets = newTables[[2]uint64](e, mv)
	default:
		e.sets = newTables[[4]uint64](e, mv)
	}
	return e
}

// newTables makes the tables of an evaluator, and what of the evaluator itself
// is known with them.
func newTables[S cells](e *Evaluator, mv *movement) *tables[S] {
	r, def := e.rules, e.rules.Definition()
	b := &tables[S]{Evaluator: e, zone: make([]S, e.n)}
	for c := range e.n {
		b.zone[c] = narrow[S](board.SetOf(append(neighbours(mv.board, rules.Cell(c)), rules.Cell(c))...))
	}
	lonely := ""
	for _, end := range def.Ends {
		if end.Kind == rules.EndMaterial {
			lonely = end.Material.Single
		}
	}
	for side := range min(r.Sides(), 2) {
		for i := range def.Pieces {
			t := rules.PieceType(i + 1)
			code := r.Piece(rules.Side(side), t)
			if code == 0 {
				continue
			}
			m := b.newMan(mv, t, rules.Side(side))
			m.lonely = btoi(slices.Contains(rules.Tokens(lonely), def.Pieces[i].Letter))
			b.men[code] = m
			e.values[code] = m.value
			if m.royal && def.Royal == rules.RoyalCapture {
				e.values[code] = royalValue
			}
			if !m.royal && !m.pawn {
				e.pieceCodes[side] = append(e.pieceCodes[side], code)
			}
		}
	}
	b.findReaches()
	for side := range min(r.Sides(), 2) {
		for i := range def.Pieces {
			if m := b.men[r.Piece(rules.Side(side), rules.PieceType(i+1))]; m != nil && m.pawn {
				b.spans(mv, m, rules.Side(side))
			}
		}
	}
	b.weigh()
	e.fullPhase = 1
	if start, err := r.Start(def.Start.Usual); err == nil {
		for c := range e.n {
			if m := b.men[start.At(rules.Cell(c))]; m != nil {
				e.fullPhase += m.phase
			}
		}
	}
	return b
}

// findReaches turns the cells that men would take on round.
func (b *tables[S]) findReaches() {
	for side := range b.reaches {
		b.reaches[side] = make([]S, b.n)
	}
	for _, m := range b.men {
		if m == nil {
			continue
		}
		for from := range b.n {
			for to := range b.n {
				if has(&m.spots[from].takes, rules.Cell(to)) {
					add(&b.reaches[m.side&1][to], rules.Cell(from))
				}
			}
		}
	}
}

// losingShare is the part of its value that a man counts against its owner
// where losing all men wins.
const losingShare = 3

// royalValue is what taking a royal man counts where that ends the game.
const royalValue = 10_000

// newMan computes what of the tables of one type and side depends on the
// board alone.
func (b *tables[S]) newMan(mv *movement, t rules.PieceType, side rules.Side) *man[S] {
	def := b.rules.PieceInfo(t)
	heading := b.rules.Definition().Sides[side].Heading
	m := &man[S]{nature: nature{kind: t, side: side, royal: def.Royal, pawn: def.Pawn, value: b.typeValues[t], mean: mv.average(t)}}
	if m.value > 4*pawnValue {
		m.strong = ^uint64(0)
	}
	if !m.royal && !m.pawn {
		m.phase = m.value
		m.pair = btoi(mv.colourBound(t, side))
	}
	depth := mv.board.Depth(heading)
	m.rows = make([]uint8, b.n)
	m.above = make([]float64, b.n)
	for c := range b.n {
		cell := rules.Cell(c)
		row := mv.board.Distance(cell, heading)
		if m.pawn { // the edges of a hexagon are no straight rows: what counts is how far a pawn has to go
			row = depth - 1 - mv.board.Distance(cell, mv.board.Opposite(heading))
		}
		m.rows[c] = uint8(row)
		m.above[c] = mv.reach(t, side, cell) - m.mean
	}
	m.compile(mv, t, side)
	return m
}

// spans finds, for a pawn on each cell, its ways to promotion and the cells
// from which enemy pawns bar or guard them.
func (b *tables[S]) spans(mv *movement, m *man[S], side rules.Side) {
	m.span, m.ahead = make([]S, b.n), make([]S, b.n)
	m.steps, m.back = make([]S, b.n), make([]S, b.n)
	enemy := side ^ 1
	for c := range b.n {
		way := mv.closure(m.kind, side, rules.Cell(c))[1:]
		m.ahead[c] = narrow[S](board.SetOf(way...))
		m.span[c] = m.ahead[c]
		for from := range b.n {
			for _, o := range b.men {
				if o == nil || !o.pawn || o.side != enemy {
					continue
				}
				if meet(&o.spots[from].takes, &m.ahead[c]) {
					add(&m.span[c], rules.Cell(from))
				}
			}
		}
		// The pawn itself and what has passed it cannot hold it up.
		for from := range b.n {
			if m.rows[from] <= m.rows[c] {
				remove(&m.span[c], rules.Cell(from))
			}
		}
		for _, p := range mv.paths(m.kind, side, rules.Cell(c)) {
			if p.quiet && !p.initial {
				add(&m.steps[c], p.cells[0])
			}
		}
		m.wide = m.wide || count(&m.steps[c]) > 1
	}
	for from := range b.n {
		stand := m.ahead[from]
		add(&stand, rules.Cell(from))
		for at := range b.n {
			for guarded := range b.n {
				if has(&stand, rules.Cell(at)) && has(&m.spots[at].takes, rules.Cell(guarded)) {
					add(&m.back[guarded], rules.Cell(from))
				}
			}
		}
	}
}

// remoteness measures how far each cell is from the middle of the board: its
// mean distance to all others above the least such mean, in tenths of a step.
func remoteness(distance []uint8, n int) (remote []int, farthest int) {
	remote = make([]int, n)
	least := 1 << 30
	for c := range n {
		sum := 0
		for _, d := range distance[c*n : (c+1)*n] {
			sum += int(d)
			farthest = max(farthest, int(d))
		}
		remote[c] = sum * 10 / n
		least = min(least, remote[c])
	}
	for c := range remote {
		remote[c] -= least
	}
	return remote, farthest
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Value returns what a man is worth in hundredths of a pawn; 0 for no man.
func (e *Evaluator) Value(p rules.Piece) int { return e.values[p] }

// TypeValue returns what a type is worth.
func (e *Evaluator) TypeValue(t rules.PieceType) int { return e.typeValues[t] }

// Attacks reports whether the man on from attacks to as the board of p stands.
func (e *Evaluator) Attacks(p *rules.Position, from, to rules.Cell) bool {
	return e.sets.seen(p, from, to)
}

// Distance returns the number of single steps between two cells.
func (e *Evaluator) Distance(a, b rules.Cell) int { return int(e.distance[int(a)*e.n+int(b)]) }
