package rules

import (
	"fmt"
	"strings"

	"hoplite/engine/betza"
	"hoplite/engine/board"
)

// PrivilegeRule is the mechanism privilege: leaps that some men have until they first move, beside their own movement.
// Leaps that may capture attack as any other move does. Which men have them still is part of the position, cell by cell.
type PrivilegeRule struct {
	Leaps []LeapRule
	// Cells writes the rights in position texts as the names of cells; otherwise they are the letters of files of the home
	// row.
	Cells bool
	// Answering a check ends all rights of a side, whatever the answer.
	Answering bool
}

// LeapRule is the leap of one type of man.
type LeapRule struct {
	Man string
	// Betza is the leap, seen by a side that looks up the board.
	Betza string
	// InCheck allows the leap to a side in check, if it answers it.
	InCheck bool
	// Aimed lists enemy men which end the right by a move that ends on the rank or file of the man, whatever stands
	// between.
	Aimed string
}

// leapTable is a compiled PrivilegeRule.
type leapTable struct {
	rule *PrivilegeRule
	of   map[Piece]*leap
	// takes tells whether some leap may capture.
	takes bool
}

type leap struct {
	atoms   []betza.Atom
	inCheck bool
	aimed   [maxTypes + 1]bool
}

func (r *Rules) compilePrivilege() error {
	rule := r.def.Privilege
	if rule == nil {
		return nil
	}
	if r.def.Castling != nil || r.def.Gate != nil {
		return fmt.Errorf("leaps and castling have no common form of rights")
	}
	t := &leapTable{rule: rule, of: map[Piece]*leap{}}
	for i := range rule.Leaps {
		if err := r.compileLeap(t, &rule.Leaps[i]); err != nil {
			return err
		}
	}
	st := r.stage()
	st.sources = append(st.sources, t.source)
	if rule.Answering {
		st.before = append(st.before, func(p *Position, _ Move) {
			own := p.state.leaps.Intersect(p.men[p.turn])
			p.log.answers = !own.Empty() && p.checked(p.turn)
		})
	}
	st.after = append(st.after, t.lose)
	st.keys = append(st.keys, func(p *Position) (key uint64) {
		if p.state.leaps.Empty() {
			return 0
		}
		for c := range p.state.leaps.All {
			key ^= mix(saltLeaps, uint64(c)+1)
		}
		return key
	})
	if t.takes {
		st.attacks = t.attacks
		st.doubt = func(p *Position) bool {
			theirs := p.state.leaps.Without(p.men[p.turn])
			return !theirs.Empty()
		}
	}
	st.rightsPart = &fenPart{read: t.read, write: t.write}
	st.setup = append(st.setup, t.check)
	return nil
}

func (r *Rules) compileLeap(t *leapTable, rule *LeapRule) error {
	typ := r.TypeOf(rule.Man)
	if typ == 0 {
		return fmt.Errorf("a leap of the unknown man %q", rule.Man)
	}
	var err error
	aimed := r.typeSet(rule.Aimed, &err)
	if err != nil {
		return err
	}
	for s := range Side(r.sides) {
		if !r.InArmy(s, typ) {
			continue
		}
		atoms, err := betza.ParseOn(r.board.Shape(), rule.Betza)
		if err != nil {
			return err
		}
		for i := range atoms {
			a := &atoms[i]
			if a.Range != 1 || a.Lame || a.Hop || a.Lines || a.Bend != nil || a.Passing || a.Initial || a.Castling != 0 || a.Other != "" {
				return fmt.Errorf("the leap %q of %s is none", rule.Betza, rule.Man)
			}
			t.takes = t.takes || a.Take
			*a = a.Turn(r.board, r.def.Sides[s].Heading)
		}
		t.of[r.Piece(s, typ)] = &leap{atoms: atoms, inCheck: rule.InCheck, aimed: aimed}
	}
	return nil
}

// Leaps returns the cells whose men have a leap left.
func (p *Position) Leaps() board.Set { return p.state.leaps }

// attacks is Attacked with the leaps that may capture.
func (t *leapTable) attacks(p *Position, c Cell, by Side) bool {
	if p.attackedByTables(c, by) {
		return true
	}
	if p.state.leaps.Empty() {
		return false
	}
	own := p.state.leaps.Intersect(p.men[by])
	for from := range own.All {
		l := t.of[p.cell[from]]
		if l == nil {
			continue
		}
		for i := range l.atoms {
			a := &l.atoms[i]
			for _, v := range a.Vectors {
				if a.Take && p.rules.board.Step(from, v) == c {
					return true
				}
			}
		}
	}
	return false
}

// source appends the leaps of the side to move.
func (t *leapTable) source(p *Position, dst []Move) []Move {
	r := p.rules
	us := p.turn
	own := p.state.leaps.Intersect(p.men[us])
	if own.Empty() {
		return dst
	}
	check := p.checked(us)
	for c := range own.All {
		l := t.of[p.cell[c]]
		if l == nil || check && !l.inCheck {
			continue
		}
		for i := range l.atoms {
			a := &l.atoms[i]
			for _, v := range a.Vectors {
				to := r.board.Step(c, v)
				if to == board.Wall {
					continue
				}
				switch q := p.cell[to]; {
				case q == 0 && a.Quiet:
					dst = append(dst, NewMove(Quiet, c, to, 0, 0))
				case q != 0 && a.Take && r.foe[us][q]:
					dst = append(dst, NewMove(Capture, c, to, 0, 0))
				}
			}
		}
	}
	return dst
}

// lose ends the rights of men that have moved or are gone, of men that are aimed at, and of who has answered a check.
func (t *leapTable) lose(p *Position, m Move) {
	leaps := &p.state.leaps
	if leaps.Empty() {
		return
	}
	for _, ch := range p.log.changes[:p.log.changed] {
		leaps.Remove(ch.cell)
	}
	if p.log.answers {
		*leaps = leaps.Without(p.men[p.turn])
	}
	if m.Kind() == Pass || leaps.Empty() {
		return
	}
	r := p.rules
	typ := r.codes[p.log.mover].typ
	file, rank := r.board.Coord(m.To())
	aimed := leaps.Without(p.men[p.turn])
	for c := range aimed.All {
		l := t.of[p.cell[c]]
		if f, k := r.board.Coord(c); l != nil && l.aimed[typ] && (f == file || k == rank) {
			leaps.Remove(c)
		}
	}
}

// read reads the rights of a position text.
func (t *leapTable) read(r *Rules, s *Setup, text string) error {
	if text == "-" {
		return nil
	}
	if t.rule.Cells {
		cells, err := r.readCells(text, "rights")
		if err != nil {
			return err
		}
		for _, c := range cells {
			s.state.leaps.Add(c)
		}
		return nil
	}
	for _, letter := range text {
		side := Side(0)
		if letter >= 'a' {
			side = 1
		}
		file := int(strings.ToLower(string(letter))[0] - 'a')
		found := board.Wall
		for c := range r.homeRow[side].All {
			if f, _ := r.board.Coord(c); f == file {
				found = c
			}
		}
		if found == board.Wall {
			return badFEN("rights", "%q is no file", letter)
		}
		s.state.leaps.Add(found)
	}
	return nil
}

// write writes the rights, those of the first side first.
func (t *leapTable) write(p *Position) string {
	r := p.rules
	var b strings.Builder
	for s := range Side(r.sides) {
		own := p.state.leaps.Intersect(p.men[s])
		for c := range own.All {
			if t.rule.Cells {
				b.WriteString(r.board.CellName(c))
				continue
			}
			file, _ := r.board.Coord(c)
			first := 'A'
			if s != 0 {
				first = 'a'
			}
			b.WriteRune(first + rune(file))
		}
	}
	if b.Len() == 0 {
		return "-"
	}
	return b.String()
}

// check refuses rights on cells without a man that has a leap, and rights by file of men that are not at home.
func (t *leapTable) check(r *Rules, p *Position, _ *Setup, e *SetupError) {
	for c := range p.state.leaps.All {
		q := p.cell[c]
		if t.of[q] == nil || !t.rule.Cells && !r.homeRow[r.Side(q)].Has(c) {
			e.add("rights", "no man on %s that may leap", r.board.CellName(c))
		}
	}
}
