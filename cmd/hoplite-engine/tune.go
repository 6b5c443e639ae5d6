package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hoplite/engine/eval"
	"hoplite/engine/rules"
	"hoplite/engine/tune"
	"hoplite/engine/variant"
)

// tuneCommand finds weights of the evaluation for a game.
type tuneCommand struct {
	selfPlay `embed:""`

	Out    string   `placeholder:"FILE" help:"Where the weights are written; by default KEY.txt in the folder."`
	Epochs int      `default:"${epochs}" help:"Passes of the fit over all positions."`
	Rate   float64  `default:"${rate}" help:"Step of the fit, in units of a weight."`
	Blend  float64  `default:"${blend}" help:"Part of the target that is the result of the game; the rest is the score of the search."`
	Hold   float64  `default:"${hold}" help:"Price of a weight that is 100 away from where it began, in squared error."`
	Keep   []string `default:"MopUpEdge,MopUpNear,MopUpMen,FadeNoPawns" help:"Weights that are not fitted: the score is not linear in them."`
	Last   bool     `help:"Write the weights of the last pass, not those that do best in positions held back: of a few hundred games these are too few to tell."`
}

// tuneDefaults are the usual settings, for the help.
func tuneDefaults() map[string]string {
	s, l := tune.Usual(), tune.UsualLessons()
	return map[string]string{"epochs": fmt.Sprint(s.Epochs), "rate": fmt.Sprint(s.Rate),
		"blend": fmt.Sprint(s.Blend), "hold": fmt.Sprint(s.Hold),
		"netEpochs": fmt.Sprint(l.Epochs), "netRate": fmt.Sprint(l.Rate), "netDecay": fmt.Sprint(l.Decay), "netBlend": fmt.Sprint(l.Blend)}
}

func (c *tuneCommand) Run(set *variant.Set, o out) error {
	ctx, stop := interruptible()
	defer stop()
	r, games, err := c.play(ctx, set, o)
	if err != nil {
		return err
	}
	from := eval.For(r)
	rows, err := c.rows(ctx, o, r, from, games)
	if err != nil {
		return err
	}
	fit, err := c.fit(ctx, o, r, rows)
	if err != nil {
		return err
	}
	return c.write(o, r, from, rows, fit)
}

// rows takes the games apart, or reads what was made of them before.
func (c *tuneCommand) rows(ctx context.Context, w io.Writer, r *rules.Rules, from eval.Weights, games []tune.Game) (*tune.Rows, error) {
	path := filepath.Join(c.Dir, "rows.gob")
	rows, err := tune.LoadRows(path, len(games), from.Vector())
	if rows != nil || err != nil {
		return rows, err
	}
	rows, err = tune.ExtractAll(ctx, r, from, games, func(done int) {
		if done%(10*max(c.Every, 1)) == 0 {
			fmt.Fprintf(w, "%d of %d games taken apart\n", done, len(games))
		}
	})
	if err != nil {
		return nil, err
	}
	return rows, rows.Save(path, len(games))
}

// fit fits the weights, from the last checkpoint on.
func (c *tuneCommand) fit(ctx context.Context, w io.Writer, r *rules.Rules, rows *tune.Rows) (*tune.Fit, error) {
	const checkpoint = 20 // epochs
	path := filepath.Join(c.Dir, "fit.json")
	s, err := c.settings(r)
	if err != nil {
		return nil, err
	}
	fit, err := tune.LoadFit(path, rows, s)
	if fit == nil && err == nil {
		fit, err = tune.NewFit(rows)
	}
	if err != nil {
		return nil, err
	}
	for fit.Epoch < s.Epochs {
		fitted, held := fit.Step(rows, s)
		if fit.Epoch%checkpoint == 0 || fit.Epoch == s.Epochs {
			fmt.Fprintf(w, "epoch %d of %d: error %.6f, in positions held back %.6f\n", fit.Epoch, s.Epochs, fitted, held)
			if err := fit.Save(path, rows, s); err != nil {
				return nil, err
			}
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return fit, nil
}

func (c *tuneCommand) settings(r *rules.Rules) (tune.Settings, error) {
	s := tune.Settings{Epochs: c.Epochs, Rate: c.Rate, Blend: c.Blend, Hold: c.Hold}
	names := eval.Names(r)
	for _, name := range c.Keep {
		i := slices.Index(names, name)
		if i < 0 {
			return s, fmt.Errorf("tune: %s has no weight %s", r.Key(), name)
		}
		s.Keep = append(s.Keep, i)
	}
	return s, nil
}

// write writes the file of weights, with how it was made.
func (c *tuneCommand) write(w io.Writer, r *rules.Rules, from eval.Weights, rows *tune.Rows, fit *tune.Fit) error {
	path := c.Out
	if path == "" {
		path = filepath.Join(c.Dir, r.Key()+".txt")
	}
	tuned := from.Clone()
	chosen, after, last := fit.Best, fit.BestError, ""
	if c.Last {
		chosen, after, last = fit.Weights, fit.LastError, " --last"
	}
	tuned.SetVector(tune.Rounded(chosen))
	made := fmt.Sprintf(`Made by hoplite-engine tune %s --epochs %d --rate %g --blend %g --hold %g --keep %s%s
%d quiet positions; scale %.5f; error in those held back %.6f before, %.6f after.`,
		c.selfPlay, c.Epochs, c.Rate, c.Blend, c.Hold, strings.Join(c.Keep, ","), last, rows.Len(), fit.Scale, fit.Before, after)
	var text strings.Builder
	if err := eval.Write(r, &text, eval.Family(r), tuned, made); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "error in positions held back %.6f before, %.6f after; weights in %s\n", fit.Before, after, path)
	return err
}
