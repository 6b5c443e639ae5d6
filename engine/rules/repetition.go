package rules

import (
	"fmt"
	"slices"
)

// Perpetual names what a side must not do for ever.
type Perpetual string

const (
	// PerpetualCheck is to give check.
	PerpetualCheck Perpetual = "check"
	// PerpetualAttack is to attack a royal man, or some enemy with the man that has moved.
	PerpetualAttack Perpetual = "attack"
	// PerpetualChase is to give check or, if neither side does so for ever, to chase the same man (ChaseRule). Two sides
	// that both give check for ever are quits, whatever they chase.
	PerpetualChase Perpetual = "chase"
)

// RepeatLoser names the side that loses by a repetition.
type RepeatLoser string

const (
	// RepeatDraws is nobody: the repetition draws.
	RepeatDraws RepeatLoser = ""
	// RepeatMover is the side whose move completes the repetition.
	RepeatMover RepeatLoser = "mover"
	// RepeatFirst is the side that moved first in the game.
	RepeatFirst RepeatLoser = "first"
	// RepeatPoints is the side that has fewer points.
	RepeatPoints RepeatLoser = "points"
)

// offence watches the moves of a repetition for something that a side must not do for ever.
type offence interface {
	// sees is told of each move in turn, with the positions before and after it, which must not be kept or changed. It
	// reports whether the side of the move has done it with each of its moves so far.
	sees(before, after *Position, m Move) bool
}

// checks is the offence of giving check.
type checks struct{ spared [maxSides]bool }

func (c *checks) sees(before, after *Position, _ Move) bool {
	by := before.turn
	c.spared[by] = c.spared[by] || !after.InCheck()
	return !c.spared[by]
}

// offences returns what begins to watch for a perpetual: the first one that somebody commits decides.
func (r *Rules) offences(p Perpetual) ([]func() offence, error) {
	checking := func() offence { return &checks{} }
	switch p {
	case "":
		return nil, nil
	case PerpetualCheck:
		return []func() offence{checking}, nil
	case PerpetualAttack:
		return []func() offence{func() offence { return &attacks{} }}, nil
	case PerpetualChase:
		rule, err := r.compileChase(&r.def.Repeat.Chase)
		return []func() offence{checking, func() offence { return newChaser(rule) }}, err
	}
	return nil, fmt.Errorf("unknown perpetual %q", p)
}

// compileRepeat lets a repetition be judged if the game says who loses by it.
func (r *Rules) compileRepeat() error {
	rule := r.def.Repeat
	if rule.Perpetual == "" && rule.Loser == RepeatDraws {
		return nil
	}
	begin, err := r.offences(rule.Perpetual)
	switch {
	case err != nil:
		return err
	case !slices.Contains([]RepeatLoser{RepeatDraws, RepeatMover, RepeatFirst, RepeatPoints}, rule.Loser):
		return fmt.Errorf("unknown loser %q of a repetition", rule.Loser)
	case rule.Loser == RepeatPoints && r.def.Points == nil:
		return fmt.Errorf("a repetition that is decided by points, which the men have not")
	case rule.Draw <= 1:
		return fmt.Errorf("a repetition with %d occurrences", rule.Draw)
	}
	r.stage().recurring = func(g *Game) Outcome {
		if s, one := g.offender(begin); one {
			return won(r.foes[s][0], r.sides, PerpetualLoss)
		}
		switch rule.Loser {
		case RepeatMover:
			return won(g.now.turn, r.sides, Repetition) // it is the other side's turn now
		case RepeatFirst:
			return won(r.foes[g.start.turn][0], r.sides, Repetition)
		case RepeatPoints:
			return g.now.byPoints()
		}
		return drawn(r.sides, Repetition)
	}
	return nil
}

// offender returns the only side that commits the first offence that any side commits with each of its moves since the
// present position first occurred.
func (g *Game) offender(begin []func() offence) (s Side, one bool) {
	watching := make([]offence, len(begin))
	guilty := make([][maxSides]bool, len(begin))
	for i := range begin {
		watching[i] = begin[i]()
	}
	g.replay(g.first(), func(before, after *Position, m Move) {
		for i, w := range watching {
			guilty[i][before.turn] = w.sees(before, after, m)
		}
	})
	for i := range guilty {
		n := 0
		for side := range Side(g.now.rules.sides) {
			if guilty[i][side] {
				s = side
				n++
			}
		}
		if n != 0 {
			return s, n == 1
		}
	}
	return 0, false
}

// first returns the number of moves after which the present position first occurred.
func (g *Game) first() int {
	at := len(g.keys)
	for i := range g.earlier {
		at = i
	}
	return at
}

// replay plays the game again and calls do for each move from the given one on, with the positions before and after it,
// which must not be kept. Declarations are no moves.
func (g *Game) replay(from int, do func(before, after *Position, m Move)) {
	before, after := g.start.Clone(), g.start.Clone()
	var u Undo
	for i, m := range g.moves {
		if i >= from {
			*before = *after
		}
		after.Make(m, &u)
		if i >= from && m.Kind().IsMove() {
			do(before, after, m)
		}
	}
}
