package eval

import (
	"strings"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// aims are the ways to win a game other than by mate, as far as the
// evaluation knows them. What they are worth is guessed, not tuned.
type aims struct {
	// checks is the number of checks that win; 0: none counts.
	checks int
	// near[piece][cell] is what a man is worth for its nearness to a goal; nil
	// for men that do not count there. goal is whether there is one.
	near [256][]int
	goal bool
	// losing is set where losing all men wins.
	losing bool
}

// readAims reads the end tests of a game.
func (e *Evaluator) readAims() {
	r := e.rules
	for _, end := range r.Definition().Ends {
		switch end.Kind {
		case rules.EndChecks:
			e.aims.checks = end.Checks
		case rules.EndExtinct:
			e.aims.losing = e.aims.losing || end.Won
		case rules.EndGoal:
			e.readGoal(&end.Goal)
		}
	}
}

// The worth of a man that counts at a goal grows as it comes nearer, and most
// of all next to it. Where one man of many decides, each counts less.
const (
	goalStep  = 18
	goalNext  = 70
	goalMany  = 4
	stepsSeen = 6
)

func (e *Evaluator) readGoal(g *rules.GoalRule) {
	r := e.rules
	var goal board.Set
	for _, name := range strings.Fields(g.Cells) {
		if c, ok := r.Board().ParseCell(name); ok {
			goal.Add(c)
		}
	}
	e.aims.goal = true
	for _, letter := range rules.Tokens(g.Men) {
		t := r.TypeOf(letter)
		for side := range rules.Side(r.Sides()) {
			worth := make([]int, e.n)
			for c := range e.n {
				steps := e.farthest
				for to := range goal.All {
					steps = min(steps, e.Distance(rules.Cell(c), to))
				}
				worth[c] = goalStep * max(stepsSeen-steps, 0)
				if steps <= 1 {
					worth[c] += goalNext
				}
				if !r.PieceInfo(t).Royal {
					worth[c] /= goalMany
				}
			}
			e.aims.near[r.Piece(side, t)] = worth
		}
	}
}

// checkWorth is what the checks given are worth, by how many are still
// needed: one more decides nearly everything.
func checkWorth(left int) int {
	switch left {
	case 1:
		return 500
	case 2:
		return 150
	}
	return 0
}

// ways adds what the aims of the game are worth for one side.
func (s *judge[S]) ways(p *rules.Position, side rules.Side) {
	y := &s.sides[side]
	if s.aims.checks > 0 {
		w := checkWorth(p.ChecksLeft(side))
		y.total += pair(w, w)
	}
	if !s.aims.goal {
		return
	}
	men := narrow[S](p.Men(side))
	for j := 0; j < len(men); j++ {
		for word := men[j]; word != 0; word &= word - 1 {
			c := lowest(j, word)
			if worth := s.aims.near[p.At(c)]; worth != nil {
				y.total += pair(worth[c], worth[c])
			}
		}
	}
}
