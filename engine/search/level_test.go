package search_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant/varianttest"
)

func choose(t testing.TB, e *search.Engine, g *rules.Game, level search.Level, seed uint64) string {
	t.Helper()
	res := e.Choose(context.Background(), g, level, search.Limits{Nodes: 50_000}, seed)
	if res.Best == 0 {
		t.Fatalf("level %d has no move", level.Number)
	}
	return notation.FormatMove(g.Position(), res.Best)
}

func TestLevelsAreNumberedAndGrow(t *testing.T) {
	t.Parallel()
	levels := search.Levels()
	if len(levels) != 8 || levels[0].Name != "Novice" || levels[7].Nodes != 0 {
		t.Fatalf("levels %v", levels)
	}
	for i, l := range levels {
		if l.Character == "" {
			t.Errorf("level %d has no character", l.Number)
		}
		if l.Number != i+1 {
			t.Errorf("level %d is numbered %d", i+1, l.Number)
		}
		if i > 0 && (l.Rating <= levels[i-1].Rating || l.Oversight >= levels[i-1].Oversight || l.Spread >= levels[i-1].Spread) {
			t.Errorf("level %d is not better than the one before", l.Number)
		}
	}
}

func TestChoiceFollowsTheSeed(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "spartan")
	p, err := r.Start(0)
	if err != nil {
		t.Fatal(err)
	}
	g := rules.NewGame(p)
	e := search.New(r, search.Options{Hash: 1})
	for _, level := range search.Levels()[:7] {
		if level.Nodes > 10_000 {
			continue
		}
		seen := map[string]bool{}
		for seed := range uint64(12) {
			first := choose(t, e, g, level, seed)
			if again := choose(t, e, g, level, seed); again != first {
				t.Errorf("level %d, seed %d: %s, then %s", level.Number, seed, first, again)
			}
			seen[first] = true
		}
		if len(seen) < 2 {
			t.Errorf("level %d always begins with %v", level.Number, seen)
		}
	}
}

// However little time there is, there is a move.
func TestLevelsMoveWithoutTime(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "seirawan")
	p, err := r.Start(0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, level := range search.Levels() {
		g := rules.NewGame(p.Clone())
		res := search.New(r, search.Options{Hash: 1}).Choose(ctx, g, level, search.Limits{Clock: &search.Clock{}}, 1)
		if err := g.Play(res.Best); err != nil {
			t.Errorf("level %d: %v", level.Number, err)
		}
	}
}

func TestFullStrengthVariesItsOpening(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "standard")
	p, err := r.Start(0)
	if err != nil {
		t.Fatal(err)
	}
	e := search.New(r, search.Options{Hash: 1})
	full := search.Levels()[7]
	seen := map[string]bool{}
	for seed := range uint64(12) {
		e.NewGame()
		seen[choose(t, e, rules.NewGame(p), full, seed)] = true
	}
	if len(seen) < 2 {
		t.Errorf("full strength always begins with %v", seen)
	}
}

func TestEveryLevelFinishesMates(t *testing.T) {
	t.Parallel()
	cases := []struct{ key, fen string }{
		{"standard", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"},
		{"spartan", "k6k/hh4hh/8/8/8/8/4Q3/4K3 w - - 0 1"},
		{"spartan", "8/8/8/8/8/2k5/8/K1k5 b - - 0 1"},
	}
	for _, c := range cases {
		r := varianttest.Rules(t, c.key)
		e := search.New(r, search.Options{Hash: 1})
		for _, level := range search.Levels() {
			for seed := range uint64(10) {
				g := played(t, r, c.fen)
				res := e.Choose(context.Background(), g, level, search.Limits{Nodes: 5000}, seed)
				if err := g.Play(res.Best); err != nil {
					t.Fatal(err)
				}
				if out, over := g.Outcome(); !over || out.Reason != rules.Mate {
					t.Errorf("level %d, seed %d does not mate in %s", level.Number, seed, c.fen)
				}
			}
		}
	}
}

func TestFreeMenAreTaken(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, key, fen, take string }{
		{"a queen", "standard", "r1bqkb1r/ppp2ppp/2n2n2/3pp2Q/8/4P3/PPPP1PPP/RNB1KBNR b KQkq - 0 4", "f6h5"},
		{"a warlord", "spartan", "lgkcck1l/hhhhhhhh/8/8/8/5w2/PPPPPPPP/RNBQKBNR w KQ - 0 1", ""},
		{"a rook", "seirawan", "4k3/pp4pp/8/3r4/8/4N3/PP4PP/4K3[] w - - 0 1", "e3d5"},
	}
	for _, c := range cases {
		r := varianttest.Rules(t, c.key)
		e := search.New(r, search.Options{Hash: 1})
		for _, level := range search.Levels()[2:7] {
			for seed := range uint64(15) {
				g := played(t, r, c.fen)
				res := e.Choose(context.Background(), g, level, search.Limits{Nodes: 10_000}, seed)
				if c.take != "" && notation.FormatMove(g.Position(), res.Best) != c.take || !g.Position().IsCapture(res.Best) {
					t.Errorf("level %d, seed %d does not take %s", level.Number, seed, c.name)
				}
			}
		}
	}
}

// Weak levels leave more men hanging than strong ones.
func TestWeakLevelsErrMore(t *testing.T) {
	t.Parallel()
	list := positions(t)
	engines := map[string]*search.Engine{}
	left := map[int]int{}
	for i, tp := range list {
		if engines[tp.key] == nil {
			engines[tp.key] = search.New(tp.pos.Rules(), search.Options{Hash: 1})
		}
		for _, n := range []int{1, 4} {
			res := engines[tp.key].Choose(context.Background(), rules.NewGame(tp.pos), search.Levels()[n-1], search.Limits{}, uint64(i))
			after := tp.pos.Clone()
			if err := after.Play(res.Best); err != nil {
				t.Fatal(err)
			}
			if bestExchange(tp.pos.Rules(), after) >= hanging {
				left[n]++
			}
		}
	}
	t.Logf("men left hanging in %d positions by level: %v", len(list), left)
	if left[1] < left[4]+10 {
		t.Errorf("men left hanging by level: %v, want fewer on the higher level", left)
	}
}

func TestLevelsBeatThoseFarBelow(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"standard", "spartan"} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			r := varianttest.Rules(t, key)
			e := search.New(r, search.Options{Hash: 1})
			levels := search.Levels()
			points := 0.0
			const games = 6
			for n := range games {
				points += levelGame(t, r, e, [2]search.Level{levels[4], levels[1]}, n%2, uint64(n))
			}
			if points < 5 {
				t.Errorf("level 5 scores %v of %d against level 2", points, games)
			}
		})
	}
}

// levelGame returns what the first player scores.
func levelGame(t *testing.T, r *rules.Rules, e *search.Engine, players [2]search.Level, firstSide int, seed uint64) float64 {
	t.Helper()
	chance := rand.New(rand.NewPCG(seed, 1))
	p, err := r.Start(startNumber(r, chance))
	if err != nil {
		t.Fatal(err)
	}
	g := rules.NewGame(p)
	for len(g.Moves()) < 300 {
		if out, over := g.Outcome(); over {
			return out.Points[firstSide]
		}
		player := players[int(g.Position().Turn())^firstSide]
		if err := g.Play(e.Choose(context.Background(), g, player, search.Limits{}, seed).Best); err != nil {
			t.Fatal(err)
		}
	}
	return 0.5
}
