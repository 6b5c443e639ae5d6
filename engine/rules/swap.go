package rules

import (
	"fmt"
	"strings"

	"hoplite/engine/board"
)

// SwapRule is the mechanism exchange(shah): once in the game a royal man that is its side's only one may change places
// with another man of its side, when it is in check or when the side has no other legal move. It is not attacked
// afterwards, and no pawn comes to its last row in this way.
type SwapRule struct {
	// Man is the token of the type of the royal man.
	Man string
}

// compileSwap adds the exchange to the moves. It stands after all other sources, since it asks what they find.
func (r *Rules) compileSwap() error {
	rule := r.def.Swap
	if rule == nil {
		return nil
	}
	typ := r.TypeOf(rule.Man)
	if typ == 0 || !r.PieceInfo(typ).Royal || len(rule.Man) != 1 {
		return fmt.Errorf("exchange of %q, which is no royal man", rule.Man)
	}
	st := r.stage()
	r.swapper = typ
	others := len(st.sources)
	st.sources = append(st.sources, func(p *Position, dst []Move) []Move { return p.swaps(dst, others) })
	st.acts[Swap] = &act{play: (*Position).swap, san: (*Position).swapSAN}
	st.keys = append(st.keys, func(p *Position) uint64 { return mix(saltSwap, uint64(p.state.swaps)) })
	st.rightsPart = &fenPart{read: (*Rules).readSwaps, write: (*Position).writeSwaps}
	return nil
}

// swaps appends the exchanges open to the side to move; others is the number of sources of other moves.
func (p *Position) swaps(dst []Move, others int) []Move {
	r := p.rules
	us := p.turn
	royals := p.royals[us]
	at := royals.First()
	if p.state.swaps>>us&1 == 0 || royals.Count() != 1 || r.codes[p.cell[at]].typ != r.swapper {
		return dst
	}
	if extra := r.board.Extra(); extra.Has(at) || !p.checked(us) && p.stirs(others) {
		return dst
	}
	last := r.farRow(us)
	for c := range p.men[us].All {
		info := &r.codes[p.cell[c]]
		if c != at && !p.immune(c) && !info.barred.Has(at) && !(info.pawn && last.Has(at)) {
			dst = append(dst, NewMove(Swap, at, c, 0, 0))
		}
	}
	return dst
}

// stirs reports whether the side to move has a legal move from the tables or from the first sources.
func (p *Position) stirs(sources int) bool {
	st := &p.rules.stages
	list := st.scratch.Get().(*[]Move)
	moves := p.pseudo((*list)[:0])
	for _, source := range st.sources[:sources] {
		moves = source(p, moves)
	}
	found := false
	for _, m := range moves {
		if !p.banned(m) && p.stands(m) {
			found = true
			break
		}
	}
	*list = moves
	st.scratch.Put(list)
	return found
}

// swap plays an exchange, which uses the right up.
func (p *Position) swap(m Move) {
	man, partner := p.cell[m.From()], p.cell[m.To()]
	p.place(0, m.From())
	p.place(man, m.To())
	p.place(partner, m.From())
	p.state.swaps &^= 1 << p.turn
	p.clock = 0
}

func (p *Position) swapSAN(m Move) string {
	letter := func(c Cell) string {
		if def := p.rules.PieceInfo(p.rules.Type(p.cell[c])); !def.Pawn {
			return def.Letter
		}
		return ""
	}
	return letter(m.From()) + "<>" + letter(m.To()) + p.rules.board.CellName(m.To())
}

// farRow returns the cells that are the last for a side.
func (r *Rules) farRow(s Side) board.Set { return r.board.Edge(r.def.Sides[s].Heading) }

// readSwaps reads the third field of a position text: the letter of the royal man for each side that has the right.
func (r *Rules) readSwaps(s *Setup, text string) error {
	if text == "-" {
		return nil
	}
	s.Swaps = make([]bool, r.sides)
	for i := range text {
		side := -1
		for o := range r.sides {
			if r.token(r.Piece(Side(o), r.swapper)) == text[i:i+1] {
				side = o
			}
		}
		if side < 0 || s.Swaps[side] {
			return badFEN("exchange", "%q stands for no right, or twice for one", text)
		}
		s.Swaps[side] = true
	}
	return nil
}

func (p *Position) writeSwaps() string {
	var b strings.Builder
	for s := range Side(p.rules.sides) {
		if p.state.swaps>>s&1 != 0 {
			b.WriteString(p.rules.token(p.rules.Piece(s, p.rules.swapper)))
		}
	}
	if b.Len() == 0 {
		return "-"
	}
	return b.String()
}
