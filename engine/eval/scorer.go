package eval

import "hoplite/engine/rules"

// Limit bounds the scores that a Scorer returns.
const Limit = 20000

// Scorer evaluates positions. It has scratch memory, so each goroutine needs
// its own; it does not allocate.
type Scorer struct {
	*Evaluator
	judge judging
}

// judging is what a Scorer asks of a judge.
type judging interface {
	sum(p *rules.Position) (diff score, phase int, over bool)
	endgame(us rules.Side, leads bool) (percent, bonus int)
}

// NewScorer makes a scorer.
func (e *Evaluator) NewScorer() *Scorer { return &Scorer{Evaluator: e, judge: e.sets.newJudge()} }

// judge adds up the terms of positions on boards of a width.
type judge[S cells] struct {
	*tables[S]
	all   S // occupied cells
	none  S // always empty
	sides [2]tally[S]
	known structures[S]
}

func (b *tables[S]) newJudge() judging {
	s := &judge[S]{tables: b}
	s.newStructures()
	return s
}

// tally is what a position holds of one side.
type tally[S cells] struct {
	total score
	n     int // men in cells: neither pawns nor royals
	structure[S]
	lonely int
	pairs  int // colour-bound men
	hand   int // men that may still come in
	royals [maxRoyals]rules.Cell
	royalN int
	units  [maxRoyals]int // danger of the men that attack its royals
	hits   [maxRoyals]int // how many do

	own    S
	valued S // men but for pawns and royals
	strong S // the strong ones among them
	once   S // cells attacked
	twice  S // more than once
	weakly S // by men that are not strong, pawns included

	cells    [256]rules.Cell
	checkers []checker[S]
}

// checker is a man with the cells that it may come to and from which, on the bare
// board, it would attack one of the royals.
type checker[S cells] struct {
	man   *man[S]
	royal int
	from  S
}

// maxRoyals is the number of royal men whose danger is told apart.
const maxRoyals = 2

// Score returns the value of p in hundredths of a pawn for the side to move,
// between -Limit and Limit. It means little while a man can be taken for
// nothing or the mover is in check.
func (s *Scorer) Score(p *rules.Position) int {
	diff, phase, over := s.judge.sum(p)
	if over {
		return 0
	}
	us := p.Turn() & 1
	v := (diff.mg()*phase+diff.eg()*(s.fullPhase-phase))/s.fullPhase + s.weights.Terms[Tempo]
	if v != 0 {
		percent, bonus := s.judge.endgame(us, v > 0)
		v = v*percent/100 + bonus
	}
	return min(max(v, -Limit), Limit)
}

// exact is Score without rounding and bounds.
func (s *Scorer) exact(p *rules.Position) float64 {
	diff, phase, over := s.judge.sum(p)
	if over {
		return 0
	}
	share := float64(phase) / float64(s.fullPhase)
	v := float64(diff.mg())*share + float64(diff.eg())*(1-share) + float64(s.weights.Terms[Tempo])
	percent, bonus := s.judge.endgame(p.Turn()&1, v > 0)
	return v*float64(percent)/100 + float64(bonus)
}

// sum adds up the terms for the side to move less those for the other. over is
// whether nobody can win.
func (s *judge[S]) sum(p *rules.Position) (diff score, phase int, over bool) {
	s.all = s.occupied(p)
	s.structure(p)
	s.begin(p, 0)
	s.begin(p, 1)
	for side := range rules.Side(2) {
		phase += s.activity(p, side) + s.inHands(p, side)
	}
	if s.dead() {
		return 0, 0, true
	}
	for side := range rules.Side(2) {
		s.checks(side)
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

// begin empties the tally of one side but for its pawns and notes its royals.
func (s *judge[S]) begin(p *rules.Position, side rules.Side) {
	y := &s.sides[side]
	y.total, y.n, y.lonely, y.pairs, y.hand, y.royalN = 0, 0, 0, 0, 0, 0
	y.units, y.hits, y.checkers = [maxRoyals]int{}, [maxRoyals]int{}, y.checkers[:0]
	y.own, y.strong = narrow[S](p.Men(side)), s.none
	royals := narrow[S](p.Royals(side))
	for i := 0; i < len(s.all); i++ {
		y.valued[i] = y.own[i] &^ (y.pawns[i] | royals[i])
		for word := royals[i] &^ y.pawns[i]; word != 0; word &= word - 1 {
			c := lowest(i, word)
			m := s.men[p.At(c)]
			y.total += m.spots[c].place
			if y.royalN < maxRoyals {
				y.royals[y.royalN] = c
			}
			y.royalN++
			if y.royalN == 1 {
				// The last one is never lost.
				y.total -= pair(m.value, m.value)
			}
		}
	}
}

// inHands adds what the men in hand are worth, and returns their share of the
// phase.
func (s *judge[S]) inHands(p *rules.Position, side rules.Side) (phase int) {
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
