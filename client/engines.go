package client

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"

	"hoplite/openapi"
)

// EnginesService is about external engines: chess programs that run elsewhere and that an account's clients may ask.
type EnginesService struct{ service }

// List returns the engines of the account, with what is needed to use them.
func (s *EnginesService) List(ctx context.Context) ([]openapi.ExternalEngine, error) {
	return get[[]openapi.ExternalEngine](ctx, s.c, "/api/external-engine", nil)
}

// Register gives the account an engine.
func (s *EnginesService) Register(ctx context.Context, r openapi.ExternalEngineRegistration) (openapi.ExternalEngine, error) {
	var out openapi.ExternalEngine
	err := s.c.do(ctx, call{method: http.MethodPost, path: "/api/external-engine", json: r, once: true}, &out)
	return out, err
}

// Get returns an engine of the account.
func (s *EnginesService) Get(ctx context.Context, id string) (openapi.ExternalEngine, error) {
	return get[openapi.ExternalEngine](ctx, s.c, pathf("/api/external-engine/%s", id), nil)
}

// Update writes all of an engine anew but its id and client secret.
func (s *EnginesService) Update(ctx context.Context, id string, r openapi.ExternalEngineRegistration) (openapi.ExternalEngine, error) {
	var out openapi.ExternalEngine
	err := s.c.do(ctx, call{method: http.MethodPut, path: pathf("/api/external-engine/%s", id), json: r}, &out)
	return out, err
}

// Delete removes an engine of the account.
func (s *EnginesService) Delete(ctx context.Context, id string) error {
	var out openapi.Ok
	return s.c.do(ctx, call{method: http.MethodDelete, path: pathf("/api/external-engine/%s", id)}, &out)
}

// Analyse asks an engine, and yields what it has found so far, again and again. It needs the engine's client secret, and
// no account.
func (s *EnginesService) Analyse(ctx context.Context, id string, form openapi.ExternalEngineAnalyseForm) iter.Seq2[openapi.ExternalEngineAnalysis, error] {
	if form.Work.Moves == nil {
		form.Work.Moves = []string{} // a list is required
	}
	return stream[openapi.ExternalEngineAnalysis](ctx, s.c, call{
		method: http.MethodPost, path: pathf("/api/external-engine/%s/analyse", id), json: form, once: true,
	})
}

// Acquire waits some seconds for work of a provider, and returns nil if there was none. It may be repeated: work whose
// answer was lost is given out again.
func (s *EnginesService) Acquire(ctx context.Context, providerSecret string) (*openapi.ExternalEngineJob, error) {
	var text string
	form := openapi.ExternalEngineAcquireForm{ProviderSecret: providerSecret}
	cl := call{method: http.MethodPost, path: "/api/external-engine/work", json: form}
	if err := s.c.do(ctx, cl, &text); err != nil || text == "" {
		return nil, err
	}
	var job openapi.ExternalEngineJob
	if err := json.Unmarshal([]byte(text), &job); err != nil {
		return nil, cl.malformed([]byte(text), err)
	}
	return &job, nil
}

// Submit answers work with what an engine says over UCI, as it says it. It returns when the body has ended, or before,
// when nobody wants more of it: the engine can be stopped then. The body is closed.
func (s *EnginesService) Submit(ctx context.Context, workID string, uci io.ReadCloser) error {
	resp, err := s.c.send(ctx, call{method: http.MethodPost, path: pathf("/api/external-engine/work/%s", workID), stream: uci, once: true})
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
