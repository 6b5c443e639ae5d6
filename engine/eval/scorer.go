package eval

import (
	"math/bits"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Limit bounds the scores that a Scorer returns.
const Limit = 20000

// Scorer evaluates positions. It has scratch memory, so each goroutine needs
// its own; it does not allocate.
type Scorer struct {
	*Evaluator
	all   board.Set // occupied cells
	sides [2]tally
	known structures
}

// NewScorer makes a scorer.
func (e *Evaluator) NewScorer() *Scorer {
	s := &Scorer{Evaluator: e}
	s.newStructures()
	return s
}

// tally is what a position holds of one side.
type tally struct {
	total score
	n     int // men in cells, list and reach: neither pawns nor royals
	structure
	lonely int
	pairs  int // colour-bound men
	hand   int // men that may still come in
	royals [maxRoyals]rules.Cell
	royalN int
	units  [maxRoyals]int // danger of the men that attack its royals
	hits   [maxRoyals]int // how many do

	own    board.Set
	valued board.Set // men but for pawns and royals
	strong board.Set // the strong ones among them
	once   board.Set // cells attacked
	twice  board.Set // more than once
	weakly board.Set // by men that are not strong, pawns included

	cells [256]rules.Cell
	list  [256]*man
	reach [256]board.Set // what the man attacks
}

// maxRoyals is the number of royal men whose danger is told apart.
const maxRoyals = 2

// Score returns the value of p in hundredths of a pawn for the side to move,
// between -Limit and Limit. It means little while a man can be taken for
// nothing or the mover is in check.
func (s *Scorer) Score(p *rules.Position) int {
	diff, phase, over := s.sum(p)
	if over {
		return 0
	}
	us := p.Turn() & 1
	v := (diff.mg()*phase+diff.eg()*(s.fullPhase-phase))/s.fullPhase + s.weights.Terms[Tempo]
	if v != 0 {
		percent, bonus := s.endgame(us, v > 0)
		v = v*percent/100 + bonus
	}
	return min(max(v, -Limit), Limit)
}

// exact is Score without rounding and bounds.
func (s *Scorer) exact(p *rules.Position) float64 {
	diff, phase, over := s.sum(p)
	if over {
		return 0
	}
	share := float64(phase) / float64(s.fullPhase)
	v := float64(diff.mg())*share + float64(diff.eg())*(1-share) + float64(s.weights.Terms[Tempo])
	percent, bonus := s.endgame(p.Turn()&1, v > 0)
	return v*float64(percent)/100 + float64(bonus)
}

// sum adds up the terms for the side to move less those for the other. over is
// whether nobody can win.
func (s *Scorer) sum(p *rules.Position) (diff score, phase int, over bool) {
	s.all = s.occupied(p)
	s.structure(p)
	phase = s.count(p, 0) + s.count(p, 1)
	if s.dead() {
		return 0, 0, true
	}
	s.attack(0)
	s.attack(1)
	for side := range rules.Side(2) {
		s.activity(side)
		s.threats(side)
		s.pawns(p, side)
	}
	s.danger(0)
	s.danger(1)
	if s.aims.goal || s.aims.checks > 0 {
		s.ways(p, 0)
		s.ways(p, 1)
	}
	us := p.Turn() & 1
	return s.sides[us].total - s.sides[us^1].total, min(phase, s.fullPhase), false
}

// count fills the tally of one side with material and places, and returns its
// share of the phase.
func (s *Scorer) count(p *rules.Position, side rules.Side) (phase int) {
	y := &s.sides[side]
	y.reset()
	y.own = p.Men(side)
	for i := range s.words {
		for word := y.own[i] &^ y.pawns[i]; word != 0; word &= word - 1 {
			c := rules.Cell(i<<6 | bits.TrailingZeros64(word))
			m := s.men[p.At(c)]
			y.total += m.place[c]
			phase += m.phase
			switch {
			case m.royal:
				if y.royalN < maxRoyals {
					y.royals[y.royalN] = c
				}
				y.royalN++
				if y.royalN == 1 {
					// The last one is never lost.
					y.total -= pair(m.value, m.value)
				}
			default:
				y.cells[y.n], y.list[y.n] = c, m
				y.n++
				y.valued[i] |= word & -word
				if m.strong {
					y.strong[i] |= word & -word
				}
				y.lonely += btoi(m.lonely)
				y.pairs += btoi(m.pair)
			}
		}
	}
	return phase + s.inHands(p, side)
}

// reset empties a tally but for its lists.
func (y *tally) reset() {
	y.total, y.n, y.lonely, y.pairs, y.hand, y.royalN = 0, 0, 0, 0, 0, 0
	y.units, y.hits = [maxRoyals]int{}, [maxRoyals]int{}
	y.valued, y.strong = board.Set{}, board.Set{}
	y.once, y.twice, y.weakly = y.takes, y.doubly, y.takes
}

// inHands adds what the men in hand are worth, and returns their share of the
// phase.
func (s *Scorer) inHands(p *rules.Position, side rules.Side) (phase int) {
	if len(s.handTypes) == 0 {
		return 0
	}
	y, w := &s.sides[side], &s.weights
	if s.drops {
		for _, t := range s.handTypes {
			if n := p.Hand(side, t); n > 0 {
				y.hand += n
				y.total += pair(n*s.inHand[t], n*s.inHand[t])
				phase += n * s.typeValues[t]
			}
		}
		return phase
	}
	if p.HandSize(side) == 0 {
		return 0
	}
	rights := p.GateRights(side)
	r := rights.Count()
	if r == 0 {
		return 0
	}
	value := 0
	for _, t := range s.handTypes {
		n := p.Hand(side, t)
		y.hand += n
		value += n * w.Types[t][TypeValueMG]
	}
	v := value*w.Terms[HandPercent]/100 + min(r, 4)*w.Terms[GateRight]
	y.total += pair(v, v)
	return value
}

// attack finds the cells that a side attacks.
func (s *Scorer) attack(side rules.Side) {
	y := &s.sides[side]
	for i := range y.n {
		m := y.list[i]
		a := &y.reach[i]
		m.attacks(y.cells[i], &s.all, a)
		for j := range s.words {
			y.twice[j] |= y.once[j] & a[j]
			y.once[j] |= a[j]
			if !m.strong {
				y.weakly[j] |= a[j]
			}
		}
	}
}

// HasPieces reports whether the side to move has a man that is neither royal
// nor a pawn.
func (s *Scorer) HasPieces(p *rules.Position) bool {
	for _, code := range s.pieceCodes[p.Turn()&1] {
		if p.Count(code) > 0 {
			return true
		}
	}
	return false
}
