package search

import (
	"context"
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// TestWinsAtOnce plays random games of every game of the catalogue. Where a move wins on the spot, two plies of search
// must find such a move, and every search must return a legal one.
func TestWinsAtOnce(t *testing.T) {
	const games, plies, enough = 12, 160, 6
	for _, d := range variant.All() {
		t.Run(d.Key, func(t *testing.T) {
			t.Parallel()
			r, err := rules.Compile(d)
			if err != nil {
				t.Fatal(err)
			}
			e := New(r, Options{Hash: 1})
			state := uint64(11)
			draw := func(n int) int {
				state = state*6364136223846793005 + 1442695040888963407
				return int(state>>33) % n
			}
			found := 0
			for number := 0; number < games && found < enough; number++ {
				start, err := r.Start(draw(r.Starts()))
				if err != nil {
					t.Fatal(err)
				}
				g := rules.NewGame(start)
				for range plies {
					if _, over := g.Outcome(); over {
						break
					}
					moves := g.Position().Moves(nil)
					wins := winning(g.Position(), moves)
					if len(wins) > 0 {
						found++
						res := e.Search(context.Background(), g, Limits{Depth: 2}, nil)
						if !wins[res.Best] {
							t.Fatalf("%s: %d moves win, the search plays %s (%v)", notation.FEN(g.Position()), len(wins),
								notation.FormatMove(g.Position(), res.Best), res.Score)
						}
						if res.Score.Mate != 1 {
							t.Errorf("%s: a move that wins is valued %v", notation.FEN(g.Position()), res.Score)
						}
						break
					}
					m := moves[draw(len(moves))]
					// Captures bring the end of random games nearer.
					for range 3 {
						if o := moves[draw(len(moves))]; g.Position().IsCapture(o) {
							m = o
						}
					}
					if err := g.Play(m); err != nil {
						t.Fatal(err)
					}
				}
			}
			t.Logf("%d positions with a win", found)
		})
	}
}

// winning returns the moves that win for the side to move at once.
func winning(p *rules.Position, moves []rules.Move) map[rules.Move]bool {
	wins := map[rules.Move]bool{}
	for _, m := range moves {
		after := p.Clone()
		var u rules.Undo
		after.Make(m, &u)
		if o, over := after.Outcome(); over && o.Winner == int(p.Turn()) {
			wins[m] = true
		}
	}
	return wins
}

// TestLevelsPlayEverything lets each level move in every game from positions of random play.
func TestLevelsPlayEverything(t *testing.T) {
	for _, d := range variant.All() {
		t.Run(d.Key, func(t *testing.T) {
			t.Parallel()
			r, err := rules.Compile(d)
			if err != nil {
				t.Fatal(err)
			}
			start, err := r.Start(r.UsualStart())
			if err != nil {
				t.Fatal(err)
			}
			e := New(r, Options{Hash: 1})
			g := rules.NewGame(start)
			for ply := range 24 {
				if _, over := g.Outcome(); over {
					break
				}
				level := Levels()[ply%len(Levels())]
				res := e.Choose(context.Background(), g, level, Limits{Nodes: 600}, 5)
				if err := g.Play(res.Best); err != nil {
					t.Fatalf("%s: level %d: %v", notation.FEN(g.Position()), level.Number, err)
				}
			}
		})
	}
}
