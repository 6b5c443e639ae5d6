package rules

import "fmt"

// PointsRule is the mechanism score(count): what the men on the board count when the points decide.
type PointsRule struct {
	// Men are the points of one man of a type, by its token. Types that are missing count nothing.
	Men map[string]float64
	// Handicap is added for each side, by side; nil adds nothing.
	Handicap []float64
}

func (r *Rules) compilePoints() error {
	rule := r.def.Points
	if rule == nil {
		return nil
	}
	if rule.Handicap != nil && len(rule.Handicap) != r.sides {
		return fmt.Errorf("points: a handicap for %d sides", len(rule.Handicap))
	}
	for token, n := range rule.Men {
		t := r.TypeOf(token)
		if t == 0 {
			return fmt.Errorf("points for unknown man %q", token)
		}
		r.points[t] = n
	}
	return nil
}

// Points returns what the men of a side on the board count, with its handicap; 0 in games without points.
func (p *Position) Points(s Side) float64 {
	r := p.rules
	rule := r.def.Points
	if rule == nil {
		return 0
	}
	sum := 0.0
	if rule.Handicap != nil {
		sum = rule.Handicap[s]
	}
	for t := PieceType(1); int(t) <= r.types; t++ {
		sum += r.points[t] * float64(p.count[r.Piece(s, t)])
	}
	return sum
}

// byPoints returns the result that the points decide.
func (p *Position) byPoints() Outcome {
	r := p.rules
	switch a, b := p.Points(0), p.Points(1); {
	case a > b:
		return won(0, r.sides, PointsDecide)
	case b > a:
		return won(1, r.sides, PointsDecide)
	}
	return drawn(r.sides, PointsDecide)
}
