package rules

import (
	"fmt"
	"slices"
	"strings"

	"hoplite/engine/betza"
	"hoplite/engine/board"
)

// LegsRule is the mechanism legs: men that can make two steps in one move, capturing with both, and what lions may not
// do to each other. The direct steps and jumps of these men are in their Betza text; this rule adds what those cannot
// say: to capture on the way and go on or back, and to pass the turn by a step to an empty cell and back.
type LegsRule struct {
	Powers []LegPower
	// Lions lists the types that may capture each other only under conditions: a lion that is not next to the capturing
	// one must be unprotected, or be captured with the second step after a man who is not of Weak; and after a lion was
	// captured by another man no lion on another cell may be captured by such a man in the next turn.
	Lions string
	// Weak lists the types whose capture on the way does not license that of a protected lion.
	Weak string
}

// LegPower is the power of some types to make two steps.
type LegPower struct {
	// Types lists the tokens.
	Types string
	// Step are the single steps, in Betza's notation.
	Step string
	// Turns lets the second step go in any direction of Step. Otherwise it goes straight on or back.
	Turns bool
}

// leg is a first step with the cells that the second may go to, that of the start among them.
type leg struct {
	via Cell
	to  []Cell
}

// legTable is a compiled LegsRule.
type legTable struct {
	// legs are the first steps by man and cell, nil for men without the power.
	legs       [256][][]leg
	lion, weak [maxTypes + 1]bool
	// near are the cells a single step away, by cell.
	near []board.Set
}

func (r *Rules) compileLegs() error {
	rule := r.def.Legs
	if rule == nil {
		return nil
	}
	var err error
	l := &legTable{lion: r.typeSet(rule.Lions, &err), weak: r.typeSet(rule.Weak, &err)}
	if err != nil {
		return err
	}
	l.near = make([]board.Set, r.n)
	for c := range Cell(r.n) {
		for _, v := range r.board.Directions() {
			if to := r.board.Step(c, v); to != board.Wall {
				l.near[c].Add(to)
			}
		}
	}
	for i := range rule.Powers {
		if err := r.compilePower(l, &rule.Powers[i]); err != nil {
			return err
		}
	}
	st := r.stage()
	st.sources = append(st.sources, l.steps)
	st.bans = append(st.bans, l.banned)
	st.acts[Legs] = &act{play: playLegs, text: legsText, san: legsSAN, path: legsPath, captured: legsCaptured}
	st.after = append(st.after, l.note)
	st.keys = append(st.keys, func(p *Position) uint64 { return mix(saltStruck, uint64(p.state.struck)) })
	st.passedPart = &fenPart{read: readStruck, write: writeStruck}
	st.setup = append(st.setup, checkStruck)
	r.legs = l
	return nil
}

func (r *Rules) compilePower(l *legTable, power *LegPower) error {
	atoms, err := betza.ParseOn(r.board.Shape(), power.Step)
	if err != nil {
		return err
	}
	for s := range Side(r.sides) {
		var steps []board.Vector
		for _, a := range atoms {
			if a.Range != 1 || a.Hop || a.Lame || a.Bend != nil {
				return fmt.Errorf("%q is no single step", power.Step)
			}
			steps = append(steps, a.Turn(r.board, r.def.Sides[s].Heading).Vectors...)
		}
		for _, token := range tokens(power.Types) {
			t := r.TypeOf(token)
			if t == 0 {
				return fmt.Errorf("two steps of unknown man %q", token)
			}
			if !r.InArmy(s, t) {
				continue
			}
			table := make([][]leg, r.n)
			for c := range Cell(r.n) {
				table[c] = r.legsFrom(c, steps, power.Turns)
			}
			l.legs[r.Piece(s, t)] = table
		}
	}
	return nil
}

func (r *Rules) legsFrom(c Cell, steps []board.Vector, turns bool) (list []leg) {
	for _, v := range steps {
		via := r.board.Step(c, v)
		if via == board.Wall {
			continue
		}
		one := leg{via: via, to: []Cell{c}}
		onward := []board.Vector{v}
		if turns {
			onward = steps
		}
		for _, w := range onward {
			if to := r.board.Step(via, w); to != board.Wall && to != c {
				one.to = append(one.to, to)
			}
		}
		list = append(list, one)
	}
	return list
}

// FirstSteps returns the cells to which the man q on c may make the first of two steps.
func (r *Rules) FirstSteps(q Piece, c Cell) (cells board.Set) {
	if r.legs != nil && r.legs.legs[q] != nil {
		for _, one := range r.legs.legs[q][c] {
			cells.Add(one.via)
		}
	}
	return cells
}

// Passers returns the cells of the men of the side to move that may pass the turn by a step to an empty cell and back.
// All of them do the same with it, so that the pass of the first is the only one among Moves.
func (p *Position) Passers() (cells board.Set) {
	l := p.rules.legs
	if l == nil {
		return cells
	}
	for c := range p.men[p.turn].All {
		if table := l.legs[p.cell[c]]; table != nil && slices.ContainsFunc(table[c], func(one leg) bool { return p.cell[one.via] == 0 }) {
			cells.Add(c)
		}
	}
	return cells
}

// steps appends the moves of two steps, one for each distinct result: through an empty cell a man gets nowhere that it
// does not reach directly, and it does not matter who passes.
func (l *legTable) steps(p *Position, dst []Move) []Move {
	us := p.turn
	passed := false
	for c := range p.men[us].All {
		table := l.legs[p.cell[c]]
		if table == nil {
			continue
		}
		room := false
		for i := range table[c] {
			one := &table[c][i]
			first := p.cell[one.via]
			room = room || first == 0
			if !p.rules.foe[us][first] {
				continue
			}
			for _, to := range one.to {
				if q := p.cell[to]; to == c || q == 0 || p.rules.foe[us][q] {
					dst = append(dst, NewMove(Legs, c, to, 0, one.via))
				}
			}
		}
		if room && !passed {
			passed = true
			dst = append(dst, NewMove(Legs, c, c, 0, c))
		}
	}
	return dst
}

// banned reports whether a move takes a lion that must not be taken.
func (l *legTable) banned(p *Position, m Move) bool {
	r := p.rules
	from, to := m.From(), m.To()
	via := from
	switch m.Kind() {
	case Legs:
		via = m.Second()
	case Capture, PromotionCapture:
	default:
		return false
	}
	mover := l.lion[r.codes[p.cell[from]].typ]
	for _, c := range [2]Cell{via, to} {
		if c == from || !l.lion[r.codes[p.cell[c]].typ] {
			continue
		}
		if !mover {
			if p.state.struck != 0 && Cell(p.state.struck-1) != c {
				return true
			}
			continue
		}
		if near := r.leaps[int(p.cell[from])*r.n+int(from)].take; c == via || !near.Has(c) || l.near[from].Has(c) {
			continue
		}
		if bridge := via != from; bridge && !l.weak[r.codes[p.cell[via]].typ] {
			continue
		}
		if p.shielded(from, via, to) {
			return true
		}
	}
	return false
}

// shielded reports whether the enemy could take back on to, with the men on from and via gone. The man on via counts if
// he himself protected the cell.
func (p *Position) shielded(from, via, to Cell) bool {
	r := p.rules
	them := r.codes[p.cell[to]].side
	q, bridge := p.cell[from], Piece(0)
	if via != from {
		if bridge = p.cell[via]; r.leaps[int(bridge)*r.n+int(via)].take.Has(to) {
			return true
		}
		p.lift(bridge, via)
	}
	p.lift(q, from)
	protected := p.Attacked(to, them)
	p.put(q, from)
	if bridge != 0 {
		p.put(bridge, via)
	}
	return protected
}

// note keeps the cell on which another man has just taken a lion.
func (l *legTable) note(p *Position, m Move) {
	r := p.rules
	p.state.struck = 0
	if p.log.mover == 0 || l.lion[r.codes[p.log.mover].typ] {
		return
	}
	us := r.codes[p.log.mover].side
	for _, ch := range p.log.changes[:p.log.changed] {
		if r.foe[us][ch.was] && l.lion[r.codes[ch.was].typ] {
			p.state.struck = uint8(ch.cell) + 1
		}
	}
}

func playLegs(p *Position, m Move) {
	from, via, to := m.From(), m.Second(), m.To()
	if via != from {
		p.take(via)
	}
	if to != from {
		q := p.cell[from]
		p.take(to)
		p.walk(q, from, to)
	}
}

func legsCaptured(p *Position, m Move) Piece {
	if m.Second() == m.From() {
		return 0
	}
	return p.cell[m.Second()]
}

func legsText(p *Position, m Move) string {
	name := p.rules.board.CellName
	if m.Second() == m.From() {
		return name(m.From()) + name(m.From())
	}
	return name(m.From()) + name(m.Second()) + name(m.To())
}

// legsSAN writes the whole way: the cell left, the man taken on the way, and where the second step leads.
func legsSAN(p *Position, m Move) string {
	name := p.rules.board.CellName
	var b strings.Builder
	b.WriteString(p.rules.PieceInfo(p.rules.Type(p.cell[m.From()])).Letter + name(m.From()))
	if m.Second() != m.From() {
		b.WriteString("x" + name(m.Second()))
	}
	if m.To() != m.From() && p.cell[m.To()] != 0 {
		b.WriteString("x" + name(m.To()))
	} else {
		b.WriteString("-" + name(m.To()))
	}
	return b.String()
}

func legsPath(_ *Position, m Move) []Step {
	if m.Second() == m.From() {
		return []Step{{Cell: m.From()}, {Cell: m.From()}}
	}
	return []Step{{Cell: m.From()}, {Cell: m.Second()}, {Cell: m.To()}}
}

// readStruck reads the fourth field: the cell on which a lion has just been taken by another man.
func readStruck(r *Rules, s *Setup, text string) error {
	if text == "-" {
		return nil
	}
	c, ok := r.board.ParseCell(text)
	if !ok {
		return badFEN("lion", "no cell %q", text)
	}
	s.state.struck = uint8(c) + 1
	return nil
}

func writeStruck(p *Position) string {
	if p.state.struck == 0 {
		return "-"
	}
	return p.rules.board.CellName(Cell(p.state.struck - 1))
}

func checkStruck(r *Rules, p *Position, _ *Setup, e *SetupError) {
	if p.state.struck == 0 {
		return
	}
	c := Cell(p.state.struck - 1)
	if q := p.At(c); q != 0 && r.Side(q) == p.turn { // it may be empty: an eagle takes and returns
		e.add("lion", "a man of the side to move stands on %s, where its lion was taken", r.board.CellName(c))
	}
}
