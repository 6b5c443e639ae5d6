package rules

import (
	"fmt"

	"hoplite/engine/board"
)

// PassiveRule is the mechanism passive: ways of capture without displacement, and freezing. Each field lists the types
// that have a way. Their Betza describes moves without capture; only royal men capture where they go.
type PassiveRule struct {
	// Custody takes enemies next to the mover along rank or file that have a friend of the mover straight behind them.
	Custody string
	// Withdrawal takes the enemy that the mover stood next to and has gone straight away from.
	Withdrawal string
	// Coordination takes the enemies where the mover's rank crosses the file of its own royal man and the other way round.
	Coordination string
	// Leaping takes, along one line, enemies that are each followed by an empty cell. The mover comes down beyond the last.
	Leaping string
	// Mimicry takes each enemy in that enemy's own way, several in one move, custody along rank and file only; royal men
	// by stepping onto them from the next cell.
	Mimicry string
	// Freezing keeps the enemies around it from moving. It is itself frozen by an enemy of Freezing or Mimicry beside it.
	Freezing string
	// Removal lets the owner take a frozen man that is not royal off the board as his move.
	Removal bool
	// Cancelled makes a man of Freezing harmless for its enemies while another enemy of Freezing or Mimicry stands beside it.
	Cancelled bool
}

// ways are the ways of capture of a type.
type ways uint8

const (
	byCustody ways = 1 << iota
	byWithdrawal
	byCoordination
	byLeaping
	byMimicry
	freezing
)

// passive is a compiled PassiveRule.
type passive struct {
	rule *PassiveRule
	ways [maxTypes + 1]ways
	// step[c*8+d] is the next cell in a direction, opposites being d and d^1; the first four go along rank and file.
	step []Cell
	// heading[a*n+b] is the direction that leads from a to b, or noHeading.
	heading []uint8
	// corner[a*n+b] is the cell on the file of a and the rank of b.
	corner []Cell
}

const (
	noHeading  = 255
	orthogonal = 4 // directions below are along rank or file
)

func (r *Rules) compilePassive() error {
	rule := r.def.Passive
	if rule == nil {
		return nil
	}
	ps := &passive{rule: rule}
	var err error
	for _, w := range []struct {
		list string
		way  ways
	}{{rule.Custody, byCustody}, {rule.Withdrawal, byWithdrawal}, {rule.Coordination, byCoordination},
		{rule.Leaping, byLeaping}, {rule.Mimicry, byMimicry}, {rule.Freezing, freezing}} {
		for t, has := range r.typeSet(w.list, &err) {
			if has {
				ps.ways[t] |= w.way
			}
		}
	}
	if err != nil {
		return err
	}
	for t := PieceType(1); int(t) <= r.types; t++ {
		if ps.ways[t] != 0 && r.PieceInfo(t).Royal {
			return fmt.Errorf("%s is royal and captures by displacement", r.PieceInfo(t).Name)
		}
	}
	ps.survey(r)
	r.passive = ps
	st := r.stage()
	st.tried = true
	st.replace = (*Position).passiveMoves
	st.attacks = (*Position).passiveAttacks
	st.acts[Seize] = &act{
		play: func(p *Position, m Move) {
			var s seized
			p.seize(m.From(), m.To(), &s)
			for _, c := range s.cells[:s.n] {
				p.take(c)
			}
			p.walk(p.log.mover, m.From(), m.To())
		},
		suffix: func(p *Position, m Move) string {
			var s seized
			p.seize(m.From(), m.To(), &s)
			text := "x("
			for i, c := range s.cells[:s.n] {
				if i > 0 {
					text += ","
				}
				text += r.board.CellName(c)
			}
			return text + ")"
		},
		captured: func(p *Position, m Move) Piece {
			var s seized
			p.seize(m.From(), m.To(), &s)
			return p.At(s.cells[0])
		},
	}
	st.acts[Remove] = &act{
		play: func(p *Position, m Move) {
			p.clock = 0
			p.place(0, m.From())
		},
		san: func(p *Position, m Move) string {
			return r.PieceInfo(r.Type(p.At(m.From()))).Letter + r.board.CellName(m.From()) + "~"
		},
	}
	return nil
}

// survey fills in the geometry.
func (ps *passive) survey(r *Rules) {
	n := r.n
	ps.step, ps.heading, ps.corner = make([]Cell, n*8), make([]uint8, n*n), make([]Cell, n*n)
	for i := range ps.heading {
		ps.heading[i] = noHeading
	}
	for c := range Cell(n) {
		for d, v := range [8]board.Vector{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {X: 1, Y: 1}, {X: -1, Y: -1}, {X: 1, Y: -1}, {X: -1, Y: 1}} {
			ps.step[int(c)*8+d] = r.board.Step(c, v)
			for _, to := range r.board.Ray(c, v, 0) {
				ps.heading[int(c)*n+int(to)] = uint8(d)
			}
		}
		file, _ := r.board.Coord(c)
		for o := range Cell(n) {
			_, rank := r.board.Coord(o)
			ps.corner[int(c)*n+int(o)] = r.board.At(file, rank)
		}
	}
}

func (ps *passive) next(c Cell, d uint8) Cell { return ps.step[int(c)*8+int(d)] }

// enemyOf reports whether the man on c, or on the wall, is one that side s may capture.
func (p *Position) enemyOf(c Cell, s Side) bool { return p.rules.foe[s&(maxSides-1)][p.cell[c]] }

// friendOf reports whether the man on c belongs to side s.
func (p *Position) friendOf(c Cell, s Side) bool {
	q := p.cell[c]
	return q != 0 && q != wallPiece && p.rules.codes[q].side == s
}

// frozen reports whether the man on c cannot move.
func (p *Position) frozen(c Cell) bool {
	r := p.rules
	ps := r.passive
	info := &r.codes[p.cell[c]]
	for d := range uint8(8) {
		at := ps.next(c, d)
		if !p.enemyOf(at, info.side) {
			continue
		}
		switch w := ps.ways[r.codes[p.cell[at]].typ]; {
		case w&freezing != 0 && !(ps.rule.Cancelled && p.cancelled(at, c)):
			return true
		case w&byMimicry != 0 && ps.ways[info.typ]&freezing != 0:
			return true
		}
	}
	return false
}

// cancelled reports whether the freezing man on c has an enemy of Freezing or Mimicry beside it, the one on but apart.
func (p *Position) cancelled(c, but Cell) bool {
	r := p.rules
	side := r.codes[p.cell[c]].side
	for d := range uint8(8) {
		at := r.passive.next(c, d)
		if at != but && p.enemyOf(at, side) && r.passive.ways[r.codes[p.cell[at]].typ]&(freezing|byMimicry) != 0 {
			return true
		}
	}
	return false
}

// seized are the cells of the men that a move takes, in the order in which they are found, each once.
type seized struct {
	cells [maxSeized]Cell
	n     int
}

// maxSeized bounds the men that one move takes: along a line, around the cell of arrival, behind and at two corners.
const maxSeized = 24

func (s *seized) add(c Cell) {
	for _, have := range s.cells[:s.n] {
		if have == c {
			return
		}
	}
	if s.n < maxSeized {
		s.cells[s.n] = c
		s.n++
	}
}

// seize lists the men that the man on from takes by going to an empty cell.
func (p *Position) seize(from, to Cell, s *seized) {
	r := p.rules
	ps := r.passive
	info := &r.codes[p.cell[from]]
	us, own := info.side, ps.ways[info.typ]
	d := ps.heading[int(from)*r.n+int(to)]
	if d == noHeading {
		return
	}
	// takes reports whether the mover may take the man on c in a certain way.
	takes := func(c Cell, way ways) bool {
		return p.enemyOf(c, us) && (own&way != 0 || own&byMimicry != 0 && ps.ways[r.codes[p.cell[c]].typ]&way != 0)
	}
	for c := ps.next(from, d); c != to; c = ps.next(c, d) {
		if takes(c, byLeaping) {
			s.add(c)
		}
	}
	if back := ps.next(from, d^1); takes(back, byWithdrawal) {
		s.add(back)
	}
	if king := p.royals[us].First(); king != board.Wall {
		for _, c := range [2]Cell{ps.corner[int(king)*r.n+int(to)], ps.corner[int(to)*r.n+int(king)]} {
			if takes(c, byCoordination) {
				s.add(c)
			}
		}
	}
	if own&byCustody == 0 && d >= orthogonal {
		return
	}
	for o := range uint8(orthogonal) {
		c := ps.next(to, o)
		if !takes(c, byCustody) {
			continue
		}
		if far := ps.next(c, o); far != from && p.friendOf(far, us) {
			s.add(c)
		}
	}
}
