package testgame_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"hoplite/engine/enginetest/testgame"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/view"
)

func dark(t *testing.T) *rules.Rules {
	t.Helper()
	r, err := rules.Compile(testgame.Dark())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSeedDecidesTheStart: a seed makes one start, and seeds differ.
func TestSeedDecidesTheStart(t *testing.T) {
	t.Parallel()
	r := dark(t)
	seen := map[string]int{}
	for i := range 200 {
		p, err := r.StartBy(rules.Seed{byte(i)})
		if err != nil {
			t.Fatal(err)
		}
		again, _ := r.StartBy(rules.Seed{byte(i)})
		if notation.FEN(p) != notation.FEN(again) {
			t.Fatalf("seed %d makes two starts", i)
		}
		seen[notation.FEN(p)]++
	}
	if len(seen) < 190 { // of 60 × 60
		t.Errorf("200 seeds made %d starts", len(seen))
	}
	// This is part of what a revealed seed proves: it must not change.
	p, _ := r.StartBy(rules.Seed{1})
	const want = "brnrk/ppppp/5/5/PPPPP/NRKRB w - - 0 1"
	if got := notation.FEN(p); got != want {
		t.Errorf("seed 1 makes %s, want %s", got, want)
	}
}

// TestSight plays at random and holds the view of each player to what it must
// be: one's own men, and an enemy only where it is seen; and nothing follows
// from the list of moves that the board does not show.
func TestSight(t *testing.T) {
	t.Parallel()
	r := dark(t)
	rng := rand.New(rand.NewPCG(1, 2))
	hidden := 0
	for game := range 60 {
		p, err := r.StartBy(rules.Seed{byte(game), 7})
		if err != nil {
			t.Fatal(err)
		}
		for range 40 {
			for side := range rules.Side(2) {
				v := p.View(int(side))
				known, men := v.Known(), p.Men(side)
				for c := range rules.Cell(r.Board().N()) {
					switch q := v.Position().At(c); {
					case men.Has(c) && !known.Has(c):
						t.Fatalf("%s: side %d does not see its own man", notation.FEN(p), side)
					case known.Has(c) && q != p.At(c), !known.Has(c) && q != 0:
						t.Fatalf("%s: side %d sees %d", notation.FEN(p), side, q)
					case !known.Has(c) && p.At(c) != 0:
						hidden++
					}
				}
				checkMoves(t, p, v, side)
			}
			legal := p.Moves(nil)
			if _, over := p.Outcome(); over || len(legal) == 0 {
				break
			}
			if err := p.Play(legal[rng.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if hidden == 0 {
		t.Error("nothing was ever hidden")
	}
}

// checkMoves asks that a player who puts men of the enemy on no unknown cell
// has the same moves as by the whole board: the list tells nothing new.
func checkMoves(t *testing.T, p *rules.Position, v rules.View, side rules.Side) {
	t.Helper()
	scene := view.Seen(v, true)
	if p.Turn() != side {
		if len(v.Moves()) > 0 || len(scene.Moves) > 0 {
			t.Fatalf("%s: side %d has moves out of turn", notation.FEN(p), side)
		}
		return
	}
	if !slices.Equal(v.Moves(), p.Moves(nil)) {
		t.Fatalf("%s: other moves than the legal ones", notation.FEN(p))
	}
	for _, m := range v.Moves() {
		if known := v.Known(); !known.Has(m.To()) {
			t.Fatalf("%s: %s goes to a cell that is not seen", notation.FEN(p), notation.FormatMove(p, m))
		}
	}
}

// TestSpectatorKnowsWhatAllKnow: at the start that is nothing of the men.
func TestSpectatorKnowsWhatAllKnow(t *testing.T) {
	t.Parallel()
	r := dark(t)
	p, err := r.StartBy(rules.Seed{3})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := notation.ViewFEN(p.View(rules.Spectator)), "?????/?????/?????/?????/?????/????? w - - 0 1"; got != want {
		t.Errorf("a spectator sees %s, want %s", got, want)
	}
	scene := view.Seen(p.View(0), true)
	if len(scene.Unknown) != 15 || len(scene.Men) != 10 || len(scene.Moves) == 0 {
		t.Errorf("White sees %+v", scene)
	}
	if scene = view.Seen(p.View(0), false); len(scene.Moves) > 0 {
		t.Error("a game that is over has moves")
	}
}
