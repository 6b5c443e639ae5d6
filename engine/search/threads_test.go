package search_test

import (
	"context"
	"testing"
	"time"

	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant/varianttest"
)

// Several threads share the table and nothing else: under the race detector
// this proves it. They play on from what the searches before have left there.
func TestThreads(t *testing.T) {
	t.Parallel()
	const threads = 4
	for _, key := range []string{"standard", "spartan", "seirawan", "crazyhouse", "xiangqi", "duck"} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			r := varianttest.Rules(t, key)
			p, err := r.Start(r.UsualStart())
			if err != nil {
				t.Fatal(err)
			}
			g := rules.NewGame(p)
			e := search.New(r, search.Options{Threads: threads, Hash: 1})
			for range 4 {
				res := e.Search(context.Background(), g, search.Limits{Depth: 5, Nodes: 40_000}, nil)
				follow := g.Clone()
				for _, m := range res.PV {
					if err := follow.Play(m); err != nil {
						t.Fatalf("the line is not legal: %v", err)
					}
				}
				if err := g.Play(res.Best); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// The limits hold for all threads together.
func TestThreadsStop(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "standard")
	p, err := r.Start(r.UsualStart())
	if err != nil {
		t.Fatal(err)
	}
	g := rules.NewGame(p)
	e := search.New(r, search.Options{Threads: 4, Hash: 4})
	// Each thread tells of its nodes, and looks at the sum, every 1,024 of them.
	const limit, late = 50_000, 2 * 4 * 1024
	if res := e.Search(context.Background(), g, search.Limits{Nodes: limit}, nil); res.Best == 0 || res.Nodes > limit+late {
		t.Errorf("%s after %d nodes, want %d", res.Score, res.Nodes, limit)
	}
	e.NewGame()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	hit := make(chan struct{})
	l := search.Limits{Ponder: hit, Clock: &search.Clock{Time: [2]time.Duration{50 * time.Millisecond, time.Second}}}
	if res := e.Search(ctx, g, l, func(i search.Info) {
		if i.Depth == 5 {
			close(hit)
		}
	}); res.Best == 0 || res.Depth < 5 {
		t.Errorf("pondering: %v", res)
	}
	if res := e.Search(ctx, g, search.Limits{Infinite: true}, func(i search.Info) {
		if i.Depth == 6 {
			cancel()
		}
	}); res.Best == 0 || res.Depth < 6 {
		t.Errorf("endless search: %v", res)
	}
}
