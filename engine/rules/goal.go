package rules

import (
	"fmt"

	"hoplite/engine/board"
)

// GoalRule is the mechanism goal: men that stand on certain cells end the game.
type GoalRule struct {
	// Cells are the goal, names separated by blanks.
	Cells string
	// Men are the tokens of the types that count there.
	Men  string
	Kind GoalKind
}

// GoalKind says what a man on a goal cell brings about.
type GoalKind string

const (
	// GoalReach is won by arriving.
	GoalReach GoalKind = "reach"
	// GoalHold is won by still standing there when it is the turn of the man's owner.
	GoalHold GoalKind = "hold"
	// GoalRace is won by arriving first, all sides having had the same number of moves: if one side has arrived and another
	// has its turn still to come in the round and can arrive by it, the game goes on; if all have arrived it is drawn.
	GoalRace GoalKind = "race"
)

// goalTest is a compiled GoalRule.
type goalTest struct {
	cells board.Set
	men   [maxTypes + 1]bool
}

// endGoal makes the test for the end of the game from a goal.
func (r *Rules) endGoal(e *EndRule) (endTest, error) {
	g := &goalTest{}
	var err error
	if g.cells, err = r.cellSet(e.Goal.Cells); err != nil {
		return endTest{}, err
	}
	g.men = r.typeSet(e.Goal.Men, &err)
	if err != nil {
		return endTest{}, err
	}
	if g.cells.Empty() || e.Goal.Men == "" {
		return endTest{}, fmt.Errorf("a goal without cells or men")
	}
	r.stage()
	switch e.Goal.Kind {
	case GoalReach:
		return endTest{decisive: true, test: func(p *Position) (Outcome, bool) {
			for s := range Side(r.sides) {
				if g.reached(p, s) {
					return won(s, r.sides, Goal), true
				}
			}
			return Outcome{}, false
		}}, nil
	case GoalHold:
		return endTest{decisive: true, test: func(p *Position) (Outcome, bool) {
			if g.reached(p, p.turn) {
				return won(p.turn, r.sides, Goal), true
			}
			return Outcome{}, false
		}}, nil
	case GoalRace:
		return endTest{decisive: true, test: g.race}, nil
	}
	return endTest{}, fmt.Errorf("unknown kind of goal %q", e.Goal.Kind)
}

// reached reports whether a man of side s stands on the goal.
func (g *goalTest) reached(p *Position, s Side) bool {
	if !meets(&g.cells, &p.men[s&(maxSides-1)], p.rules.words) {
		return false
	}
	for c := range g.cells.Intersect(p.men[s&(maxSides-1)]).All {
		if g.men[p.rules.codes[p.cell[c]].typ] {
			return true
		}
	}
	return false
}

// race is the test of GoalRace.
func (g *goalTest) race(p *Position) (Outcome, bool) {
	sides := p.rules.sides
	arrived, winner := 0, Side(0)
	for s := range Side(sides) {
		if g.reached(p, s) {
			arrived++
			winner = s
		}
	}
	switch {
	case arrived == 0:
		return Outcome{}, false
	case arrived == sides:
		return drawn(sides, Goal), true
	case arrived == 1 && winner < p.turn && g.canReach(p):
		return Outcome{}, false
	}
	return won(winner, sides, Goal), true
}

// canReach reports whether the side to move has a legal move to the goal.
func (g *goalTest) canReach(p *Position) bool {
	list := p.rules.stages.scratch.Get().(*[]Move)
	moves := p.stagedMoves((*list)[:0], allMoves)
	can := false
	for _, m := range moves {
		if g.cells.Has(m.To()) && g.men[p.rules.codes[p.cell[m.From()]].typ] {
			can = true
			break
		}
	}
	*list = moves
	p.rules.stages.scratch.Put(list)
	return can
}
