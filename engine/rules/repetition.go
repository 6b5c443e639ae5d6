package rules

import "fmt"

// Perpetual names what a side must not do for ever.
type Perpetual string

const (
	// PerpetualCheck is to give check.
	PerpetualCheck Perpetual = "check"
)

// RepeatLoser names the side that loses by a repetition.
type RepeatLoser string

const (
	// RepeatDraws is nobody: the repetition draws.
	RepeatDraws RepeatLoser = ""
	// RepeatMover is the side whose move completes the repetition.
	RepeatMover RepeatLoser = "mover"
)

// offence answers whether the move m, which led to p, is what a side must not do for ever.
type offence func(p *Position, m Move) bool

// offences returns the tests by name.
func offences() map[Perpetual]offence {
	return map[Perpetual]offence{PerpetualCheck: func(p *Position, _ Move) bool { return p.InCheck() }}
}

// compileRepeat lets a repetition be judged if the game says who loses by it.
func (r *Rules) compileRepeat() error {
	rule := r.def.Repeat
	if rule.Perpetual == "" && rule.Loser == RepeatDraws {
		return nil
	}
	test := offences()[rule.Perpetual]
	switch {
	case rule.Perpetual != "" && test == nil:
		return fmt.Errorf("unknown perpetual %q", rule.Perpetual)
	case rule.Loser != RepeatDraws && rule.Loser != RepeatMover:
		return fmt.Errorf("unknown loser %q of a repetition", rule.Loser)
	case rule.Draw <= 1:
		return fmt.Errorf("a repetition with %d occurrences", rule.Draw)
	}
	r.stage().adjudicate = func(g *Game) (Outcome, bool) {
		if g.Repetitions() < rule.Draw {
			return Outcome{}, false
		}
		if test != nil {
			if s, one := g.offender(test); one {
				return won(r.foes[s][0], r.sides, PerpetualLoss), true
			}
		}
		if rule.Loser == RepeatMover {
			return won(g.now.turn, r.sides, Repetition), true // it is the other side's turn now
		}
		return drawn(r.sides, Repetition), true
	}
	return nil
}

// offender returns the only side all of whose moves since the present position first occurred pass the test.
func (g *Game) offender(test offence) (s Side, one bool) {
	var moved, spared [maxSides]bool
	g.replay(g.first(), func(p *Position, m Move, by Side) {
		moved[by] = true
		spared[by] = spared[by] || !test(p, m)
	})
	n := 0
	for side := range Side(g.now.rules.sides) {
		if moved[side] && !spared[side] {
			s = side
			n++
		}
	}
	return s, n == 1
}

// first returns the number of moves after which the present position first occurred.
func (g *Game) first() int {
	from := 0
	if !g.now.rules.stages.cyclic {
		from = len(g.keys) - min(int(g.now.clock), len(g.keys))
	}
	for i := from; i < len(g.keys); i++ {
		if g.keys[i] == g.now.key {
			return i
		}
	}
	return len(g.keys)
}

// replay plays the game again and calls do for each move from the given one on, with the position that it led to, which
// must not be kept, and the side that made it. Declarations are no moves.
func (g *Game) replay(from int, do func(p *Position, m Move, by Side)) {
	p := g.start.Clone()
	var u Undo
	for i, m := range g.moves {
		by := p.turn
		p.Make(m, &u)
		if i >= from && m.Kind() != Declare {
			do(p, m, by)
		}
	}
}
