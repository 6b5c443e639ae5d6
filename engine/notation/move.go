package notation

import (
	"fmt"
	"strings"

	"hoplite/engine/rules"
)

// MoveError is a move text that names no legal move.
type MoveError struct {
	Text   string
	Reason string
	// Malformed texts could not be read at all; others name a move that is not legal.
	Malformed bool
}

func (e *MoveError) Error() string {
	if e.Malformed {
		return fmt.Sprintf("malformed move %q: %s", clip(e.Text), e.Reason)
	}
	return fmt.Sprintf("illegal move %s: %s", clip(e.Text), e.Reason)
}

// clip keeps hostile input out of error texts.
func clip(s string) string {
	const most = 20
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// moveRoom is the room for the moves of most positions; longer lists are still right. It comes from the heap, so more
// than is used would be for the collector.
const moveRoom = 64

// ParseMove reads a move string such as e2e4, a7a8q or b1c3h and returns the legal move that it names. Castling is read
// both as the king's move and as the king taking its own rook; with a man entering, the second cell says where, and the
// rook may also be named first (h1e1h). It fails with *MoveError.
func ParseMove(p *rules.Position, text string) (rules.Move, error) {
	r := p.Rules()
	if r.Staged() {
		if m, ok := matched(p, text); ok {
			return m, nil
		}
		if strings.ContainsAny(text, "@*") {
			return readDrop(p, text, matched)
		}
	}
	bad := func(format string, args ...any) (rules.Move, error) {
		return 0, &MoveError{Text: text, Reason: fmt.Sprintf(format, args...), Malformed: true}
	}
	body, fits := text, func(rules.Move) bool { return true }
	if r.HasAppendix() {
		body, fits = cutAppendix(p, text)
	}
	from, rest, ok := cell(r.Board(), body)
	if !ok {
		return bad("it does not begin with a square")
	}
	to, rest, ok := cell(r.Board(), rest)
	if !ok {
		return bad("the second square is missing or unknown")
	}
	if brd := r.Board(); brd.Layers() > 1 && p.At(from) == 0 {
		from, to = brd.Across(from), brd.Across(to) // the man says on which layer it moves
	}
	if third, tail, ok := cell(r.Board(), rest); ok && tail == "" && through(p, from, to, third) {
		to, rest = third, ""
		if m, ok := matched(p, r.Board().CellName(from)+r.Board().CellName(to)); ok {
			return m, nil
		}
	}
	if passers := p.Passers(); from == to && rest == "" && passers.Has(from) {
		first := r.Board().CellName(passers.First()) // whoever passes, it is the same move
		if m, ok := matched(p, first+first); ok {
			return m, nil
		}
	}
	arg := rules.PieceType(0)
	if rest == "+" {
		q := p.At(from)
		if q == 0 || r.TypeOf("+"+r.PieceInfo(r.Type(q)).Letter) == 0 {
			return 0, &MoveError{Text: text, Reason: "no man there that promotes so"}
		}
		arg = r.TypeOf("+" + r.PieceInfo(r.Type(q)).Letter)
	} else if rest != "" {
		if arg = r.TypeOf(strings.ToUpper(rest)); arg == 0 || rest != strings.ToLower(rest) {
			return bad("%q after the squares is no man", clip(rest))
		}
	}
	var room [moveRoom]rules.Move
	moves := p.Moves(room[:0])
	castle := rules.Move(0)
	for _, m := range moves {
		if m.Arg() != arg || !fits(m) {
			continue
		}
		if m.Kind().IsCastle() {
			if castle == 0 && names(m, from, to) {
				castle = m
			}
		} else if text, _ := p.Special(m); text == "" && m.From() == from && m.To() == to {
			return m, nil
		}
	}
	if castle != 0 {
		return castle, nil
	}
	return 0, &MoveError{Text: text, Reason: explain(p, moves, from, to, arg)}
}

// cutAppendix takes the part off that every move has beside the move of a man, and returns the rest with a test for the
// moves that have that part. Without one, the moves pass that may be written so.
func cutAppendix(p *rules.Position, text string) (string, func(rules.Move) bool) {
	body, rest, has := strings.Cut(text, ",")
	return body, func(m rules.Move) bool {
		own, _, optional := p.Appendix(m)
		if has {
			return own == ","+rest
		}
		return optional
	}
}

// through reports whether a man can go in two steps from one cell to a third through an empty one. Such a move is the same
// as the direct one.
func through(p *rules.Position, from, via, to rules.Cell) bool {
	r := p.Rules()
	q := p.At(from)
	first, second := r.FirstSteps(q, from), r.FirstSteps(q, via)
	return q != 0 && p.At(via) == 0 && first.Has(via) && (to == from || second.Has(to))
}

// matched finds the legal move of a staged game that is written as text.
func matched(p *rules.Position, text string) (rules.Move, bool) {
	var room [moveRoom]rules.Move
	for _, m := range p.Moves(room[:0]) {
		if FormatMove(p, m) == text {
			return m, true
		}
	}
	return 0, false
}

// names reports whether two cells name the castling move m: the king with its goal or with the rook, or, where a man
// enters on the rook's cell, the rook with the king.
func names(m rules.Move, from, to rules.Cell) bool {
	if m.Kind() == rules.CastleGateRook {
		return from == m.Second() && to == m.From()
	}
	return from == m.From() && (to == m.To() || to == m.Second())
}

// explain says why no legal move has the cells and the letter given.
func explain(p *rules.Position, moves []rules.Move, from, to rules.Cell, arg rules.PieceType) string {
	r := p.Rules()
	for _, m := range moves {
		if m.From() != from || m.To() != to {
			continue
		}
		_, _, optional := p.Appendix(m)
		switch {
		case arg == m.Arg() && !optional:
			return "the second part, which every move has, is missing or not possible"
		case arg == 0 && m.Kind().IsPromotion():
			return "the letter of the promotion is missing"
		case arg != 0 && m.Kind().IsPromotion():
			return fmt.Sprintf("no promotion to %s", strings.ToLower(r.PieceInfo(arg).Name))
		case arg != 0:
			return fmt.Sprintf("no %s can come in with this move", strings.ToLower(r.PieceInfo(arg).Name))
		}
	}
	return p.Explain(from, to)
}

// FormatMove writes a move in the form of the game's sheet.
func FormatMove(p *rules.Position, m rules.Move) string {
	return format(p, m, p.Rules().Definition().Notation.CastlingByRook)
}

// FormatMoveKingRook writes a move with castling always as the king taking its own rook.
func FormatMoveKingRook(p *rules.Position, m rules.Move) string { return format(p, m, true) }

// FormatMoveDistinct writes a move so that it cannot be taken for another: castling as the king taking its own rook in
// games of shuffled arrays, in which the king's goal does not tell which rook.
func FormatMoveDistinct(p *rules.Position, m rules.Move) string {
	if p.Rules().Shuffled() {
		return FormatMoveKingRook(p, m)
	}
	return FormatMove(p, m)
}

// twoGoals reports whether the two men of a castling move have another goal as well, so that naming them is not enough.
func twoGoals(p *rules.Position, m rules.Move) bool {
	n := 0
	for _, right := range p.CastlingRights() {
		if p.Rules().Definition().Castling.Wings[right.Wing].Side == p.Turn() && right.Rook == m.Second() {
			n++
		}
	}
	return n > 1
}

func format(p *rules.Position, m rules.Move, byRook bool) string {
	r := p.Rules()
	if text, _ := p.Special(m); text != "" {
		return text
	}
	from, to := m.From(), m.To()
	switch k := m.Kind(); {
	case k == rules.CastleGateRook:
		from, to = m.Second(), m.From()
	case k.IsCastle() && byRook && !twoGoals(p, m):
		to = m.Second()
	}
	text := r.Board().Square(from) + r.Board().Square(to)
	if m.Arg() != 0 && !(m.Kind().IsPromotion() && r.Definition().Notation.PlainPromotion) {
		text += promotionMark(r, m.Arg())
	}
	rest, _, _ := p.Appendix(m)
	return text + rest
}

// promotionMark is how a move string says what a man becomes: the letter, or + for a man that is written with one.
func promotionMark(r *rules.Rules, t rules.PieceType) string {
	letter := r.PieceInfo(t).Letter
	if strings.HasPrefix(letter, "+") {
		return "+"
	}
	return strings.ToLower(strings.TrimRight(letter, "'~"))
}
