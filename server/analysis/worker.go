package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/openapi"
	"hoplite/store"
)

// worker searches. It keeps the engine of the game that it was last asked for.
type worker struct {
	s      *Service
	engine *search.Engine
}

// errOver says that an analysis was cancelled, or is in other hands.
var errOver = errors.New("the analysis is over")

// do looks at everything that an analysis asks for.
func (w *worker) do(ctx context.Context, a store.Analysis) {
	log := w.s.Log.With("analysis", a.ID)
	err := w.try(ctx, &a)
	switch {
	case ctx.Err() != nil || errors.Is(err, errOver) || errors.Is(err, store.ErrUnavailable):
		return // it is taken up again, or nobody wants it any more
	case err != nil:
		log.Error("analysis failed", "error", err)
		a.Status, a.Error = store.AnalysisFailed, "The engine could not look at it"
	default:
		a.Status = store.AnalysisDone
	}
	a.Finished = w.s.Now()
	if err := w.s.Store.EndAnalysis(ctx, a); err != nil && !errors.Is(err, store.ErrStale) {
		log.Warn("the end of an analysis was not stored", "error", err)
	}
	w.s.Bus.Publish(topic(a.ID), Changed{a.ID})
}

// try looks at everything. A fault of the engine is the end of one analysis, not of the server, which would take it up
// again at once.
func (w *worker) try(ctx context.Context, a *store.Analysis) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			w.engine = nil
			err = fmt.Errorf("the engine panicked: %v\n%s", fault, debug.Stack())
		}
	}()
	games, err := w.s.positions(ctx, a)
	if err != nil {
		return err
	}
	return w.search(ctx, a, games)
}

// search goes backwards through a game, so that what it learns of later positions serves the earlier ones.
func (w *worker) search(ctx context.Context, a *store.Analysis, games []*rules.Game) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	first := 0
	if a.GameID == "" {
		first = len(games) - 1 // the line has only led there
	}
	games = games[first:]
	t := &teller{s: w.s, a: a, found: make([]openapi.AnalysedPosition, len(games)), stop: stop}
	r := games[0].Position().Rules()
	if w.engine == nil || w.engine.Rules() != r {
		w.engine = search.New(r, search.Options{Hash: hash})
	}
	w.engine.NewGame()
	evals := make([]store.Eval, 0, len(games))
	for i := len(games) - 1; i >= 0; i-- {
		g := games[i]
		t.at = i
		t.found[i] = openapi.AnalysedPosition{Ply: first + i, Pvs: []openapi.EvalLine{}}
		if _, over := g.Outcome(); over {
			t.found[i].Over = true
			t.done++
			continue
		}
		began := w.s.Now()
		res := w.engine.Search(ctx, g, search.Limits{Nodes: uint64(a.Nodes), MultiPV: a.Lines}, func(info search.Info) { t.hear(ctx, g, info) })
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		t.found[i].Knodes = int64(res.Nodes / 1000)
		t.done++
		evals = append(evals, evalOf(a, g, t.found[i], began))
		if err := t.tell(ctx); err != nil {
			return err
		}
	}
	if err := w.s.Store.PutEvals(ctx, evals); err != nil {
		return err
	}
	a.Done = t.done
	var err error
	a.Result, err = json.Marshal(t.found)
	return err
}

func evalOf(a *store.Analysis, g *rules.Game, found openapi.AnalysedPosition, at time.Time) store.Eval {
	pvs, err := json.Marshal(found.Pvs)
	if err != nil {
		panic("analysis: lines cannot be encoded: " + err.Error()) // their type always can
	}
	return store.Eval{
		Variant: a.Variant, Position: notation.EPD(g.Position()), Depth: found.Depth, Nodes: found.Knodes * 1000,
		Lines: len(found.Pvs), PVs: pvs, Created: at,
	}
}

// teller tells how far an analysis has come.
type teller struct {
	s     *Service
	a     *store.Analysis
	found []openapi.AnalysedPosition
	at    int // which of them is being looked at
	done  int
	told  time.Time
	stop  context.CancelCauseFunc
}

// hear takes what the search has found of a position.
func (t *teller) hear(ctx context.Context, g *rules.Game, info search.Info) {
	p := &t.found[t.at]
	line := lineOf(g, info)
	if info.MultiPV == 1 {
		p.Depth = info.Depth
	}
	p.Knodes = int64(info.Nodes / 1000)
	if n := info.MultiPV; n <= len(p.Pvs) {
		p.Pvs[n-1] = line
	} else {
		p.Pvs = append(p.Pvs, line)
	}
	if t.s.Now().Sub(t.told) < tellEvery {
		return
	}
	if err := t.tell(ctx); err != nil {
		t.stop(err)
	}
}

// tell stores what has been found, if it is time, and lets everybody know.
func (t *teller) tell(ctx context.Context) error {
	now := t.s.Now().Truncate(time.Millisecond)
	if now.Sub(t.told) < tellEvery {
		return nil
	}
	t.told = now
	var known []openapi.AnalysedPosition
	for _, p := range t.found {
		if p.Depth > 0 || p.Over {
			known = append(known, p)
		}
	}
	result, err := json.Marshal(known)
	if err != nil {
		return err
	}
	err = t.s.Store.AdvanceAnalysis(ctx, t.a.ID, t.a.Alive, now, t.done, result)
	if errors.Is(err, store.ErrStale) {
		return errOver
	}
	if err != nil {
		return err
	}
	t.a.Alive = now
	t.s.Bus.Publish(topic(t.a.ID), Changed{t.a.ID})
	return nil
}

// lineOf is a line of play with its value for the first side.
func lineOf(g *rules.Game, info search.Info) openapi.EvalLine {
	p := g.Position().Clone()
	sign := 1
	if p.Turn() != 0 {
		sign = -1
	}
	var line openapi.EvalLine
	if info.Score.Mate != 0 {
		mate := sign * info.Score.Mate
		line.Mate = &mate
	} else {
		cp := sign * info.Score.CP
		line.Cp = &cp
	}
	var moves []string
	var u rules.Undo
	for _, m := range info.PV {
		moves = append(moves, notation.FormatMove(p, m))
		p.Make(m, &u)
	}
	line.Moves = strings.Join(moves, " ")
	return line
}
