package notation

import (
	"fmt"
	"slices"
	"strings"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// SAN writes a legal move in short algebraic notation, with the mark of check or mate; the capture of a king is
// marked as mate.
func SAN(p *rules.Position, m rules.Move) string {
	var b strings.Builder
	writeSAN(&b, p, m)
	q := p.Clone()
	var u rules.Undo
	q.Make(m, &u)
	b.WriteString(mark(q))
	return b.String()
}

// mark is what follows a move that has led to p: + for check, # for mate, the capture of a king and, where the game is written so, for every
// move that wins.
func mark(p *rules.Position) string {
	marked := p.Rules().Definition().Notation.EndMarked
	if o, over := p.Outcome(); over && (o.Reason == rules.KingCaptured || marked && o.Winner != rules.NoWinner) {
		return "#"
	}
	switch {
	case !p.InCheck():
		return ""
	case p.HasMove():
		return "+"
	}
	// The third check of some games leaves no move either, but is no mate.
	if _, decided := p.Decided(); decided {
		return "+"
	}
	return "#"
}

// replaces reports whether m takes the man on the cell of arrival, or one that has passed it, or goes onto others to unite.
func replaces(p *rules.Position, m rules.Move) bool {
	q, kind := p.Captured(m), m.Kind()
	return kind.IsCapture() || q != 0 && p.At(m.To()) == q || kind == rules.Unite || kind == rules.TakeOver
}

func writeSAN(b *strings.Builder, p *rules.Position, m rules.Move) {
	writeManSAN(b, p, m)
	_, rest, _ := p.Appendix(m)
	b.WriteString(rest)
}

// writeManSAN writes what the man does, without what a mechanism adds to every move.
func writeManSAN(b *strings.Builder, p *rules.Position, m rules.Move) {
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
		if !info.Pawn || info.Sign != "" {
			b.WriteString(sanLetter(r, r.Type(q)))
		}
		file, rank := tell(p, m)
		if info.Pawn {
			// A pawn's capture is named by its file, unless it can capture straight ahead only; its other moves only if
			// two could reach the cell; its rank, only if two of one file could.
			file = file || rank || replaces(p, m) && !takesStraight(r, q, m.From())
		}
		if file {
			b.WriteString(brd.FileName(m.From()))
		}
		if rank {
			b.WriteString(brd.RankName(m.From()))
		}
		if replaces(p, m) {
			b.WriteByte('x')
		}
		b.WriteString(brd.Square(m.To()))
		b.WriteString(p.Suffix(m))
	}
	if m.Arg() == 0 || kind.IsPromotion() && r.Definition().Notation.PlainPromotion {
		return
	}
	letter := sanLetter(r, m.Arg())
	switch kind {
	case rules.CastleGateKing:
		b.WriteString("/" + letter + brd.CellName(m.From()))
	case rules.CastleGateRook:
		b.WriteString("/" + letter + brd.CellName(m.Second()))
	case rules.Gate, rules.GateCapture:
		b.WriteString("/" + letter)
	case rules.Become:
		if sanLetter(r, r.Type(p.At(m.From()))) != letter {
			b.WriteString(letter)
		}
	default:
		b.WriteString("=" + letter)
	}
}

// sanLetter is the letter of a type in algebraic notation: without the marks behind it, or a sign of its own.
func sanLetter(r *rules.Rules, t rules.PieceType) string {
	if sign := r.PieceInfo(t).Sign; sign != "" {
		return sign
	}
	return strings.TrimRight(r.PieceInfo(t).Letter, "'~")
}

// castleSAN returns the name of the wing that m castles on.
func castleSAN(p *rules.Position, m rules.Move) string {
	d := p.Rules().Definition()
	for _, right := range p.CastlingRights() {
		w := &d.Castling.Wings[right.Wing]
		goal, _ := p.Rules().Board().ParseCell(w.KingTo)
		if w.Side == p.Turn() && right.Rook == m.Second() && goal == m.To() {
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
	letter := sanLetter(r, r.Type(p.At(m.From())))
	brd := r.Board()
	to := brd.Square(m.To())
	mf, mr := brd.Coord(m.From())
	var room [moveRoom]rules.Move
	others, sameFile, sameRank := false, false, false
	for _, o := range p.Movements(room[:0]) {
		if brd.Square(o.To()) != to || o.From() == m.From() || o.Kind().IsCastle() || p.At(o.From()) == 0 ||
			sanLetter(r, r.Type(p.At(o.From()))) != letter {
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
	file, rank   string          // of the cell left, or empty
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
		if strings.ContainsAny(text, "@*") && !p.Rules().HasAppendix() {
			return readDrop(p, strings.TrimRight(text, "+#!?"), matchedSAN)
		}
	}
	body, rest := text, ""
	if p.Rules().HasAppendix() {
		body, rest, _ = strings.Cut(strings.TrimRight(text, "+#!?"), "@")
	}
	s, err := readSAN(p.Rules(), body)
	if err != nil {
		return 0, err
	}
	var room [moveRoom]rules.Move
	found, n := rules.Move(0), 0
	for _, m := range p.Moves(room[:0]) {
		if _, own, _ := p.Appendix(m); strings.TrimPrefix(own, "@") == rest && s.fits(p, m) {
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
		if _, rest, _ := p.Appendix(m); !strings.HasSuffix(text, rest) {
			continue
		}
		// Writing a move out looks at all others, so most are told apart by where they go.
		if _, own := p.Special(m); own == "" && !m.Kind().IsCastle() && !strings.Contains(text, p.Rules().Board().Square(m.To())) {
			continue
		}
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
	s := &sanText{}
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
	if wing := strings.NewReplacer("0", "O", "o", "O").Replace(body); isWing(r, wing) {
		s.castle, s.wing = true, wing
		return s, nil
	}
	if n := len(body); n > 0 && !s.gate {
		if t := r.TypeOf(body[n-1:]); t != 0 {
			s.arg = t
			body = strings.TrimSuffix(body[:n-1], "=")
		}
	}
	split := arrival(r.Board(), body)
	if split < 0 {
		return bad("no cell of arrival")
	}
	s.to, _ = r.Board().ParseCell(body[split:])
	rest := strings.TrimRight(body[:split], "x-:")
	if rest != "" {
		// A capital is a man, or in the cube the level that a pawn left.
		if t := r.TypeOf(rest[:1]); t != 0 && s.readFrom(r, rest[1:]) == nil {
			if !r.PieceInfo(t).Pawn {
				s.typ = t
			}
			return s, nil
		}
	}
	if err := s.readFrom(r, rest); err != nil {
		return bad("%v", err)
	}
	return s, nil
}

// isWing reports whether castling is written so.
func isWing(r *rules.Rules, text string) bool {
	rule := r.Definition().Castling
	return text == "O-O" || text == "O-O-O" || rule != nil &&
		slices.ContainsFunc(rule.Wings, func(w rules.CastlingWing) bool { return w.SAN == text })
}

// arrival returns where the name of a cell begins that text ends with, or -1.
func arrival(b *board.Board, text string) int {
	digits := len(strings.TrimRight(text, "0123456789"))
	letters := len(strings.TrimRight(text[:digits], "abcdefghijklmnopqrstuvwxyz"))
	for _, at := range []int{letters - 1, letters, digits - 1} {
		if at >= 0 && at < digits {
			if _, ok := b.ParseCell(text[at:]); ok {
				return at
			}
		}
	}
	return -1
}

// readFrom reads what is said of the cell left: a file, a rank or both.
func (s *sanText) readFrom(r *rules.Rules, text string) error {
	brd := r.Board()
	s.file = strings.TrimRight(text, "0123456789")
	s.rank = text[len(s.file):]
	for c := range rules.Cell(brd.N()) {
		if (s.file == "" || s.file == brd.FileName(c)) && (s.rank == "" || s.rank == brd.RankName(c)) {
			return nil
		}
	}
	return fmt.Errorf("%q does not tell a man", clip(text))
}

// names reports whether the man that the text promotes to or lets in is t.
func (s *sanText) names(r *rules.Rules, t rules.PieceType) bool {
	return s.arg == t || s.arg != 0 && t != 0 && sanLetter(r, s.arg) == sanLetter(r, t)
}

func (s *sanText) fits(p *rules.Position, m rules.Move) bool {
	r := p.Rules()
	kind := m.Kind()
	if s.castle != kind.IsCastle() || !s.names(r, m.Arg()) || s.gate != kind.IsGate() {
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
	if t == 0 || r.Board().Square(m.To()) != r.Board().Square(s.to) {
		return false
	}
	if s.typ == 0 && !r.PieceInfo(t).Pawn || s.typ != 0 && sanLetter(r, s.typ) != sanLetter(r, t) {
		return false
	}
	b, from := r.Board(), m.From()
	return (s.file == "" || s.file == b.FileName(from)) && (s.rank == "" || s.rank == b.RankName(from))
}
