package rules

import (
	"fmt"

	"hoplite/engine/board"
)

// IllegalMoveError is a move that the rules do not allow.
type IllegalMoveError struct {
	Move   Move
	Reason string
}

func (e *IllegalMoveError) Error() string { return "illegal move: " + e.Reason }

// moveRoom is the room for moves that callers without a buffer of their own set aside; longer lists are still right.
const moveRoom = 320

// Play makes m if it is legal. Otherwise it fails with *IllegalMoveError and changes nothing.
func (p *Position) Play(m Move) error {
	if !p.IsLegal(m) {
		return &IllegalMoveError{Move: m, Reason: p.Explain(m.From(), m.To())}
	}
	var u Undo
	p.Make(m, &u)
	return nil
}

// IsLegal reports whether m is one of Moves.
func (p *Position) IsLegal(m Move) bool {
	if p.rules.stages.on {
		return p.legalStaged(m)
	}
	var s scan
	p.look(&s)
	var room [moveRoom]Move
	for _, legal := range p.generate(room[:0], &s, false) {
		if legal == m {
			return true
		}
	}
	return false
}

// Explain says why no move from one cell to another is legal, for people.
func (p *Position) Explain(from, to Cell) string {
	r := p.rules
	q := p.At(from)
	if int(from) >= r.n || int(to) >= r.n {
		return "there is no such cell"
	}
	if q == 0 {
		return fmt.Sprintf("there is no man on %s", r.board.CellName(from))
	}
	if r.Side(q) != p.turn {
		return fmt.Sprintf("it is the turn of %s", r.sideName(p.turn))
	}
	var f field
	p.field(&f)
	f.all = f.all.Union(p.men[neutral])
	var t board.Set
	p.reach(q, from, &f, &t)
	switch {
	case !t.Has(to):
		return fmt.Sprintf("the %s on %s cannot go to %s", r.name(q), r.board.CellName(from), r.board.CellName(to))
	case p.InCheck():
		return "it does not answer the check"
	case !p.safe(from, to, q, to):
		return "it leaves the king in check"
	}
	return "no move of this form is possible"
}

// Captured returns the man that m takes, or 0.
func (p *Position) Captured(m Move) Piece {
	if a := p.rules.stages.acts[m.Kind()]; a != nil {
		if a.captured == nil {
			return 0
		}
		return a.captured(p, m)
	}
	switch k := m.Kind(); {
	case k == EnPassant:
		return p.cell[m.Second()]
	case k.IsCapture():
		return p.cell[m.To()]
	}
	return 0
}

// IsCapture reports whether m takes a man.
func (p *Position) IsCapture(m Move) bool {
	if p.rules.stages.acts[m.Kind()] != nil {
		return p.Captured(m) != 0
	}
	return m.Kind().IsCapture()
}

// IsPromotion reports whether m changes the type of the man that moves.
func (p *Position) IsPromotion(m Move) bool {
	if a := p.rules.stages.acts[m.Kind()]; a != nil {
		return a.promotes
	}
	return m.Kind().IsPromotion()
}

// GivesCheck reports whether m, which must be legal, puts the next side in check.
func (p *Position) GivesCheck(m Move) bool {
	var u Undo
	p.Make(m, &u)
	check := p.checked(p.turn)
	p.Unmake(m, &u)
	return check
}
