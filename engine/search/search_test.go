package search_test

import (
	"context"
	"testing"
	"time"

	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant"
)

func game(t testing.TB, key string) *rules.Rules {
	t.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	r, ok := set.Get(key)
	if !ok {
		t.Fatalf("no variant %s", key)
	}
	return r
}

func TestTmp(t *testing.T) {
	for _, key := range []string{"standard", "spartan", "seirawan", "spartan28"} {
		r := game(t, key)
		p, err := r.Start(r.Definition().Start.Usual)
		if err != nil {
			t.Fatal(err)
		}
		e := search.New(r, search.Options{})
		start := time.Now()
		res := e.Search(context.Background(), rules.NewGame(p), search.Limits{Nodes: 1000000}, func(i search.Info) {
			t.Logf("%d/%d %v %d", i.Depth, i.SelDepth, i.Score, i.Nodes)
		})
		t.Logf("%s %v %d %.0f nps", key, res.Score, res.Nodes, float64(res.Nodes)/time.Since(start).Seconds())
	}
}
