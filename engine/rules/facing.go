package rules

import "fmt"

// compileFacing prepares the mechanism effect(facing-pawns): men of one side that meet leave the board.
//
// Two men of Definition.Facing meet when each one's step without capture leads to the cell of the other. The move that
// brings a man there takes both off, before its legality is judged; pairs that stand so otherwise stay. That is no
// capture, but progress.
func (r *Rules) compileFacing() error {
	if r.def.Facing == "" {
		return nil
	}
	var err error
	types := r.typeSet(r.def.Facing, &err)
	if err != nil {
		return fmt.Errorf("facing men: %w", err)
	}
	for q := range r.codes {
		r.codes[q].faces = types[r.codes[q].typ]
	}
	st := r.stage()
	st.effects = append(st.effects, (*Position).partFacing)
	// Two men that vanish may open a line which neither shields alone.
	st.doubts = append(st.doubts, func(p *Position, m Move) bool { return r.codes[p.cell[m.From()]].faces })
	return nil
}

// partFacing removes the man that has just moved and the one that it has met.
func (p *Position) partFacing(m Move) {
	at := m.To()
	met := p.facing(at)
	if met == at {
		return
	}
	p.place(0, at)
	p.place(0, met)
	p.clock = 0
}

// facing returns where the man stands that the one on c has met, or c if there is none.
func (p *Position) facing(c Cell) Cell {
	r := p.rules
	q := p.cell[c]
	if !r.codes[q].faces {
		return c
	}
	for to := range r.leaps[int(q)*r.n+int(c)].quiet.All {
		o := p.cell[to]
		if r.codes[o].faces && r.codes[o].side == r.codes[q].side && r.leaps[int(o)*r.n+int(to)].quiet.Has(c) {
			return to
		}
	}
	return c
}
