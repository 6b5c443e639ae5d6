package main

import (
	"fmt"
	"syscall"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

type perftCommand struct {
	Variant string `arg:"" help:"Key of the game, such as standard or spartan."`
	Depth   int    `arg:"" help:"Number of plies."`
	FEN     string `name:"fen" help:"Position to start from instead of the game's start." placeholder:"FEN"`
	Start   int    `help:"Number of the start position, in games with several." default:"-1"`
	Divide  bool   `help:"Print the count of each first move."`
}

// Run counts, and prints speed by processor time, which other work on the machine disturbs least.
func (c *perftCommand) Run(set *variant.Set, w out) error {
	r, err := gameOf(set, c.Variant)
	if err != nil {
		return err
	}
	if c.Depth < 0 {
		return fmt.Errorf("depth %d: it must not be negative", c.Depth)
	}
	var p *rules.Position
	switch {
	case c.FEN != "":
		p, err = notation.ParseFEN(r, c.FEN)
	case c.Start >= 0:
		p, err = r.Start(c.Start)
	default:
		p, err = r.Start(r.UsualStart())
	}
	if err != nil {
		return err
	}
	before := processorTime()
	nodes := uint64(1)
	if c.Depth > 0 && c.Divide {
		nodes = 0
		var u rules.Undo
		for _, m := range p.Moves(nil) {
			text := notation.FormatMove(p, m)
			p.Make(m, &u)
			n := rules.Perft(p, c.Depth-1)
			p.Unmake(m, &u)
			fmt.Fprintf(w, "%s: %d\n", text, n)
			nodes += n
		}
	} else {
		nodes = rules.Perft(p, c.Depth)
	}
	spent := processorTime() - before
	fmt.Fprintf(w, "nodes %d\n", nodes)
	if spent > 0 {
		fmt.Fprintf(w, "cpu %.3f s, %.1f million nodes/s\n", spent.Seconds(), float64(nodes)/spent.Seconds()/1e6)
	}
	return nil
}

// processorTime returns the time that the process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
