package main

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant"
)

// benchPositions are lines of a variant key, a tab and a position.
//
//go:embed bench.tsv
var benchPositions string

// benchCommand searches fixed positions. The sum of their node counts is a
// signature: it is the same on every machine and changes only with what the
// rules core, the evaluation or the search do, never with how fast.
type benchCommand struct {
	Depth int `default:"13" help:"Plies to search each position."`
	Hash  int `default:"16" help:"MiB of the transposition table."`
}

func (c *benchCommand) Run(set *variant.Set, o out) error {
	type total struct {
		nodes uint64
		cpu   time.Duration
	}
	var keys []string
	games := map[string]*total{}
	var all total
	sc := bufio.NewScanner(strings.NewReader(benchPositions))
	for sc.Scan() {
		key, fen, ok := strings.Cut(sc.Text(), "\t")
		if !ok {
			continue
		}
		r, ok := set.Get(key)
		if !ok {
			return fmt.Errorf("bench: no variant %s", key)
		}
		pos, err := notation.ParseFEN(r, fen)
		if err != nil {
			return fmt.Errorf("bench: %s: %w", fen, err)
		}
		e := search.New(r, search.Options{Hash: c.Hash})
		before := processorTime()
		res := e.Search(context.Background(), rules.NewGame(pos), search.Limits{Depth: c.Depth}, nil)
		cpu := processorTime() - before
		fmt.Fprintf(o, "%-10s %9d nodes  %-8s %s\n", key, res.Nodes, notation.FormatMove(pos, res.Best), fen)
		t := games[key]
		if t == nil {
			t = &total{}
			games[key] = t
			keys = append(keys, key)
		}
		t.nodes += res.Nodes
		t.cpu += cpu
		all.nodes += res.Nodes
		all.cpu += cpu
	}
	speed := func(t total) float64 { return float64(t.nodes) / max(t.cpu.Seconds(), 1e-6) }
	for _, key := range keys {
		fmt.Fprintf(o, "%-10s %9.0f nodes per CPU second\n", key, speed(*games[key]))
	}
	_, err := fmt.Fprintf(o, "signature  %9d nodes, %.0f nodes per CPU second\n", all.nodes, speed(all))
	return err
}
