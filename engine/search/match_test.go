package search

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// The match tool: one engine with a feature changed against one without.
//
//	go test ./engine/search -run TestMatch -v -timeout 0 -match.change null -match.key spartan -match.games 100 -match.nodes 6000
var (
	matchChange = flag.String("match.change", "", "feature that the first engine has changed, see changes")
	matchKey    = flag.String("match.key", "spartan28", "variant of the match")
	matchGames  = flag.Int("match.games", 4, "games of the match")
	matchNodes  = flag.Uint64("match.nodes", 300, "nodes per move")
)

// changes are the features that a match can try.
var changes = map[string]func(*traits){
	"":       func(*traits) {},
	"null":   func(t *traits) { t.nullMove = !t.nullMove },
	"late":   func(t *traits) { t.lateCuts = !t.lateCuts },
	"quiet":  func(t *traits) { t.quietMargin = 10000 },
	"q60":    func(t *traits) { t.quietMargin = 60 },
	"static": func(t *traits) { t.staticMargin = 10000 },
	"s60":    func(t *traits) { t.staticMargin = 60 },
	"s110":   func(t *traits) { t.staticMargin = 110 },
}

func TestMatch(t *testing.T) {
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	r, ok := set.Get(*matchKey)
	if !ok {
		t.Fatalf("no variant %s", *matchKey)
	}
	change, ok := changes[*matchChange]
	if !ok {
		t.Fatalf("no change %s", *matchChange)
	}
	a, b := New(r, Options{Hash: 4}), New(r, Options{Hash: 4})
	change(&a.traits)
	a.workers[0].traits = a.traits
	var wins, draws, losses int
	for pair := range *matchGames / 2 {
		for white := range 2 {
			winner := playGame(t, r, [2]*Engine{a, b}, white, uint64(pair), *matchNodes)
			switch winner {
			case 0:
				wins++
			case 1:
				losses++
			default:
				draws++
			}
		}
		if pair%5 == 4 {
			t.Logf("+%d =%d -%d", wins, draws, losses)
		}
	}
	n := float64(wins + draws + losses)
	score := (float64(wins) + float64(draws)/2) / n
	spread := 1.96 * math.Sqrt(score*(1-score)/n)
	elo := func(s float64) float64 { return -400 * math.Log10(1/min(max(s, 0.001), 0.999)-1) }
	t.Logf("%s with %q changed: +%d =%d -%d, %.1f%%, %+.0f Elo (%+.0f to %+.0f)", *matchKey, *matchChange,
		wins, draws, losses, 100*score, elo(score), elo(score-spread), elo(score+spread))
	// The same engine against itself, on fresh tables and with both colours,
	// plays each game twice.
	if *matchChange == "" && wins != losses {
		t.Errorf("equal engines won %d and lost %d", wins, losses)
	}
}

// playGame returns 0 or 1, the engine that won, or -1.
func playGame(t *testing.T, r *rules.Rules, engines [2]*Engine, white int, seed, nodes uint64) int {
	t.Helper()
	chance := rand.New(rand.NewPCG(seed, 7))
	start, err := r.Start(r.Definition().Start.Usual)
	if err != nil {
		t.Fatal(err)
	}
	g := rules.NewGame(start)
	for range 4 + chance.IntN(4) {
		moves := g.Position().Moves(nil)
		if len(moves) == 0 {
			break
		}
		if err := g.Play(moves[chance.IntN(len(moves))]); err != nil {
			t.Fatal(err)
		}
	}
	engines[0].NewGame()
	engines[1].NewGame()
	for len(g.Moves()) < 400 {
		out, over := g.Outcome()
		if over {
			if out.Winner < 0 {
				return -1
			}
			return out.Winner ^ white
		}
		res := engines[int(g.Position().Turn())^white].Search(context.Background(), g, Limits{Nodes: nodes}, nil)
		if err := g.Play(res.Best); err != nil {
			t.Fatal(err)
		}
	}
	return -1
}
