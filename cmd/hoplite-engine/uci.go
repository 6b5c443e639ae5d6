package main

import (
	"context"
	"os"
	"time"

	"hoplite/engine/protocol"
	"hoplite/engine/variant"
)

// uciCommand speaks UCI on standard input and output.
type uciCommand struct {
	Seed uint64 `help:"Seed for the chance of the levels below full strength; by default the time."`
}

func (c *uciCommand) Run(set *variant.Set, o out) error {
	seed := c.Seed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	return protocol.UCI(context.Background(), os.Stdin, o, protocol.Options{
		Name: "Hoplite", Author: "the Hoplite authors", Variants: set, Seed: seed,
	})
}
