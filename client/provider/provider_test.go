package provider_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/client/provider"
	"hoplite/engine/notation"
	"hoplite/engine/variant"
	"hoplite/openapi"
	"hoplite/server/servertest"
)

// patience is how long something may take that must happen.
const patience = time.Minute

func catalogue(t *testing.T) *variant.Set {
	t.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// lend runs a provider until the returned function is called.
func lend(t *testing.T, api *client.Client, c provider.Config) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- provider.New(api, c, slog.New(slog.DiscardHandler)).Run(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the provider: %v", err)
			}
		case <-time.After(patience):
			t.Error("the provider does not end")
		}
	}
	t.Cleanup(stop)
	return stop
}

// lent waits until the engine is registered.
func lent(t *testing.T, api *client.Client) openapi.ExternalEngine {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		list, err := api.Engines.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 1 {
			return list[0]
		}
	}
	t.Fatal("no engine is lent")
	panic("unreachable")
}

func question(e openapi.ExternalEngine, variant, fen string) openapi.ExternalEngineAnalyseForm {
	return openapi.ExternalEngineAnalyseForm{ClientSecret: e.ClientSecret, Work: openapi.ExternalEngineWork{
		SessionID: "test", Threads: 1, Hash: 1, MultiPv: 2, Variant: variant, InitialFen: fen, Nodes: 400,
	}}
}

// TestEveryGame asks a lent engine for every game that the server can be asked for.
func TestEveryGame(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	api := s.SignUp(t, "Ann").Client(t)
	set := catalogue(t)
	stop := lend(t, api, provider.Config{Name: "Hoplite", Threads: 1, Hash: 16, Variants: set})
	e := lent(t, api)
	asked := 0
	for _, r := range set.List() {
		if r.Sides() != 2 || r.Hides() {
			continue
		}
		asked++
		start, err := r.Start(r.UsualStart())
		if err != nil {
			t.Fatal(err)
		}
		var last openapi.ExternalEngineAnalysis
		for found, err := range api.Engines.Analyse(t.Context(), e.ID, question(e, r.Key(), notation.FEN(start))) {
			if err != nil {
				t.Errorf("%s: %v", r.Key(), err)
				break
			}
			last = found
		}
		if last.Depth == 0 || len(last.Pvs) != 2 {
			t.Errorf("%s: found was %+v", r.Key(), last)
		}
	}
	if asked < 40 || len(e.Variants) < 40 {
		t.Errorf("%d games were asked for, and %d are lent", asked, len(e.Variants))
	}
	stop()
	if list, err := api.Engines.List(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("after the end there are %v, %v", list, err)
	}
}

// TestClientsThatGo: an endless search ends with its client, so that the next question is answered, and with the provider.
func TestClientsThatGo(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	api := s.SignUp(t, "Ann").Client(t)
	c := provider.Config{Name: "Hoplite", Threads: 1, Hash: 16, Variants: catalogue(t)}
	known, err := api.Engines.Register(t.Context(), openapi.ExternalEngineRegistration{
		Name: c.Name, MaxThreads: 1, MaxHash: 1, ProviderSecret: "that of an earlier provider",
	})
	if err != nil {
		t.Fatal(err)
	}
	stop := lend(t, api, c)
	for deadline := time.Now().Add(patience); lent(t, api).MaxHash != c.Hash && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	e := lent(t, api)
	if e.ID != known.ID || e.ClientSecret != known.ClientSecret {
		t.Errorf("the engine that is called so was not taken over: %+v", e)
	}
	start := "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	for _, leaves := range []bool{true, false} {
		endless := question(e, "chess", start)
		endless.Work.Nodes, endless.Work.MultiPv = 1<<50, 1
		found := 0
		for f, err := range api.Engines.Analyse(t.Context(), e.ID, endless) {
			if err != nil {
				t.Fatal(err)
			}
			if found++; f.Depth == 0 || len(f.Pvs) != 1 {
				t.Errorf("found was %+v", f)
			}
			if leaves {
				break
			}
			stop() // the answer ends with the provider
		}
		if found == 0 {
			t.Error("nothing was found")
		}
	}
}

// TestRefused: a token that may not register engines is an error, and so is an engine that is removed meanwhile.
func TestRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann := s.SignUp(t, "Ann")
	c := provider.Config{Name: "Hoplite", Threads: 1, Hash: 16, Variants: catalogue(t)}
	ann.Token = s.NewToken(t, "ann", "engine:read")
	var refusal *client.APIError
	err := provider.New(ann.Client(t), c, slog.New(slog.DiscardHandler)).Run(t.Context())
	if !errors.As(err, &refusal) || refusal.Status != 403 {
		t.Errorf("without the scope: %v", err)
	}
	ann.Token = s.NewToken(t, "ann", "engine:read", "engine:write")
	api := ann.Client(t)
	ended := make(chan error, 1)
	go func() { ended <- provider.New(api, c, slog.New(slog.DiscardHandler)).Run(t.Context()) }()
	if err := api.Engines.Delete(t.Context(), lent(t, api).ID); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended: // at its next question
		if !errors.As(err, &refusal) || refusal.Status != 404 {
			t.Errorf("without the engine: %v", err)
		}
	case <-time.After(patience):
		t.Error("the provider of a removed engine goes on")
	}
}
