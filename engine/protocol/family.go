package protocol

import (
	"context"
	"fmt"
	"strings"

	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// family is what UCI and the protocols that grew out of it have in common:
// a position is set up, "go" starts a search, and the search ends with one line
// that has the move.
type family struct {
	*session
	remark string // what a line of free text begins with
	// notations are those of the game that is played.
	notations func() lines
	// report formats what a search from root has found so far.
	report func(root *rules.Position, i search.Info, n lines) string

	last func(search.Result) // writes what the running search comes to
}

// infoString begins the free text of UCI and of USI.
const infoString = "info string "

// note tells the program something that is no answer, such as what is wrong.
func (f *family) note(format string, args ...any) { f.out.line(f.remark+format, args...) }

// identify answers the first word, with the options as a line of the protocol
// has them.
func (f *family) identify(options []option, keyword, done string) {
	f.out.line("id name %s", f.opts.Name)
	f.out.line("id author %s", f.opts.Author)
	for _, o := range options {
		f.out.line("%s", o.line(keyword))
	}
	f.out.line("%s", done)
}

// common obeys the words that mean the same everywhere.
func (f *family) common(word string) {
	switch word {
	case "isready":
		f.out.line("readyok")
	case "stop":
		f.end()
	case "ponderhit":
		f.hit()
	default:
		f.note("unknown command: %s", clip(word))
	}
}

// position obeys "position …". On an error the last one stays.
func (f *family) position(args []string, keyword string) {
	if err := f.setUp(args, keyword, f.notations()); err != nil {
		f.note("position: %v", err)
	}
}

// idle reports whether a search can be started.
func (f *family) idle() bool {
	if f.run != nil {
		f.note("go: a search is running already")
	}
	return f.run == nil
}

// read reads the words after "go" and notes what makes no sense.
func (f *family) read(args []string, words goWords) request {
	n, root := f.notations(), f.game.Position()
	q, notes := parseGo(args, words, func(text string) ([]rules.Move, error) { return n.moves(root, text) })
	for _, note := range notes {
		f.note("go: %s", note)
	}
	return q
}

// launch starts the search that was asked for. answer formats what it comes to.
func (f *family) launch(ctx context.Context, q request, answer func(*rules.Position, search.Result, lines) string) {
	n, root, report := f.notations(), f.game.Position().Clone(), f.report
	f.last = func(res search.Result) { f.out.line("%s", answer(root, res, n)) }
	f.begin(ctx, errand{game: f.game, limits: q.limits, ponder: q.ponder, report: func(i search.Info) {
		f.out.line("%s", report(root, i, n))
	}})
}

// hit obeys "ponderhit".
func (f *family) hit() {
	if !f.ponderHit() {
		f.note("ponderhit: the engine is not pondering")
	}
}

func (f *family) found(_ context.Context, res search.Result) { f.last(res) }

// end obeys "stop".
func (f *family) end() {
	if res, ok := f.stop(); ok {
		f.last(res)
	}
}

// change sets an option of the list. Options stay while a search is running.
func (f *family) change(list []option, name, value string, ok bool) {
	switch {
	case !ok:
		f.note("setoption: name expected")
	case f.run != nil:
		f.note("setoption: not while a search is running")
	default:
		if err := setOption(list, name, value); err != nil {
			f.note("setoption: %v", err)
		}
	}
}

// splitOption finds the name and the value of "setoption name … value …", both
// of which may have spaces.
func splitOption(args []string) (name, value string, ok bool) {
	if len(args) < 2 || args[0] != "name" {
		return "", "", false
	}
	at := len(args)
	for i := 1; i < len(args); i++ {
		if args[i] == "value" {
			at = i
			break
		}
	}
	name = strings.Join(args[1:at], " ")
	if at < len(args) {
		value = strings.Join(args[at+1:], " ")
	}
	return name, value, name != ""
}

// bestMove formats the move that was found and, with the word before it, the
// one that is expected next.
func bestMove(root *rules.Position, res search.Result, n lines) string {
	line := "bestmove " + n.format(root, res.Best)
	if next := root.Clone(); res.Ponder != 0 && next.Play(res.Best) == nil {
		line += " ponder " + n.format(next, res.Ponder)
	}
	return line
}

// infoLine formats a report with the score as the dialect writes it.
func infoLine(root *rules.Position, i search.Info, score string, n lines) string {
	return fmt.Sprintf("info depth %d seldepth %d multipv %d score %s nodes %d nps %d hashfull %d time %d pv %s", i.Depth, i.SelDepth,
		max(i.MultiPV, 1), score, i.Nodes, speed(i), i.HashFull, i.Elapsed.Milliseconds(), lineText(root, i.PV, n.format))
}

// speed is the number of nodes a second.
func speed(i search.Info) uint64 { return uint64(float64(i.Nodes) / max(i.Elapsed.Seconds(), 1e-3)) }
