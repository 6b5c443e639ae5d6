package client

import (
	"context"
	"iter"
	"net/http"

	"hoplite/openapi"
)

// AnalysisService is about what the engine thinks of positions and games.
type AnalysisService struct{ service }

// Create asks the server's engine to look at a game or a position. It may have been asked before.
func (s *AnalysisService) Create(ctx context.Context, form openapi.AnalysisForm) (openapi.Analysis, error) {
	var out openapi.Analysis
	err := s.c.do(ctx, call{method: http.MethodPost, path: "/api/analysis", form: form}, &out)
	return out, err
}

// Show returns an analysis as far as it has come.
func (s *AnalysisService) Show(ctx context.Context, id string) (openapi.Analysis, error) {
	return get[openapi.Analysis](ctx, s.c, pathf("/api/analysis/%s", id), nil)
}

// Cancel ends an analysis of the caller's.
func (s *AnalysisService) Cancel(ctx context.Context, id string) error {
	var out openapi.Ok
	return s.c.do(ctx, call{method: http.MethodDelete, path: pathf("/api/analysis/%s", id)}, &out)
}

// Follow yields an analysis as it comes on, until it is over.
func (s *AnalysisService) Follow(ctx context.Context, id string) iter.Seq2[openapi.Analysis, error] {
	return stream[openapi.Analysis](ctx, s.c, call{method: http.MethodGet, path: pathf("/api/analysis/%s/stream", id)})
}

// CloudEval returns what the engine thought of a position when it last looked.
func (s *AnalysisService) CloudEval(ctx context.Context, params openapi.APICloudEvalParams) (openapi.CloudEval, error) {
	return get[openapi.CloudEval](ctx, s.c, "/api/cloud-eval", params)
}
