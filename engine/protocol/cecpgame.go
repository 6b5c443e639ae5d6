package protocol

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// new obeys "new": the first game of the catalogue at its start, with the
// engine playing the second side.
func (d *cecp) new(context.Context, []string) error {
	d.newGame()
	if err := d.choose(d.variants.List()[0]); err != nil {
		return err
	}
	d.force, d.side = false, 1
	d.times.depth, d.times.rate = 0, 0
	d.times.own, d.times.other, d.times.since = d.times.base, d.times.base, 0
	return d.atStart()
}

// atStart puts the game at its start and forgets about the last one.
func (d *cecp) atStart() error {
	if err := d.restart(); err != nil {
		return err
	}
	d.begun()
	return nil
}

// begun notes that a game begins with the present position.
func (d *cecp) begun() {
	d.turns, d.open, d.legs, d.excluded, d.expected = nil, false, "", nil, 0
	d.over, d.broken, d.score = false, false, search.Score{}
}

// variant obeys "variant NAME". Games that XBoard does not know are described
// to it.
func (d *cecp) variant(_ context.Context, args []string) error {
	if len(args) == 0 {
		return missing
	}
	r, err := d.findVariant(args[0])
	if err != nil {
		return err
	}
	if err := d.choose(r); err != nil {
		return err
	}
	if err := d.atStart(); err != nil {
		return err
	}
	if !r.Definition().Programs.Drawn {
		for _, line := range describe(d.game.Position()) {
			d.out.line("%s", line)
		}
	}
	return nil
}

// setboard obeys "setboard FEN".
func (d *cecp) setboard(_ context.Context, args []string) error {
	p, err := notation.ParseFEN(d.rules, completeFEN(d.rules, args))
	if err != nil {
		d.out.line("tellusererror Illegal position: %s", err)
		d.broken = true
		return nil
	}
	d.game = rules.NewGame(p)
	d.begun()
	return nil
}

// completeFEN adds what XBoard leaves out of positions, games whose men neither
// castle nor capture in passing being without those fields, and takes out the
// sign for an empty hand.
func completeFEN(r *rules.Rules, fields []string) string {
	const whole = 6
	if len(fields) == 0 {
		return ""
	}
	full := slices.Clone(fields)
	empty := ""
	if r.HasHand() {
		empty = "[]"
	}
	full[0] = strings.Replace(full[0], "[-]", empty, 1)
	isNumber := func(at int) bool {
		_, err := strconv.Atoi(full[at])
		return err == nil
	}
	for len(full) >= whole-2 && len(full) < whole && isNumber(len(full)-1) && isNumber(len(full)-2) {
		full = slices.Insert(full, len(full)-2, "-")
	}
	return strings.Join(full, " ")
}

// goOn obeys "go": the engine plays whose turn it is.
func (d *cecp) goOn(ctx context.Context, _ []string) error {
	d.force, d.analysing = false, false
	d.side = d.game.Position().Turn()
	d.tellResult()
	d.think(ctx)
	return nil
}

// playOther obeys "playother": the engine plays the other side.
func (d *cecp) playOther(ctx context.Context, _ []string) error {
	d.force, d.analysing = false, false
	d.side = 1 - d.game.Position().Turn()&1
	d.tellResult()
	d.ponder(ctx)
	return nil
}

// colour obeys the old commands "white" and "black", which name whose turn it
// is; the engine plays the other side.
func (d *cecp) colour(turn rules.Side) func(context.Context, []string) error {
	return func(context.Context, []string) error {
		if d.game.Position().Turn() != turn {
			return notNow
		}
		d.side = 1 - turn
		return nil
	}
}

// moveNow obeys "?".
func (d *cecp) moveNow(ctx context.Context, _ []string) error {
	if d.doing() != thinking {
		return nil
	}
	if res, ok := d.stop(); ok {
		d.found(ctx, res)
	}
	return nil
}

// takeBack undoes the last turns.
func (d *cecp) takeBack(n int) error {
	if len(d.turns) < n {
		return notNow
	}
	for range n {
		last := len(d.turns) - 1
		for range d.turns[last] {
			d.game.Undo()
		}
		d.turns = d.turns[:last]
	}
	d.open, d.over, d.legs, d.excluded, d.expected = false, false, "", nil, 0
	return nil
}

func (d *cecp) undo(context.Context, []string) error { return d.takeBack(1) }

// remove obeys "remove": a turn of each side is taken back.
func (d *cecp) remove(context.Context, []string) error { return d.takeBack(2) }

// exclude obeys "exclude MOVE" and "exclude all".
func (d *cecp) exclude(_ context.Context, args []string) error {
	if len(args) == 0 {
		return missing
	}
	if args[0] == "all" {
		d.excluded = d.game.Position().Moves(nil)
		return nil
	}
	return d.move(args[0], func(m rules.Move) { d.excluded = append(d.excluded, m) })
}

// include obeys "include MOVE" and "include all".
func (d *cecp) include(_ context.Context, args []string) error {
	if len(args) == 0 {
		return missing
	}
	if args[0] == "all" {
		d.excluded = nil
		return nil
	}
	return d.move(args[0], func(m rules.Move) {
		d.excluded = slices.DeleteFunc(d.excluded, func(o rules.Move) bool { return o == m })
	})
}

// move calls do with the move that the text names.
func (d *cecp) move(text string, do func(rules.Move)) error {
	turn, err := d.notations().moves(d.game.Position(), text)
	if err != nil {
		return &illegalMove{text, reason(err)}
	}
	do(turn[0])
	return nil
}

// draw obeys "draw", an offer of the opponent's.
func (d *cecp) draw(context.Context, []string) error {
	if d.force || d.over {
		return nil
	}
	if d.game.CanClaimDraw() || len(d.turns) >= drawTurns && acceptable(d.score) {
		d.out.line("offer draw")
	}
	return nil
}

// drawTurns is the number of turns before which no offer is taken.
const drawTurns = 20

// hint obeys "hint" with the move that the engine expects, or a quick guess.
func (d *cecp) hint(ctx context.Context, _ []string) error {
	m := d.expected
	if m == 0 && d.doing() == nothing && d.game.Position().HasMove() {
		const nodes = 2000
		m = d.ready().Search(ctx, d.game, search.Limits{Nodes: d.bound(nodes)}, nil).Best
	}
	if m != 0 {
		d.out.line("Hint: %s", d.notations().format(d.game.Position(), m))
	}
	return nil
}

// easy obeys "easy": no thinking on the opponent's time.
func (d *cecp) easy(context.Context, []string) error {
	d.ponders = false
	if d.doing() == pondering {
		d.abandon()
	}
	return nil
}
