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

// notations are those of XBoard: ranks are counted from 0 on boards of exactly
// ten, and games of shuffled arrays castle as in game records.
func (d *cecp) notations() lines {
	shuffled := d.rules.Shuffled()
	n := lines{position: notation.ParseFEN, moves: readLegs, format: func(p *rules.Position, m rules.Move) string {
		switch {
		case m.Kind() == rules.Pass:
			return passed
		case shuffled && m.Kind() == rules.Castle:
			return strings.TrimRight(notation.SAN(p, m), "+#")
		case shuffled:
			return notation.FormatMoveKingRook(p, m)
		}
		return notation.FormatMove(p, m)
	}}
	if d.rules.Board().Ranks() == ranksFromZero {
		n = n.fromZero()
	}
	return n
}

// ranksFromZero is the number of ranks that XBoard counts from 0, so that one
// digit is enough for each.
const ranksFromZero = 10

// passed is XBoard's move that moves nothing.
const passed = "@@@@"

// readLegs reads a turn: moves with commas between them, a move whose legs are
// told one by one, or a move as game records write it. A sign = says that a
// man does not promote.
func readLegs(p *rules.Position, text string) ([]rules.Move, error) {
	if text == passed {
		for _, m := range p.Moves(nil) {
			if m.Kind() == rules.Pass {
				return []rules.Move{m}, nil
			}
		}
	}
	text = strings.TrimSuffix(text, "=")
	turn, err := notation.ParseTurn(p, text)
	if err == nil {
		return turn, nil
	}
	if joined, ok := joinLegs(text); ok {
		if turn, err := notation.ParseTurn(p, joined); err == nil {
			return turn, nil
		}
	}
	if m, sanErr := notation.ParseSAN(p, text); sanErr == nil {
		return []rules.Move{m}, nil
	}
	return nil, err
}

// joinLegs makes one move of legs that follow each other, as e4e5,e5e6 is
// e4e5e6.
func joinLegs(text string) (string, bool) {
	var b strings.Builder
	end := ""
	for i, leg := range strings.Split(text, ",") {
		cells := cellsOf(leg)
		if len(cells) < 2 || i > 0 && cells[0] != end {
			return "", false
		}
		if i > 0 {
			leg = strings.TrimPrefix(leg, end)
		}
		b.WriteString(leg)
		end = cells[1]
	}
	return b.String(), true
}

// cellsOf finds the names of cells in a move, each a letter with a number.
func cellsOf(move string) []string {
	var cells []string
	for i := 0; i+1 < len(move); i++ {
		end := i + 1
		for end < len(move) && move[end] >= '0' && move[end] <= '9' {
			end++
		}
		if move[i] >= 'a' && move[i] <= 'z' && end > i+1 {
			cells = append(cells, move[i:end])
			i = end - 1
		}
	}
	return cells
}

// splitLegs writes a move of the engine as legs. A move over more than two
// cells has several.
func splitLegs(text string) []string {
	var legs []string
	for _, part := range strings.Split(text, ",") {
		cells := cellsOf(part)
		if len(cells) <= 2 || !strings.HasPrefix(part, strings.Join(cells, "")) {
			legs = append(legs, part)
			continue
		}
		for i := 1; i < len(cells); i++ {
			legs = append(legs, cells[i-1]+cells[i])
		}
		legs[len(legs)-1] += strings.TrimPrefix(part, strings.Join(cells, ""))
	}
	return legs
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
	cells := cellsOf(line)
	return len(cells) >= 2 && strings.HasPrefix(line, cells[0]+cells[1])
}

// usermove makes the opponent's move. Legs that come one by one, with a comma
// after all but the last, are put together first.
func (d *cecp) usermove(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return missing
	}
	if d.run != nil && d.task == thinking {
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
	if d.run != nil && d.task == pondering && len(turn) == 1 && turn[0] == d.expected && d.make(turn) == nil {
		d.task = thinking // about the answer, which now counts
		d.ponderHit()
		return nil
	}
	d.abandon()
	d.task = 0
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
	only, some := d.included()
	if !some {
		return
	}
	l := d.times.limits(d.side, d.movesMade())
	l.SearchMoves = only
	d.search(ctx, thinking, d.game, l)
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
	legs := splitLegs(d.notations().format(p, res.Best))
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
	d.search(ctx, pondering, g, d.times.limits(d.side, d.movesMade()))
}

// movesMade is the number of turns that the engine's side has had.
func (d *cecp) movesMade() int {
	if d.game.Position().Turn() == d.side {
		return len(d.turns) / 2
	}
	return (len(d.turns) + 1) / 2
}

// included lists the moves to look at, nil for all. some is false if there is
// none left.
func (d *cecp) included() (only []rules.Move, some bool) {
	if len(d.excluded) == 0 {
		return nil, true
	}
	for _, m := range d.game.Position().Moves(nil) {
		if !slices.Contains(d.excluded, m) {
			only = append(only, m)
		}
	}
	return only, len(only) > 0
}
