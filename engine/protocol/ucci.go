package protocol

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// ucci is the Universal Chinese Chess Protocol: ranks are counted from 0,
// options have no words name and value, and times are seconds unless an option
// says otherwise.
type ucci struct {
	family
	millis bool         // times are in milliseconds
	banned []rules.Move // may not be played in this position
	offer  bool         // the opponent has offered a draw with the present go
}

// newUCCI starts with the first game whose programs count ranks from 0.
func newUCCI(s *session) (dialect, error) {
	d := &ucci{family: family{session: s, remark: "info message "}}
	d.notations = func() lines { return s.usualLines().fromZero() }
	d.report = d.progress
	return d, s.among(countsFromZero)
}

func (d *ucci) offers() []option {
	list := append(d.spelled([]spelling{{optHash, "hashsize"}, {optThreads, "threads"}, {optPonder, "ponder"}, {optVariant, "variant"},
		{optMultiPV, "multipv"}, {optLevel, "level"}, {optOverhead, "overhead"}, {optPath, "variantpath"}, {optClear, "clearhash"}}),
		flag("usemillisec", d.millis, func(on bool) error { d.millis = on; return nil }),
		// Every command is obeyed at once and in its turn.
		flag("batch", false, func(bool) error { return nil }),
		option{name: "newgame", kind: button, set: func(string) error { d.newGame(); return nil }})
	return d.only(list, "variant", countsFromZero)
}

func (d *ucci) command(ctx context.Context, line string) bool {
	words := strings.Fields(line)
	args := words[1:]
	switch words[0] {
	case "ucci":
		d.identify(d.offers(), "", "ucciok")
	case "setoption":
		name, value := "", ""
		if len(args) > 0 {
			name, value = args[0], strings.Join(args[1:], " ")
		}
		d.change(d.offers(), name, value, name != "")
	case "position":
		d.position(args, "fen")
		d.banned = nil
	case "banmoves":
		d.ban(args)
	case "go":
		d.goSearch(ctx, args)
	case "ponderhit":
		d.offer = d.offer || slices.Contains(args, "draw")
		d.hit()
	case "probe":
		d.out.line("pophash") // nothing that we would tell
	case "d":
		d.note("fen %s", notation.FEN(d.game.Position()))
	case "quit":
		d.end()
		d.out.line("bye")
		return true
	default:
		d.common(words[0])
	}
	return false
}

// ban obeys "banmoves …": those moves are not looked at in this position.
func (d *ucci) ban(args []string) {
	n := d.notations()
	for _, text := range args {
		m, err := n.moves(d.game.Position(), text)
		if err != nil {
			d.note("banmoves: %v", err)
			continue
		}
		d.banned = append(d.banned, m[0])
	}
}

// goSearch obeys "go [ponder | draw] …".
func (d *ucci) goSearch(ctx context.Context, args []string) {
	if !d.idle() {
		return
	}
	d.offer = len(args) > 0 && args[0] == "draw"
	if d.offer {
		args = args[1:]
	}
	q := d.read(args, d.goWords())
	only, some := d.without(d.banned)
	if !some {
		d.out.line("nobestmove")
		return
	}
	q.limits.SearchMoves = append(q.limits.SearchMoves, only...)
	d.launch(ctx, q, d.best)
}

// goWords are the words that may follow "go" in UCCI. Times are told from the
// point of view of who moves.
func (d *ucci) goWords() goWords {
	own := int(d.game.Position().Turn()) & 1
	unit := time.Second
	if d.millis {
		unit = time.Millisecond
	}
	clock := func(side int) goWord {
		return goWord{number: func(q *request, n int64) { q.timed().Time[side] = duration(n, unit) }}
	}
	increment := func(side int) goWord {
		return goWord{number: func(q *request, n int64) { q.timed().Inc[side] = duration(n, unit) }}
	}
	return commonGo().with(goWords{
		"time": clock(own), "opptime": clock(1 - own), "increment": increment(own), "oppincrement": increment(1 - own),
		"movestogo": movesToGo(), "oppmovestogo": {number: func(*request, int64) {}},
	})
}

func (d *ucci) progress(root *rules.Position, i search.Info, n lines) string {
	score := i.Score.CP
	switch {
	case i.Score.Mate > 0:
		score = ucciMate - (2*i.Score.Mate - 1)
	case i.Score.Mate < 0:
		score = -ucciMate - 2*i.Score.Mate
	}
	return fmt.Sprintf("info depth %d score %d time %d nodes %d pv %s", i.Depth, score, i.Elapsed.Milliseconds(), i.Nodes,
		lineText(root, i.PV, n.format))
}

// ucciMate is the score of a mate on the board, less one for each ply to it.
const ucciMate = 30000

func (d *ucci) best(root *rules.Position, res search.Result, n lines) string {
	if res.Best == 0 {
		return "nobestmove"
	}
	line := bestMove(root, res, n)
	if d.offer && acceptable(res.Score) {
		line += " draw"
	}
	return line
}

// acceptable reports whether a player with the score is content with a draw.
func acceptable(s search.Score) bool { return s.Mate < 0 || s.Mate == 0 && s.CP <= 0 }
