package search_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/puzzle"
	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant"
	"hoplite/engine/variant/varianttest"
)

func position(t testing.TB, r *rules.Rules, fen string) *rules.Position {
	t.Helper()
	p, err := notation.ParseFEN(r, fen)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return p
}

// played returns the game that starts at fen and goes on with the moves.
func played(t testing.TB, r *rules.Rules, fen string, moves ...string) *rules.Game {
	t.Helper()
	g := rules.NewGame(position(t, r, fen))
	for _, text := range moves {
		m, err := notation.ParseMove(g.Position(), text)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

func find(t testing.TB, r *rules.Rules, g *rules.Game, l search.Limits) (string, search.Result) {
	t.Helper()
	res := search.New(r, search.Options{Hash: 8}).Search(context.Background(), g, l, nil)
	if res.Best == 0 {
		return "", res
	}
	return notation.FormatMove(g.Position(), res.Best), res
}

// Every mate is proven by looking at all defences as well.
func TestFindsMates(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, key, fen string
		mate           int
	}{
		{"back rank", "standard", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1},
		{"Morphy's rook", "standard", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2},
		{"discovered checks", "standard", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3},
		{"smothered", "standard", "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", 1},
		{"rook and king", "standard", "8/8/8/8/8/5K2/R7/5k2 w - - 0 1", 1},
		{"both kings on the last rank", "spartan", "k6k/hh4hh/8/8/8/8/4Q3/4K3 w - - 0 1", 1},
		{"two kings mate", "spartan", "8/8/8/8/8/2k5/8/K1k5 b - - 0 1", 1},
		{"the last king", "spartan", "6k1/5hhh/8/8/8/8/8/R6K w - - 0 1", 1},
		{"running out of moves loses", "spartan28", "k3/4/K1R1/4/4/4/4 w - - 0 1", 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := varianttest.Rules(t, c.key)
			g := played(t, r, c.fen)
			_, res := find(t, r, g, search.Limits{Nodes: 300_000})
			if res.Score.Mate != c.mate {
				t.Fatalf("score %v, want mate in %d", res.Score, c.mate)
			}
			winning, err := puzzle.NewProver(r).Winning(g.Position(), c.mate)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(winning, res.Best) {
				t.Errorf("%s does not mate in %d", notation.FormatMove(g.Position(), res.Best), c.mate)
			}
			if shorter, err := puzzle.NewProver(r).Shortest(g.Position(), c.mate-1); err != nil || shorter != 0 {
				t.Errorf("there is a mate in %d: %v", shorter, err)
			}
		})
	}
}

// The mates of the puzzles are found with their true length.
func TestFindsMatesOfPuzzles(t *testing.T) {
	t.Parallel()
	list, err := puzzle.Load(puzzle.Data())
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Fatal("no puzzles")
	}
	games := map[string]*rules.Rules{}
	missed := 0
	n := 0
	for i := 0; i < len(list); i += 4 {
		p := &list[i]
		if games[p.Variant] == nil {
			games[p.Variant] = varianttest.Rules(t, p.Variant)
		}
		r := games[p.Variant]
		pos, _, err := p.Position(r)
		if err != nil {
			t.Fatal(err)
		}
		n++
		_, res := find(t, r, rules.NewGame(pos), search.Limits{Nodes: 150_000, Mate: p.Goal.MateIn})
		if res.Score.Mate > 0 && res.Score.Mate < p.Goal.MateIn {
			t.Errorf("puzzle %s: mate in %d, proven shortest is %d", p.ID, res.Score.Mate, p.Goal.MateIn)
		}
		if res.Score.Mate != p.Goal.MateIn {
			missed++
			t.Logf("puzzle %s: %v instead of mate in %d", p.ID, res.Score, p.Goal.MateIn)
		}
	}
	if missed*20 > n {
		t.Errorf("%d of %d mates not found", missed, n)
	}
}

func TestMatedAndStalemated(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, key, fen string
		want           search.Score
	}{
		{"mated", "standard", "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1", search.Score{Mate: -1}},
		{"stalemated", "standard", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", search.Score{}},
		{"no move loses", "spartan28", "k3/4/KR2/4/4/4/4 b - - 0 1", search.Score{Mate: -1}},
	}
	for _, c := range cases {
		move, res := find(t, varianttest.Rules(t, c.key), played(t, varianttest.Rules(t, c.key), c.fen), search.Limits{Depth: 3})
		if move != "" || res.Score != c.want {
			t.Errorf("%s: %q %v, want no move and %v", c.name, move, res.Score, c.want)
		}
	}
}

func TestRepetitionIsADraw(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "standard")
	const fen = "4k3/8/8/8/8/8/8/4K2Q w - - 0 1"
	shuffle := []string{"h1h2", "e8e7", "h2h1", "e7e8", "h1h2", "e8e7", "h2h1"}
	g := played(t, r, fen, shuffle...)
	// The lone king repeats: a claimable draw.
	if move, res := find(t, r, g, search.Limits{Nodes: 30_000}); move != "e7e8" || res.Score.CP != 0 {
		t.Errorf("the weak side plays %s at %v, want e7e8 at 0", move, res.Score)
	}
	// The queen's side must not.
	g = played(t, r, fen, shuffle[:6]...)
	if move, res := find(t, r, g, search.Limits{Nodes: 30_000}); move == "h2h1" || !(search.Score{CP: 300}).Less(res.Score) {
		t.Errorf("the strong side plays %s at %v, want to go on winning", move, res.Score)
	}
}

// TestRepetitionThatIsLost asks the side that would lose by a repetition to do something else.
func TestRepetitionThatIsLost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, key, fen, moves, avoid string
	}{
		{"perpetual check", "xiangqi", "3k5/4r4/4r4/9/9/9/9/9/R8/5K3 w - - 0 1", "a2a10 d10d9 a10a9 d9d10", "a9a10"},
		{"perpetual chase", "xiangqi", "4k4/9/1c7/9/9/9/9/9/9/2R2K3 w - - 0 1", "c1b1 b8c8 b1c1 c8b8 c1b1 b8c8", "b1c1"},
	} {
		r := varianttest.Rules(t, c.key)
		g := played(t, r, c.fen, strings.Fields(c.moves)...)
		move, res := find(t, r, g, search.Limits{Nodes: 20_000})
		if move == c.avoid {
			t.Errorf("%s: plays %s at %v", c.name, move, res.Score)
		}
	}
}

func TestCounterOfMovesWithoutProgress(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "standard")
	if _, res := find(t, r, played(t, r, "8/8/8/4k3/8/8/8/K6Q w - - 99 80"), search.Limits{Depth: 6}); res.Score.CP != 0 || res.Score.Mate != 0 {
		t.Errorf("one ply before the limit: %v, want 0", res.Score)
	}
	if move, res := find(t, r, played(t, r, "6k1/5ppp/8/8/8/8/8/R6K w - - 99 80"), search.Limits{Depth: 6}); move != "a1a8" || res.Score.Mate != 1 {
		t.Errorf("mate on the last ply: %s at %v, want a1a8 and mate", move, res.Score)
	}
	if _, res := find(t, r, played(t, r, "8/8/8/4k3/8/4P3/8/K6Q w - - 99 80"), search.Limits{Depth: 8}); res.Score.CP < 500 {
		t.Errorf("a pawn move starts the counter again: %v", res.Score)
	}
}

func TestSameSearchSameResult(t *testing.T) {
	t.Parallel()
	for _, d := range variant.All() {
		r := varianttest.Rules(t, d.Key)
		p, err := r.Start(d.Start.Usual)
		if err != nil {
			t.Fatal(err)
		}
		_, a := find(t, r, rules.NewGame(p), search.Limits{Nodes: 8000})
		_, b := find(t, r, rules.NewGame(p), search.Limits{Nodes: 8000})
		if a.Best != b.Best || a.Nodes != b.Nodes || a.Score != b.Score {
			t.Errorf("%s: %v and %v", d.Key, a, b)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "spartan")
	p, err := r.Start(0)
	if err != nil {
		t.Fatal(err)
	}
	g := rules.NewGame(p)
	t.Run("nodes", func(t *testing.T) {
		if _, res := find(t, r, g, search.Limits{Nodes: 5000}); res.Nodes != 5000 {
			t.Errorf("%d nodes, want 5000", res.Nodes)
		}
	})
	t.Run("a single node", func(t *testing.T) {
		if move, _ := find(t, r, g, search.Limits{Nodes: 1}); move == "" {
			t.Error("no move")
		}
	})
	t.Run("depth", func(t *testing.T) {
		if _, res := find(t, r, g, search.Limits{Depth: 4}); res.Depth != 4 {
			t.Errorf("depth %d, want 4", res.Depth)
		}
	})
	t.Run("context ended before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if res := search.New(r, search.Options{}).Search(ctx, g, search.Limits{}, nil); res.Best == 0 {
			t.Error("no move")
		}
	})
	t.Run("context ends during an infinite search", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		res := search.New(r, search.Options{}).Search(ctx, g, search.Limits{Infinite: true}, func(i search.Info) {
			if i.Depth == 5 {
				cancel()
			}
		})
		if res.Best == 0 || res.Depth < 5 {
			t.Errorf("%v", res)
		}
	})
	t.Run("several threads", func(t *testing.T) {
		e := search.New(r, search.Options{Threads: 3, Hash: 4})
		for range 3 {
			res := e.Search(context.Background(), g, search.Limits{Depth: 7}, nil)
			if res.Best == 0 || res.Depth != 7 {
				t.Errorf("%v", res)
			}
		}
	})
	t.Run("several lines", func(t *testing.T) {
		var last []search.Info
		search.New(r, search.Options{}).Search(context.Background(), g, search.Limits{Depth: 5, MultiPV: 4}, func(i search.Info) {
			if i.Depth == 5 {
				i.PV = slices.Clone(i.PV)
				last = append(last, i)
			}
		})
		if len(last) != 4 {
			t.Fatalf("%d lines, want 4", len(last))
		}
		for i := 1; i < len(last); i++ {
			if last[i-1].Score.Less(last[i].Score) {
				t.Errorf("line %d is better than line %d", i+1, i)
			}
			if last[i].PV[0] == last[0].PV[0] {
				t.Errorf("line %d begins as the first one", i+1)
			}
		}
	})
	t.Run("pondering ends by the hit and the clock", func(t *testing.T) {
		e := search.New(r, search.Options{})
		hit := make(chan struct{})
		l := search.Limits{Ponder: hit, Clock: &search.Clock{Time: [2]time.Duration{100 * time.Millisecond, time.Second}}}
		res := e.Search(context.Background(), g, l, func(i search.Info) {
			if i.Depth == 6 {
				close(hit)
			}
		})
		if res.Best == 0 || res.Depth < 6 {
			t.Errorf("%v", res)
		}
	})
}

// The line given must be legal from its first move to its last.
func TestLinesAreLegal(t *testing.T) {
	t.Parallel()
	for _, tp := range positions(t)[:60] {
		r := tp.pos.Rules()
		e := search.New(r, search.Options{Hash: 1})
		e.Search(context.Background(), rules.NewGame(tp.pos), search.Limits{Nodes: 3000}, func(i search.Info) {
			p := tp.pos.Clone()
			for _, m := range i.PV {
				if err := p.Play(m); err != nil {
					t.Fatalf("%s: %v", notation.FEN(tp.pos), err)
				}
			}
		})
	}
}

// The clock of a node rate runs with the nodes, so that the result does not depend on the machine.
func TestNodeRateMeasuresTimeByNodes(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "standard")
	g := played(t, r, r.Definition().Start.FEN)
	for _, l := range []search.Limits{
		{MoveTime: 2 * time.Second, NodeRate: 2000},
		{Clock: &search.Clock{Time: [2]time.Duration{10 * time.Second, time.Second}}, NodeRate: 1000},
	} {
		first := search.New(r, search.Options{Hash: 1}).Search(t.Context(), g, l, nil)
		again := search.New(r, search.Options{Hash: 1}).Search(t.Context(), g, l, nil)
		if first.Nodes > 4000 || first.Nodes == 0 || first.Nodes != again.Nodes {
			t.Errorf("%+v: %d nodes, then %d", l, first.Nodes, again.Nodes)
		}
	}
}
