package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"hoplite/engine/eval"
	"hoplite/engine/net"
	"hoplite/engine/tune"
	"hoplite/engine/variant"
)

// trainCommand trains a network that corrects the evaluation of a game.
type trainCommand struct {
	selfPlay `embed:""`

	Out    string   `placeholder:"FILE" help:"Where the network is written; by default KEY.net in the folder."`
	Serves []string `help:"Further games, with the same men on the same board, that it serves."`
	Epochs int      `default:"${netEpochs}" help:"Passes over all positions."`
	Rate   float64  `default:"${netRate}" help:"Step of the training at its beginning."`
	Decay  float64  `default:"${netDecay}" help:"How strongly weights are drawn to 0, in parts of a step."`
	Blend  float64  `default:"${netBlend}" help:"Part of the target that is the result of the game; the rest is the score of the search."`
	Flip   bool     `default:"true" negatable:"" help:"Show every other position with left and right changed."`
}

func (c *trainCommand) Run(set *variant.Set, o out) error {
	ctx, stop := interruptible()
	defer stop()
	r, games, err := c.play(ctx, set, o)
	if err != nil {
		return err
	}
	if !net.Fits(r) {
		return fmt.Errorf("%s is not played on a rectangle", r.Key())
	}
	samples, err := tune.SampleAll(ctx, r, eval.For(r), games, func(done int) {
		if done%(10*max(c.Every, 1)) == 0 {
			fmt.Fprintf(o, "%d of %d games looked through\n", done, len(games))
		}
	})
	if err != nil {
		return err
	}
	t, err := c.train(ctx, o, samples)
	if err != nil {
		return err
	}
	path := c.Out
	if path == "" {
		path = filepath.Join(c.Dir, r.Key()+".net")
	}
	f := net.File{Games: append([]string{r.Key()}, c.Serves...), Evaluation: samples.Evaluation, Weights: t.Weights.Round(),
		Made: fmt.Sprintf("by hoplite-engine train %s --epochs %d --rate %g --decay %g --blend %g%s\n"+
			"%d quiet positions; scale %.5f; error in those held back %.6f without it, %.6f with it, %.6f in the others\n",
			c.selfPlay, c.Epochs, c.Rate, c.Decay, c.Blend, c.flip(), samples.Len(), t.Scale, t.Before, t.Held, t.Fitted)}
	var packed bytes.Buffer
	if err := f.Write(&packed); err != nil {
		return err
	}
	if err := os.WriteFile(path, packed.Bytes(), 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintln(o, "network in", path)
	return err
}

func (c *trainCommand) flip() string {
	if c.Flip {
		return ""
	}
	return " --no-flip"
}

// train trains, from the last checkpoint on.
func (c *trainCommand) train(ctx context.Context, o io.Writer, s *tune.Samples) (*tune.Training, error) {
	how := tune.Lessons{Epochs: c.Epochs, Rate: c.Rate, Decay: c.Decay, Blend: c.Blend, Flip: c.Flip, Seed: c.Seed}
	path := filepath.Join(c.Dir, "training.gob")
	t, err := tune.LoadTraining(path, s, how)
	if t == nil && err == nil {
		t, err = tune.NewTraining(s, how)
	}
	if err != nil {
		return nil, err
	}
	for t.Epoch < c.Epochs {
		if err := t.Train(ctx, s, how); err != nil {
			return nil, err
		}
		fmt.Fprintf(o, "epoch %d of %d: error %.6f, in positions held back %.6f, without the network %.6f\n",
			t.Epoch, c.Epochs, t.Fitted, t.Held, t.Before)
		if err := t.Save(path, s, how); err != nil {
			return nil, err
		}
	}
	return t, nil
}
