package client

import (
	"context"

	"hoplite/openapi"
)

// VariantsService is about the games that can be played. Hoplite only.
type VariantsService struct{ service }

// List returns one entry for each game.
func (s *VariantsService) List(ctx context.Context) ([]openapi.VariantSummary, error) {
	return get[[]openapi.VariantSummary](ctx, s.c, "/api/variants", nil)
}

// Get returns all about one game: board, pieces, texts.
func (s *VariantsService) Get(ctx context.Context, key string) (openapi.VariantDetail, error) {
	return get[openapi.VariantDetail](ctx, s.c, pathf("/api/variants/%s", key), nil)
}

// Health reports whether the server is up, and its version. Hoplite only.
func (c *Client) Health(ctx context.Context) (openapi.Health, error) {
	return get[openapi.Health](ctx, c, "/healthz", nil)
}
