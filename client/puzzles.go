package client

import (
	"context"
	"net/http"

	"hoplite/openapi"
)

// PuzzlesService is about positions to solve.
type PuzzlesService struct{ service }

// Daily returns the puzzle of the day.
func (s *PuzzlesService) Daily(ctx context.Context, params openapi.APIPuzzleDailyParams) (openapi.Puzzle, error) {
	return get[openapi.Puzzle](ctx, s.c, "/api/puzzle/daily", params)
}

// Next returns a puzzle for the caller: the same one until it is solved, if the
// client has a token.
func (s *PuzzlesService) Next(ctx context.Context, params openapi.APIPuzzleNextParams) (openapi.Puzzle, error) {
	return get[openapi.Puzzle](ctx, s.c, "/api/puzzle/next", params)
}

// Get returns one puzzle.
func (s *PuzzlesService) Get(ctx context.Context, id string) (openapi.Puzzle, error) {
	return get[openapi.Puzzle](ctx, s.c, pathf("/api/puzzle/%s", id), nil)
}

// Solve tries a solution: all the moves that the solver has played so far, each
// time anew. Hoplite only.
func (s *PuzzlesService) Solve(ctx context.Context, id string, form openapi.SolveForm) (openapi.SolveResult, error) {
	var out openapi.SolveResult
	err := s.c.do(ctx, call{method: http.MethodPost, path: pathf("/api/puzzle/%s/solve", id), json: form}, &out)
	return out, err
}
