package storetest

import (
	"encoding/json"
	"testing"
	"time"

	"hoplite/store"
)

func newAnalysis(id, by, game string, minute int) store.Analysis {
	return store.Analysis{
		ID: id, AccountID: by, GameID: game, Variant: "standard", FEN: "", Moves: "e2e4 e7e5", Nodes: 1000, Lines: 2,
		Status: store.AnalysisQueued, Created: minutes(minute), Total: 3,
	}
}

func testAnalyses(t *testing.T, s store.Store) {
	for i, a := range []store.Analysis{newAnalysis("b", "ann", "g1", 2), newAnalysis("a", "ann", "", 1), newAnalysis("c", "bob", "", 3)} {
		must(t, s.CreateAnalysis(ctx, a))
		got, err := s.AnalysisByID(ctx, a.ID)
		must(t, err)
		same(t, "analysis", got, a)
		all, own, err := s.OpenAnalyses(ctx, "ann")
		must(t, err)
		same(t, "open ones", [2]int{all, own}, [2]int{i + 1, min(i+1, 2)})
	}
	want(t, s.CreateAnalysis(ctx, newAnalysis("d", "bob", "g1", 4)), store.ErrConflict)
	_, err := s.AnalysisByID(ctx, "none")
	want(t, err, store.ErrNotFound)

	first, err := s.ClaimAnalysis(ctx, minutes(10), minutes(9))
	must(t, err)
	same(t, "the oldest", first.ID+" "+first.Status, "a running")
	second, err := s.ClaimAnalysis(ctx, minutes(10), minutes(9))
	must(t, err)
	same(t, "the next", second.ID, "b")
	must(t, s.AdvanceAnalysis(ctx, "a", minutes(10), minutes(12), 1, json.RawMessage(`{"n":1}`)))
	want(t, s.AdvanceAnalysis(ctx, "a", minutes(10), minutes(13), 2, nil), store.ErrStale)
	lost, err := s.ClaimAnalysis(ctx, minutes(14), minutes(11)) // the worker of b is gone
	must(t, err)
	same(t, "the lost one", lost.ID, "b")
	same(t, "with what was found", lost.Done, 0)
	want(t, s.AdvanceAnalysis(ctx, "b", minutes(10), minutes(15), 1, nil), store.ErrStale)

	over := lost
	over.Status, over.Finished, over.Done, over.Result = store.AnalysisDone, minutes(16), 3, json.RawMessage(`{"n":3}`)
	must(t, s.EndAnalysis(ctx, over))
	want(t, s.EndAnalysis(ctx, over), store.ErrStale)
	got, err := s.AnalysesOf(ctx, []string{"g1", "g2", ""})
	must(t, err)
	same(t, "of games", got, []store.Analysis{over})
	want(t, s.CreateAnalysis(ctx, newAnalysis("d", "bob", "g1", 4)), store.ErrConflict)

	for id, status := range map[string]string{"a": store.AnalysisFailed, "c": store.AnalysisCancelled} {
		must(t, s.EndAnalysis(ctx, store.Analysis{ID: id, Status: status, Finished: minutes(20), Error: "why"}))
	}
	_, err = s.ClaimAnalysis(ctx, minutes(30), minutes(29))
	want(t, err, store.ErrNotFound)
	must(t, s.TrimAnalyses(ctx, 10, minutes(21)))
	_, err = s.AnalysisByID(ctx, "c")
	want(t, err, store.ErrNotFound)
	_, err = s.AnalysisByID(ctx, "b")
	must(t, err)
}

func testEvals(t *testing.T, s store.Store) {
	eval := func(position string, nodes int64, lines, minute int) store.Eval {
		return store.Eval{
			Variant: "standard", Position: position, Depth: 9, Nodes: nodes, Lines: lines, PVs: json.RawMessage(`[]`), Created: minutes(minute),
		}
	}
	must(t, s.PutEvals(ctx, nil))
	must(t, s.PutEvals(ctx, []store.Eval{eval("p", 100, 2, 1), eval("q", 100, 1, 2), eval("r", 100, 1, 3)}))
	for _, c := range []struct {
		name string
		put  store.Eval
		kept bool
	}{
		{"fewer lines", eval("p", 500, 1, 4), false},
		{"fewer nodes", eval("p", 50, 3, 4), false},
		{"more of both", eval("p", 101, 3, 4), true},
	} {
		before, err := s.EvalOf(ctx, "standard", "p")
		must(t, err)
		must(t, s.PutEvals(ctx, []store.Eval{c.put}))
		got, err := s.EvalOf(ctx, "standard", "p")
		must(t, err)
		wanted := before
		if c.kept {
			wanted = c.put
		}
		same(t, c.name, got, wanted)
	}
	_, err := s.EvalOf(ctx, "atomic", "p")
	want(t, err, store.ErrNotFound)
	must(t, s.TrimAnalyses(ctx, 5, time.Time{}))
	_, err = s.EvalOf(ctx, "standard", "q")
	must(t, err)
	must(t, s.TrimAnalyses(ctx, 2, time.Time{}))
	_, err = s.EvalOf(ctx, "standard", "q")
	want(t, err, store.ErrNotFound)
	_, err = s.EvalOf(ctx, "standard", "r")
	must(t, err)
}
