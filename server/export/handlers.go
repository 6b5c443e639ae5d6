package export

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/stream"
	"hoplite/store"
)

const (
	// pageSize games are read at a time; no list is held in memory.
	pageSize = 50
	// maxIDs is how many games one request may name.
	maxIDs = 300
	// maxPlaying is how many running games are listed at most, and if the
	// caller does not say.
	maxPlaying = 50
)

// GamePgn exports one game.
func (h Handlers) GamePgn(ctx context.Context, r api.GamePgnRequestObject) (api.GamePgnResponseObject, error) {
	g, err := h.d.Store.GameByID(ctx, lichess.GameID(r.GameID))
	if errors.Is(err, store.ErrNotFound) {
		return nil, fault.NotFound("No such game")
	}
	if err != nil {
		return nil, err
	}
	p := r.Params
	return h.single(ctx, &g, options{
		moves: p.Moves.Or(true), pgnInJSON: p.PgnInJSON.Or(false), tags: p.Tags.Or(true), clocks: p.Clocks.Or(true),
		bookmarked: p.WithBookmarked.Or(false), evals: p.Evals.Or(true), accuracy: p.Accuracy.Or(false),
	})
}

// APIUserCurrentGame exports the game that a user plays, or played last.
func (h Handlers) APIUserCurrentGame(ctx context.Context, r api.APIUserCurrentGameRequestObject) (api.APIUserCurrentGameResponseObject, error) {
	user, err := h.user(ctx, r.Username)
	if err != nil {
		return nil, err
	}
	g, err := h.d.Store.CurrentGame(ctx, user)
	if errors.Is(err, store.ErrNotFound) {
		return nil, fault.NotFound("No such game")
	}
	if err != nil {
		return nil, err
	}
	p := r.Params
	return h.single(ctx, &g, options{
		moves: p.Moves.Or(true), pgnInJSON: p.PgnInJSON.Or(false), tags: p.Tags.Or(true), clocks: p.Clocks.Or(true),
		evals: p.Evals.Or(true), accuracy: p.Accuracy.Or(false),
	})
}

// APIGamesUser exports the games of a user.
func (h Handlers) APIGamesUser(ctx context.Context, r api.APIGamesUserRequestObject) (api.APIGamesUserResponseObject, error) {
	user, err := h.user(ctx, r.Username)
	if err != nil {
		return nil, err
	}
	p := r.Params
	f := store.GameFilter{
		AccountID: user, Ongoing: p.Ongoing.Or(false), Finished: p.Finished.Or(true),
		Ascending: p.Sort == "dateAsc", Limit: pageSize,
	}
	if p.Since != 0 {
		f.Since = time.UnixMilli(p.Since).UTC()
	}
	if p.Until != 0 {
		f.Until = time.UnixMilli(p.Until).UTC()
	}
	if p.Vs != "" {
		if f.Vs, err = h.user(ctx, p.Vs); err != nil {
			return nil, err
		}
	}
	if p.Rated != "" {
		rated := p.Rated.Or(false)
		f.Rated = &rated
	}
	for _, perf := range splitList(p.PerfType) {
		if !h.d.Games.IsPerf(perf) {
			return nil, fault.Field("perfType", "unknown perf type "+perf)
		}
		f.Perfs = append(f.Perfs, perf)
	}
	if player := lichess.PlayerOf(string(p.Color)); player >= 0 {
		f.Player = &player
	}
	o := options{
		moves: p.Moves.Or(true), pgnInJSON: p.PgnInJSON.Or(false), tags: p.Tags.Or(true), clocks: p.Clocks.Or(false),
		lastFEN: p.LastFen.Or(false), bookmarked: p.WithBookmarked.Or(false),
		evals: p.Evals.Or(false), accuracy: p.Accuracy.Or(false),
	}
	if p.Analysed != "" {
		analysed := p.Analysed.Or(false)
		f.Analysed = &analysed
	}
	games := h.pages(ctx, f, p.Max)
	if !f.Ongoing && !f.Finished {
		games = none
	}
	return h.list(ctx, games, o)
}

// GamesExportIds exports games by their ids, newest first.
func (h Handlers) GamesExportIds(ctx context.Context, r api.GamesExportIdsRequestObject) (api.GamesExportIdsResponseObject, error) {
	var ids []string
	if r.Body != nil {
		ids = splitList(*r.Body)
	}
	for i := range ids {
		ids[i] = lichess.GameID(ids[i])
	}
	games, err := h.d.Store.GamesByID(ctx, ids[:min(len(ids), maxIDs)])
	if err != nil {
		return nil, err
	}
	p := r.Params
	return h.list(ctx, each(games), options{
		moves: p.Moves.Or(true), pgnInJSON: p.PgnInJSON.Or(false), tags: p.Tags.Or(true), clocks: p.Clocks.Or(false),
		lastFEN: p.LastFen.Or(false), evals: p.Evals.Or(false), accuracy: p.Accuracy.Or(false),
	})
}

// APIAccountPlaying lists the caller's running games, most urgent first.
func (h Handlers) APIAccountPlaying(ctx context.Context, r api.APIAccountPlayingRequestObject) (api.APIAccountPlayingResponseObject, error) {
	me := api.Caller(ctx).AccountID
	ongoing, err := h.d.Live.Ongoing(ctx, me)
	if err != nil {
		return nil, err
	}
	limit := maxPlaying
	if r.Params.Nb > 0 {
		limit = min(r.Params.Nb, maxPlaying)
	}
	list := openapi.NowPlaying{NowPlaying: []openapi.GameInfo{}}
	now := h.d.Now()
	for _, s := range ongoing {
		player := s.PlayerOf(me)
		if s.Turn == player {
			list.NbMyTurn++
		}
		if len(list.NowPlaying) < limit {
			list.NowPlaying = append(list.NowPlaying, h.d.Games.GameInfo(s.For(player), player, now))
		}
	}
	return api.APIAccountPlaying200JSONResponse(list), nil
}

// GameChatGet lists what the spectators of a game said.
func (h Handlers) GameChatGet(ctx context.Context, r api.GameChatGetRequestObject) (api.GameChatGetResponseObject, error) {
	lines, err := h.d.Live.ChatLog(ctx, lichess.GameID(r.GameID), spectators)
	return api.GameChatGet200JSONResponse(lichess.ChatMessages(lines)), err
}

// user finds the id of an open account by its name in any letter case.
func (h Handlers) user(ctx context.Context, name string) (string, error) {
	a, err := h.d.Store.AccountByID(ctx, strings.ToLower(strings.TrimSpace(name)))
	if errors.Is(err, store.ErrNotFound) || err == nil && (a.IsClosed() || a.Hidden) {
		return "", fault.NotFound("Not found")
	}
	return a.ID, err
}

// splitList splits a list at commas and line ends, without empty items.
func splitList(s string) []string {
	items := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '\n' || r == '\r' })
	for i := range items {
		items[i] = strings.TrimSpace(items[i])
	}
	return slices.DeleteFunc(items, func(s string) bool { return s == "" })
}

func none(func(*store.Game, error) bool) {}

func each(games []store.Game) iter.Seq2[*store.Game, error] {
	return func(yield func(*store.Game, error) bool) {
		for i := range games {
			if !yield(&games[i], nil) {
				return
			}
		}
	}
}

// pages reads the games of a filter page by page, at most limit (0: all). A
// page begins behind the last game of the one before, so that games played
// meanwhile neither repeat nor hide one.
func (h Handlers) pages(ctx context.Context, f store.GameFilter, limit int) iter.Seq2[*store.Game, error] {
	return func(yield func(*store.Game, error) bool) {
		for left := limit; ; {
			page, err := h.d.Store.Games(ctx, f)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range page {
				if !yield(&page[i], nil) {
					return
				}
				if left--; left == 0 {
					return
				}
			}
			if len(page) < f.Limit {
				return
			}
			last := page[len(page)-1]
			f.After = &store.GameCursor{Created: last.Created, ID: last.ID}
		}
	}
}

// single is the export of one game.
func (h Handlers) single(ctx context.Context, g *store.Game, o options) (oneGame, error) {
	if wantsJSON(ctx) {
		caller := api.Caller(ctx).AccountID
		game, err := h.json(ctx, g, o, caller)
		if err == nil {
			err = h.mark(ctx, &game, o, caller)
		}
		return oneGame{json: &game}, err
	}
	p, err := h.replay(ctx, g, o)
	if err != nil {
		return oneGame{}, err
	}
	return oneGame{pgn: h.pgn(p, o)}, nil
}

// list is the export of many games.
func (h Handlers) list(ctx context.Context, games iter.Seq2[*store.Game, error], o options) (manyGames, error) {
	if wantsJSON(ctx) {
		caller := api.Caller(ctx).AccountID
		return manyGames{json: func(yield func(openapi.Game, error) bool) {
			for g, err := range games {
				var game openapi.Game
				if err == nil {
					game, err = h.json(ctx, g, o, caller)
				}
				if err == nil {
					err = h.mark(ctx, &game, o, caller)
				}
				if !yield(game, err) || err != nil {
					return
				}
			}
		}}, nil
	}
	return manyGames{pgn: h.texts(ctx, games, o)}, nil
}

// texts are games as PGN.
func (h Handlers) texts(ctx context.Context, games iter.Seq2[*store.Game, error], o options) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for g, err := range games {
			var p *played
			if err == nil {
				p, err = h.replay(ctx, g, o)
			}
			if err != nil {
				yield("", err)
				return
			}
			if !yield(h.pgn(p, o), nil) {
				return
			}
		}
	}
}

const pgnType = "application/x-chess-pgn"

// oneGame is a game as JSON on one line, or as PGN.
type oneGame struct {
	json *openapi.Game
	pgn  string
}

func (o oneGame) visit(w http.ResponseWriter) error {
	if o.json != nil {
		return api.GamePgn200JSONResponse(*o.json).VisitGamePgnResponse(w)
	}
	w.Header().Set("Content-Type", pgnType)
	_, err := w.Write([]byte(o.pgn))
	return err
}

// VisitGamePgnResponse writes the game.
func (o oneGame) VisitGamePgnResponse(w http.ResponseWriter) error { return o.visit(w) }

// VisitAPIUserCurrentGameResponse writes the game.
func (o oneGame) VisitAPIUserCurrentGameResponse(w http.ResponseWriter) error { return o.visit(w) }

// manyGames is a list of games as NDJSON or as PGN.
type manyGames struct {
	json iter.Seq2[openapi.Game, error]
	pgn  iter.Seq2[string, error]
}

func (m manyGames) visit(w http.ResponseWriter) error {
	if m.json != nil {
		return stream.List[openapi.Game]{Items: m.json}.Visit(w)
	}
	return stream.Text{ContentType: pgnType, Parts: m.pgn}.Visit(w)
}

// VisitAPIGamesUserResponse writes the games.
func (m manyGames) VisitAPIGamesUserResponse(w http.ResponseWriter) error { return m.visit(w) }

// VisitTvChannelGamesResponse writes the games.
func (m manyGames) VisitTvChannelGamesResponse(w http.ResponseWriter) error { return m.visit(w) }

// VisitAPIExportBookmarksResponse writes the games.
func (m manyGames) VisitAPIExportBookmarksResponse(w http.ResponseWriter) error { return m.visit(w) }

// VisitAPIImportedGamesUserResponse writes the games.
func (m manyGames) VisitAPIImportedGamesUserResponse(w http.ResponseWriter) error { return m.visit(w) }

// VisitGamesExportIdsResponse writes the games.
func (m manyGames) VisitGamesExportIdsResponse(w http.ResponseWriter) error { return m.visit(w) }
