package client

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"strings"

	"hoplite/openapi"
)

// GamesService is about games, running and finished.
type GamesService struct{ service }

// Playing returns the caller's running games, the most urgent first; 0 leaves
// their number to the server.
func (s *GamesService) Playing(ctx context.Context, most int) (openapi.NowPlaying, error) {
	return get[openapi.NowPlaying](ctx, s.c, "/api/account/playing", openapi.APIAccountPlayingParams{Nb: most})
}

// Get returns one game. The last moves of a running game are held back.
func (s *GamesService) Get(ctx context.Context, id string, params openapi.GamePgnParams) (openapi.Game, error) {
	return get[openapi.Game](ctx, s.c, pathf("/game/export/%s", id), params)
}

// PGN returns one game as PGN.
func (s *GamesService) PGN(ctx context.Context, id string, params openapi.GamePgnParams) (string, error) {
	return s.text(ctx, pathf("/game/export/%s", id), params)
}

// Current returns the game that an account plays now, or played last.
func (s *GamesService) Current(ctx context.Context, name string, params openapi.APIUserCurrentGameParams) (openapi.Game, error) {
	return get[openapi.Game](ctx, s.c, pathf("/api/user/%s/current-game", name), params)
}

// CurrentPGN is [GamesService.Current] as PGN.
func (s *GamesService) CurrentPGN(ctx context.Context, name string, params openapi.APIUserCurrentGameParams) (string, error) {
	return s.text(ctx, pathf("/api/user/%s/current-game", name), params)
}

func (s *GamesService) text(ctx context.Context, path string, params any) (string, error) {
	query, err := formValues(params)
	if err != nil {
		return "", err
	}
	var out string
	err = s.c.do(ctx, call{method: http.MethodGet, path: path, query: query, accept: typePGN}, &out)
	return out, err
}

// OfUser yields an account's games, one after the other as they arrive.
func (s *GamesService) OfUser(ctx context.Context, name string, params openapi.APIGamesUserParams) iter.Seq2[openapi.Game, error] {
	query, err := formValues(params)
	if err != nil {
		return failed[openapi.Game](err)
	}
	return stream[openapi.Game](ctx, s.c, call{
		method: http.MethodGet, path: pathf("/api/games/user/%s", name), query: query,
	})
}

// OfUserPGN copies an account's games as PGN to w.
func (s *GamesService) OfUserPGN(ctx context.Context, w io.Writer, name string, params openapi.APIGamesUserParams) error {
	query, err := formValues(params)
	if err != nil {
		return err
	}
	return s.c.copyTo(ctx, w, call{
		method: http.MethodGet, path: pathf("/api/games/user/%s", name), query: query, accept: typePGN,
	})
}

// List yields up to 300 games by id, the newest first. Ids that no game has are
// skipped.
func (s *GamesService) List(ctx context.Context, ids []string, params openapi.GamesExportIdsParams) iter.Seq2[openapi.Game, error] {
	query, err := formValues(params)
	if err != nil {
		return failed[openapi.Game](err)
	}
	return stream[openapi.Game](ctx, s.c, call{
		method: http.MethodPost, path: "/api/games/export/_ids", query: query, text: strings.Join(ids, ","),
	})
}

// ListPGN copies up to 300 games by id as PGN to w.
func (s *GamesService) ListPGN(ctx context.Context, w io.Writer, ids []string, params openapi.GamesExportIdsParams) error {
	query, err := formValues(params)
	if err != nil {
		return err
	}
	return s.c.copyTo(ctx, w, call{
		method: http.MethodPost, path: "/api/games/export/_ids", query: query, text: strings.Join(ids, ","), accept: typePGN,
	})
}

// Chat returns what the spectators of a game wrote.
func (s *GamesService) Chat(ctx context.Context, id string) ([]openapi.ChatMessage, error) {
	return get[[]openapi.ChatMessage](ctx, s.c, pathf("/api/game/%s/chat", id), nil)
}

// WatchEvent is a line of a spectator's stream; exactly one pointer is set.
type WatchEvent struct {
	Game *openapi.WatchGame // the first line, and the last when the game is over
	Move *openapi.WatchMove
}

// UnmarshalJSON tells the two lines apart: only the description has an id.
func (e *WatchEvent) UnmarshalJSON(data []byte) error {
	var head struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	*e = WatchEvent{}
	if head.ID != "" {
		e.Game = new(openapi.WatchGame)
		return json.Unmarshal(data, e.Game)
	}
	e.Move = new(openapi.WatchMove)
	return json.Unmarshal(data, e.Move)
}

// Watch yields a game as spectators see it, some plies late, until it is over.
func (s *GamesService) Watch(ctx context.Context, id string) iter.Seq2[WatchEvent, error] {
	return stream[WatchEvent](ctx, s.c, call{method: http.MethodGet, path: pathf("/api/stream/game/%s", id)})
}

// copyTo copies an answer of any length to w. Silence beyond the idle timeout
// ends it.
func (c *Client) copyTo(ctx context.Context, w io.Writer, cl call) error {
	if cl.method != http.MethodGet {
		cl.key = c.key()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := newWatchdog(c.timeout, func() { cancel(ErrTimeout) })
	defer watch.stop()
	resp, err := c.send(ctx, cl)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	watch.arm(c.idle, func() { cancel(ErrIdle) })
	from := &watched{r: resp.Body, watch: watch}
	if _, err := io.Copy(w, from); err != nil {
		if from.err != nil {
			return cl.lost(ctx, err)
		}
		return err // of w
	}
	return nil
}

// failed is a stream that only yields an error.
func failed[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		yield(none, err)
	}
}
