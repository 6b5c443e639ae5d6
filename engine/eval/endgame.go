package eval

import "hoplite/engine/rules"

// dead reports whether neither side has a man that can win, by the game's own
// list of men that cannot.
func (s *Scorer) dead() bool {
	if !s.material {
		return false
	}
	a, b := &s.men[0], &s.men[1]
	if a.pawns+b.pawns > 0 || a.royalN > 1 || b.royalN > 1 {
		return false
	}
	men := a.n + b.n + a.hand + b.hand
	return men == 0 || men == 1 && a.lonely+b.lonely == 1
}

// endgame corrects the value of positions with few men: leads that cannot be
// won fade, and a bare side is driven to the edge.
func (s *Scorer) endgame(v int, us rules.Side) int {
	strong := us
	if v < 0 {
		strong = us ^ 1
	}
	y, weak := &s.men[strong], &s.men[strong^1]
	t := &s.weights.Terms
	bare := weak.n+weak.pawns+weak.hand == 0
	if y.pawns == 0 && y.hand == 0 {
		switch {
		case y.n == 0 && y.royalN <= 1 && s.material:
			return 0 // nothing to win with
		case y.n == 1 && y.royalN == 1 && y.lonely == 1:
			v >>= t[FadeNoPawnsShift]
		case y.n == 1 && y.royalN == 1 && weak.royalN > 1 && s.manyRoyals:
			// One man does not break two royals that guard each other.
			v /= 4
		}
	}
	if bare && weak.royalN == 1 && v != 0 {
		w := int(weak.royals[0])
		row := s.distance[w*s.n : (w+1)*s.n]
		bonus := t[MopUpEdge] * s.remote[w] / 2
		for k := range min(y.royalN, maxRoyals) {
			bonus += t[MopUpNear] * (s.farthest - int(row[y.royals[k]]))
		}
		for i := range y.n {
			bonus += t[MopUpMen] * (s.farthest - int(row[s.cells[strong][i]]))
		}
		if strong == us {
			v += bonus
		} else {
			v -= bonus
		}
	}
	return v
}
