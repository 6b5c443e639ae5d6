package protocol

import (
	"context"
	"slices"
	"strings"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/view"
)

// notations are those of XBoard.
func (d *cecp) notations() lines {
	return lines{position: notation.ParseFEN, moves: notation.ParseXBoard, format: notation.FormatXBoard}
}

// looksLikeMove reports whether a line without a command's name is a move: one
// that is possible, or at least two cells.
func (d *cecp) looksLikeMove(line string) bool {
	if strings.Contains(line, " ") {
		return false
	}
	if _, err := d.notations().moves(d.game.Position(), line); err == nil {
		return true
	}
	cells := notation.XBoardCells(line)
	return len(cells) >= 2 && strings.HasPrefix(line, cells[0]+cells[1])
}

// usermove makes the opponent's move. Legs that come one by one, with a comma
// after all but the last, are put together first.
func (d *cecp) usermove(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return missing
	}
	if d.doing() == thinking {
		return &illegalMove{args[0], "it is not your turn"}
	}
	text := d.legs + args[0]
	if d.legs = ""; strings.HasSuffix(text, ",") && len(text) < maxLegs {
		d.legs = text
		return nil
	}
	if d.broken {
		return &illegalMove{text, "there is no position"}
	}
	turn, err := d.notations().moves(d.game.Position(), text)
	if err != nil {
		return &illegalMove{text, reason(err)}
	}
	if d.doing() == pondering && len(turn) == 1 && turn[0] == d.expected && d.make(turn) == nil {
		d.task = thinking // about the answer, which now counts
		d.ponderHit()
		return nil
	}
	d.abandon()
	if err := d.make(turn); err != nil {
		return &illegalMove{text, reason(err)}
	}
	d.tellResult()
	d.think(ctx)
	return nil
}

// maxLegs bounds the text of a move that comes leg by leg.
const maxLegs = 1000

// reason is why a move cannot be made, without the words that say so.
func reason(err error) string {
	if e, ok := err.(*notation.MoveError); ok {
		return e.Reason
	}
	return err.Error()
}

// make plays the moves of a turn or of a part of it.
func (d *cecp) make(turn []rules.Move) error {
	mover := d.game.Position().Turn()
	for i, m := range turn {
		if err := d.game.Play(m); err != nil {
			for range i {
				d.game.Undo()
			}
			return err
		}
	}
	if d.open {
		d.turns[len(d.turns)-1] += len(turn)
	} else {
		d.turns = append(d.turns, len(turn))
	}
	d.open = d.game.Position().Turn() == mover
	d.excluded, d.expected = nil, 0
	return nil
}

// tellResult tells the result if the rules end the game, unless somebody only
// looks at it.
func (d *cecp) tellResult() {
	out, over := d.game.Outcome()
	if over && !d.force && !d.analysing && !d.over {
		d.out.line("%s {%s}", out.Result(), strings.TrimSuffix(view.Verdict(d.rules, out), "."))
	}
	d.over = over
}

// think starts the search for a move if it is the engine's turn.
func (d *cecp) think(ctx context.Context) {
	p := d.game.Position()
	if d.force || d.analysing || d.over || d.broken || p.Turn() != d.side || !p.HasMove() {
		return
	}
	only, some := d.without(d.excluded)
	if !some {
		return
	}
	l := d.times.limits(d.side, d.movesMade())
	l.SearchMoves = relayed(p, only)
	d.search(ctx, thinking, d.game, l)
}

// relayed takes out of the moves to look at, nil for all, those that XBoard
// would not pass on as told, if others are left.
func relayed(p *rules.Position, only []rules.Move) []rules.Move {
	moves := only
	if moves == nil {
		moves = p.Moves(nil)
	}
	told := slices.DeleteFunc(slices.Clone(moves), func(m rules.Move) bool { return !notation.XBoardRelays(m) })
	if len(told) == 0 || len(told) == len(moves) {
		return only
	}
	return told
}

// search starts a search that reports in XBoard's way.
func (d *cecp) search(ctx context.Context, t task, g *rules.Game, l search.Limits) {
	d.task = t
	d.watch = newWatch(d.out, g.Position(), d.notations(), d.post)
	d.begin(ctx, errand{game: g, limits: l, ponder: t == pondering, full: t == analysis, report: d.watch.report})
}

// playOwn plays the move that was found. Where the turn goes on after it, the
// next search finds the next leg.
func (d *cecp) playOwn(ctx context.Context, res search.Result) {
	p := d.game.Position()
	legs := notation.XBoardLegs(notation.FormatXBoard(p, res.Best))
	if d.game.CanClaimDraw() && acceptable(res.Score) {
		d.out.line("offer draw")
	}
	if err := d.make([]rules.Move{res.Best}); err != nil {
		return // the search finds legal moves only
	}
	_, over := d.game.Outcome()
	more := !over && d.open
	for i, leg := range legs {
		if more || i < len(legs)-1 {
			leg += ","
		}
		d.out.line("move %s", leg)
	}
	d.score = res.Score
	d.times.spent(d.watch.elapsed())
	d.tellResult()
	if more {
		d.think(ctx)
		return
	}
	d.expected = res.Ponder
	d.ponder(ctx)
}

// ponder starts to think about the answer to the move expected.
func (d *cecp) ponder(ctx context.Context) {
	if !d.ponders || d.expected == 0 || d.over || d.force {
		return
	}
	g := d.game.Clone()
	p := g.Position()
	text := d.notations().format(p, d.expected)
	if g.Play(d.expected) != nil || p.Turn() != d.side || !p.HasMove() {
		return
	}
	if _, over := g.Outcome(); over {
		return
	}
	if d.post {
		d.out.line("Hint: %s", text)
	}
	l := d.times.limits(d.side, d.movesMade())
	l.SearchMoves = relayed(p, nil)
	d.search(ctx, pondering, g, l)
}

// movesMade is the number of turns that the engine's side has had.
func (d *cecp) movesMade() int {
	if d.game.Position().Turn() == d.side {
		return len(d.turns) / 2
	}
	return (len(d.turns) + 1) / 2
}
