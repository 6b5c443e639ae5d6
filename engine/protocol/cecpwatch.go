package protocol

import (
	"context"
	"fmt"
	"sync"
	"time"

	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// watch keeps what a search reports, and shows it if that is asked for. It is
// used by the goroutine of the search and by that of the session.
type watch struct {
	out    *output
	root   *rules.Position
	format func(*rules.Position, rules.Move) string
	start  time.Time
	moves  int // that the position has

	mu    sync.Mutex
	shown bool
	last  search.Info // without its line
}

func newWatch(out *output, root *rules.Position, n lines, shown bool) *watch {
	return &watch{out: out, root: root.Clone(), format: n.format, start: time.Now(), moves: root.CountMoves(), shown: shown}
}

// show says whether reports are written. A nil watch has none.
func (w *watch) show(on bool) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shown = on
}

func (w *watch) elapsed() time.Duration { return time.Since(w.start) }

// report notes a report and writes it as XBoard's thinking output: depth,
// score, hundredths of a second, nodes, selective depth, speed, table-base
// hits, and the line after a tab.
func (w *watch) report(i search.Info) {
	w.mu.Lock()
	w.last = i
	w.last.PV = nil
	shown := w.shown
	w.mu.Unlock()
	if shown {
		w.out.line("%d %d %d %d %d %d 0\t%s", i.Depth, cecpScore(i.Score), i.Elapsed.Milliseconds()/10, i.Nodes, i.SelDepth, speed(i),
			lineText(w.root, i.PV, w.format))
	}
}

// cecpScore is a score in XBoard's terms, where mates are far from all else.
func cecpScore(s search.Score) int {
	const mate = 100_000
	switch {
	case s.Mate > 0:
		return mate + s.Mate
	case s.Mate < 0:
		return -mate + s.Mate
	}
	return s.CP
}

// status answers "." with how far the analysis is: time, nodes, depth, moves
// left and moves in all. What is known is that of the last report, when no
// move was left.
func (w *watch) status() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return fmt.Sprintf("stat01: %d %d %d 0 %d", w.elapsed().Milliseconds()/10, w.last.Nodes, w.last.Depth, w.moves)
}

// analyze obeys "analyze".
func (d *cecp) analyze(context.Context, []string) error {
	d.analysing, d.force = true, true
	return nil // resume starts it
}

// exit obeys "exit", which ends analysis.
func (d *cecp) exit(context.Context, []string) error {
	if !d.analysing {
		return notNow
	}
	d.analysing = false
	return nil
}

// status obeys ".".
func (d *cecp) status(context.Context, []string) error {
	if d.doing() != analysis {
		return notNow
	}
	d.out.line("%s", d.watch.status())
	return nil
}

// startAnalysis looks at the present position until it changes.
func (d *cecp) startAnalysis(ctx context.Context) {
	only, some := d.without(d.excluded)
	if _, over := d.game.Outcome(); over || !some || d.broken {
		return
	}
	d.search(ctx, analysis, d.game, search.Limits{Infinite: true, SearchMoves: only})
}
