package protocol

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// usi is the Universal Shogi Interface, for the games whose programs speak it:
// positions are SFEN, the first side is black, mates are counted in plies.
type usi struct{ family }

// newUSI starts with the first game of the shogi family.
func newUSI(s *session) (dialect, error) {
	d := &usi{family{session: s, remark: infoString, notations: usiLines}}
	d.report = d.progress
	return d, s.among(isShogi)
}

// isShogi reports whether the programs of a game write SFEN.
func isShogi(r *rules.Rules) bool { return r.Definition().Notation.Shogi }

func usiLines() lines {
	return lines{position: notation.ParseSFEN, moves: single(notation.ParseUSI), format: func(p *rules.Position, m rules.Move) string {
		text, err := notation.FormatUSI(p, m)
		if err != nil { // the games that are offered have the notation
			return notation.FormatMove(p, m)
		}
		return text
	}}
}

func (d *usi) offers() []option {
	list := d.spelled([]spelling{{optHash, "USI_Hash"}, {optPonder, "USI_Ponder"}, {optVariant, "USI_Variant"},
		{optThreads, optThreads}, {optMultiPV, optMultiPV}, {optLevel, optLevel}, {optLimit, "USI_LimitStrength"}, {optElo, "USI_Elo"},
		{optOverhead, optOverhead}, {optAnalyse, "USI_AnalyseMode"}, {optPath, optPath}, {optClear, optClear}})
	return d.only(list, "USI_Variant", isShogi)
}

func (d *usi) command(ctx context.Context, line string) bool {
	words := strings.Fields(line)
	args := words[1:]
	switch words[0] {
	case "usi":
		d.identify(d.offers(), "name ", "usiok")
	case "usinewgame":
		d.end()
		d.newGame()
	case "setoption":
		name, value, ok := splitOption(args)
		d.change(d.offers(), name, value, ok)
	case "position":
		d.position(args, "sfen")
	case "go":
		d.goSearch(ctx, args)
	case "gameover":
		d.abandon() // nobody waits for a move any more
	case "d":
		d.note("sfen %s", usiPosition(d.game.Position()))
	case "quit":
		d.end()
		return true
	default:
		d.common(words[0])
	}
	return false
}

func usiPosition(p *rules.Position) string {
	text, err := notation.SFEN(p)
	if err != nil {
		return notation.FEN(p)
	}
	return text
}

// goSearch obeys "go …": a search for a move, for a mate, or the declaration of
// a win where the rules allow it.
func (d *usi) goSearch(ctx context.Context, args []string) {
	switch {
	case !d.idle():
	case len(args) > 0 && args[0] == "mate":
		d.solve(ctx, args[1:])
	default:
		q := d.read(args, usiGo())
		if !q.ponder && !q.limits.Infinite && slices.Contains(d.game.Position().Claims(), rules.ClaimWin) {
			d.out.line("bestmove win")
			return
		}
		d.launch(ctx, q, usiAnswer)
	}
}

// usiGo are the words that may follow "go" in USI.
func usiGo() goWords {
	return commonGo().with(clockGo("b", "w")).with(goWords{
		"byoyomi":   {number: func(q *request, n int64) { q.timed().Byoyomi = max(milliseconds(n), 0) }},
		"movestogo": movesToGo(),
	})
}

// longestMate bounds the mates that are looked for.
const longestMate = 50

// solve obeys "go mate", which is followed by a time in milliseconds or by
// "infinite".
func (d *usi) solve(ctx context.Context, args []string) {
	q := request{limits: search.Limits{Mate: longestMate}}
	if len(args) > 0 && args[0] != "infinite" {
		n, err := strconv.ParseInt(args[0], 10, 64)
		if err != nil {
			d.note("go: mate needs a number or infinite, not %s", clip(args[0]))
			return
		}
		q.limits.MoveTime = max(milliseconds(n), 1)
	}
	g := d.game
	d.launch(ctx, q, func(root *rules.Position, res search.Result, n lines) string {
		switch {
		case res.Best == 0 || res.Score.Mate < 0:
			return "checkmate nomate"
		case res.Score.Mate == 0:
			return "checkmate timeout"
		}
		return "checkmate " + lineText(root, d.toTheEnd(ctx, g, res), n.format)
	})
}

// toTheEnd completes the line of a mate that the search has proved but not kept
// whole.
func (d *usi) toTheEnd(ctx context.Context, g *rules.Game, res search.Result) []rules.Move {
	const nodes = 5_000 // the table knows the way
	line, now, plies := res.PV, g.Clone(), 2*res.Score.Mate-1
	for _, m := range line {
		if now.Play(m) != nil {
			return line
		}
	}
	for len(line) < plies {
		res := d.engine.Search(ctx, now, search.Limits{Nodes: d.bound(nodes)}, nil)
		if res.Best == 0 || now.Play(res.Best) != nil {
			break
		}
		line = append(line, res.Best)
	}
	return line
}

func (d *usi) progress(root *rules.Position, i search.Info, n lines) string {
	score := fmt.Sprintf("cp %d", i.Score.CP)
	switch {
	case i.Score.Mate > 0:
		score = fmt.Sprintf("mate %d", 2*i.Score.Mate-1)
	case i.Score.Mate < 0:
		score = fmt.Sprintf("mate %d", 2*i.Score.Mate)
	}
	return infoLine(root, i, score, n)
}

func usiAnswer(root *rules.Position, res search.Result, n lines) string {
	if res.Best == 0 {
		return "bestmove resign"
	}
	return bestMove(root, res, n)
}
