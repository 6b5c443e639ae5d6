package rules

import (
	"fmt"
	"math/bits"

	"hoplite/engine/board"
)

// BlockerRule is the mechanism blocker: a neutral man that each side puts on another empty cell after its move. It stands
// in everybody's way and cannot be taken.
type BlockerRule struct {
	// Man is the token of its type, which is in no army.
	Man string
}

// Blocker returns the cell that the blocker is put on with the move, in games with one.
func (m Move) Blocker() Cell { return Cell(m >> 40) }

// blocking returns the move with the blocker put on c.
func (m Move) blocking(c Cell) Move { return m | Move(c)<<40 }

// compileBlocker makes the neutral man, and the placing of it a part of each move.
func (r *Rules) compileBlocker() error {
	for i := range r.def.Pieces {
		p := &r.def.Pieces[i]
		if (p.Letter == neutralLetter) != (r.def.Blocker != nil && r.def.Blocker.Man == p.Letter) {
			return fmt.Errorf("the letter %s is for the blocker and for nobody else", neutralLetter)
		}
	}
	if r.def.Blocker == nil {
		return nil
	}
	t := r.TypeOf(r.def.Blocker.Man)
	if t == 0 {
		return fmt.Errorf("unknown blocker %q", r.def.Blocker.Man)
	}
	for s := range Side(r.sides) {
		if r.InArmy(s, t) {
			return fmt.Errorf("the blocker is in the army of %s", r.sideName(s))
		}
	}
	r.blocker = Piece(1 + r.sides*r.types)
	r.codes[r.blocker] = code{side: neutral, typ: t}
	st := r.stage()
	if !st.fearless {
		return fmt.Errorf("a blocker, which is placed without regard to check, needs a game without check")
	}
	st.mailbox = true
	st.expand = (*Position).placings
	st.after = append(st.after, (*Position).putBlocker)
	st.setup = append(st.setup, func(r *Rules, p *Position, s *Setup, e *SetupError) {
		if n := p.men[neutral].Count(); n > 1 {
			e.add("board", "%d of the %s, of which there is one", n, r.name(r.blocker))
		}
	})
	st.appendix = &appendix{
		text: func(p *Position, m Move) string {
			return "," + r.board.CellName(m.To()) + r.board.CellName(m.Blocker())
		},
		san:      func(p *Position, m Move) string { return "@" + r.board.CellName(m.Blocker()) },
		path:     func(p *Position, m Move) []Step { return []Step{{Cell: m.Blocker()}} },
		optional: func(p *Position, m Move) bool { return r.codes[p.Captured(m)].royal },
	}
	return nil
}

// neutralLetter is the token of men that belong to nobody.
const neutralLetter = "*"

// placings appends m once for each cell that the blocker may be put on: empty after the move, and not where it stands.
func (p *Position) placings(dst []Move, m Move) []Move {
	r := p.rules
	all := p.men[neutral]
	for s := range Side(r.sides) {
		all = all.Union(p.men[s])
	}
	all.Remove(m.From())
	switch {
	case m.Kind() == EnPassant:
		all.Remove(m.Second())
	case m.Kind().IsCastle():
		slot := p.slot(p.turn, m)
		all.Remove(m.Second())
		all.Add(slot.rookTo)
	}
	all.Add(m.To())
	for w := 0; w < r.words; w++ {
		free := ^all[w&3]
		if left := r.n - w<<6; left < 64 {
			free &= 1<<left - 1
		}
		for ; free != 0; free &= free - 1 {
			dst = append(dst, m.blocking(Cell(w<<6|bits.TrailingZeros64(free))))
		}
	}
	return dst
}

// putBlocker puts the blocker where m says.
func (p *Position) putBlocker(m Move) {
	if p.probing || m.Kind() == Pass {
		return
	}
	if was := p.men[neutral].First(); was != board.Wall {
		p.place(0, was)
	}
	p.place(p.rules.blocker, m.Blocker())
}

// appendix is what a mechanism adds to every move: the rest of its texts, and what is pointed at after the move itself.
type appendix struct {
	text, san func(p *Position, m Move) string
	path      func(p *Position, m Move) []Step
	// optional reports whether a text may leave it out.
	optional func(p *Position, m Move) bool
}

// Appendix returns what follows the move string and the algebraic form of m, and whether a text may leave it out.
func (p *Position) Appendix(m Move) (text, san string, optional bool) {
	a := p.rules.stages.appendix
	if a == nil {
		return "", "", true
	}
	return a.text(p, m), a.san(p, m), a.optional(p, m)
}

// HasAppendix reports whether moves have a part that is not told by the man that moves.
func (r *Rules) HasAppendix() bool { return r.stages.appendix != nil }

// Movements appends the legal moves of men, each once where Moves lists it with several appendices.
func (p *Position) Movements(dst []Move) []Move {
	st := &p.rules.stages
	if st.appendix == nil {
		return p.Moves(dst)
	}
	if _, over := p.decided(); over {
		return dst
	}
	start := len(dst)
	dst = p.pseudo(dst)
	kept := start
	var s scan
	for _, m := range dst[start:] {
		if p.passes(m, s, false) {
			dst[kept] = m
			kept++
		}
	}
	return dst[:kept]
}
