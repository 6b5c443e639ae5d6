package notation

import (
	"strconv"
	"strings"

	"hoplite/engine/rules"
)

// KIF is how Japanese programs write games: moves name the square of arrival with its file in digits and its rank in
// Chinese numerals, the man, and the square left in brackets (７六歩(77)); 打 marks a drop and 成 a promotion, and 同
// stands for the square of the last move. On boards with more than nine files, where two digits would be ambiguous, the
// square left is written like the one of arrival, behind an arrow, and a second step follows after another.

const (
	kifSame, kifDrop, kifPromotes, kifDeclines = "同", "打", "成", "不成"
	kifFrom, kifOn                             = "←", "→"
	kifBlank                                   = "\u3000" // the blank as wide as a letter
)

// numerals are the ranks from the top.
func numerals() []string {
	return []string{"一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"}
}

// kifName is what records call a type.
func kifName(r *rules.Rules, t rules.PieceType) string {
	name, _, _ := strings.Cut(r.PieceInfo(t).Kanji, " ")
	return name
}

// kifType returns the type that a record calls so, or 0.
func kifType(r *rules.Rules, name string) rules.PieceType {
	for t := rules.PieceType(1); int(t) <= r.Types(); t++ {
		for _, own := range strings.Fields(r.PieceInfo(t).Kanji) {
			if own == name {
				return t
			}
		}
	}
	return 0
}

// inKIF refuses games whose men have no names in KIF.
func inKIF(r *rules.Rules) error {
	if err := inFamily(r, "KIF"); err != nil {
		return err
	}
	for t := rules.PieceType(1); int(t) <= r.Types(); t++ {
		if kifName(r, t) == "" {
			return &DialectError{Game: r.Definition().Name, Dialect: "KIF"}
		}
	}
	return nil
}

func large(r *rules.Rules) bool { return r.Board().Files() > 9 }

// wide turns digits into letters as wide as the others.
func wide(n int) string {
	return strings.Map(func(c rune) rune { return c - '0' + '０' }, strconv.Itoa(n))
}

// kifSquare writes a square.
func kifSquare(r *rules.Rules, c rules.Cell) string {
	file, rank := r.Board().Coord(c)
	return wide(r.Board().Files()-file) + numerals()[r.Board().Ranks()-1-rank]
}

// readKIFSquare reads a square at the start of text.
func readKIFSquare(r *rules.Rules, text string) (c rules.Cell, rest string, ok bool) {
	rest = text
	file := 0
	for _, d := range text {
		switch {
		case d >= '０' && d <= '９':
			file = file*10 + int(d-'０')
		case d >= '0' && d <= '9':
			file = file*10 + int(d-'0')
		default:
			d = 0
		}
		if d == 0 || file > 99 {
			break
		}
		rest = rest[len(string(d)):]
	}
	for i := len(numerals()) - 1; i >= 0; i-- {
		if after, found := strings.CutPrefix(rest, numerals()[i]); found && file > 0 {
			c = r.Board().At(r.Board().Files()-file, r.Board().Ranks()-1-i)
			return c, after, int(c) < r.Board().N()
		}
	}
	return 0, text, false
}

// FormatKIFMove writes a legal move in KIF; last is the square that the move before went to, or the wall. It fails with
// *DialectError if the game is not written in KIF.
func FormatKIFMove(p *rules.Position, m rules.Move, last rules.Cell) (string, error) {
	r := p.Rules()
	if err := inKIF(r); err != nil {
		return "", err
	}
	if m.Kind() == rules.Drop {
		return kifSquare(r, m.To()) + kifName(r, m.Arg()) + kifDrop, nil
	}
	to := m.To()
	if m.Kind() == rules.Legs {
		to = onTheWay(p, m)
	}
	text := kifSquare(r, to)
	if to == last {
		text = kifSame + kifBlank
	}
	text += kifName(r, r.Type(p.At(m.From())))
	if p.IsPromotion(m) {
		text += kifPromotes
	}
	if large(r) {
		text += "(" + kifFrom + kifSquare(r, m.From()) + ")"
	} else {
		file, rank := r.Board().Coord(m.From())
		text += "(" + strconv.Itoa(r.Board().Files()-file) + strconv.Itoa(r.Board().Ranks()-rank) + ")"
	}
	if m.Kind() == rules.Legs {
		text += kifOn + kifSquare(r, m.To())
	}
	return text, nil
}

// ParseKIFMove reads a move in KIF; last is the square that the move before went to, or the wall. It fails with
// *MoveError, or with *DialectError if the game is not written in KIF.
func ParseKIFMove(p *rules.Position, text string, last rules.Cell) (rules.Move, error) {
	r := p.Rules()
	if err := inKIF(r); err != nil {
		return 0, err
	}
	bad := func(reason string) (rules.Move, error) {
		return 0, &MoveError{Text: text, Reason: reason, Malformed: true}
	}
	to, rest, ok := readKIFSquare(r, text)
	if after, same := strings.CutPrefix(text, kifSame); same {
		to, rest, ok = last, strings.TrimLeft(after, kifBlank+" "), int(last) < r.Board().N()
	}
	if !ok {
		return bad("it does not begin with a square")
	}
	name, rest, moves := strings.Cut(rest, "(")
	if man, drop := strings.CutSuffix(name, kifDrop); drop && !moves {
		t := kifType(r, man)
		if t == 0 {
			return bad("it drops an unknown man")
		}
		return retold(p, r.PieceInfo(t).Letter+"@"+r.Board().CellName(to), text)
	}
	origin, rest, closed := strings.Cut(rest, ")")
	from, ok := readKIFOrigin(r, origin)
	if !closed || !ok {
		return bad("it does not tell the square left")
	}
	own := r.Board().CellName(from) + r.Board().CellName(to)
	if on, further := strings.CutPrefix(rest, kifOn); further {
		end, tail, ok := readKIFSquare(r, on)
		if !ok || tail != "" {
			return bad("it does not tell the second square")
		}
		own += r.Board().CellName(end)
	}
	if strings.HasSuffix(name, kifPromotes) && !strings.HasSuffix(name, kifDeclines) {
		own += "+"
	}
	return retold(p, own, text)
}

// readKIFOrigin reads the square left: two digits, or a square behind an arrow.
func readKIFOrigin(r *rules.Rules, text string) (rules.Cell, bool) {
	if behind, arrow := strings.CutPrefix(text, kifFrom); arrow {
		c, rest, ok := readKIFSquare(r, behind)
		return c, ok && rest == ""
	}
	if len(text) != 2 || text[0] < '1' || text[0] > '9' || text[1] < '1' || text[1] > '9' {
		return 0, false
	}
	c := r.Board().At(r.Board().Files()-int(text[0]-'0'), r.Board().Ranks()-int(text[1]-'0'))
	return c, int(c) < r.Board().N()
}

// retold reads a move in our own text, and names it by the text it came from if that fails.
func retold(p *rules.Position, own, text string) (rules.Move, error) {
	m, err := ParseMove(p, own)
	if bad, is := err.(*MoveError); is {
		return 0, &MoveError{Text: text, Reason: bad.Reason, Malformed: bad.Malformed}
	}
	return m, err
}
