package rules

import "hoplite/engine/board"

// CompileStaged compiles a game as if it had a mechanism beyond the plain ones.
func CompileStaged(d *Definition) (*Rules, error) {
	r := newRules(d)
	r.stage()
	return r, r.compile()
}

// Takable returns the cells of the men that side by could take if it were its turn, in a game with passive captures: from
// the list of its moves.
func Takable(p *Position, by Side) (cells board.Set) {
	q := p.Clone()
	q.turn = by
	for _, m := range q.passiveMoves(nil) {
		switch m.Kind() {
		case Capture:
			cells.Add(m.To())
		case Seize:
			var s seized
			q.seize(m.From(), m.To(), &s)
			for _, c := range s.cells[:s.n] {
				cells.Add(c)
			}
		}
	}
	return cells
}
