package protocol

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"hoplite/engine/board"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// xboardName is the name of a game in XBoard's protocol.
func xboardName(r *rules.Rules) string {
	if n := r.Definition().Programs.XBoard; n != "" {
		return n
	}
	return r.UCIName()
}

// shown lists the games that XBoard can show: those it knows, and those that
// can be described to it, for which other programs may have their UCI names.
func (d *cecp) shown() []string {
	var names []string
	for _, r := range d.variants.List() {
		switch name := xboardName(r); {
		case r.Definition().Programs.Drawn:
			names = append(names, name)
		case describable(r) && name != r.UCIName():
			names = append(names, name, r.UCIName())
		case describable(r):
			names = append(names, name)
		}
	}
	return names
}

const (
	mostFiles = 16
	mostRanks = 16
)

// describable reports whether the moves of a game are those that XBoard can
// make on a board: men go from square to square or come in from the hand, and
// take who stands there.
func describable(r *rules.Rules) bool {
	d := r.Definition()
	b := r.Board()
	if d.Board.Shape != board.Rect || b.Layers() > 1 || b.N() != b.Files()*b.Ranks() || b.Files() > mostFiles || b.Ranks() > mostRanks ||
		r.Sides() != 2 || r.Hides() || r.Chance() || r.KeepsTurn() || r.HasAppendix() || r.Unites() || r.HasPrison() {
		return false
	}
	if d.Passive != nil || d.Legs != nil || d.Swap != nil || d.Lives != nil || d.Explosion != nil || d.SelfPromotion != nil ||
		d.Debt != nil || d.Facing != "" || d.Gate != nil {
		return false
	}
	for _, p := range d.Pieces {
		if len(strings.TrimPrefix(p.Letter, "+")) != 1 {
			return false
		}
	}
	return len(d.Pieces) <= slots
}

// describe tells XBoard about a game it does not know: the letters of its men
// and their pictures, the size of board and hand, the array, and how the men
// move. It returns nil for games that cannot be described.
func describe(start *rules.Position) []string {
	r := start.Rules()
	if !describable(r) {
		return nil
	}
	pictures := picturesOf(r)
	b := r.Board()
	lines := []string{fmt.Sprintf("setup (%s%s) %dx%d+%d_%s %s", pictures, strings.ToLower(pictures), b.Files(), b.Ranks(),
		len(r.HandTypes()), parentOf(r), arrayOf(start))}
	for t := rules.PieceType(1); int(t) <= r.Types(); t++ {
		if r.PieceInfo(t).Pawn && parentOf(r) == likeMakruk {
			continue // XBoard promotes them early only where it knows their moves itself
		}
		if text, ok := betzaOf(r, t); ok {
			lines = append(lines, fmt.Sprintf("piece %s %s", idOf(r, t), text))
		}
	}
	return lines
}

// arrayOf writes the array, with castling rights only where there is castling.
func arrayOf(start *rules.Position) string {
	fields := strings.Fields(notation.FEN(start))
	if start.Rules().Definition().Castling == nil && len(fields) > 2 {
		fields[2] = "-"
	}
	return strings.Join(fields, " ")
}

// The games whose other customs a described one may have: where men promote,
// and what happens to them in hand.
const (
	likeChess      = "fairy"      // on the last rank
	likeMakruk     = "makruk"     // pawns two ranks earlier
	likeCrazyhouse = "crazyhouse" // men in hand
	likeShogi      = "shogi"      // and with a plus before their letter
)

func parentOf(r *rules.Rules) string {
	early := false
	for _, p := range r.Definition().Pieces {
		if p.Letter[0] == '+' {
			return likeShogi
		}
		if rule := p.Promotion; p.Pawn && rule != nil {
			early = early || slices.Contains(rule.Rows, -3) || slices.Contains(rule.Rows, r.Board().Ranks()-3)
		}
	}
	switch {
	case r.HasHand():
		return likeCrazyhouse
	case early:
		return likeMakruk
	}
	return likeChess
}

const (
	// slots are the places for men in XBoard's table, of which the last is the
	// king's.
	slots = 22
	// unlike is the first place that is not one of the men of chess.
	unlike = 5
	// base is the number of places whose men have the promoted form in as many
	// places later.
	base = slots / 2
)

// picture gives the place of a way of moving in the table, which decides about
// the drawing: the men of chess, ferz, alfil, archbishop, marshal, wazir,
// commoner, cannon, nightrider, and the crowned bishop and rook.
func picture(p *rules.PieceDef) int {
	if p.Pawn {
		return 0
	}
	known := map[string]int{"N": 1, "B": 2, "R": 3, "Q": 4, "F": 5, "A": 6, "BN": 7, "RN": 8, "W": 9, "K": 10, "mRcpR": 11, "NN": 12,
		"BW": 13, "RF": 14}
	if at, ok := known[p.Betza]; ok {
		return at
	}
	return -1
}

// table is XBoard's list of men: a letter for each place, or a full stop.
type table struct {
	rules   *rules.Rules
	letters []byte
}

// put gives a man the place at if that is free, else the next free one below
// limit. One that has a form with a plus before it needs that form's place,
// too. Without room it has no picture, and XBoard does not know it.
func (t *table) put(p *rules.PieceDef, at, limit int) {
	promoted := t.promoted(p)
	for i := range limit {
		if i = (at + i) % limit; t.letters[i] == '.' && (!promoted || i+base < slots-1 && t.letters[i+base] == '.') {
			t.letters[i] = p.Letter[0]
			if promoted {
				t.letters[i+base] = '+'
			}
			return
		}
	}
}

func (t *table) promoted(p *rules.PieceDef) bool { return t.rules.TypeOf("+"+p.Letter) != 0 }

// picturesOf fills the table for a game. Men that can be in hand come first,
// then those with promoted forms, which need room, then those that look like
// men XBoard knows.
func picturesOf(r *rules.Rules) string {
	t := table{rules: r, letters: []byte(strings.Repeat(".", slots))}
	inHand := r.HandTypes()
	for _, typ := range inHand {
		// In games like shogi, the first places are those of men that may not
		// be dropped everywhere.
		switch p := r.PieceInfo(typ); {
		case p.Barred != nil || p.Pawn:
			t.put(p, 0, base)
		case parentOf(r) == likeShogi:
			t.put(p, unlike+1, base)
		default:
			t.put(p, unlike, slots-1)
		}
	}
	var plain, strange []*rules.PieceDef
	pieces := r.Definition().Pieces
	for i := range pieces {
		switch p := &pieces[i]; {
		case p.Letter[0] == '+' || slices.Contains(inHand, r.TypeOf(p.Letter)):
		case p.Royal && t.letters[slots-1] == '.' && !t.promoted(p):
			t.letters[slots-1] = p.Letter[0]
		case t.promoted(p):
			t.put(p, max(picture(p), 0), base)
		case picture(p) >= 0:
			plain = append(plain, p)
		default:
			strange = append(strange, p)
		}
	}
	for _, p := range plain {
		t.put(p, picture(p), slots-1)
	}
	for _, p := range strange {
		t.put(p, unlike, slots-1)
	}
	return string(t.letters)
}

// idOf is a type's letter in XBoard's terms: a capital with & stands for both
// sides, otherwise the case tells which side has it.
func idOf(r *rules.Rules, t rules.PieceType) string {
	letter := r.PieceInfo(t).Letter
	switch first, second := r.InArmy(0, t), r.InArmy(1, t); {
	case first && second:
		return letter + "&"
	case second:
		return strings.ToLower(letter)
	}
	return letter
}

// atom is one way of moving that XBoard's Betza has, too.
var atom = regexp.MustCompile(`[a-z]*[A-Z]+[0-9]*`)

// betzaOf writes how a type moves as XBoard reads it: its own ways, those it
// has in parts of the board, leaps of a first move, castling. It fails for men
// whose notation goes beyond XBoard's.
func betzaOf(r *rules.Rules, t rules.PieceType) (string, bool) {
	d, p := r.Definition(), r.PieceInfo(t)
	text := p.Betza
	for _, power := range p.Powers {
		text += power.Betza
	}
	if d.Privilege != nil {
		for _, leap := range d.Privilege.Leaps {
			if leap.Man == p.Letter {
				text += atom.ReplaceAllString(leap.Betza, "i$0")
			}
		}
	}
	if d.Castling != nil {
		for _, w := range d.Castling.Wings {
			if w.King == p.Letter {
				text += fmt.Sprintf("isO%d", span(r.Board(), w.KingFrom, w.KingTo))
				break
			}
		}
	}
	plain := text != "" && strings.Join(atom.FindAllString(text, -1), "") == text && !strings.Contains(text, "X")
	return text, plain
}

// span is the number of files between two cells.
func span(b *board.Board, from, to string) int {
	a, _ := b.ParseCell(from)
	c, _ := b.ParseCell(to)
	x, _ := b.Coord(a)
	y, _ := b.Coord(c)
	return max(x-y, y-x)
}
