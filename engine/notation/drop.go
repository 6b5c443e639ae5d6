package notation

import (
	"strings"

	"hoplite/engine/rules"
)

// readDrop reads a drop such as N@f3 and returns the legal move that it names. A star may stand for the sign, in other
// moves that are found by match, too, and a pawn may go without its letter. It fails with *MoveError.
func readDrop(p *rules.Position, text string, match func(*rules.Position, string) (rules.Move, bool)) (rules.Move, error) {
	r := p.Rules()
	bad := func(reason string) (rules.Move, error) {
		return 0, &MoveError{Text: text, Reason: reason, Malformed: true}
	}
	if m, ok := match(p, strings.ReplaceAll(text, "*", "@")); ok {
		return m, nil
	}
	at := strings.IndexAny(text, "@*")
	if strings.Contains(text[:at], "-") {
		return 0, &MoveError{Text: text, Reason: "no such exchange of prisoners is possible"}
	}
	to, rest, ok := cell(r.Board(), text[at+1:])
	if !ok || rest != "" {
		return bad("the square of the drop is missing or unknown")
	}
	typ := r.TypeOf(strings.ToUpper(text[:at]))
	if at == 0 {
		for t := rules.PieceType(1); int(t) <= r.Types() && typ == 0; t++ {
			if r.PieceInfo(t).Pawn {
				typ = t
			}
		}
	}
	if typ == 0 {
		return bad("it drops an unknown man")
	}
	var room [moveRoom]rules.Move
	for _, m := range p.Moves(room[:0]) {
		if m.Kind() == rules.Drop && m.To() == to && m.Arg() == typ {
			return m, nil
		}
	}
	return 0, &MoveError{Text: text, Reason: p.ExplainDrop(typ, to)}
}
