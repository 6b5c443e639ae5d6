package puzzle

import (
	"context"
	"math"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

const (
	leastRating, mostRating = 500, 2700
	firstRD                 = 200
	firstVolatility         = 0.09
	// levelShare is the weight of the levels' attempts against the features.
	levelShare = 0.7
)

// byFeatures estimates the difficulty from what the line looks like.
func byFeatures(moves int, f facts, plausible int) float64 {
	v := 900 + 220*float64(moves-1) + 8*float64(plausible)
	if f.quietFirst {
		v += 150
	}
	if f.sacrifice {
		v += 150
	}
	if f.gate {
		v += 100
	}
	return v
}

// plausible counts the moves that look nearly as good as the best one to a
// player who does not look ahead: within 0.2 of winning chance.
func plausible(ctx context.Context, e *search.Engine, pos *rules.Position) int {
	const all = 1000
	var chances []float64
	e.Search(ctx, rules.NewGame(pos.Clone()), search.Limits{Depth: 1, MultiPV: all}, func(i search.Info) {
		if i.MultiPV == 1 {
			chances = chances[:0]
		}
		chances = append(chances, winningChance(i.Score))
	})
	best := -1.0
	for _, c := range chances {
		if c < 1 { // a mate in one is what this player does not see
			best = max(best, c)
		}
	}
	n := 0
	for _, c := range chances {
		n += btoi(best-c <= 0.2)
	}
	return n
}

// winningChance maps a score to -1 (lost) to 1 (won).
func winningChance(s search.Score) float64 {
	switch {
	case s.Mate > 0:
		return 1
	case s.Mate < 0:
		return -1
	}
	return 2/(1+math.Exp(-0.00368208*float64(s.CP))) - 1
}

// attempts lets players of the levels try the puzzle with several seeds, and
// returns the rating at which half of them would solve it. Full strength is
// left out: it solves all.
func attempts(ctx context.Context, e *search.Engine, r *rules.Rules, p *Puzzle, tries int) (float64, error) {
	type attempt struct {
		rating float64
		solved bool
	}
	var all []attempt
	levels := search.Levels()
	for _, level := range levels[:len(levels)-1] {
		for try := range tries {
			solved, err := solves(ctx, e, r, p, level, uint64(level.Number*1000+try))
			if err != nil {
				return 0, err
			}
			all = append(all, attempt{float64(level.Rating), solved})
		}
	}
	// The likeliest rating by the logistic model on the 400 scale. Two
	// imagined players, one who always fails and one who never does, keep it
	// finite when all succeed or fail.
	all = append(all, attempt{leastRating - 200, false}, attempt{mostRating, true})
	best, at := math.Inf(-1), 0.0
	for rating := float64(leastRating); rating <= mostRating; rating += 10 {
		likelihood := 0.0
		for _, a := range all {
			chance := 1 / (1 + math.Pow(10, (rating-a.rating)/400))
			if !a.solved {
				chance = 1 - chance
			}
			likelihood += math.Log(chance)
		}
		if likelihood > best {
			best, at = likelihood, rating
		}
	}
	return at, nil
}

// solves lets a player of the level try the puzzle.
func solves(ctx context.Context, e *search.Engine, r *rules.Rules, p *Puzzle, level search.Level, seed uint64) (bool, error) {
	pos, _, err := p.Position(r)
	if err != nil {
		return false, err
	}
	g := rules.NewGame(pos)
	var played []string
	for {
		res := e.Choose(ctx, g, level, search.Limits{}, seed)
		if err := ctx.Err(); err != nil {
			return false, err
		}
		played = append(played, notation.FormatMove(g.Position(), res.Best))
		v, err := Judge(r, p, played)
		if err != nil || !v.Win || v.Done {
			return v.Win && err == nil, err
		}
		if err := g.Play(res.Best); err != nil {
			return false, err
		}
		reply, err := notation.ParseMove(g.Position(), v.Reply)
		if err != nil {
			return false, err
		}
		if err := g.Play(reply); err != nil {
			return false, err
		}
	}
}

// estimate fills in the first rating.
func (p *Puzzle) estimate(ctx context.Context, e *search.Engine, r *rules.Rules, pos *rules.Position, f facts, tries int) error {
	rating := byFeatures(p.Goal.MateIn, f, plausible(ctx, e, pos))
	if tries > 0 {
		levels, err := attempts(ctx, e, r, p, tries)
		if err != nil {
			return err
		}
		rating = levelShare*levels + (1-levelShare)*rating
	}
	p.Rating = int(min(max(rating, leastRating), mostRating) + 0.5)
	p.RD, p.Vol = firstRD, firstVolatility
	return nil
}
