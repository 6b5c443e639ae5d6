package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hoplite/engine/foreign"
	"hoplite/engine/match"
	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant"
)

// calibrateCommand measures the levels of play in a game and moves their node
// limits until the steps between them are alike.
type calibrateCommand struct {
	Variant string   `arg:"" help:"Key of the game."`
	Dir     string   `required:"" placeholder:"DIR" help:"Folder of the journals; work goes on from what is there."`
	Games   int      `default:"100" help:"Games of each two levels."`
	Apart   int      `default:"2" help:"Greatest distance of two levels that play; those farther apart tell nothing."`
	Rounds  int      `default:"3" help:"Round robins; after each the limits are moved."`
	Nodes   []uint64 `help:"Node limits of the levels below full strength to begin with; by default those of the game."`
	Most    uint64   `default:"200000" help:"Greatest node limit that is proposed."`
	Full    uint64   `default:"0" help:"Nodes with which full strength takes part; 0: it does not."`
	Plies   int      `default:"6" help:"Random moves of an opening."`
	Balance int      `default:"120" help:"Greatest advantage after it, in centipawns."`
	Seed    uint64   `default:"1" help:"Seed of the openings and of the chance of the levels."`
	Boards  int      `default:"1" help:"Games at the same time."`
}

func (c *calibrateCommand) Run(set *variant.Set, o out) error {
	ctx, stop := interruptible()
	defer stop()
	r, err := gameOf(set, c.Variant)
	if err != nil {
		return err
	}
	nodes := c.Nodes
	if len(nodes) == 0 {
		nodes = search.LevelNodes(r)
	}
	if want := len(search.Levels()) - 1; len(nodes) != want || !slices.IsSorted(nodes) || nodes[0] == 0 {
		return fmt.Errorf("--nodes: %d rising limits expected, not %v", want, nodes)
	}
	if c.Apart < 1 || c.Rounds < 1 || c.Most <= nodes[0] {
		return fmt.Errorf("--apart and --rounds must be positive, and --most above the first limit")
	}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return err
	}
	for range c.Rounds {
		ratings, err := c.round(ctx, o, r, nodes)
		if err != nil {
			return err
		}
		c.table(o, r, nodes, ratings)
		nodes = match.Propose(nodes, ratings[:len(nodes)], c.Most)
		fmt.Fprintf(o, "proposed: %s\n", line(r, nodes))
	}
	return nil
}

// line is what engine/search/levels.txt holds of a game.
func line(r *rules.Rules, nodes []uint64) string {
	return r.Key() + " " + strings.Trim(fmt.Sprint(nodes), "[]")
}

// round lets all levels play those near them and fits ratings.
func (c *calibrateCommand) round(ctx context.Context, w io.Writer, r *rules.Rules, nodes []uint64) ([]float64, error) {
	players := len(nodes)
	if c.Full > 0 {
		players++
	}
	var results []match.Result
	for a := range players {
		for b := a + 1; b < min(a+c.Apart+1, players); b++ {
			s, err := c.pairing(ctx, r, nodes, a, b)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(w, "levels %d and %d: %s\n", b+1, a+1, s.Tally)
			results = append(results, match.Result{A: b, B: a, Games: s.Games(), Score: s.Score() * float64(s.Games())})
		}
	}
	return match.Ratings(players, results), nil
}

// pairing plays two levels. The journal's name says with which limits.
func (c *calibrateCommand) pairing(ctx context.Context, r *rules.Rules, nodes []uint64, a, b int) (*match.Summary, error) {
	const maxPlies = 400
	m := &match.Match{
		Rules: r, Games: c.Games, Boards: c.Boards,
		Openings:   match.Openings{Rules: r, Plies: c.Plies, Balance: c.Balance, Seed: c.Seed<<16 + uint64(a<<8+b)},
		Adjudicate: match.Adjudication{MaxPlies: maxPlies},
	}
	for i, level := range []int{b, a} {
		m.Contestants[i] = c.player(r, nodes, level)
	}
	name := fmt.Sprintf("%s-%s-%s.jsonl", r.Key(), m.Contestants[0].Name, m.Contestants[1].Name)
	journal, err := match.OpenJournal[match.Record](filepath.Join(c.Dir, name),
		[]any{r.Key(), m.Contestants[0].Name, m.Contestants[1].Name, c.Plies, c.Balance, c.Seed})
	if err != nil {
		return nil, err
	}
	defer journal.Close()
	m.Journal = journal
	return m.Run(ctx)
}

// player is a level by its number, counted from 0, named with its nodes.
func (c *calibrateCommand) player(r *rules.Rules, nodes []uint64, level int) match.Contestant {
	own := match.Own{Options: search.Options{LevelNodes: nodes}, Seed: c.Seed}
	limit := c.Full
	if level < len(nodes) {
		limit, own.Level = nodes[level], level+1
	}
	return match.Contestant{
		Name:   fmt.Sprintf("level%d-%d", level+1, limit),
		Limits: match.Limits{Nodes: limit},
		Open:   func(context.Context) (foreign.Player, error) { return own.Start(r) },
	}
}

// table prints the ratings of a round.
func (c *calibrateCommand) table(w io.Writer, r *rules.Rules, nodes []uint64, ratings []float64) {
	fmt.Fprintf(w, "%s\nlevel  nodes    rating  step\n", r.Key())
	for i, rating := range ratings {
		limit, step := c.Full, ""
		if i < len(nodes) {
			limit = nodes[i]
		}
		if i > 0 {
			step = fmt.Sprintf("%+.0f", rating-ratings[i-1])
		}
		fmt.Fprintf(w, "%5d  %-8d %6.0f  %s\n", i+1, limit, rating, step)
	}
}
