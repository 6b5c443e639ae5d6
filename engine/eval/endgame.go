package eval

import "hoplite/engine/rules"

// dead reports whether neither side has a man that can win, by the game's own
// list of men that cannot.
func (s *judge[S]) dead() bool {
	if !s.material {
		return false
	}
	a, b := &s.sides[0], &s.sides[1]
	if a.pawns != s.none || b.pawns != s.none || a.royalN > 1 || b.royalN > 1 {
		return false
	}
	men := a.n + b.n + a.hand + b.hand
	return men == 0 || men == 1 && a.lonely+b.lonely == 1
}

// endgame corrects the value of positions with few men: leads that cannot be
// won fade to so many percent, and a bonus for us drives a bare side to the
// edge. leads is whether us is ahead.
func (s *judge[S]) endgame(us rules.Side, leads bool) (percent, bonus int) {
	strong := us
	if !leads {
		strong = us ^ 1
	}
	y, weak := &s.sides[strong], &s.sides[strong^1]
	t := &s.weights.Terms
	percent = 100
	bare := weak.n+weak.hand == 0 && weak.pawns == s.none && weak.royalN == 1
	if y.pawns == s.none && y.hand == 0 {
		switch {
		case y.n == 0 && y.royalN <= 1 && s.material:
			return 0, 0 // nothing to win with
		case y.n == 0 && y.royalN == 1 && bare && !s.aims.goal:
			return 0, 0 // two royals alone, whatever the game says of material
		case y.n == 1 && y.royalN == 1 && y.lonely == 1:
			percent = t[FadeNoPawns]
		case y.n == 1 && y.royalN == 1 && weak.royalN > 1 && s.manyRoyals:
			// One man does not break two royals that guard each other, or come
			// together.
			percent = 25
			if s.Distance(weak.royals[0], weak.royals[1]) == 1 {
				percent = t[FadeNoPawns]
			}
		}
	}
	if bare {
		bonus = s.mopUp(strong)
	}
	if strong != us {
		bonus = -bonus
	}
	return percent, bonus
}

// mopUp is what it counts against a bare royal to stand where it can be mated.
func (s *judge[S]) mopUp(strong rules.Side) int {
	y, t := &s.sides[strong], &s.weights.Terms
	w := int(s.sides[strong^1].royals[0])
	row := s.distance[w*s.n : (w+1)*s.n]
	bonus := t[MopUpEdge] * s.remote[w] / 2
	for k := range min(y.royalN, maxRoyals) {
		bonus += t[MopUpNear] * (s.farthest - int(row[y.royals[k]]))
	}
	for i := range y.n {
		bonus += t[MopUpMen] * (s.farthest - int(row[y.cells[i]]))
	}
	return bonus
}
