package notation

import (
	"strconv"
	"strings"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Native writes a legal move in the notation that the game has where it comes from (Definition.Notation.Native). It
// returns "" in games without one.
func Native(p *rules.Position, m rules.Move) string {
	switch p.Rules().Definition().Notation.Native {
	case rules.NativeWXF:
		return wxf(p, m)
	case rules.NativeKorean:
		return korean(p, m)
	}
	return ""
}

// ParseNative reads what Native writes, and other spellings in use: the first letter in lower case, both letters that a man
// may have, a full stop for the sign =; in games with WXF notation also coordinates with ranks from 0, such as h2e2 or
// H2-E2. It fails with *MoveError.
func ParseNative(p *rules.Position, text string) (rules.Move, error) {
	d := p.Rules().Definition()
	if d.Notation.Native == "" {
		return 0, &MoveError{Text: text, Reason: "this game has no other notation", Malformed: true}
	}
	if d.Notation.Native == rules.NativeWXF {
		if m, ok := fromZero(p, text); ok {
			return m, nil
		}
	}
	want := spelling(p.Rules(), text)
	var room [moveRoom]rules.Move
	for _, m := range p.Moves(room[:0]) {
		if own := Native(p, m); spelling(p.Rules(), own) == want {
			return m, nil
		}
	}
	return 0, &MoveError{Text: text, Reason: "no legal move is written so"}
}

// spelling brings the spellings of one move into one form.
func spelling(r *rules.Rules, text string) string {
	if text == "" {
		return ""
	}
	man := strings.ToUpper(text[:1])
	for i := range r.Types() {
		if def := r.PieceInfo(rules.PieceType(i + 1)); def.Also != "" && strings.Contains(def.Also, man) {
			man = def.Letter
		}
	}
	return man + strings.ReplaceAll(text[1:], ".", "=")
}

// wxf writes a move with files counted from the mover's right. Of several like men on a file, two are told by + for the one
// in front and - for the one behind in place of the file, more by their number from the mover's edge. Where that could mean
// a man on another file, the file follows.
func wxf(p *rules.Position, m rules.Move) string {
	head, file, tail := wxfParts(p, m)
	if head[1:] == file {
		file = ""
	}
	if file == "" {
		return head + tail
	}
	var room [moveRoom]rules.Move
	for _, o := range p.Moves(room[:0]) {
		if o == m {
			continue
		}
		if h, _, t := wxfParts(p, o); h == head && t == tail {
			return head + file + tail
		}
	}
	return head + tail
}

// wxfParts returns the letter of the man with the mark that tells it, its file, and the sign with where it goes.
func wxfParts(p *rules.Position, m rules.Move) (head, file, tail string) {
	r := p.Rules()
	b := r.Board()
	heading := r.Definition().Sides[p.Turn()].Heading
	q := p.At(m.From())
	count := func(c rules.Cell) int {
		f, _ := b.Coord(c)
		if heading == 0 {
			return b.Files() - f
		}
		return f + 1
	}
	from, to := count(m.From()), count(m.To())
	before, after := b.Distance(m.From(), heading), b.Distance(m.To(), heading)
	sign := "="
	switch {
	case after > before:
		sign = "+"
	case after < before:
		sign = "-"
	}
	where := to
	if from == to {
		where = max(after-before, before-after)
	}
	likes, behind := 0, 0
	for c := range rules.Cell(b.N()) {
		if p.At(c) == q && count(c) == from {
			likes++
			if b.Distance(c, heading) < before {
				behind++
			}
		}
	}
	file = strconv.Itoa(from)
	mark := file
	switch {
	case likes == 2 && behind == 1:
		mark = "+"
	case likes == 2:
		mark = "-"
	case likes > 2:
		mark = strconv.Itoa(behind + 1)
	}
	return nativeLetter(r, q) + mark, file, sign + strconv.Itoa(where)
}

// nativeLetter is the letter of a man in records: the other one, if it has two.
func nativeLetter(r *rules.Rules, q rules.Piece) string {
	def := r.PieceInfo(r.Type(q))
	if def.Also != "" {
		return def.Also[:1]
	}
	return def.Letter
}

// fromZero reads coordinates with ranks counted from 0, with a hyphen between the cells or none, in either case.
func fromZero(p *rules.Position, text string) (rules.Move, bool) {
	text = strings.ToLower(strings.Replace(text, "-", "", 1))
	if len(text) != 4 {
		return 0, false
	}
	b := p.Rules().Board()
	at := func(s string) rules.Cell {
		if s[0] < 'a' || s[1] < '0' || s[1] > '9' {
			return board.Wall
		}
		return b.At(int(s[0]-'a'), int(s[1]-'0'))
	}
	from, to := at(text[:2]), at(text[2:])
	var room [moveRoom]rules.Move
	for _, m := range p.Moves(room[:0]) {
		if m.From() == from && m.To() == to && m.Arg() == 0 {
			return m, true
		}
	}
	return 0, false
}

// korean writes a move by its points.
func korean(p *rules.Position, m rules.Move) string {
	r := p.Rules()
	at := func(c rules.Cell) string {
		file, rank := r.Board().Coord(c)
		return strconv.Itoa((r.Board().Ranks()-rank)%10) + strconv.Itoa(file+1)
	}
	return nativeLetter(r, p.At(m.From())) + at(m.From()) + "-" + at(m.To())
}
