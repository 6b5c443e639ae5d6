package rules

import "fmt"

// BareRule is the mechanism bare: what becomes of a side that has nothing but its royal man left, with EndBare. Where
// both sides are left so, only BareDraws has a say.
type BareRule string

const (
	// BareCounter is lost by the bare side, unless it is to move and can leave the other side bare, too, by a legal
	// capture. It has that one move for it.
	BareCounter BareRule = "counter"
	// BareLoses is lost by the bare side at once.
	BareLoses BareRule = "loses"
	// BareDraws is drawn at once.
	BareDraws BareRule = "draws"
)

// endBare compiles an end test of kind EndBare.
func (r *Rules) endBare(e *EndRule) (endTest, error) {
	r.stage()
	switch e.Bare {
	case BareCounter:
		return endTest{decisive: true, test: endBareCounter}, nil
	case BareLoses:
		return endTest{decisive: true, test: endBareLoses}, nil
	case BareDraws:
		return endTest{decisive: true, test: endBareDraws}, nil
	}
	return endTest{}, fmt.Errorf("unknown rule %q", e.Bare)
}

// bare reports whether side s has royal men and nothing else.
func (p *Position) bare(s Side) bool {
	return !p.royals[s].Empty() && p.men[s] == p.royals[s] && p.inHand[s] == 0
}

func endBareCounter(p *Position) (Outcome, bool) {
	us, them := p.turn, p.opponent()
	ours, theirs := p.bare(us), p.bare(them)
	others := p.men[them].Without(p.royals[them])
	switch {
	case ours == theirs:
		return Outcome{}, false
	case theirs:
		return won(us, p.rules.sides, BareKing), true
	case others.Count() == 1 && p.canCapture():
		return Outcome{}, false
	}
	return won(them, p.rules.sides, BareKing), true
}

func endBareLoses(p *Position) (Outcome, bool) {
	us, them := p.turn, p.opponent()
	switch ours, theirs := p.bare(us), p.bare(them); {
	case ours == theirs:
		return Outcome{}, false
	case theirs:
		return won(us, p.rules.sides, BareKing), true
	}
	return won(them, p.rules.sides, BareKing), true
}

func endBareDraws(p *Position) (Outcome, bool) {
	if p.bare(p.turn) || p.bare(p.opponent()) {
		return drawn(p.rules.sides, BareKing), true
	}
	return Outcome{}, false
}

// canCapture reports whether the side to move has a legal capture.
func (p *Position) canCapture() bool {
	list := p.rules.stages.scratch.Get().(*[]Move)
	moves := p.stagedMoves((*list)[:0], noisyMoves)
	found := false
	for _, m := range moves {
		found = found || p.IsCapture(m)
	}
	*list = moves
	p.rules.stages.scratch.Put(list)
	return found
}
