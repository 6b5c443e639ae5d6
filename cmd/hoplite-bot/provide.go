package main

import (
	"cmp"
	"context"
	"io"
	"runtime"

	"hoplite/client"
	"hoplite/client/provider"
	"hoplite/engine/variantfile"
)

// provide lends our engine.
type provide struct {
	common
	Token   string `env:"HOPLITE_BOT_TOKEN" placeholder:"TOKEN" help:"API token with the scopes engine:read and engine:write. The environment or a file keeps it out of the list of processes."`
	Name    string `default:"Hoplite" help:"What the engine is called on the page."`
	Threads int    `placeholder:"N" help:"How many threads a client may ask for (default: the cores)."`
	Hash    int    `default:"256" placeholder:"MIB" help:"How large a hash table a client may ask for."`
}

// run lends the engine until ctx ends.
func (p *provide) run(ctx context.Context, stderr io.Writer) error {
	games, err := variantfile.Catalogue(p.Variants)
	if err != nil {
		return err
	}
	token, err := tokenFrom(p.Token, p.TokenFile)
	if err != nil {
		return err
	}
	api, err := connect(cmp.Or(p.URL, client.DefaultBaseURL), token)
	if err != nil {
		return err
	}
	return provider.New(api, provider.Config{
		Name: p.Name, Threads: cmp.Or(p.Threads, runtime.NumCPU()), Hash: p.Hash, Variants: games,
	}, p.logger(stderr)).Run(ctx)
}
