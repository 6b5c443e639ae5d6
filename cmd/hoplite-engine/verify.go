package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"hoplite/engine/enginetest"
	"hoplite/engine/variant"
)

type verifyCommand struct {
	Known    string   `help:"Table of allowed differences: game, what, pattern, reason, separated by tabs." placeholder:"FILE" type:"existingfile"`
	Table    bool     `help:"Print a table of what was compared, game by game."`
	MaxNodes uint64   `help:"Leave out perft rows with more nodes; 0 means none."`
	Files    []string `arg:"" help:"Perft tables (.tsv) and game files (.jsonl, .jsonl.gz)." type:"path"`
}

// Run prints one difference a line, then the counts.
func (c *verifyCommand) Run(set *variant.Set, w out) error {
	v := enginetest.Verifier{Set: set, MaxNodes: c.MaxNodes,
		OnDifference: func(d enginetest.Difference) { fmt.Fprintln(w, d) },
		OnEarly:      func(e enginetest.Early) { fmt.Fprintln(w, "note:", e) },
	}
	if c.Known != "" {
		f, err := os.Open(c.Known)
		if err != nil {
			return err
		}
		defer f.Close()
		if v.Known, err = enginetest.ReadKnown(f); err != nil {
			return fmt.Errorf("%s: %w", c.Known, err)
		}
	}
	for _, path := range c.Files {
		if err := v.File(path); err != nil {
			return err
		}
	}
	if c.Table {
		if err := c.table(w, set, &v); err != nil {
			return err
		}
	}
	if v.EarlyEnds > 0 {
		fmt.Fprintf(w, "%d games ended earlier by our rules\n", v.EarlyEnds)
	}
	if v.Skipped+v.TooBig > 0 {
		fmt.Fprintf(w, "left out: %d lines of games that are not in the catalogue, %d rows with too many nodes\n", v.Skipped, v.TooBig)
	}
	if v.Allowed > 0 {
		fmt.Fprintf(w, "%d known differences\n", v.Allowed)
	}
	fmt.Fprintf(w, "%d differences in %d perft rows and %d games (%d plies)\n", v.Differences, v.Rows, v.Games, v.Plies)
	if v.Differences > 0 {
		return errDifferent{}
	}
	return nil
}

// table prints what was compared of each game, in the order of the catalogue.
func (c *verifyCommand) table(w out, set *variant.Set, v *enginetest.Verifier) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "game\tperft rows\tgames\tplies\tended earlier\tknown\tdifferences\t")
	for _, r := range set.List() {
		if y := v.ByGame[r.Key()]; y != nil {
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", r.Key(), y.Rows, y.Games, y.Plies, y.EarlyEnds, y.Allowed, y.Differences)
		}
	}
	return t.Flush()
}
