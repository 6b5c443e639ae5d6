package puzzle

import (
	"context"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/rating"
)

// Handlers answer the operations about puzzles.
type Handlers struct{ puzzles *Service }

// NewHandlers returns the handlers on top of the service.
func NewHandlers(s *Service) Handlers { return Handlers{puzzles: s} }

// APIPuzzleDaily shows the puzzle of the day.
func (h Handlers) APIPuzzleDaily(ctx context.Context, r api.APIPuzzleDailyRequestObject) (api.APIPuzzleDailyResponseObject, error) {
	e, err := h.puzzles.today(ctx, r.Params.Variant)
	if err != nil {
		return nil, err
	}
	return api.APIPuzzleDaily200JSONResponse(shown(e)), nil
}

// APIPuzzleNext shows a puzzle to solve.
func (h Handlers) APIPuzzleNext(ctx context.Context, r api.APIPuzzleNextRequestObject) (api.APIPuzzleNextResponseObject, error) {
	e, err := h.puzzles.next(ctx, api.Caller(ctx).AccountID, query{
		angle: r.Params.Angle, variant: r.Params.Variant,
		color: string(r.Params.Color), difficulty: string(r.Params.Difficulty),
	})
	if err != nil {
		return nil, err
	}
	return api.APIPuzzleNext200JSONResponse(shown(e)), nil
}

// APIPuzzleID shows one puzzle.
func (h Handlers) APIPuzzleID(ctx context.Context, r api.APIPuzzleIDRequestObject) (api.APIPuzzleIDResponseObject, error) {
	e, err := h.puzzles.byID(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	return api.APIPuzzleID200JSONResponse(shown(e)), nil
}

// PuzzleSolve judges an answer.
func (h Handlers) PuzzleSolve(ctx context.Context, r api.PuzzleSolveRequestObject) (api.PuzzleSolveResponseObject, error) {
	var form openapi.SolveForm
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	a, err := h.puzzles.solve(ctx, api.Caller(ctx).AccountID, r.ID, form.Moves, r.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	return api.PuzzleSolve200JSONResponse{
		Win: a.win, Done: a.done, Longer: a.longer, Reply: a.reply, Solution: a.solution, RatingDiff: a.diff,
	}, nil
}

// shown is the API's form of a puzzle. Ours come from positions, not from whole games: the record is
// the one move that opens the puzzle, and fen and lastMove say the rest.
func shown(e entry) openapi.Puzzle {
	p := e.puzzle
	return openapi.Puzzle{
		Game: openapi.PuzzleGame{
			ID:   p.ID,
			Perf: openapi.PuzzleGamePerf{Key: p.Variant, Name: e.rules.Definition().Name},
			Players: []openapi.PuzzleGamePlayer{
				{Name: playerName, Color: openapi.ColorWhite},
				{Name: playerName, Color: openapi.ColorBlack},
			},
			Pgn: e.san,
		},
		Puzzle: openapi.PuzzleInfo{
			ID: p.ID, Rating: rating.Shown(p.Rating), Plays: p.Plays, InitialPly: 0,
			Solution: p.Moves[1:], Themes: themes(p.Themes), Fen: e.fen, LastMove: e.lastMove, Variant: p.Variant,
		},
	}
}

// playerName stands for both players of a puzzle's game, which the engine played against itself.
const playerName = "Hoplite"

func themes(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
