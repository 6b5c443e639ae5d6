package main

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/openapi"
)

// lendOver lends an engine through a proxy: what it says comes while its upload goes on, and the upload ends with the
// client. It speaks HTTP/2 to the proxy, as Go's clients do over TLS: over HTTP/1.1 Caddy holds an early answer back.
func lendOver(t *testing.T, over *http.Transport, token string) {
	t.Helper()
	over = over.Clone()
	over.ForceAttemptHTTP2 = true
	defer over.CloseIdleConnections()
	c, err := client.New(client.BaseURL("https://"+proxyHost), client.Token(token), client.HTTPClient(&http.Client{Transport: over}))
	if err != nil {
		t.Fatal(err)
	}
	const secret = "a secret of sixteen or more"
	e, err := c.Engines.Register(t.Context(), openapi.ExternalEngineRegistration{
		Name: "Fish", MaxThreads: 1, MaxHash: 16, ProviderSecret: secret,
	})
	if err != nil {
		t.Fatal(err)
	}
	asking, leave := context.WithCancel(t.Context())
	defer leave()
	found := make(chan openapi.ExternalEngineAnalysis, 10)
	go func() {
		defer close(found)
		for f, err := range c.Engines.Analyse(asking, e.ID, openapi.ExternalEngineAnalyseForm{
			ClientSecret: e.ClientSecret, Work: openapi.ExternalEngineWork{
				SessionID: "one", Threads: 1, Hash: 1, MultiPv: 1, Variant: "chess", Depth: 5,
				InitialFen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
			},
		}) {
			if err != nil {
				return
			}
			found <- f
		}
	}()
	job := workAt(t, c, secret)
	said, voice := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- c.Engines.Submit(t.Context(), job.ID, said) }()
	if _, err := io.WriteString(voice, "info depth 4 score cp 30 pv e2e4 e7e5\n"); err != nil {
		t.Fatal(err)
	}
	select {
	case f := <-found:
		if f.Depth != 4 {
			t.Errorf("found was %+v", f)
		}
	case <-time.After(time.Minute):
		t.Fatal("the proxy holds the upload back")
	}
	leave()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the upload: %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("the upload goes on without its client")
	}
}
