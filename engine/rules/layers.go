package rules

import (
	"fmt"

	"hoplite/engine/board"
)

// LayerRule is the mechanism layers: what the two layers of a board mean.
type LayerRule string

// LayersPass lets every man that has moved pass to the same place of the other layer, which must be free. A royal man
// must be safe where it moves to as well as where it passes to; castling sends both men across.
const LayersPass LayerRule = "pass"

func (r *Rules) compileLayers() error {
	across := r.def.EnPassant == EnPassantOtherLayer
	switch r.def.Layers {
	case "":
		if across {
			return fmt.Errorf("captures in passing across layers need men that pass between layers")
		}
		return nil
	case LayersPass:
	default:
		return fmt.Errorf("unknown rule %q for layers", r.def.Layers)
	}
	if r.board.Layers() != 2 {
		return fmt.Errorf("a board without a second layer")
	}
	if r.def.EnPassant != EnPassantNone && !across {
		return fmt.Errorf("en passant %q between layers", r.def.EnPassant)
	}
	for q := range Piece(1 + r.sides*r.types) {
		for c := range Cell(r.n) {
			// Who stands behind its first cell has moved before, and may have no first move there.
			if list := r.lame[int(q)*r.n+int(c)]; r.board.Layer(c) == 1 && list.n != 0 && r.lameList[list.at].double {
				r.codes[q].barred.Add(c)
			}
		}
	}
	st := r.stage()
	st.tried = true // who moves leaves its layer, so lines opened and shut are seen on the result only
	st.bans = append(st.bans, (*Position).shutOut)
	st.passage = append(st.passage, (*Position).passLayer)
	st.lawful = append(st.lawful, func(p *Position, _ Move, _ Side) bool { return !p.state.astray })
	if !across {
		return nil
	}
	st.passing = func(p *Position, m Move, _ Side, _ state) {
		if m.Kind() == Double {
			via, victim := r.passedBy(p.log.mover, m.From(), m.To())[0], r.board.Across(m.To())
			p.state.passed[0] = target{cell: via, victim: victim}
			p.state.passed[1] = target{cell: r.board.Across(via), victim: victim}
			p.state.passes = 2
		}
	}
	st.passer = (*Position).passerAcross
	st.passedPart = &fenPart{read: (*Rules).readPassedAcross, write: (*Position).writePassedAcross}
	return nil
}

// shutOut reports whether a man stands where the mover, or one of two in castling, would pass to.
func (p *Position) shutOut(m Move) bool {
	b := p.rules.board
	if p.cell[b.Across(m.To())] != 0 {
		return true
	}
	return m.Kind().IsCastle() && p.cell[b.Across(p.slot(p.turn, m).rookTo)] != 0
}

// passLayer sends the men that have moved to the other layer.
func (p *Position) passLayer(m Move) {
	p.state.astray = false
	if m.Kind() == Pass {
		return
	}
	p.passMan(m.To())
	if m.Kind().IsCastle() {
		p.passMan(p.slot(p.turn, m).rookTo)
	}
}

func (p *Position) passMan(c Cell) {
	q, to := p.cell[c], p.rules.board.Across(c)
	info := &p.rules.codes[q]
	if p.cell[to] != 0 || info.royal && p.threatened(c, info.side) {
		p.state.astray = true
		return
	}
	p.walk(q, c, to)
}

// passerAcross finds the man of side s that has just passed c, on either layer, and now stands on the second.
func (p *Position) passerAcross(c Cell, s Side) (target, bool) {
	r := p.rules
	first := c
	if r.board.Layer(c) == 1 {
		first = r.board.Across(c)
	}
	for from := range Cell(r.n) {
		if r.board.Layer(from) == 1 || p.cell[from] != 0 {
			continue
		}
		for t := PieceType(1); int(t) <= r.types; t++ {
			q := r.Piece(s, t)
			at := int(q)*r.n + int(from)
			for _, l := range r.lameList[r.lame[at].at:][:r.lame[at].n] {
				if victim := r.board.Across(l.to); l.double && l.via[0] == first && p.cell[victim] == q && p.cell[l.to] == 0 && p.wayFree(&l) {
					return target{cell: c, victim: victim}, true
				}
			}
		}
	}
	return target{}, false
}

// readPassedAcross reads the fourth field: a cell of the first layer stands for its place on both.
func (r *Rules) readPassedAcross(s *Setup, text string) error {
	if err := r.readPassed(s, text); err != nil || s.state.passes == 0 {
		return err
	}
	if s.state.passes != 1 || r.board.Layer(s.state.passed[0].cell) == 1 {
		return badFEN("en passant", "%q is not one square", text)
	}
	s.state.passed[1] = target{cell: r.board.Across(s.state.passed[0].cell), victim: board.Wall}
	s.state.passes = 2
	return nil
}

func (p *Position) writePassedAcross() string {
	if p.state.passes == 0 {
		return "-"
	}
	return p.rules.board.Square(p.state.passed[0].cell)
}
