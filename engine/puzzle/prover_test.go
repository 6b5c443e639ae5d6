package puzzle_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/puzzle"
	"hoplite/engine/rules"
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

func TestShortest(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, key, fen string
		most, want     int
		winning        []string
	}{
		{"back rank", "standard", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 3, 1, []string{"a1a8"}},
		{"Morphy's rook", "standard", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3, 2, []string{"a1a6"}},
		{"discovered checks", "standard", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, 3, []string{"f6a6"}},
		{"none", "standard", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 2, 0, nil},
		{"stalemate is no mate", "standard", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", 1, 1, []string{"f1f8"}},
		{"both kings at once", "spartan", "k6k/hh4hh/8/8/8/8/4Q3/4K3 w - - 0 1", 2, 1, []string{"e2e8"}},
		{"one of two kings is no mate", "spartan", "k6k/hh6/8/8/8/8/3R4/4K3 w - - 0 1", 1, 0, nil},
		{"by two kings", "spartan", "8/8/8/8/8/2k5/8/K1k5 b - - 0 1", 2, 1, []string{"c1b2", "c3b2"}},
		{"running out of moves loses", "spartan28", "k3/4/K1R1/4/4/4/4 w - - 0 1", 1, 1, []string{"c5b5", "c5c7"}},
		{"the same where it does not", "standard", "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", 1, 1, []string{"c1c8"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := varianttest.Rules(t, c.key)
			pos := position(t, r, c.fen)
			prover := puzzle.NewProver(r)
			got, err := prover.Shortest(pos, c.most)
			if err != nil || got != c.want {
				t.Fatalf("shortest %d, %v; want %d", got, err, c.want)
			}
			if got == 0 {
				return
			}
			moves, err := prover.Winning(pos, got)
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, m := range moves {
				texts = append(texts, notation.FormatMove(pos, m))
			}
			slices.Sort(texts)
			if !slices.Equal(texts, c.winning) {
				t.Errorf("winning %v, want %v", texts, c.winning)
			}
		})
	}
}

func TestMatedPositionsAreWon(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "spartan")
	if !puzzle.NewProver(r).Won(position(t, r, "k3Q2k/hh4hh/8/8/8/8/8/4K3 b - - 0 1")) {
		t.Error("duple mate is not won")
	}
	if puzzle.NewProver(r).Won(position(t, r, "1k3k2/8/8/8/8/8/8/1R3R1K b - - 0 1")) {
		t.Error("a duple check with moves left is won")
	}
}

// mates is the definition written down without any shortcut.
func mates(p *rules.Position, n int) bool {
	if n == 0 {
		return false
	}
	for _, m := range p.Moves(nil) {
		next := p.Clone()
		if next.Play(m) != nil {
			return false
		}
		if out, over := next.Outcome(); over {
			if out.Winner == int(p.Turn()) {
				return true
			}
			continue
		}
		all := true
		for _, reply := range next.Moves(nil) {
			after := next.Clone()
			if after.Play(reply) != nil {
				return false
			}
			if out, over := after.Outcome(); over && out.Winner == int(p.Turn()) {
				continue
			} else if over || !mates(after, n-1) {
				all = false
				break
			}
		}
		if all {
			return true
		}
	}
	return false
}

func TestProverAgreesWithTheDefinition(t *testing.T) {
	t.Parallel()
	// Random play on large boards seldom leads to a mate, so they are counted over all games.
	var found atomic.Int32
	t.Cleanup(func() {
		if n := found.Load(); n < 20 {
			t.Errorf("%d mates in all positions: the comparison says little", n)
		}
	})
	for _, d := range variant.All() {
		t.Run(d.Key, func(t *testing.T) {
			t.Parallel()
			r := varianttest.Rules(t, d.Key)
			for seed := range uint64(2) {
				chance := rand.New(rand.NewPCG(seed, 11))
				p, err := r.Start(d.Start.Usual)
				if err != nil {
					t.Fatal(err)
				}
				for range 120 {
					if _, over := p.Outcome(); over {
						break
					}
					prover := puzzle.NewProver(r)
					one, err := prover.Wins(p, 1)
					if r.KeepsTurn() {
						if !errors.Is(err, puzzle.ErrTurns) {
							t.Fatalf("turns of several moves: %v", err)
						}
						return
					}
					if err != nil {
						t.Fatal(err)
					}
					if want := mates(p, 1); one != want {
						t.Fatalf("%s: mate in one %v, want %v", notation.FEN(p), one, want)
					}
					if one {
						found.Add(1)
					}
					// Mates in two are compared where there is a check to
					// give: they are dear, and rare elsewhere.
					moves := p.Moves(nil)
					for _, m := range moves {
						if p.GivesCheck(m) && len(moves) < 30 {
							two, err := prover.Wins(p, 2)
							if err != nil {
								t.Fatal(err)
							}
							if want := mates(p, 2); two != want {
								t.Fatalf("%s: mate in two %v, want %v", notation.FEN(p), two, want)
							}
							break
						}
					}
					if err := p.Play(moves[chance.IntN(len(moves))]); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

func TestDefenceHoldsOutLongest(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "standard")
	p := position(t, r, "8/8/8/8/8/4k3/R7/1R4K1 b - - 0 1")
	var u rules.Undo
	prover := puzzle.NewProver(r)
	reply, err := prover.Defence(p, 3)
	if err != nil {
		t.Fatal(err)
	}
	p.Make(reply, &u)
	got, err := prover.Shortest(p, 3)
	if err != nil {
		t.Fatal(err)
	}
	p.Unmake(reply, &u)
	for _, m := range p.Moves(nil) {
		p.Make(m, &u)
		other, err := prover.Shortest(p, 3)
		p.Unmake(m, &u)
		if err != nil {
			t.Fatal(err)
		}
		if got != 0 && (other == 0 || other > got) {
			t.Errorf("%s holds out %d, the defence chosen %d", notation.FormatMove(p, m), other, got)
		}
	}
}
