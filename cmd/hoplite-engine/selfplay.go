package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"hoplite/engine/match"
	"hoplite/engine/rules"
	"hoplite/engine/tune"
	"hoplite/engine/variant"
)

// selfPlay is the part of commands that learn from games of the engine against
// itself.
type selfPlay struct {
	Variant string `arg:"" help:"Key of the game."`
	Dir     string `required:"" placeholder:"DIR" help:"Folder of the games, the positions and the checkpoints; work goes on from what is there."`
	Games   int    `default:"20000" help:"Games of the engine against itself."`
	Nodes   uint64 `default:"2000" help:"Nodes for a move of them."`
	Plies   int    `default:"8" help:"Random moves at the beginning of a game, one more or less."`
	Threads int    `default:"1" help:"Games at the same time."`
	Seed    uint64 `default:"1" help:"Seed of the random moves."`
	Every   int    `default:"100" help:"Report every so many games."`
}

// String writes how the games are asked for.
func (c selfPlay) String() string {
	return fmt.Sprintf("%s --games %d --nodes %d --plies %d --seed %d", c.Variant, c.Games, c.Nodes, c.Plies, c.Seed)
}

// selfPlayHeading is what the games in a folder must agree in.
type selfPlayHeading struct {
	Variant string `json:"variant"`
	Nodes   uint64 `json:"nodes"`
	Plies   int    `json:"plies"`
	Seed    uint64 `json:"seed"`
}

// play plays the games that are missing and returns all.
func (c *selfPlay) play(ctx context.Context, set *variant.Set, w io.Writer) (*rules.Rules, []tune.Game, error) {
	r, err := gameOf(set, c.Variant)
	if err != nil {
		return nil, nil, err
	}
	if r.Sides() != 2 || r.Hides() {
		return nil, nil, fmt.Errorf("%s is no game of two sides that see everything", r.Key())
	}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return nil, nil, err
	}
	journal, err := match.OpenJournal[tune.Game](filepath.Join(c.Dir, "games.jsonl"),
		selfPlayHeading{Variant: r.Key(), Nodes: c.Nodes, Plies: c.Plies, Seed: c.Seed})
	if err != nil {
		return nil, nil, err
	}
	defer journal.Close()
	had := len(journal.Records())
	fmt.Fprintf(w, "%s: %d of %d games are there\n", r.Key(), min(had, c.Games), c.Games)
	p := tune.Play{Rules: r, Games: c.Games, Nodes: c.Nodes, Plies: c.Plies, Seed: c.Seed, Threads: c.Threads}
	begun := time.Now()
	err = p.Run(ctx, journal, func(done int) {
		if done%max(c.Every, 1) == 0 {
			each := time.Since(begun) / time.Duration(max(done-had, 1))
			fmt.Fprintf(w, "%d games, %s left\n", done, (each * time.Duration(c.Games-done)).Round(time.Second))
		}
	})
	// An earlier run may have played more.
	games := slices.DeleteFunc(slices.Clone(journal.Records()), func(g tune.Game) bool { return g.Number >= c.Games })
	// In the order of their numbers, whatever order they ended in.
	slices.SortFunc(games, func(a, b tune.Game) int { return a.Number - b.Number })
	return r, games, err
}
