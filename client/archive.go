package client

import (
	"context"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"hoplite/openapi"
)

// Import brings a game that was played elsewhere, as PGN.
func (s *GamesService) Import(ctx context.Context, pgn string) (openapi.ImportedGame, error) {
	var out openapi.ImportedGame
	err := s.c.do(ctx, call{method: http.MethodPost, path: "/api/import", form: openapi.ImportForm{Pgn: pgn}}, &out)
	return out, err
}

// ImportsPGN copies the games that the caller brought as PGN to w.
func (s *GamesService) ImportsPGN(ctx context.Context, w io.Writer) error {
	return s.c.copyTo(ctx, w, call{method: http.MethodGet, path: "/api/games/export/imports", accept: typePGN})
}

// Imports yields the games that the caller brought, the latest first.
func (s *GamesService) Imports(ctx context.Context) iter.Seq2[openapi.Game, error] {
	return stream[openapi.Game](ctx, s.c, call{method: http.MethodGet, path: "/api/games/export/imports"})
}

// Bookmarks yields the games that the caller bookmarked.
func (s *GamesService) Bookmarks(ctx context.Context, params openapi.APIExportBookmarksParams) iter.Seq2[openapi.Game, error] {
	query, err := formValues(params)
	if err != nil {
		return failed[openapi.Game](err)
	}
	return stream[openapi.Game](ctx, s.c, call{method: http.MethodGet, path: "/api/games/export/bookmarks", query: query})
}

// Bookmark sets a bookmark or takes it away.
func (s *GamesService) Bookmark(ctx context.Context, id string, on bool) error {
	return s.c.do(ctx, call{
		method: http.MethodPost, path: pathf("/bookmark/%s", id), query: url.Values{"v": {strconv.FormatBool(on)}},
	}, nil)
}

// Between yields the games that listed users begin and finish against each
// other; with current, those that are being played first.
func (s *GamesService) Between(ctx context.Context, names []string, current bool) iter.Seq2[openapi.FollowedGame, error] {
	return stream[openapi.FollowedGame](ctx, s.c, call{
		method: http.MethodPost, path: "/api/stream/games-by-users", text: strings.Join(names, ","),
		query: url.Values{"withCurrentGames": {strconv.FormatBool(current)}},
	})
}

// Follow yields listed games as they are, and as they begin and finish. name is
// what [GamesService.FollowMore] knows the stream by.
func (s *GamesService) Follow(ctx context.Context, name string, ids []string) iter.Seq2[openapi.FollowedGame, error] {
	return stream[openapi.FollowedGame](ctx, s.c, call{
		method: http.MethodPost, path: pathf("/api/stream/games/%s", name), text: strings.Join(ids, ","),
	})
}

// FollowMore adds games to an open stream.
func (s *GamesService) FollowMore(ctx context.Context, name string, ids []string) error {
	var out openapi.Ok
	return s.c.do(ctx, call{
		method: http.MethodPost, path: pathf("/api/stream/games/%s/add", name), text: strings.Join(ids, ","),
	}, &out)
}
