package rules

import (
	"fmt"

	"hoplite/engine/board"
)

// DebtRule is the mechanism grow(debt): a pawn that arrives on its last row becomes a crowned one, which owes a number of
// steps and pays one with each. Who owes nothing is promoted at once to a man that its side lacks, or waits as a crowned
// pawn without debt until there is one; then it may be promoted where it stands.
type DebtRule struct {
	// Man is the token of the pawn.
	Man string
	// Crowned are the tokens of the crowned pawn by the steps that it owes, from none on.
	Crowned []string
	// Files are the debts by the file of arrival.
	Files []int
	// To lists the tokens of the men that it may become in the end, and Stock how many of each a side may have.
	To    string
	Stock map[string]int
}

// debts is a compiled DebtRule.
type debts struct {
	rule    *DebtRule
	man     PieceType
	crowned []PieceType
	// owes is the debt of a type plus one, 0 for other men.
	owes    [maxTypes + 1]uint8
	last    [maxSides]board.Set
	options [maxSides][]promotion
}

func (r *Rules) compileDebt() error {
	rule := r.def.Debt
	if rule == nil {
		return nil
	}
	d := &debts{rule: rule, man: r.TypeOf(rule.Man)}
	if d.man == 0 || r.PieceInfo(d.man).Promotion != nil {
		return fmt.Errorf("the man that is crowned, %q, does not exist or promotes otherwise", rule.Man)
	}
	for i, token := range rule.Crowned {
		t := r.TypeOf(token)
		if t == 0 {
			return fmt.Errorf("unknown crowned man %q", token)
		}
		d.crowned = append(d.crowned, t)
		d.owes[t] = uint8(i + 1)
	}
	if len(rule.Files) != r.board.Files() || len(d.crowned) == 0 {
		return fmt.Errorf("debts for %d files and %d crowned men", len(rule.Files), len(d.crowned))
	}
	for _, owed := range rule.Files {
		if owed < 0 || owed >= len(d.crowned) {
			return fmt.Errorf("a debt of %d steps without a crowned man for it", owed)
		}
	}
	for s := range Side(r.sides) {
		d.last[s] = r.farRow(s)
		for _, token := range tokens(rule.To) {
			t := r.TypeOf(token)
			if !r.InArmy(s, t) || rule.Stock[token] < 1 {
				return fmt.Errorf("%s cannot have a %q from the stock", r.sideName(s), token)
			}
			d.options[s] = append(d.options[s], promotion{piece: r.Piece(s, t), typ: t, limit: uint8(rule.Stock[token])})
		}
	}
	st := r.stage()
	st.expand = d.expand
	st.sources = append(st.sources, d.waiting)
	st.acts[Become] = &act{play: playBecome, text: becomeText, captured: func(p *Position, m Move) Piece { return p.cell[m.To()] },
		promotes: true}
	st.acts[PromoteInPlace] = &act{play: playInPlace, promotes: true}
	return nil
}

// expand replaces the moves of pawns to the last row and those of crowned pawns by what comes of them.
func (d *debts) expand(p *Position, dst []Move, m Move) []Move {
	if k := m.Kind(); k != Quiet && k != Capture {
		return append(dst, m)
	}
	typ := p.rules.codes[p.cell[m.From()]].typ
	owed := 0
	switch {
	case typ == d.man && d.last[p.turn].Has(m.To()):
		file, _ := p.rules.board.Coord(m.To())
		owed = d.rule.Files[file]
	case d.owes[typ] > 1:
		owed = int(d.owes[typ]) - 2
	default:
		return append(dst, m)
	}
	if owed == 0 {
		kind := Promotion
		if m.Kind() == Capture {
			kind = PromotionCapture
		}
		had := len(dst)
		for i := range d.options[p.turn] {
			if o := &d.options[p.turn][i]; p.allowed(o) {
				dst = append(dst, NewMove(kind, m.From(), m.To(), o.typ, 0))
			}
		}
		if len(dst) != had {
			return dst
		}
	}
	return append(dst, NewMove(Become, m.From(), m.To(), d.crowned[owed], 0))
}

// waiting appends the promotions of crowned pawns without debt where they stand; expand leaves them as they are.
func (d *debts) waiting(p *Position, dst []Move) []Move {
	us := p.turn
	q := p.rules.Piece(us, d.crowned[0])
	if p.count[q] == 0 {
		return dst
	}
	for c := range p.men[us].All {
		if p.cell[c] != q {
			continue
		}
		for i := range d.options[us] {
			if o := &d.options[us][i]; p.allowed(o) {
				dst = append(dst, NewMove(PromoteInPlace, c, c, o.typ, 0))
			}
		}
	}
	return dst
}

// playBecome moves a man, which changes on the way.
func playBecome(p *Position, m Move) {
	p.take(m.To())
	p.clock = 0
	p.walk(p.rules.Piece(p.turn, m.Arg()), m.From(), m.To())
}

// becomeText names the cells only: what becomes of the man follows from the position.
func becomeText(p *Position, m Move) string {
	return p.rules.board.CellName(m.From()) + p.rules.board.CellName(m.To())
}

func playInPlace(p *Position, m Move) {
	p.clock = 0
	p.place(p.rules.Piece(p.turn, m.Arg()), m.From())
}
