package testgame_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hoplite/engine/enginetest/testgame"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/view"
)

func four(t *testing.T) *rules.Rules {
	t.Helper()
	r, err := rules.Compile(testgame.Four())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func play(t *testing.T, g *rules.Game, moves string) {
	t.Helper()
	for _, text := range strings.Fields(moves) {
		m, err := notation.ParseMove(g.Position(), text)
		if err == nil {
			err = g.Play(m)
		}
		if err != nil {
			t.Fatalf("%s at %s: %v", text, notation.FEN(g.Position()), err)
		}
	}
}

func from(t *testing.T, fen string) *rules.Game {
	t.Helper()
	p, err := notation.ParseFEN(four(t), fen)
	if err != nil {
		t.Fatal(err)
	}
	return rules.NewGame(p)
}

const nobody = "0,0,0,0-0,0,0,0"

// TestArmiesFall takes a king, which puts its army out and scores; dead men score nothing, their turns are left out, and
// the points rank the armies at the end.
func TestArmiesFall(t *testing.T) {
	t.Parallel()
	// Red's rook takes Yellow's king on d7; then Yellow's knight, which is dead.
	g := from(t, "R-0,0,0,0-"+nobody+"-0,0,0,0-0-x,x,1,yK,yN,x,x/x,x,3,x,x/bK,6/7/6,gK/x,x,3,x,x/x,x,rK,rR,1,x,x")
	play(t, g, "d1d7")
	p := g.Position()
	if !p.Out(2) || p.Scored(0) != 3 || p.Turn() != 1 {
		t.Fatalf("after the capture: %s", notation.FEN(p))
	}
	play(t, g, "a5b5 g3f3")
	if p.Turn() != 0 {
		t.Fatalf("the dead army is to move: %s", notation.FEN(p))
	}
	play(t, g, "d7e7") // a dead knight
	if p.Scored(0) != 3 {
		t.Errorf("a dead man scored: %s", notation.FEN(p))
	}
	if err := g.Retire(3); err != nil {
		t.Fatal(err)
	}
	if p.Turn() != 1 || !p.Out(3) {
		t.Errorf("after Green left: %s", notation.FEN(p))
	}
	if err := g.Retire(3); err == nil {
		t.Error("Green left twice")
	}
	if _, over := g.Outcome(); over {
		t.Error("two armies are in, and the game is over")
	}
	before := notation.FEN(p)
	if err := g.Retire(1); err != nil { // on its own turn
		t.Fatal(err)
	}
	o, over := g.Outcome()
	if !over || o.Winner != 0 || o.Reason != rules.LastAlive || o.Points[0] != 3 || o.Places != [8]uint8{1, 2, 2, 2} {
		t.Errorf("outcome %+v, %t", o, over)
	}
	if len(p.Moves(nil)) != 0 {
		t.Error("a game that is over has moves")
	}
	if !g.Undo() || notation.FEN(g.Position()) != before {
		t.Errorf("taken back: %s, want %s", notation.FEN(g.Position()), before)
	}
}

// TestNoMoveIsOut leaves an army out that cannot move in its turn: its king stands behind its own pawns, and they before
// enemies that they cannot take.
func TestNoMoveIsOut(t *testing.T) {
	t.Parallel()
	d := testgame.Four()
	d.Pieces = append(d.Pieces, rules.PieceDef{Letter: "P", Name: "Pawn", Betza: "fmW", Pawn: true})
	for i := range d.Sides {
		d.Sides[i].Army += "P"
	}
	r, err := rules.Compile(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		before string // Blue's pawns
		turn   rules.Side
	}{{"yN", 2}, {"1", 1}} {
		p, err := notation.ParseFEN(r, "R-0,0,0,0-"+nobody+"-0,0,0,0-0-x,x,1,yK,1,x,x/x,x,3,x,x/bK,bP,yN,4/bP,bP,"+c.before+
			",3,gK/7/x,x,3,x,x/x,x,rK,rR,1,x,x")
		if err != nil {
			t.Fatal(err)
		}
		g := rules.NewGame(p)
		play(t, g, "d1d2")
		if now := g.Position(); now.Turn() != c.turn || now.Out(1) != (c.turn == 2) {
			t.Errorf("with %s before the pawns: %s", c.before, notation.FEN(now))
		}
	}
}

// TestFourTurnsRound plays at random: make and unmake restore everything, the key equals the recomputed one, texts come
// back, and turns go round without those that are out.
func TestFourTurnsRound(t *testing.T) {
	t.Parallel()
	r := four(t)
	rng := rand.New(rand.NewPCG(5, 6))
	ended := map[rules.Reason]int{}
	for range 40 {
		p, err := r.Start(0)
		if err != nil {
			t.Fatal(err)
		}
		g := rules.NewGame(p)
		for {
			p := g.Position()
			if o, over := g.Outcome(); over {
				ended[o.Reason]++
				if o.Places[0] == 0 || slices.Max(o.Places[:4]) > 4 {
					t.Fatalf("places %v", o.Places)
				}
				break
			}
			if p.Out(p.Turn()) {
				t.Fatalf("%s: an army that is out is to move", notation.FEN(p))
			}
			text := notation.FEN(p)
			again, err := notation.ParseFEN(r, text)
			if err != nil || notation.FEN(again) != text || again.Key() != p.Key() {
				t.Fatalf("%s comes back as %s, %v", text, notation.FEN(again), err)
			}
			if scene := view.Of(p); len(scene.Moves) == 0 || scene.Turn != int(p.Turn()) || scene.FEN != text {
				t.Fatalf("%s: scene %+v", text, scene)
			}
			legal := p.Moves(nil)
			for _, m := range legal {
				var u rules.Undo
				p.Make(m, &u)
				p.Unmake(m, &u)
				if notation.FEN(p) != text || p.Key() != again.Key() {
					t.Fatalf("%s: %s is not taken back: %s", text, notation.FormatMove(p, m), notation.FEN(p))
				}
			}
			if rng.IntN(40) == 0 {
				if err := g.Retire(p.Turn()); err != nil {
					t.Fatal(err)
				}
			} else if err := g.Play(legal[rng.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if ended[rules.LastAlive] == 0 {
		t.Errorf("ends %v", ended)
	}
}

// TestBadTextsOfFour are refused with what is wrong.
func TestBadTextsOfFour(t *testing.T) {
	t.Parallel()
	good := testgame.Four().Start.FEN
	for _, c := range []struct{ old, with, want string }{
		{"R-0", "P-0", `no army "P"`}, {"0,0,0,0-0,0,0,0", "0,0,0-0,0,0,0", "3 entries for 4 armies"}, {"yK", "zK", `no army for "zK"`},
		{"yK", "yQ", "no man"}, {"bN,5,gR", "bN,6,gR", "longer"}, {"bN,5,gR", "bN,4,gR", "6 cells instead of 7"},
		{"x,x,3", "2,3", "stands where it cannot"}, {"R-0,", "R-1,", "is out"}, {"/bK,5,gK", "", "rows instead of"},
	} {
		text := strings.Replace(good, c.old, c.with, 1)
		if _, err := notation.ParseFEN(four(t), text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", text, err, c.want)
		}
	}
}
