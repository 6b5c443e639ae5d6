package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"hoplite/openapi"
)

// MuteChat hides from the caller what others write in a game of theirs, or
// shows it again.
func (s *GamesService) MuteChat(ctx context.Context, id string, on bool, opts ...ActionOption) (openapi.Ok, error) {
	cl := call{
		method: http.MethodPost, path: pathf("/api/game/%s/chat/mute", id), query: url.Values{"v": {strconv.FormatBool(on)}},
	}
	return s.act(ctx, cl, opts)
}

// Conditional returns the caller's conditional moves in a game: lines of moves
// from the present position.
func (s *GamesService) Conditional(ctx context.Context, id string) ([]string, error) {
	list, err := get[openapi.ConditionalMoves](ctx, s.c, pathf("/api/game/%s/conditional", id), nil)
	return list.Lines, err
}

// SetConditional replaces the caller's conditional moves; no lines withdraw
// all.
func (s *GamesService) SetConditional(ctx context.Context, id string, lines []string, opts ...ActionOption) (openapi.Ok, error) {
	if lines == nil {
		lines = []string{}
	}
	cl := call{
		method: http.MethodPost, path: pathf("/api/game/%s/conditional", id), json: openapi.ConditionalMoves{Lines: lines},
	}
	return s.act(ctx, cl, opts)
}

func (s *GamesService) act(ctx context.Context, cl call, opts []ActionOption) (openapi.Ok, error) {
	for _, o := range opts {
		o(&cl)
	}
	var out openapi.Ok
	err := s.c.do(ctx, cl, &out)
	return out, err
}
