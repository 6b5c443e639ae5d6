package notation

import (
	"fmt"
	"strings"

	"hoplite/engine/rules"
)

// SAN writes a legal move in short algebraic notation, with the mark of check or mate.
func SAN(p *rules.Position, m rules.Move) string {
	var b strings.Builder
	writeSAN(&b, p, m)
	q := p.Clone()
	var u rules.Undo
	q.Make(m, &u)
	if q.InCheck() {
		if q.HasMove() {
			b.WriteByte('+')
		} else {
			b.WriteByte('#')
		}
	}
	return b.String()
}

func writeSAN(b *strings.Builder, p *rules.Position, m rules.Move) {
	r := p.Rules()
	brd := r.Board()
	kind := m.Kind()
	if _, text := p.Special(m); text != "" {
		b.WriteString(text)
		return
	}
	if kind.IsCastle() {
		b.WriteString(castleSAN(p, m))
	} else {
		q := p.At(m.From())
		info := r.PieceInfo(r.Type(q))
		if !info.Pawn {
			b.WriteString(info.Letter)
		}
		file, rank := tell(p, m)
		if info.Pawn {
			// A pawn's capture is named by its file, unless it can capture straight ahead only; its other moves only if
			// two could reach the cell.
			file = file || rank || kind.IsCapture() && !takesStraight(r, q, m.From())
			rank = false
		}
		name := brd.CellName(m.From())
		split := strings.IndexAny(name, "0123456789")
		if file {
			b.WriteString(name[:split])
		}
		if rank {
			b.WriteString(name[split:])
		}
		if kind.IsCapture() {
			b.WriteByte('x')
		}
		b.WriteString(brd.CellName(m.To()))
	}
	if m.Arg() == 0 {
		return
	}
	letter := strings.TrimRight(r.PieceInfo(m.Arg()).Letter, "'~")
	switch kind {
	case rules.CastleGateKing:
		b.WriteString("/" + letter + brd.CellName(m.From()))
	case rules.CastleGateRook:
		b.WriteString("/" + letter + brd.CellName(m.Second()))
	case rules.Gate, rules.GateCapture:
		b.WriteString("/" + letter)
	default:
		b.WriteString("=" + letter)
	}
}

// castleSAN returns the name of the wing that m castles on.
func castleSAN(p *rules.Position, m rules.Move) string {
	d := p.Rules().Definition()
	for _, right := range p.CastlingRights() {
		if w := &d.Castling.Wings[right.Wing]; w.Side == p.Turn() && right.Rook == m.Second() {
			return w.SAN
		}
	}
	return ""
}

// takesStraight reports whether all captures of a man stay on its file.
func takesStraight(r *rules.Rules, q rules.Piece, from rules.Cell) bool {
	file, _ := r.Board().Coord(from)
	_, take := r.Targets(q, from)
	for c := range take.All {
		if f, _ := r.Board().Coord(c); f != file {
			return false
		}
	}
	return true
}

// tell returns what must be written of the cell left, so that no other legal move of such a man is meant.
func tell(p *rules.Position, m rules.Move) (file, rank bool) {
	r := p.Rules()
	t := r.Type(p.At(m.From()))
	mf, mr := r.Board().Coord(m.From())
	var room [moveRoom]rules.Move
	others, sameFile, sameRank := false, false, false
	for _, o := range p.Moves(room[:0]) {
		if o.To() != m.To() || o.From() == m.From() || o.Kind().IsCastle() || r.Type(p.At(o.From())) != t {
			continue
		}
		others = true
		of, or := r.Board().Coord(o.From())
		sameFile = sameFile || of == mf
		sameRank = sameRank || or == mr
	}
	switch {
	case !others:
		return false, false
	case !sameFile:
		return true, false
	case !sameRank:
		return false, true
	}
	return true, true
}

// sanText is what a text in algebraic notation says.
type sanText struct {
	typ          rules.PieceType // 0: a pawn of any kind
	file         int             // of the cell left, or -1
	rank         int
	to           rules.Cell
	arg          rules.PieceType
	entersOn     rules.Cell // where a man enters in castling
	hasEntersOn  bool
	gate, castle bool
	wing         string
}

// ParseSAN reads algebraic notation and returns the legal move that it names. Marks of check and comment may be there
// or not, castling may be written with zeros, and the cell left may be given in full. It fails with *MoveError.
func ParseSAN(p *rules.Position, text string) (rules.Move, error) {
	if p.Rules().Staged() {
		if m, ok := matchedSAN(p, text); ok {
			return m, nil
		}
	}
	s, err := readSAN(p.Rules(), text)
	if err != nil {
		return 0, err
	}
	var room [moveRoom]rules.Move
	found, n := rules.Move(0), 0
	for _, m := range p.Moves(room[:0]) {
		if s.fits(p, m) {
			found = m
			n++
		}
	}
	switch n {
	case 0:
		return 0, &MoveError{Text: text, Reason: "no legal move is written so"}
	case 1:
		return found, nil
	}
	return 0, &MoveError{Text: text, Reason: fmt.Sprintf("%d legal moves are written so", n)}
}

// matchedSAN finds the legal move of a staged game that is written as text, marks of check apart.
func matchedSAN(p *rules.Position, text string) (rules.Move, bool) {
	text = strings.TrimRight(text, "+#!?")
	var room [moveRoom]rules.Move
	for _, m := range p.Moves(room[:0]) {
		var b strings.Builder
		if writeSAN(&b, p, m); b.String() == text {
			return m, true
		}
	}
	return 0, false
}

func readSAN(r *rules.Rules, text string) (*sanText, error) {
	bad := func(format string, args ...any) (*sanText, error) {
		return nil, &MoveError{Text: text, Reason: fmt.Sprintf(format, args...), Malformed: true}
	}
	s := &sanText{file: -1, rank: -1}
	body, gate, hasGate := strings.Cut(strings.TrimRight(text, "+#!?"), "/")
	if body == "" {
		return bad("no move")
	}
	if hasGate {
		if gate == "" {
			return bad("no man after the slash")
		}
		if s.arg = r.TypeOf(gate[:1]); s.arg == 0 {
			return bad("%q is no man", clip(gate[:1]))
		}
		s.gate = true
		if gate[1:] != "" {
			c, rest, ok := cell(r.Board(), gate[1:])
			if !ok || rest != "" {
				return bad("%q is no cell", clip(gate[1:]))
			}
			s.entersOn, s.hasEntersOn = c, true
		}
	}
	if wing := strings.NewReplacer("0", "O", "o", "O").Replace(body); wing == "O-O" || wing == "O-O-O" {
		s.castle, s.wing = true, wing
		return s, nil
	}
	if t := r.TypeOf(body[:1]); t != 0 {
		if !r.PieceInfo(t).Pawn {
			s.typ = t
		}
		body = body[1:]
	}
	if n := len(body); n > 0 && !s.gate {
		if t := r.TypeOf(body[n-1:]); t != 0 {
			s.arg = t
			body = strings.TrimSuffix(body[:n-1], "=")
		}
	}
	split := strings.LastIndexFunc(body, func(c rune) bool { return c >= 'a' && c <= 'z' })
	if split < 0 {
		return bad("no cell of arrival")
	}
	to, rest, ok := cell(r.Board(), body[split:])
	if !ok || rest != "" {
		return bad("no cell of arrival")
	}
	s.to = to
	if err := s.readFrom(r, strings.TrimRight(body[:split], "x-:")); err != nil {
		return bad("%v", err)
	}
	return s, nil
}

// readFrom reads what is said of the cell left: a file, a rank or both.
func (s *sanText) readFrom(r *rules.Rules, text string) error {
	if text == "" {
		return nil
	}
	if text[0] >= 'a' && text[0] <= 'z' {
		if s.file = int(text[0] - 'a'); s.file >= r.Board().Files() {
			return fmt.Errorf("no file %q", text[0])
		}
		text = text[1:]
	}
	if text == "" {
		return nil
	}
	n := 0
	for _, c := range []byte(text) {
		if c < '0' || c > '9' || n > r.Board().Ranks() {
			return fmt.Errorf("%q does not tell a man", clip(text))
		}
		n = n*10 + int(c-'0')
	}
	if s.rank = n - 1; s.rank < 0 || s.rank >= r.Board().Ranks() {
		return fmt.Errorf("no rank %d", n)
	}
	return nil
}

func (s *sanText) fits(p *rules.Position, m rules.Move) bool {
	r := p.Rules()
	kind := m.Kind()
	if s.castle != kind.IsCastle() || s.arg != m.Arg() || s.gate != kind.IsGate() {
		return false
	}
	if s.hasEntersOn {
		on := m.From()
		if kind == rules.CastleGateRook {
			on = m.Second()
		}
		if on != s.entersOn {
			return false
		}
	}
	if s.castle {
		return castleSAN(p, m) == s.wing
	}
	t := r.Type(p.At(m.From()))
	if s.typ != t && (s.typ != 0 || !r.PieceInfo(t).Pawn) || m.To() != s.to {
		return false
	}
	file, rank := r.Board().Coord(m.From())
	return (s.file < 0 || s.file == file) && (s.rank < 0 || s.rank == rank)
}
