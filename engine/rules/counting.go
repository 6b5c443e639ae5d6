package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// CountRule is the mechanism count: a side's own moves are counted, and the game is drawn when there are too many. It
// needs EndCounting among the ends.
type CountRule struct {
	// Declared lets players declare that they count their moves (CountStart, CountStop); nil: nobody may.
	Declared *DeclaredCount
	// Lone counts by itself as soon as one side has nothing but its royal man and the other more; nil: never. It takes the
	// place of a declared count.
	Lone *LoneCount
	// Exceeds draws when the number of a counted move is above the limit; otherwise it is enough to reach it.
	Exceeds bool
}

// DeclaredCount is a count that a player begins and ends by a declaration on his turn. Meanwhile the other may end the
// game as a draw (ClaimDraw), and a mate by the side that counts is a draw.
type DeclaredCount struct {
	// Letter stands for the kind of count in position texts.
	Letter string
	Limit  int
	// Men is the greatest number of men, royal ones with them, that the side which begins to count may have; 0: any.
	Men int
	// Pawns allows to begin while there are pawns on the board.
	Pawns bool
}

// LoneCount is the count that begins when one side has nothing but its royal man.
type LoneCount struct {
	// Letter stands for the kind of count in position texts; it may be empty.
	Letter string
	// Stronger counts the moves of the other side; otherwise those of the lone royal man.
	Stronger bool
	// FromMen begins with the number of all men on the board at that moment; otherwise with 0.
	FromMen bool
	// Pawns begins while there are pawns on the board, too.
	Pawns bool
	// Limits are tried in order against the men of the stronger side; the first that fits gives the limit, which stays.
	// If none fits, nothing is counted.
	Limits []CountLimit
}

// CountLimit is a row of a table of limits: it fits if there are at least Least men of a type, always if Man is empty.
type CountLimit struct {
	Man   string
	Least int
	Moves int
}

// count is a running count.
type count struct {
	kind          countKind
	side          Side // whose moves are counted
	number, limit uint16
}

type countKind uint8

const (
	notCounting countKind = iota
	declaredCount
	loneCount
)

// maxCount bounds the numbers of counts in position texts.
const maxCount = 999

// countTable is a compiled CountRule.
type countTable struct {
	rule  *CountRule
	types []PieceType // of the limits; 0 fits always
}

func (r *Rules) compileCount() error {
	rule := r.def.Count
	if rule == nil {
		return nil
	}
	t := &countTable{rule: rule}
	if d := rule.Declared; d != nil && (d.Letter == "" || d.Limit < 1 || d.Limit > maxCount) {
		return fmt.Errorf("a declared count needs a letter and a limit from 1 to %d", maxCount)
	}
	if l := rule.Lone; l != nil {
		if len(l.Limits) == 0 || rule.Declared != nil && l.Letter == rule.Declared.Letter {
			return fmt.Errorf("a count by itself needs limits and a letter of its own")
		}
		for _, row := range l.Limits {
			typ := r.TypeOf(row.Man)
			if typ == 0 && row.Man != "" || row.Moves < 1 || row.Moves > maxCount {
				return fmt.Errorf("a limit of %d moves against %q", row.Moves, row.Man)
			}
			t.types = append(t.types, typ)
		}
	}
	st := r.stage()
	st.after = append(st.after, func(p *Position, _ Move) {
		if c := &p.state.count; c.kind != notCounting && c.side == p.turn && c.number < maxCount {
			c.number++
		}
		t.begin(p)
	})
	st.claims = append(st.claims, t.claims)
	if rule.Declared != nil {
		st.onClaim(CountStart, t.start)
		st.onClaim(CountStop, func(p *Position, _ Claim) { p.state.count = count{} })
		st.onClaim(ClaimDraw, func(p *Position, _ Claim) { p.claimDraw() })
	}
	st.mated = append(st.mated, func(p *Position, o Outcome) Outcome {
		if c := &p.state.count; c.kind == declaredCount && c.side == p.opponent() {
			return drawn(r.sides, Counting)
		}
		return o
	})
	st.facts = append(st.facts, func(p *Position, dst []Fact) []Fact {
		if c := &p.state.count; c.kind != notCounting {
			dst = append(dst, Fact{Kind: FactCount, Side: int(c.side), Text: fmt.Sprintf("%d/%d", c.number, c.limit)})
		}
		return dst
	})
	st.tailPart = &fenPart{read: t.read, write: t.write}
	if r.def.EnPassant == EnPassantNone {
		st.passedPart = &fenPart{read: readPassedOrCount, write: func(*Position) string { return "-" }}
	}
	st.setup = append(st.setup, t.check)
	return nil
}

// endCounting draws when a counted move has used up its limit.
func (r *Rules) endCounting() (endTest, error) {
	if r.def.Count == nil {
		return endTest{}, fmt.Errorf("nothing is counted in this game")
	}
	exceeds := r.def.Count.Exceeds
	return endTest{test: func(p *Position) (Outcome, bool) {
		c := &p.state.count
		// The count may begin above a low limit; the next move counted is then one too many.
		if c.kind == notCounting || c.side == p.turn || c.number < c.limit || exceeds && c.number == c.limit {
			return Outcome{}, false
		}
		return drawn(r.sides, Counting), true
	}}, nil
}

// lone returns the side that has nothing but its royal man while the other has more.
func (t *countTable) lone(p *Position) (Side, bool) {
	us, them := p.turn, p.opponent()
	ours, theirs := p.bare(us), p.bare(them)
	if ours == theirs || !t.rule.Lone.Pawns && p.hasPawns() {
		return 0, false
	}
	if ours {
		return us, true
	}
	return them, true
}

func (p *Position) hasPawns() bool {
	for s := range Side(p.rules.sides) {
		for c := range p.men[s].All {
			if p.rules.codes[p.cell[c]].pawn {
				return true
			}
		}
	}
	return false
}

// begin starts the count that needs no declaration, if it is time, and ends it when both sides are bare.
func (t *countTable) begin(p *Position) {
	l := t.rule.Lone
	if l == nil {
		return
	}
	c := &p.state.count
	lone, ok := t.lone(p)
	if c.kind == loneCount {
		if !ok {
			*c = count{}
		}
		return
	}
	if !ok {
		return
	}
	strong := p.rules.foes[lone][0]
	for i, row := range l.Limits {
		if typ := t.types[i]; typ != 0 && int(p.count[p.rules.Piece(strong, typ)]) < row.Least {
			continue
		}
		*c = count{kind: loneCount, side: lone, limit: uint16(row.Moves)}
		if l.Stronger {
			c.side = strong
		}
		if l.FromMen {
			for s := range Side(p.rules.sides) {
				men := p.men[s]
				c.number += uint16(men.Count())
			}
		}
		return
	}
}

// claims lists what the side to move may declare about counts.
func (t *countTable) claims(p *Position, dst []Claim) []Claim {
	d, c := t.rule.Declared, &p.state.count
	if d == nil || p.state.claimed != 0 {
		return dst
	}
	us := p.turn
	switch {
	case c.kind == declaredCount && c.side == us:
		return append(dst, CountStop)
	case c.kind == declaredCount:
		return append(dst, ClaimDraw)
	case c.kind == loneCount || p.bare(us) || p.bare(p.opponent()) || !d.Pawns && p.hasPawns():
		return dst
	}
	if men := p.men[us]; d.Men != 0 && men.Count() > d.Men {
		return dst
	}
	return append(dst, CountStart)
}

func (t *countTable) start(p *Position, _ Claim) {
	p.state.count = count{kind: declaredCount, side: p.turn, limit: uint16(t.rule.Declared.Limit)}
}

// write writes the running count: side, kind, number, limit.
func (t *countTable) write(p *Position) string {
	c := &p.state.count
	letter := ""
	switch c.kind {
	case notCounting:
		return ""
	case declaredCount:
		letter = t.rule.Declared.Letter
	case loneCount:
		letter = t.rule.Lone.Letter
	}
	return fmt.Sprintf("%s%s%d/%d", p.rules.def.Sides[c.side].Letter, letter, c.number, c.limit)
}

// read reads what write writes; a dash is no count.
func (t *countTable) read(r *Rules, s *Setup, text string) error {
	if text == "-" {
		return nil
	}
	c := count{}
	rest, found := "", false
	for i := range r.def.Sides {
		if after, ok := strings.CutPrefix(text, r.def.Sides[i].Letter); ok {
			rest, c.side, found = after, Side(i), true
		}
	}
	if !found {
		return badFEN("count", "%q does not begin with a side", text)
	}
	end := strings.IndexAny(rest, "0123456789")
	if end < 0 {
		return badFEN("count", "%q has no number", text)
	}
	switch letter := rest[:end]; {
	case t.rule.Declared != nil && letter == t.rule.Declared.Letter:
		c.kind = declaredCount
	case t.rule.Lone != nil && letter == t.rule.Lone.Letter:
		c.kind = loneCount
	default:
		return badFEN("count", "%q is no kind of count", letter)
	}
	number, limit, _ := strings.Cut(rest[end:], "/")
	n, err1 := strconv.ParseUint(number, 10, 16)
	most, err2 := strconv.ParseUint(limit, 10, 16)
	if err1 != nil || err2 != nil || n > maxCount {
		return badFEN("count", "%q is not a number up to %d and its limit", rest[end:], maxCount)
	}
	if !t.limits(c.kind, int(most)) {
		return badFEN("count", "no count has the limit %d", most)
	}
	c.number, c.limit = uint16(n), uint16(most)
	s.state.count = c
	return nil
}

// limits reports whether a kind of count can have the limit.
func (t *countTable) limits(kind countKind, limit int) bool {
	if kind == declaredCount {
		return limit == t.rule.Declared.Limit
	}
	for _, row := range t.rule.Lone.Limits {
		if row.Moves == limit {
			return true
		}
	}
	return false
}

// check refuses a count that the men do not allow. A count that begins by itself is begun.
func (t *countTable) check(r *Rules, p *Position, s *Setup, e *SetupError) {
	if len(e.Reasons) != 0 {
		return
	}
	if c := &p.state.count; c.kind == loneCount {
		side, ok := t.lone(p)
		if ok && t.rule.Lone.Stronger {
			side = r.foes[side][0]
		}
		if !ok || side != c.side {
			e.add("count", "the moves of %s are not counted with these men", r.sideName(c.side))
		}
		return
	}
	t.begin(p)
}

// readPassedOrCount reads the fourth field of a game without captures in passing. Another program writes the limit of a
// count there, which is dropped.
func readPassedOrCount(_ *Rules, _ *Setup, text string) error {
	if _, err := strconv.ParseUint(text, 10, 16); err != nil && text != "-" {
		return badFEN("en passant", "this game has no en passant, but the field is %q", text)
	}
	return nil
}
