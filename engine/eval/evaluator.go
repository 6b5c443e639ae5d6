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

// man is what is known about one type of one side.
type man struct {
	kind   rules.PieceType
	side   rules.Side
	royal  bool
	pawn   bool
	lonely bool // cannot win alone with the royals, by the game's own list
	pair   bool // colour-bound
	strong bool // worth more than four pawns
	value  int
	phase  int
	mean   float64   // mobility on average
	above  []float64 // mobility by cell, above the mean
	mob    score     // for one attacked cell
	units  int       // danger of an attack on a royal zone
	place  []score   // value and place, less the mean mobility
	guard  score     // for a step nearer to a royal man of its own
	siege  score     // to one of the enemy

	geometry

	span  []board.Set // cells from which an enemy pawn holds up this pawn
	ahead []board.Set // cells on its way to promotion
	steps []board.Set // the next of them
	back  []board.Set // cells from which a pawn of its side may come to guard it
	wide  bool        // it can choose among several ways
	rows  []uint8     // rows advanced
}

// Evaluator holds the tables of one game and weight vector. It never changes
// and is safe to share.
type Evaluator struct {
	rules      *rules.Rules
	weights    Weights
	n          int
	words      int // of a board.Set that can be in use
	men        [256]*man
	values     [256]int
	typeValues []int
	inHand     []int // by type, what a man counts that may be dropped
	fullPhase  int
	others     []rules.Side // that are not evaluated, but stand in the way

	zone       []board.Set    // royal zone of a cell
	reaches    [2][]board.Set // by side, the cells from which some man would take on a cell of the bare board
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

// New makes an evaluator with the best weights known for the game.
func New(r *rules.Rules) *Evaluator { return NewWith(r, For(r)) }

// NewWith makes an evaluator with the given weights, which must belong to the
// game of r.
func NewWith(r *rules.Rules, w Weights) *Evaluator {
	def := r.Definition()
	b := r.Board()
	mv := newMovement(r)
	e := &Evaluator{rules: r, weights: w, n: b.N(), words: (b.N() + 63) / 64}
	e.typeValues = make([]int, len(def.Pieces)+1)
	for t := range e.typeValues {
		e.typeValues[t] = (w.Types[t][TypeValueMG] + w.Types[t][TypeValueEG]) / 2
	}
	e.manyRoyals = def.Royal == rules.RoyalAllAttacked
	e.zone = make([]board.Set, e.n)
	for c := range e.n {
		e.zone[c] = board.SetOf(append(neighbours(b, rules.Cell(c)), rules.Cell(c))...)
	}
	if def.Blocker != nil || r.Sides() > 2 {
		e.others = []rules.Side{2, 3, 4, 5, 6, 7}
	}
	e.distance = mv.distances()
	e.remote, e.farthest = remoteness(e.distance, e.n)
	e.readAims()
	lonely := ""
	for _, end := range def.Ends {
		if end.Kind == rules.EndMaterial {
			e.material = true
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
			m := e.newMan(mv, t, rules.Side(side))
			m.lonely = slices.Contains(rules.Tokens(lonely), def.Pieces[i].Letter)
			e.men[code] = m
			e.values[code] = m.value
			if m.royal && def.Royal == rules.RoyalCapture {
				e.values[code] = royalValue
			}
			if !m.royal && !m.pawn {
				e.pieceCodes[side] = append(e.pieceCodes[side], code)
			}
		}
	}
	e.findReaches()
	for side := range min(r.Sides(), 2) {
		for i := range def.Pieces {
			if m := e.men[r.Piece(rules.Side(side), rules.PieceType(i+1))]; m != nil && m.pawn {
				e.spans(mv, m, rules.Side(side))
			}
		}
	}
	e.handTypes, e.drops = r.HandTypes(), def.Gate == nil
	e.weigh()
	e.fullPhase = 1
	if start, err := r.Start(def.Start.Usual); err == nil {
		for c := range e.n {
			if m := e.men[start.At(rules.Cell(c))]; m != nil {
				e.fullPhase += m.phase
			}
		}
	}
	return e
}

// findReaches turns the cells that men would take on round.
func (e *Evaluator) findReaches() {
	for side := range e.reaches {
		e.reaches[side] = make([]board.Set, e.n)
	}
	for _, m := range e.men {
		if m == nil {
			continue
		}
		for from := range e.n {
			for to := range m.takes[from].All {
				e.reaches[m.side&1][to].Add(rules.Cell(from))
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
func (e *Evaluator) newMan(mv *movement, t rules.PieceType, side rules.Side) *man {
	def := e.rules.PieceInfo(t)
	heading := e.rules.Definition().Sides[side].Heading
	m := &man{kind: t, side: side, royal: def.Royal, pawn: def.Pawn, value: e.typeValues[t], mean: mv.average(t)}
	m.strong = m.value > 4*pawnValue
	if !m.royal && !m.pawn {
		m.phase = m.value
		m.pair = mv.colourBound(t, side)
	}
	depth := mv.board.Depth(heading)
	m.rows = make([]uint8, e.n)
	m.above = make([]float64, e.n)
	for c := range e.n {
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
func (e *Evaluator) spans(mv *movement, m *man, side rules.Side) {
	m.span, m.ahead = make([]board.Set, e.n), make([]board.Set, e.n)
	m.steps, m.back = make([]board.Set, e.n), make([]board.Set, e.n)
	enemy := side ^ 1
	for c := range e.n {
		way := mv.closure(m.kind, side, rules.Cell(c))[1:]
		m.ahead[c] = board.SetOf(way...)
		m.span[c] = m.ahead[c]
		for from := range e.n {
			for _, o := range e.men {
				if o == nil || !o.pawn || o.side != enemy {
					continue
				}
				hit := o.takes[from].Intersect(m.ahead[c])
				if !hit.Empty() {
					m.span[c].Add(rules.Cell(from))
				}
			}
		}
		// The pawn itself and what has passed it cannot hold it up.
		for from := range e.n {
			if m.rows[from] <= m.rows[c] {
				m.span[c].Remove(rules.Cell(from))
			}
		}
		for _, p := range mv.paths(m.kind, side, rules.Cell(c)) {
			if p.quiet && !p.initial {
				m.steps[c].Add(p.cells[0])
			}
		}
		m.wide = m.wide || m.steps[c].Count() > 1
	}
	for from := range e.n {
		for at := range m.ahead[from].Union(board.SetOf(rules.Cell(from))).All {
			for guarded := range m.takes[at].All {
				m.back[guarded].Add(rules.Cell(from))
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

// Distance returns the number of single steps between two cells.
func (e *Evaluator) Distance(a, b rules.Cell) int { return int(e.distance[int(a)*e.n+int(b)]) }
