package main

import (
	"context"
	"os"
	"time"

	"hoplite/engine/protocol"
	"hoplite/engine/variant"
	"hoplite/engine/variantfile"
)

// playCommand speaks with a chess program on standard input and output.
type playCommand struct {
	Protocol protocol.Protocol `default:"" placeholder:"NAME" help:"uci, ucicyclone, xboard, usi or ucci; by default what the program's first word says."`
	Seed     uint64            `help:"Seed for the chance of the levels below full strength; by default the time."`
}

func (c *playCommand) Run(set *variant.Set, o out) error {
	seed := c.Seed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	return protocol.Serve(context.Background(), os.Stdin, o, protocol.Options{
		Name: "Hoplite", Author: "the Hoplite authors", Variants: set, Protocol: c.Protocol, Load: variantfile.With(set), Seed: seed,
	})
}
