// Package provider lends our engine to an account of a server, over Lichess's API of external engines: it registers the
// engine, waits for work, and answers what it is asked.
package provider

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"hoplite/client"
	"hoplite/engine/protocol"
	"hoplite/engine/variant"
	"hoplite/openapi"
)

// Config is what is lent.
type Config struct {
	// Name is what the engine is called. One of the account that is called so already is taken over.
	Name string
	// Threads and Hash, in MiB, are the most that a client may ask for.
	Threads, Hash int
	// Variants are the games.
	Variants *variant.Set
}

// Provider lends an engine.
type Provider struct {
	api    *client.Client
	config Config
	secret string
	log    *slog.Logger
}

const (
	// pause is how long a provider waits after an error.
	pause = 2 * time.Second
	// farewell is how long the registration may take to be removed at the end.
	farewell = 5 * time.Second
)

// New returns a provider. The client's token must have the scopes engine:read and engine:write.
func New(api *client.Client, c Config, log *slog.Logger) *Provider {
	return &Provider{api: api, config: c, secret: rand.Text(), log: log}
}

// Run lends the engine until ctx ends, and takes it away then. It returns nil after an orderly end, and an error if the
// server will not have it.
func (p *Provider) Run(ctx context.Context) error {
	e, err := p.register(ctx)
	if err != nil {
		return err
	}
	p.log.Info("the engine is lent", "engine", e.ID, "name", e.Name, "account", e.UserID, "games", len(e.Variants))
	defer p.remove(context.WithoutCancel(ctx), e.ID)
	for ctx.Err() == nil {
		job, err := p.api.Engines.Acquire(ctx, p.secret)
		switch {
		case ctx.Err() != nil:
		case refused(err):
			return fmt.Errorf("no work is given: %w", err)
		case err != nil:
			p.log.Warn("no work can be had", "error", err)
			rest(ctx)
		case job != nil:
			if err := p.answer(ctx, job); err != nil && ctx.Err() == nil {
				p.log.Warn("an answer was not read to its end", "work", job.ID, "error", err)
			}
		}
	}
	return nil
}

// refused says that asking again is of no use.
func refused(err error) bool {
	refusal, ok := errors.AsType[*client.APIError](err)
	return ok && refusal.Status >= 400 && refusal.Status < 500
}

func rest(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
}

// register gives the account the engine, or takes over the one that is called the same.
func (p *Provider) register(ctx context.Context) (openapi.ExternalEngine, error) {
	r := openapi.ExternalEngineRegistration{
		Name: p.config.Name, MaxThreads: p.config.Threads, MaxHash: p.config.Hash, ProviderSecret: p.secret,
	}
	for _, game := range p.config.Variants.List() {
		if game.Sides() == 2 && !game.Hides() {
			r.Variants = append(r.Variants, cmp.Or(game.Definition().UCIShuffled, game.UCIName()))
		}
	}
	known, err := p.api.Engines.List(ctx)
	if err != nil {
		return openapi.ExternalEngine{}, err
	}
	for _, e := range known {
		if e.Name == r.Name {
			return p.api.Engines.Update(ctx, e.ID, r)
		}
	}
	return p.api.Engines.Register(ctx, r)
}

func (p *Provider) remove(ctx context.Context, id string) {
	ctx, cancel := context.WithTimeout(ctx, farewell)
	defer cancel()
	err := p.api.Engines.Delete(ctx, id)
	if gone, ok := errors.AsType[*client.APIError](err); ok && gone.Status == http.StatusNotFound {
		return
	}
	if err != nil {
		p.log.Warn("the engine stays registered", "engine", id, "error", err)
	}
}

// answer searches, and sends what the engine says as it says it. The search ends when nobody reads any more.
func (p *Provider) answer(ctx context.Context, job *openapi.ExternalEngineJob) error {
	p.log.Info("work", "work", job.ID, "game", job.Work.Variant, "moves", len(job.Work.Moves))
	ctx, stop := context.WithCancel(ctx)
	said, voice := io.Pipe()
	var engine sync.WaitGroup
	defer engine.Wait()
	defer stop()
	engine.Go(func() {
		err := protocol.Serve(ctx, strings.NewReader(commands(&job.Work)), voice, protocol.Options{
			Name: "Hoplite", Author: "the Hoplite authors", Variants: p.config.Variants, Protocol: protocol.UCI,
		})
		voice.CloseWithError(err) // nil is the end
	})
	err := p.api.Engines.Submit(ctx, job.ID, said)
	_ = said.Close() // an engine that goes on speaks to nobody
	return err
}

// commands is the work as UCI has it.
func commands(w *openapi.ExternalEngineWork) string {
	var b strings.Builder
	set := func(name string, value any) { fmt.Fprintf(&b, "setoption name %s value %v\n", name, value) }
	set("UCI_Variant", w.Variant)
	set("UCI_Chess960", true)
	set("Threads", w.Threads)
	set("Hash", w.Hash)
	set("MultiPV", w.MultiPv)
	fmt.Fprintf(&b, "position fen %s", w.InitialFen)
	if len(w.Moves) > 0 {
		b.WriteString(" moves " + strings.Join(w.Moves, " "))
	}
	b.WriteString("\ngo")
	for _, limit := range []struct {
		word string
		n    int64
	}{{"movetime", w.Movetime}, {"depth", int64(w.Depth)}, {"nodes", w.Nodes}} {
		if limit.n > 0 {
			fmt.Fprintf(&b, " %s %d", limit.word, limit.n)
		}
	}
	b.WriteString("\n")
	return b.String()
}
