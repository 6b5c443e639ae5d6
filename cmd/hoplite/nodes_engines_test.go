package main

import (
	"io"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/openapi"
)

// lentAt asks an engine at a node, and hands on what is found. The channel is closed at the end.
func lentAt(t testing.TB, p *process, e openapi.ExternalEngine) <-chan openapi.ExternalEngineAnalysis {
	t.Helper()
	c := clientAt(t, p, "")
	found := make(chan openapi.ExternalEngineAnalysis, 10)
	form := openapi.ExternalEngineAnalyseForm{ClientSecret: e.ClientSecret, Work: openapi.ExternalEngineWork{
		SessionID: "one", Threads: 1, Hash: 1, MultiPv: 1, Variant: "chess", Depth: 5,
		InitialFen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	}}
	go func() {
		defer close(found)
		for f, err := range c.Engines.Analyse(t.Context(), e.ID, form) {
			if err != nil {
				if t.Context().Err() == nil {
					t.Errorf("the analysis: %v", err)
				}
				return
			}
			found <- f
		}
	}()
	return found
}

// workAt waits for work at a node.
func workAt(t testing.TB, c *client.Client, secret string) *openapi.ExternalEngineJob {
	t.Helper()
	var job *openapi.ExternalEngineJob
	eventually(t, "work comes", time.Minute, func() bool {
		var err error
		if job, err = c.Engines.Acquire(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
		return job != nil
	})
	return job
}

// TestEnginesOverNodes asks at one node, takes the work at another, and answers at a third.
func TestEnginesOverNodes(t *testing.T) {
	n := startNodes(t, 3)
	if n == nil {
		return
	}
	const secret = "a secret of sixteen or more"
	p := n.list()
	anna := signUp(t, p[0], "Anna")
	e, err := clientAt(t, p[1], anna).Engines.Register(t.Context(), openapi.ExternalEngineRegistration{
		Name: "Fish", MaxThreads: 1, MaxHash: 16, ProviderSecret: secret,
	})
	if err != nil {
		t.Fatal(err)
	}
	taker, answerer := clientAt(t, p[1], ""), clientAt(t, p[2], "")
	begin := func(at *process) (found <-chan openapi.ExternalEngineAnalysis, said *io.PipeWriter, ended <-chan error) {
		found = lentAt(t, at, e)
		job := workAt(t, taker, secret)
		r, w := io.Pipe()
		over := make(chan error, 1)
		go func() { over <- answerer.Engines.Submit(t.Context(), job.ID, r) }()
		if _, err := io.WriteString(w, "info depth 4 score cp 30 pv e2e4 e7e5\n"); err != nil {
			t.Fatal(err)
		}
		select {
		case f := <-found:
			if f.Depth != 4 || len(f.Pvs) != 1 || len(f.Pvs[0].Moves) != 2 {
				t.Errorf("found was %+v", f)
			}
		case <-time.After(time.Minute):
			t.Fatal("nothing is found")
		}
		return found, w, over
	}
	ends := func(what string, found <-chan openapi.ExternalEngineAnalysis, ended <-chan error) {
		t.Helper()
		patience := time.After(time.Minute)
		for found != nil || ended != nil {
			select {
			case _, more := <-found:
				if !more {
					found = nil
				}
			case err := <-ended:
				if err != nil {
					t.Errorf("%s: the upload: %v", what, err)
				}
				ended = nil
			case <-patience:
				t.Fatalf("%s: what was open stays so", what)
			}
		}
	}
	first, _, firstUpload := begin(p[0])
	second, said, secondUpload := begin(p[1]) // the same session
	ends("asked anew at another node", first, firstUpload)
	if _, err := io.WriteString(said, "bestmove e2e4\n"); err != nil {
		t.Error(err)
	}
	if err := said.Close(); err != nil {
		t.Error(err)
	}
	ends("the engine is done", second, secondUpload)
	third, _, thirdUpload := begin(p[0])
	if err := clientAt(t, p[2], anna).Engines.Delete(t.Context(), e.ID); err != nil {
		t.Fatal(err)
	}
	ends("the engine is removed at another node", third, thirdUpload)
}
