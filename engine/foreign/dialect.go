package foreign

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

func newGameWord(proto Protocol) string {
	switch proto {
	case ProtocolUSI:
		return "usinewgame"
	case ProtocolUCCI:
		return "setoption newgame"
	default:
		return "ucinewgame"
	}
}

// positionLine writes the command that sets up the position of g.
func positionLine(proto Protocol, shuffle bool, g *rules.Game) (string, error) {
	b := strings.Builder{}
	b.WriteString("position ")
	switch start := g.Start(); {
	case proto == ProtocolUSI && !notation.IsUsualStart(start):
		sfen, err := notation.SFEN(start)
		if err != nil {
			return "", err
		}
		b.WriteString("sfen " + sfen)
	case proto == ProtocolUCCI || !notation.IsUsualStart(start):
		b.WriteString("fen " + notation.FEN(start))
	default:
		b.WriteString("startpos")
	}
	texts, err := moveTexts(proto, shuffle, g, 0)
	if err != nil {
		return "", err
	}
	if len(texts) > 0 {
		b.WriteString(" moves " + strings.Join(texts, " "))
	}
	return b.String(), nil
}

// moveTexts writes the moves of a game from the given number on. Declarations
// are left out: no program knows them.
func moveTexts(proto Protocol, byRook bool, g *rules.Game, from int) ([]string, error) {
	p := g.Start().Clone()
	var u rules.Undo
	var texts []string
	for i, m := range g.Moves() {
		if m.Kind().IsMove() && i >= from {
			text, err := writeMove(proto, byRook, p, m)
			if err != nil {
				return nil, err
			}
			texts = append(texts, text)
		}
		p.Make(m, &u)
	}
	return texts, nil
}

// writeMove writes a legal move as programs of the protocol read it.
func writeMove(proto Protocol, byRook bool, p *rules.Position, m rules.Move) (string, error) {
	switch proto {
	case ProtocolUSI:
		return notation.FormatUSI(p, m)
	case ProtocolUCCI:
		return notation.CountFromZero(notation.FormatMove(p, m)), nil
	case ProtocolCECP:
		return notation.FormatXBoard(p, m), nil
	}
	if byRook {
		return notation.FormatMoveKingRook(p, m), nil
	}
	return notation.FormatMove(p, m), nil
}

// readMove reads a move that a program sends, and fails if it is not legal.
func readMove(proto Protocol, p *rules.Position, text string) (rules.Move, error) {
	switch proto {
	case ProtocolUSI:
		return notation.ParseUSI(p, text)
	case ProtocolUCCI:
		return notation.ParseFromZero(p, text, notation.ParseMove)
	case ProtocolCECP:
		m, err := readXBoard(p, text)
		if err != nil && text != strings.ToLower(text) { // a promotion in capitals
			if m, again := readXBoard(p, strings.ToLower(text)); again == nil {
				return m, nil
			}
		}
		return m, err
	}
	return notation.ParseMove(p, text)
}

// readXBoard reads a turn of one move, however many legs that has.
func readXBoard(p *rules.Position, text string) (rules.Move, error) {
	turn, err := notation.ParseXBoard(p, text)
	switch {
	case err != nil:
		return 0, err
	case len(turn) > 1:
		return 0, &notation.MoveError{Text: text, Reason: "one move at a time is expected"}
	}
	return turn[0], nil
}

func milliseconds(d time.Duration) string {
	return strconv.FormatInt(max(d.Milliseconds(), 1), 10)
}

// GoLine writes the command that starts a search for the side to move.
func GoLine(proto Protocol, turn rules.Side, l search.Limits) string {
	parts := []string{"go"}
	add := func(word, value string) { parts = append(parts, word, value) }
	if c := l.Clock; c != nil {
		first, second := "w", "b"
		if proto == ProtocolUSI {
			first, second = second, first
		}
		switch proto {
		case ProtocolUCCI:
			us := int(turn & 1)
			add("time", milliseconds(c.Time[us]))
			add("increment", strconv.FormatInt(c.Inc[us].Milliseconds(), 10))
			add("opptime", milliseconds(c.Time[1-us]))
			add("oppincrement", strconv.FormatInt(c.Inc[1-us].Milliseconds(), 10))
		default:
			add(first+"time", milliseconds(c.Time[0]))
			add(second+"time", milliseconds(c.Time[1]))
			add(first+"inc", strconv.FormatInt(c.Inc[0].Milliseconds(), 10))
			add(second+"inc", strconv.FormatInt(c.Inc[1].Milliseconds(), 10))
		}
		if c.MovesToGo > 0 {
			add("movestogo", strconv.Itoa(c.MovesToGo))
		}
	}
	if l.MoveTime > 0 && proto == ProtocolUCCI {
		add("time", milliseconds(l.MoveTime))
		add("movestogo", "1")
	} else if l.MoveTime > 0 {
		add("movetime", milliseconds(l.MoveTime))
	}
	if l.Nodes > 0 {
		add("nodes", strconv.FormatUint(l.Nodes, 10))
	}
	if l.Depth > 0 {
		add("depth", strconv.Itoa(l.Depth))
	}
	if len(parts) == 1 {
		return "go infinite"
	}
	return strings.Join(parts, " ")
}

// splitFields splits a list that is separated by commas.
func splitFields(list string) []string {
	var out []string
	for f := range strings.SplitSeq(list, ",") {
		if f = strings.TrimSpace(f); f != "" {
			out = append(out, f)
		}
	}
	return out
}

// quote is how unexpected lines are shown.
func quote(line string) string {
	const most = 80
	if len(line) > most {
		line = line[:most] + "…"
	}
	return fmt.Sprintf("%q", line)
}
