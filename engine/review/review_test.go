package review

import (
	"math"
	"slices"
	"testing"
)

func TestJudgments(t *testing.T) {
	cp := func(v int) Eval { return Eval{CP: v} }
	for _, c := range []struct {
		name          string
		before, after Eval
		mover         uint8
		want          Judgment
	}{
		{"a good move", cp(30), cp(25), 0, Fair},
		{"a better one than was seen", cp(30), cp(200), 0, Fair},
		{"an inaccuracy", cp(0), cp(-60), 0, Inaccuracy},
		{"a mistake", cp(0), cp(-120), 0, Mistake},
		{"a blunder", cp(0), cp(-200), 0, Blunder},
		{"the other side's blunder", cp(0), cp(200), 1, Blunder},
		{"what is lost already is not lost again", cp(-900), cp(-1200), 0, Fair},
		{"a mate let go", Eval{Mate: 2}, cp(0), 0, Blunder},
		{"a mate let go that wins all the same", Eval{Mate: 2}, cp(1500), 0, Fair},
		{"walking into mate", cp(20), Eval{Mate: -3}, 0, Blunder},
		{"mate given", Eval{Mate: 1}, Eval{Over: true}, 0, Fair},
		{"a move after the end", Eval{Over: true}, cp(-500), 0, Fair},
	} {
		judged, sums := Game([]Eval{c.before, c.after}, []uint8{c.mover})
		if judged[0] != c.want {
			t.Errorf("%s: %q, want %q", c.name, judged[0], c.want)
		}
		s := sums[c.mover]
		if errors := s.Inaccuracy + s.Mistake + s.Blunder; s.Moves != 1 || (errors == 1) != (c.want != Fair) || sums[1-c.mover].Moves != 0 {
			t.Errorf("%s: counted as %+v", c.name, sums)
		}
	}
}

// TestFormulas holds single values against the published formulas, worked out by hand.
func TestFormulas(t *testing.T) {
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.01 {
			t.Errorf("%s is %.3f, want %.3f", name, got, want)
		}
	}
	near("the chance to win with a pawn more", Eval{CP: 100}.win(), 59.10)
	near("the chance to win in an even game", Eval{}.win(), 50)
	near("the chance to win a won game", Eval{CP: 5000}.win(), Eval{Mate: 9}.win())
	near("the accuracy of a perfect move", accuracy(0), 100)
	near("the accuracy of 10 percent given away", accuracy(10), 64.58)
	near("the accuracy of a disaster", accuracy(100), 0)
	near("the deviation", deviation([]float64{2, 4, 4, 4, 5, 5, 7, 9}), 2)
}

func TestSummary(t *testing.T) {
	// Black throws the game away at ply 4; White plays on evenly.
	evals := []Eval{{CP: 20}, {CP: 20}, {CP: 15}, {CP: 20}, {CP: 600}, {CP: 590}, {CP: 600}, {Over: true}}
	judged, sums := Game(evals, []uint8{0, 1, 0, 1, 0, 1, 0})
	if got := Worst(judged, Inaccuracy); !slices.Equal(got, []int{3}) {
		t.Errorf("errors at plies %v", got)
	}
	white, black := sums[0], sums[1]
	if white.Accuracy < 95 || white.AverageLoss > 5 || white.Moves != 4 {
		t.Errorf("White: %+v", white)
	}
	if black.Accuracy >= white.Accuracy || black.AverageLoss != 197 || black.Blunder != 1 {
		t.Errorf("Black: %+v", black)
	}
	if _, sums := Game([]Eval{{CP: 20}}, nil); sums != ([2]Summary{}) {
		t.Errorf("a game without moves: %+v", sums)
	}
}
