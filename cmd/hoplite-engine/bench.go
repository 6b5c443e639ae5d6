package main

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"runtime"
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

// benchCommand searches fixed positions, three of each of ten games that stand
// for the families. The sum of their node counts is a signature: it is the
// same on every machine and changes only with what the rules core, the
// evaluation or the search do, never with how fast.
type benchCommand struct {
	Depth int `default:"11" help:"Plies to search each position."`
	Hash  int `default:"16" help:"MiB of the transposition table."`
}

// effort is what searches have cost.
type effort struct {
	nodes, allocations uint64
	cpu                time.Duration
}

func (e *effort) add(o effort) {
	e.nodes += o.nodes
	e.allocations += o.allocations
	e.cpu += o.cpu
}

func (e *effort) speed() float64 { return float64(e.nodes) / max(e.cpu.Seconds(), 1e-6) }

func (c *benchCommand) Run(set *variant.Set, o out) error {
	var keys []string
	games := map[string]*effort{}
	var all effort
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
		best, spent := c.search(r, pos)
		fmt.Fprintf(o, "%-10s %9d nodes  %-8s %s\n", key, spent.nodes, notation.FormatMove(pos, best), fen)
		if games[key] == nil {
			games[key] = &effort{}
			keys = append(keys, key)
		}
		games[key].add(spent)
		all.add(spent)
	}
	for _, key := range keys {
		fmt.Fprintf(o, "%-10s %9.0f nodes per CPU second\n", key, games[key].speed())
	}
	_, err := fmt.Fprintf(o, "signature  %9d nodes, %.0f nodes per CPU second, %.5f allocations a node\n", all.nodes, all.speed(),
		float64(all.allocations)/float64(max(all.nodes, 1)))
	return err
}

// search searches one position with a new engine, which the cost leaves out.
func (c *benchCommand) search(r *rules.Rules, pos *rules.Position) (rules.Move, effort) {
	e := search.New(r, search.Options{Hash: c.Hash})
	g := rules.NewGame(pos)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begun := processorTime()
	res := e.Search(context.Background(), g, search.Limits{Depth: c.Depth}, nil)
	cpu := processorTime() - begun
	runtime.ReadMemStats(&after)
	return res.Best, effort{nodes: res.Nodes, allocations: after.Mallocs - before.Mallocs, cpu: cpu}
}
