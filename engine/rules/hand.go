package rules

import (
	"fmt"
	"math/bits"
	"slices"

	"hoplite/engine/board"
)

// HandRule is the mechanism hand: men beside the board, which enter by a drop instead of a move.
type HandRule struct {
	// Types lists the tokens of the types that may be in hand.
	Types string
	// SetUp lets a side that has men in hand do nothing but drop.
	SetUp bool
	// Captures puts captured men into the hand of the side that took them.
	Captures bool
	// Demoted says as which type a captured man goes to the hand, by tokens; men that are not listed keep theirs. Men whose
	// type cannot be in hand are out of the game.
	Demoted map[string]string
	// Drops bounds where types may enter. A type that no rule names may enter on any empty cell.
	Drops []DropRule
}

// DropRule bounds the drops of some types.
type DropRule struct {
	// Types lists the tokens.
	Types string
	// Rows are where they may enter, counted from the own edge, negative ones from the far edge; nil is everywhere.
	Rows []int
	// Barred are rows where they may not, counted in the same way.
	Barred []int
	// PerFile is the greatest number of own men of the type on one file after the drop; 0 is any.
	PerFile int
	// NoMate forbids a drop that mates at once, whatever the enemy himself could drop.
	NoMate bool
}

// handTable is a compiled HandRule.
type handTable struct {
	entries [maxSides][]entry
	files   []board.Set
	// base[t] is the type as which a man of type t goes to the hand, and counts in the stock of men, which no hand can
	// exceed; 0: it does neither.
	base [maxTypes + 1]PieceType
}

// entry is how one type of one side may enter.
type entry struct {
	typ     PieceType
	piece   Piece
	zone    board.Set
	perFile int
	noMate  bool
}

// compileHand makes the table of drops.
func (r *Rules) compileHand() error {
	rule := r.def.Hand
	if rule == nil {
		return nil
	}
	h := &handTable{}
	for _, token := range tokens(rule.Types) {
		t := r.TypeOf(token)
		if t == 0 {
			return fmt.Errorf("unknown man %q in hand", token)
		}
		if !slices.Contains(r.handTypes, t) {
			r.handTypes = append(r.handTypes, t)
		}
		h.base[t] = t
		for s := range Side(r.sides) {
			if r.InArmy(s, t) {
				h.entries[s] = append(h.entries[s], entry{typ: t, piece: r.Piece(s, t), zone: r.everywhere()})
			}
		}
	}
	if len(r.handTypes) > maxHandTypes {
		return fmt.Errorf("%d types of men in hand, at most %d", len(r.handTypes), maxHandTypes)
	}
	for token, as := range rule.Demoted {
		t, to := r.TypeOf(token), r.TypeOf(as)
		if t == 0 || !slices.Contains(r.handTypes, to) {
			return fmt.Errorf("the captured man %q cannot be %q in hand", token, as)
		}
		h.base[t] = to
	}
	if rule.Captures {
		r.stages.cyclic = true
		r.stage().taken = append(r.stages.taken, h.keep)
	}
	for i := range rule.Drops {
		if err := r.compileDrop(h, &rule.Drops[i]); err != nil {
			return err
		}
	}
	h.files = make([]board.Set, r.board.Files())
	for c := range Cell(r.n) {
		if file, _ := r.board.Coord(c); file >= 0 && file < len(h.files) {
			h.files[file].Add(c)
		}
	}
	st := r.stage()
	st.sources = append(st.sources, h.drops)
	if rule.SetUp {
		st.bans = append(st.bans, func(p *Position, m Move) bool { return m.Kind() != Drop && p.inHand[p.turn] != 0 })
	}
	st.setup = append(st.setup, h.check)
	st.acts[Drop] = &act{play: playDrop, text: dropText, san: dropText, path: dropPath}
	r.drops = h
	return nil
}

// everywhere returns all cells of the board.
func (r *Rules) everywhere() (cells board.Set) {
	for c := range Cell(r.n) {
		cells.Add(c)
	}
	return cells
}

// maxHandTypes keeps the number of men in one hand within a byte.
const maxHandTypes = 8

func (r *Rules) compileDrop(h *handTable, rule *DropRule) error {
	for _, token := range tokens(rule.Types) {
		t := r.TypeOf(token)
		if t == 0 || h.base[t] != t {
			return fmt.Errorf("a rule for drops of %q, which is never in hand", token)
		}
		for s := range Side(r.sides) {
			for i := range h.entries[s] {
				e := &h.entries[s][i]
				if e.typ != t {
					continue
				}
				heading := r.def.Sides[s].Heading
				if rule.Rows != nil {
					e.zone = r.rows(rule.Rows, heading)
				}
				e.zone = e.zone.Without(r.rows(rule.Barred, heading))
				e.perFile, e.noMate = rule.PerFile, rule.NoMate
			}
		}
	}
	return nil
}

// keep puts a captured man into the hand of the side that took it.
func (h *handTable) keep(p *Position, q Piece, _ Cell) {
	if t := h.base[p.rules.codes[q].typ]; t != 0 && p.rules.codes[q].side != p.turn {
		p.setHand(p.turn, t, p.hand[p.turn][t]+1)
	}
}

// drops appends the drops of the side to move.
func (h *handTable) drops(p *Position, dst []Move) []Move {
	us := p.turn & (maxSides - 1)
	if p.inHand[us] == 0 {
		return dst
	}
	r := p.rules
	for i := range h.entries[us] {
		e := &h.entries[us][i]
		if p.hand[us][e.typ] == 0 {
			continue
		}
		cells := h.open(p, e)
		for w := 0; w < r.words; w++ {
			for b := cells[w&3]; b != 0; b &= b - 1 {
				m := NewMove(Drop, board.Wall, Cell(w<<6|bits.TrailingZeros64(b)), e.typ, 0)
				if !e.noMate || !p.dropMates(m, e) {
					dst = append(dst, m)
				}
			}
		}
	}
	return dst
}

// open returns the cells where a man may enter, whatever it does there.
func (h *handTable) open(p *Position, e *entry) board.Set {
	cells := e.zone
	for s := range p.men {
		for w := 0; w < p.rules.words; w++ {
			cells[w&3] &^= p.men[s][w&3]
		}
	}
	if e.perFile != 0 && int(p.count[e.piece]) >= e.perFile {
		cells = cells.Without(h.fullFiles(p, e))
	}
	return cells
}

// fullFiles returns the cells of the files that hold as many men of the kind as may be.
func (h *handTable) fullFiles(p *Position, e *entry) (full board.Set) {
	for _, file := range h.files {
		n := 0
		for c := range p.men[p.turn].Intersect(file).All {
			if p.cell[c] == e.piece {
				n++
			}
		}
		if n >= e.perFile {
			full = full.Union(file)
		}
	}
	return full
}

// dropMates reports whether a drop gives a check that no man on the board can answer. Drops of the enemy are not asked
// for: where this is forbidden the check comes from the next cell (shogi.md, 3c).
func (p *Position) dropMates(m Move, e *entry) bool {
	r := p.rules
	if !r.codes[e.piece].slider {
		near := &r.leaps[int(e.piece)*r.n+int(m.To())].take
		hits := false
		for _, o := range r.foes[p.turn] {
			hits = hits || meets(near, &p.royals[o], r.words)
		}
		if !hits {
			return false
		}
	}
	probing := p.probing
	p.probing = true
	var u Undo
	p.Make(m, &u)
	mate := p.checked(p.turn) && !p.answered()
	p.Unmake(m, &u)
	p.probing = probing
	return mate
}

// answered reports whether a man on the board has a legal move.
func (p *Position) answered() bool {
	st := &p.rules.stages
	list := st.scratch.Get().(*[]Move)
	moves := p.pseudo((*list)[:0])
	var s scan
	tried := p.tried()
	if !tried {
		p.look(&s)
	}
	found := slices.ContainsFunc(moves, func(m Move) bool { return p.passes(m, s, tried) })
	*list = moves
	st.scratch.Put(list)
	return found
}

// playDrop lets a man in. It cannot be undone by moving, so the count of plies without progress starts again.
func playDrop(p *Position, m Move) {
	p.clock = 0
	p.admit(p.turn, m.Arg(), m.To())
}

func dropText(p *Position, m Move) string {
	return p.rules.PieceInfo(m.Arg()).Letter + "@" + p.rules.board.CellName(m.To())
}

func dropPath(_ *Position, m Move) []Step {
	return []Step{{From: InHand, Type: m.Arg()}, {Cell: m.To()}}
}

// check refuses more men of a type, on the board and in the hands together, than one hand can hold.
func (h *handTable) check(r *Rules, p *Position, _ *Setup, e *SetupError) {
	var stock [maxTypes + 1]int
	for s := range Side(r.sides) {
		for c := range p.men[s].All {
			stock[h.base[r.codes[p.cell[c]].typ]]++
		}
		for _, t := range r.handTypes {
			stock[h.base[t]] += int(p.hand[s][t])
		}
	}
	for t := PieceType(1); int(t) <= r.types; t++ {
		if stock[t] > maxHand {
			e.add("hand", "%d men of the type %s on the board and in hand, at most %d", stock[t], r.PieceInfo(t).Letter, maxHand)
		}
	}
}

// ExplainDrop says why the side to move may not drop a man of type t on a cell, for people.
func (p *Position) ExplainDrop(t PieceType, to Cell) string {
	r := p.rules
	us := p.turn
	if int(to) >= r.n || r.PieceInfo(t) == nil {
		return "there is no such cell or man"
	}
	name, cell := r.name(r.Piece(us, t)), r.board.CellName(to)
	if p.hand[us][t] == 0 {
		return fmt.Sprintf("%s has no %s in hand", r.sideName(us), name)
	}
	if p.cell[to] != 0 {
		return fmt.Sprintf("%s is not empty", cell)
	}
	if r.drops == nil {
		return "men in hand are not dropped in this game"
	}
	for i := range r.drops.entries[us] {
		e := &r.drops.entries[us][i]
		if e.typ != t {
			continue
		}
		full := func(c Cell) bool {
			cells := r.drops.fullFiles(p, e)
			return e.perFile != 0 && cells.Has(c)
		}
		switch m := NewMove(Drop, board.Wall, to, t, 0); {
		case !e.zone.Has(to):
			return fmt.Sprintf("a %s may not be dropped on %s", name, cell)
		case full(to):
			return fmt.Sprintf("there are %d of your men %s on that file already", e.perFile, r.PieceInfo(t).Letter)
		case e.noMate && p.dropMates(m, e):
			return fmt.Sprintf("a drop of a %s may not mate", name)
		case p.InCheck():
			return "it does not answer the check"
		}
	}
	return "no drop of this form is possible"
}
