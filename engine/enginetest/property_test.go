package enginetest_test

import (
	"math/rand/v2"
	"testing"

	"hoplite/engine/enginetest"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

func list(tb testing.TB) []*rules.Rules {
	tb.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		tb.Fatal(err)
	}
	return set.List()
}

// pick chooses a move at random, captures, promotions and gatings twice as often as others, so that games are varied.
func pick(rng *rand.Rand, p *rules.Position, moves []rules.Move) rules.Move {
	m := moves[rng.IntN(len(moves))]
	if k := m.Kind(); k == rules.Quiet || k == rules.Double {
		m = moves[rng.IntN(len(moves))]
	}
	return m
}

// TestRandomGames checks every position of random games. The long run plays fifty times as many plies.
func TestRandomGames(t *testing.T) {
	plies := 400
	if enginetest.Long() {
		plies = 20000
	}
	for _, r := range list(t) {
		t.Run(r.Key(), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(1, 2))
			for done := 0; done < plies; {
				start, err := r.Start(rng.IntN(r.Starts()))
				if err != nil {
					t.Fatal(err)
				}
				g := rules.NewGame(start)
				for range 120 {
					if err := enginetest.CheckPosition(g.Position()); err != nil {
						t.Fatal(err)
					}
					done++
					moves := g.Position().Moves(nil)
					if _, over := g.Outcome(); over || len(moves) == 0 {
						break
					}
					if err := g.Play(pick(rng, g.Position(), moves)); err != nil {
						t.Fatal(err)
					}
				}
				if err := enginetest.CheckGame(g); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestManyPlies plays 10,000 plies a game with no check but that nothing breaks and that taking all back leads to the
// start.
func TestManyPlies(t *testing.T) {
	for _, r := range list(t) {
		t.Run(r.Key(), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(3, 4))
			room := make([]rules.Move, 0, 512)
			for done := 0; done < 10000; {
				p, err := r.Start(rng.IntN(r.Starts()))
				if err != nil {
					t.Fatal(err)
				}
				start := *p
				var undos []rules.Undo
				var made []rules.Move
				for range 400 {
					moves := p.Moves(room)
					if len(moves) == 0 {
						break
					}
					m := pick(rng, p, moves)
					undos = append(undos, rules.Undo{})
					p.Make(m, &undos[len(undos)-1])
					made = append(made, m)
					done++
				}
				for i := len(made) - 1; i >= 0; i-- {
					p.Unmake(made[i], &undos[i])
				}
				if *p != start {
					t.Fatalf("taken back to %s", notation.FEN(p))
				}
			}
		})
	}
}

// FuzzPlay plays the moves that the bytes choose and checks each position.
func FuzzPlay(f *testing.F) {
	games := list(f)
	for i := range games {
		f.Add(uint8(i), uint16(0), []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
		f.Add(uint8(i), uint16(518), []byte("the quick brown fox jumps over the lazy dog"))
		f.Add(uint8(i), uint16(77), []byte{200, 100, 50, 25, 250, 125, 60, 30, 15, 7, 3, 1, 90, 80, 70})
	}
	f.Fuzz(func(t *testing.T, game uint8, number uint16, choices []byte) {
		r := games[int(game)%len(games)]
		start, err := r.Start(int(number) % r.Starts())
		if err != nil {
			t.Fatal(err)
		}
		g := rules.NewGame(start)
		for _, c := range choices[:min(len(choices), 40)] {
			if err := enginetest.CheckPosition(g.Position()); err != nil {
				t.Fatal(err)
			}
			moves := g.Position().Moves(nil)
			if _, over := g.Outcome(); over {
				break
			}
			if err := g.Play(moves[int(c)%len(moves)]); err != nil {
				t.Fatal(err)
			}
		}
		if err := enginetest.CheckGame(g); err != nil {
			t.Fatal(err)
		}
	})
}
