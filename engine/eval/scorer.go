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
	info  [2][256]uint32 // by attacking side and cell, see mark
	men   [2]tally
	cells [2][256]rules.Cell
	list  [2][256]*man
}

// NewScorer makes a scorer.
func (e *Evaluator) NewScorer() *Scorer { return &Scorer{Evaluator: e} }

// tally is what a position holds of one side.
type tally struct {
	total     score
	n         int // men in cells and list: neither pawns nor royals
	pawns     int
	lonely    int
	hand      int // men that may still come in
	royals    [maxRoyals]rules.Cell
	royalN    int
	pawnSet   board.Set
	pawnTakes board.Set
	attackers [maxRoyals]int
	units     [maxRoyals]int
}

// maxRoyals is the number of royal men whose danger is told apart.
const maxRoyals = 2

// The fields of an info word: one added per attacked cell.
const (
	infoBits   = 10
	infoMask   = 1<<infoBits - 1
	infoMobile = 1 // the cell counts for mobility
)

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
	phase = s.count(p, 0) + s.count(p, 1)
	if s.dead() {
		return 0, 0, true
	}
	s.mark(p, 0)
	s.mark(p, 1)
	s.activity(p, 0)
	s.activity(p, 1)
	s.pawns(0)
	s.pawns(1)
	s.danger(0)
	s.danger(1)
	if s.aims.goal || s.aims.checks > 0 {
		s.ways(p, 0)
		s.ways(p, 1)
	}
	us := p.Turn() & 1
	return s.men[us].total - s.men[us^1].total, min(phase, s.fullPhase), false
}

// count fills the tally of one side with material and places, and returns its
// share of the phase.
func (s *Scorer) count(p *rules.Position, side rules.Side) (phase int) {
	y := &s.men[side]
	*y = tally{}
	set := p.Men(side)
	w := &s.weights
	for i := range s.words {
		for word := set[i]; word != 0; word &= word - 1 {
			c := rules.Cell(i<<6 | bits.TrailingZeros64(word))
			m := s.Evaluator.men[p.At(c)]
			y.total += m.place[c]
			phase += m.phase
			switch {
			case m.pawn:
				y.pawns++
				y.pawnSet[i] |= word & -word
				for j := range s.words {
					y.pawnTakes[j] |= m.takes[c][j]
				}
				s.cells[side][255-y.pawns] = c
				s.list[side][255-y.pawns] = m
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
				s.cells[side][y.n], s.list[side][y.n] = c, m
				y.n++
				y.lonely += btoi(m.lonely)
			}
		}
	}
	if s.drops {
		for _, t := range s.handTypes {
			n := p.Hand(side, t)
			if n == 0 {
				continue
			}
			y.hand += n
			y.total += pair(n*s.inHand[t], n*s.inHand[t])
			phase += n * s.typeValues[t]
		}
	} else if len(s.handTypes) > 0 {
		rights := p.GateRights(side)
		if r := rights.Count(); r > 0 {
			hand := 0
			for _, t := range s.handTypes {
				n := p.Hand(side, t)
				y.hand += n
				hand += n * w.Types[t][TypeValueMG]
			}
			if hand > 0 {
				v := hand*w.Terms[HandPercent]/100 + min(r, 4)*w.Terms[GateRight]
				y.total += pair(v, v)
				phase += hand
			}
		}
	}
	return phase
}

// mark prepares what each cell counts for the attacks of side: one where it
// is of use to go, and the royal zones that it lies in.
func (s *Scorer) mark(p *rules.Position, side rules.Side) {
	info := &s.info[side]
	enemy := &s.men[side^1]
	own := p.Men(side)
	for i := range s.words {
		idle := own[i] | enemy.pawnTakes[i]
		base := i << 6
		cells := info[base : base+64]
		for c := range cells {
			cells[c] = uint32(^idle>>c) & infoMobile
		}
	}
	for k := range min(enemy.royalN, maxRoyals) {
		zone := &s.zone[enemy.royals[k]]
		add := uint32(1) << (infoBits * (k + 1))
		for i := range s.words {
			for word := zone[i]; word != 0; word &= word - 1 {
				info[i<<6|bits.TrailingZeros64(word)] += add
			}
		}
	}
}

// activity adds mobility and the attacks on royal zones.
func (s *Scorer) activity(p *rules.Position, side rules.Side) {
	y := &s.men[side]
	enemy := &s.men[side^1]
	t := &s.weights.Terms
	info := &s.info[side]
	threat := pair(t[PawnThreatMG], t[PawnThreatEG])
	pairs := 0
	for i := range y.n {
		c, m := s.cells[side][i], s.list[side][i]
		var acc uint32
		for _, to := range m.leaps[m.leapAt[c]:m.leapAt[c+1]] {
			acc += info[to]
		}
		rays := m.rays[m.rayAt[c]:m.rayAt[c+1]]
		for len(rays) > 0 {
			n := int(rays[0])
			for _, to := range rays[1 : n+1] {
				acc += info[to]
				if p.At(rules.Cell(to)) != 0 {
					break
				}
			}
			rays = rays[n+1:]
		}
		y.total += m.mob.times(int(acc & infoMask))
		if acc >>= infoBits; acc != 0 {
			for k := range maxRoyals {
				if hits := int(acc & infoMask); hits > 0 {
					enemy.attackers[k]++
					enemy.units[k] += m.units + t[HitUnits]*hits
				}
				acc >>= infoBits
			}
		}
		if enemy.pawnTakes.Has(c) {
			y.total += threat
		}
		pairs += btoi(m.pair)
	}
	if pairs >= 2 {
		y.total += pair(t[PairMG], t[PairEG])
	}
}

// pawns adds the structure of one side's pawns.
func (s *Scorer) pawns(side rules.Side) {
	y := &s.men[side]
	enemy := &s.men[side^1]
	t := &s.weights.Terms
	for i := 1; i <= y.pawns; i++ {
		c, m := s.cells[side][255-i], s.list[side][255-i]
		holders, behind := 0, false
		for j := range s.words {
			holders += bits.OnesCount64(m.span[c][j] & enemy.pawnSet[j])
			behind = behind || m.ahead[c][j]&y.pawnSet[j] != 0
		}
		if y.pawnTakes.Has(c) {
			y.total += pair(t[SupportedMG], t[SupportedEG])
		}
		if m.wide {
			// It can go round one that bars its way.
			holders--
		} else if behind {
			y.total += pair(t[DoubledMG], t[DoubledEG])
		}
		if holders <= 0 && !(behind && !m.wide) {
			rows := int(m.rows[c])
			bonus := pair(t[PassedMG]*rows*rows, t[PassedEG]*rows*rows)
			if m.wide && holders == 0 {
				bonus = pair(bonus.mg()/2, bonus.eg()/2)
			}
			y.total += bonus
		}
	}
}

// danger subtracts what the attacks on a side's royals are worth. Where check
// is an attack on all of them, only the safest one is in danger of mate; each
// may be taken, which the search sees better than this.
func (s *Scorer) danger(side rules.Side) {
	y := &s.men[side]
	t := &s.weights.Terms
	worst := 0
	least := -1
	for k := range min(y.royalN, maxRoyals) {
		u := y.units[k]
		if y.attackers[k] < 2 {
			u /= 2
		}
		d := u * u * t[DangerSquare] / 1024
		worst = max(worst, d)
		if least < 0 || d < least {
			least = d
		}
		if s.manyRoyals && y.royalN > 1 {
			y.total -= pair(u*t[LinearDanger], 0)
		}
	}
	d := worst
	if s.manyRoyals {
		d = max(least, 0)
	}
	d = min(d, 700)
	y.total -= pair(d, d/8)
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
