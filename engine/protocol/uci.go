package protocol

import (
	"context"
	"fmt"
	"strings"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// uci is the Universal Chess Interface with variants, and UCI-cyclone, which
// counts ranks from 0 and may begin with another word.
type uci struct{ family }

func newUCI(s *session) *uci {
	d := &uci{family{session: s, remark: infoString, notations: s.usualLines}}
	d.report = d.progress
	return d
}

// newCyclone starts with the first game whose programs count so.
func newCyclone(s *session) (dialect, error) {
	d := newUCI(s)
	d.notations = func() lines { return s.usualLines().fromZero() }
	return d, s.among(countsFromZero)
}

// countsFromZero reports whether a game is one of those whose programs count
// ranks from 0.
func countsFromZero(r *rules.Rules) bool { return r.Definition().Notation.Native == rules.NativeWXF }

func (d *uci) command(ctx context.Context, line string) bool {
	words := strings.Fields(line)
	args := words[1:]
	switch words[0] {
	case string(UCI), string(Cyclone):
		d.identify(d.options(), "name ", "uciok")
	case "ucinewgame":
		d.end()
		d.newGame()
	case "setoption":
		name, value, ok := splitOption(args)
		d.change(d.options(), name, value, ok)
	case "position":
		d.position(args, "fen")
	case "fen", "startpos": // some programs for xiangqi leave the word before out
		d.position(words, "fen")
	case "go":
		if d.idle() {
			d.launch(ctx, d.read(args, uciGo()), uciAnswer)
		}
	case "d":
		d.note("fen %s", notation.FEN(d.game.Position()))
	case "debug", "register":
		// Nothing to switch: part of the protocol all the same.
	case "quit":
		d.end()
		return true
	default:
		d.common(words[0])
	}
	return false
}

// uciGo are the words that may follow "go" in UCI.
func uciGo() goWords {
	return commonGo().with(clockGo("w", "b")).with(goWords{
		"movestogo": movesToGo(),
		"mate":      {number: func(q *request, n int64) { q.limits.Mate, q.limited = int(min(max(n, 1), 1000)), true }},
	})
}

func (d *uci) progress(root *rules.Position, i search.Info, n lines) string {
	score := i.Score.String()
	if d.settings.showWDL { // options do not change while a search is running
		win, draw, loss := search.WDL(i.Score)
		score += fmt.Sprintf(" wdl %d %d %d", win, draw, loss)
	}
	return infoLine(root, i, score, n)
}

func uciAnswer(root *rules.Position, res search.Result, n lines) string {
	if res.Best == 0 {
		return "bestmove (none)"
	}
	return bestMove(root, res, n)
}
