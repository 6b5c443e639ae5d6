package rules

import (
	"fmt"
	"strings"
)

// Citadel is the mechanism goal(citadel): an extra cell of the board that belongs to a side. The highest royal man of
// another side may step into it from a cell beside it, which with EndCitadel draws. Men of its own side come in only if
// they keep it; there nobody attacks them, and they attack the cells beside it. A citadel with a man in it is closed.
type Citadel struct {
	// Cell is the name of the extra cell.
	Cell string
	// Side is the owner.
	Side Side
	// Keepers lists the tokens of the owner's types that may come in.
	Keepers string
}

// citadel is a compiled Citadel.
type citadel struct {
	cell    Cell
	side    Side
	keepers [maxTypes + 1]bool
}

// compileCitadels finds the citadels. Their keepers' steps become part of the tables.
func (r *Rules) compileCitadels() error {
	if r.def.Citadels == nil {
		return nil
	}
	for _, def := range r.def.Citadels {
		c, ok := r.board.ParseCell(def.Cell)
		if extra := r.board.Extra(); !ok || !extra.Has(c) {
			return fmt.Errorf("citadel %q is no extra cell", def.Cell)
		}
		if int(def.Side) >= r.sides {
			return fmt.Errorf("citadel of side %d", def.Side)
		}
		var err error
		keep := citadel{cell: c, side: def.Side, keepers: r.typeSet(def.Keepers, &err)}
		if err != nil {
			return fmt.Errorf("citadel %s: %w", def.Cell, err)
		}
		r.citadels = append(r.citadels, keep)
	}
	st := r.stage()
	st.sources = append(st.sources, (*Position).citadelMoves)
	st.passedPart = &fenPart{read: (*Rules).readCitadels, write: (*Position).writeCitadels}
	st.setup = append(st.setup, (*Rules).checkCitadels)
	return nil
}

// keep adds the steps of the keepers into their citadels and out again.
func (t *tables) keep() {
	r := t.r
	for i := range r.citadels {
		c := &r.citadels[i]
		for typ := PieceType(1); int(typ) <= r.types; typ++ {
			q := r.Piece(c.side, typ)
			if !c.keepers[typ] || !r.InArmy(c.side, typ) {
				continue
			}
			for _, beside := range r.board.Beside(c.cell) {
				r.leaps[int(q)*r.n+int(beside)].quiet.Add(c.cell)
				out := &r.leaps[int(q)*r.n+int(c.cell)]
				out.quiet.Add(beside)
				out.take.Add(beside)
			}
		}
	}
}

// citadelMoves appends the steps of the highest royal man into a citadel of another side.
func (p *Position) citadelMoves(dst []Move) []Move {
	r := p.rules
	at := p.highestRoyal(p.turn)
	for i := range r.citadels {
		c := &r.citadels[i]
		if c.side == p.turn || p.cell[c.cell] != 0 {
			continue
		}
		for _, beside := range r.board.Beside(c.cell) {
			if beside == at {
				dst = append(dst, NewMove(Quiet, at, c.cell, 0, 0))
			}
		}
	}
	return dst
}

// endCitadel draws when a royal man stands in a citadel of another side.
func endCitadel(p *Position) (Outcome, bool) {
	r := p.rules
	for i := range r.citadels {
		c := &r.citadels[i]
		if q := p.cell[c.cell]; q != 0 && r.codes[q].side != c.side {
			return drawn(r.sides, Goal), true
		}
	}
	return Outcome{}, false
}

// checkCitadels refuses men in citadels that cannot have come there.
func (r *Rules) checkCitadels(p *Position, _ *Setup, e *SetupError) {
	for i := range r.citadels {
		c := &r.citadels[i]
		q := p.cell[c.cell]
		if info := &r.codes[q]; q != 0 && (!info.royal || info.side == c.side && !c.keepers[info.typ]) {
			e.add("citadels", "%s %s in %s", r.sideName(info.side), r.name(q), r.board.CellName(c.cell))
		}
	}
}

// readCitadels reads the fourth field of a position text: cells, each followed by the man in it.
func (r *Rules) readCitadels(s *Setup, text string) error {
	if text == "-" {
		return nil
	}
	extra := r.board.Extra()
	for text != "" {
		c, rest, ok := r.cutCell(text)
		if !ok || !extra.Has(c) || s.Cells[c] != 0 || rest == "" {
			return badFEN("citadels", "%q is not a citadel with the man in it", text)
		}
		q, length, err := r.readMan(rest, "citadels")
		if err != nil {
			return err
		}
		s.Cells[c] = q
		text = rest[length:]
	}
	return nil
}

// writeCitadels writes the men in citadels.
func (p *Position) writeCitadels() string {
	r := p.rules
	var b strings.Builder
	for c := range r.board.Extra().All {
		if q := p.cell[c]; q != 0 {
			b.WriteString(r.board.CellName(c) + r.token(q))
		}
	}
	if b.Len() == 0 {
		return "-"
	}
	return b.String()
}

// token returns how a position text writes a man.
func (r *Rules) token(q Piece) string {
	token := r.PieceInfo(r.codes[q].typ).Letter
	if int(q) > r.types { // the codes of the first side come first
		token = strings.ToLower(token)
	}
	return token
}
