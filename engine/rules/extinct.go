package rules

import "fmt"

// endExtinct values having no men: the side loses or, with Won, wins.
func (r *Rules) endExtinct(e *EndRule) (endTest, error) {
	if e.Lost == e.Won {
		return endTest{}, fmt.Errorf("a side without men either loses or wins")
	}
	r.stage()
	return endTest{decisive: true, test: func(p *Position) (Outcome, bool) {
		s := p.turn
		for range r.sides {
			if p.men[s&(maxSides-1)].Empty() {
				if e.Lost {
					return won(r.foes[s][0], r.sides, Extinct), true
				}
				return won(s, r.sides, Extinct), true
			}
			s = p.next(s)
		}
		return Outcome{}, false
	}}, nil
}
