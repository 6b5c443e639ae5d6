package rules

import (
	"fmt"

	"hoplite/engine/board"
)

// LivesRule is the mechanism grow(lives) with exchange(relocation): a pawn that lives three times, as three types.
//
// In its first life it waits on its last row, where nobody can take it and it attacks nothing. In a later turn its
// owner may put it anywhere else, on an empty cell or in place of a man of either side, but not of a royal man or
// another that waits, if from there as a pawn it attacks two enemies that are no pawns, or a single one that cannot
// move. It lives on there as the second type. When that reaches the last row it is put on Home as part of the same move,
// in place of whoever stands there; while that is a royal man the move does not exist. The third type promotes like any
// other man.
type LivesRule struct {
	// First, Second and Third are the tokens of the types.
	First, Second, Third string
	// Home is, by side, the cell where the third life begins.
	Home []string
}

// lives is a compiled LivesRule; the pieces and cells are by side.
type lives struct {
	first, second, third [maxSides]Piece
	home                 [maxSides]Cell
	last                 [maxSides]board.Set
	board                board.Set // the cells where a waiting man may be put
}

func (r *Rules) compileLives() error {
	rule := r.def.Lives
	if rule == nil {
		return nil
	}
	if len(rule.Home) != r.sides {
		return fmt.Errorf("homes for %d sides", len(rule.Home))
	}
	l := &lives{board: r.everywhere().Without(r.board.Extra())}
	for s := range Side(r.sides) {
		for _, part := range []struct {
			token string
			piece *Piece
		}{{rule.First, &l.first[s]}, {rule.Second, &l.second[s]}, {rule.Third, &l.third[s]}} {
			t := r.TypeOf(part.token)
			if *part.piece = r.Piece(s, t); !r.InArmy(s, t) {
				return fmt.Errorf("unknown man %q", part.token)
			}
		}
		var ok bool
		if l.home[s], ok = r.board.ParseCell(rule.Home[s]); !ok {
			return fmt.Errorf("unknown cell %q", rule.Home[s])
		}
		l.last[s] = r.farRow(s)
	}
	st := r.stage()
	r.lives = l
	st.sources = append(st.sources, (*Position).relocations)
	st.bans = append(st.bans, func(p *Position, m Move) bool { return p.immune(m.To()) || p.homeless(m) })
	st.effects = append(st.effects, (*Position).reborn)
	st.acts[Relocate] = &act{play: (*Position).relocate, san: (*Position).relocateSAN, captured: (*Position).displaced}
	return nil
}

// immune reports whether the man on c waits on its last row and cannot be taken.
func (p *Position) immune(c Cell) bool {
	l := p.rules.lives
	if l == nil {
		return false
	}
	s := p.rules.codes[p.cell[c]].side & (maxSides - 1)
	return p.cell[c] == l.first[s] && l.last[s].Has(c)
}

// homeless reports whether m would begin a third life where a royal man stands.
func (p *Position) homeless(m Move) bool {
	r, us := p.rules, p.turn
	return int(m.From()) < r.n && p.cell[m.From()] == r.lives.second[us] && r.lives.last[us].Has(m.To()) &&
		r.codes[p.cell[r.lives.home[us]]].royal
}

// reborn begins the third life of a man that has arrived in its second.
func (p *Position) reborn(m Move) {
	l, us := p.rules.lives, p.turn
	if to := m.To(); p.cell[to] == l.second[us] && l.last[us].Has(to) {
		p.place(0, to)
		p.place(l.third[us], l.home[us])
	}
}

// relocations appends the moves of men that wait.
func (p *Position) relocations(dst []Move) []Move {
	l, us := p.rules.lives, p.turn
	for from := range l.last[us].Intersect(p.men[us]).All {
		if p.cell[from] != l.first[us] {
			continue
		}
		for to := range l.board.Without(l.last[us]).All {
			if !p.rules.codes[p.cell[to]].royal && !p.immune(to) && p.forks(from, to) {
				dst = append(dst, NewMove(Relocate, from, to, 0, 0))
			}
		}
	}
	return dst
}

// forks reports whether the man that waits on from may be put on to because of what it attacks there.
func (p *Position) forks(from, to Cell) bool {
	r := p.rules
	us := p.turn & (maxSides - 1)
	become := r.lives.second[us]
	n, attacked := 0, board.Wall
	for c := range r.leaps[int(become)*r.n+int(to)].take.All {
		if q := p.cell[c]; r.foe[us][q] && !r.codes[q].pawn {
			n++
			attacked = c
		}
	}
	if n != 1 {
		return n > 1
	}
	waiting, was := p.cell[from], p.cell[to]
	p.lift(waiting, from)
	if was != 0 {
		p.lift(was, to)
	}
	p.put(become, to)
	stuck := !p.roams(attacked)
	p.lift(become, to)
	if was != 0 {
		p.put(was, to)
	}
	p.put(waiting, from)
	return stuck
}

// roams reports whether the man on c could move if it were its side's turn, whatever becomes of its royal men.
func (p *Position) roams(c Cell) bool {
	turn := p.turn
	q := p.cell[c]
	p.turn = p.rules.codes[q].side
	var f field
	p.field(&f)
	var t board.Set
	p.targets(q, c, &f, &t)
	if p.rules.walks != nil {
		p.walkTargets(q, c, &t)
	}
	for to := range t.All {
		if p.immune(to) {
			t.Remove(to)
		}
	}
	p.turn = turn
	return !t.Empty()
}

// relocate plays the move of a man that has waited.
func (p *Position) relocate(m Move) {
	if p.displaced(m) != 0 {
		p.take(m.To())
	}
	p.place(0, m.From())
	p.place(p.rules.lives.second[p.turn], m.To())
	p.clock = 0
}

// displaced returns the enemy whose place a man that has waited takes.
func (p *Position) displaced(m Move) Piece {
	if q := p.cell[m.To()]; p.rules.foe[p.turn&(maxSides-1)][q] {
		return q
	}
	return 0
}

// relocateSAN names the cell left only if several men wait.
func (p *Position) relocateSAN(m Move) string {
	r, us := p.rules, p.turn
	from := ""
	for c := range r.lives.last[us].Intersect(p.men[us]).All {
		if c != m.From() && p.cell[c] == r.lives.first[us] {
			from = r.board.CellName(m.From())
		}
	}
	return r.PieceInfo(r.codes[r.lives.first[us]].typ).Letter + from + "@" + r.board.CellName(m.To())
}
