package tune

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hoplite/engine/eval"
	"hoplite/engine/match"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant/varianttest"
)

// samples are positions of fast games in which the search is made to say that
// pawns are worth more than the evaluation thinks.
func samples(t *testing.T, r *rules.Rules) *Samples {
	t.Helper()
	j, err := match.OpenJournal[Game](filepath.Join(t.TempDir(), "games"), "test")
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	p := Play{Rules: r, Games: 80, Nodes: 30, Plies: 6, Seed: 5}
	if err := p.Run(t.Context(), j, nil); err != nil {
		t.Fatal(err)
	}
	games := j.Records()
	pawn := r.TypeOf("P")
	e := eval.New(r).NewScorer()
	for i := range games {
		g := &games[i]
		err := replay(r, g, func(n int, pos *rules.Position) {
			us := pos.Turn()
			g.Scores[n] = e.Score(pos) + 80*(pos.Count(r.Piece(us, pawn))-pos.Count(r.Piece(us^1, pawn)))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := SampleAll(t.Context(), r, eval.For(r), games, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// replay calls f with the positions of a game.
func replay(r *rules.Rules, g *Game, f func(n int, p *rules.Position)) error {
	p, err := notation.ParseFEN(r, g.FEN)
	if err != nil {
		return err
	}
	for n, text := range g.Moves {
		f(n, p)
		m, err := notation.ParseMove(p, text)
		if err != nil {
			return err
		}
		if err := p.Play(m); err != nil {
			return err
		}
	}
	return nil
}

func TestTrainingLearns(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "standard")
	s := samples(t, r)
	how := Lessons{Epochs: 80, Rate: 0.01, Decay: 2, Flip: true, Seed: 1}
	whole, err := NewTraining(s, how)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "training")
	const half = 5
	for range how.Epochs {
		if whole.Epoch == half {
			if err := whole.Save(path, s, how); err != nil {
				t.Fatal(err)
			}
		}
		if err := whole.Train(t.Context(), s, how); err != nil {
			t.Fatal(err)
		}
	}
	if whole.Held > whole.Before*2/3 || whole.Fitted > whole.Before/4 {
		t.Errorf("error %.6f without the network, %.6f with it, %.6f in what it has seen", whole.Before, whole.Held, whole.Fitted)
	}
	again, err := LoadTraining(path, s, how)
	if err != nil || again == nil || again.Epoch != half {
		t.Fatalf("the checkpoint is %v, %v", again, err)
	}
	for again.Epoch < how.Epochs {
		if err := again.Train(t.Context(), s, how); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(whole.Weights.Round(), again.Weights.Round()); diff != "" {
		t.Error("a training that was cut off ends otherwise")
	}
	other := how
	other.Rate = 0.03
	if of, err := LoadTraining(path, s, other); of != nil || err != nil {
		t.Errorf("the checkpoint of another training: %v, %v", of, err)
	}
}
