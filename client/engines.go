package client

import (
	"context"
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
