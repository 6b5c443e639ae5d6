package export

import (
	"context"
	"iter"
	"slices"
	"time"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/store"
)

// What accounts keep of games: those that they brought, and those that they
// bookmarked.

// APIImportedGamesUser exports the games that the caller brought.
func (h Handlers) APIImportedGamesUser(ctx context.Context, _ api.APIImportedGamesUserRequestObject) (api.APIImportedGamesUserResponseObject, error) {
	f := store.ArchiveFilter{AccountID: api.Caller(ctx).AccountID, Limit: pageSize}
	games := h.kept(ctx, f, 0, func(f store.ArchiveFilter) ([]store.GameCursor, error) {
		list, err := h.d.Store.ImportsOf(ctx, f)
		return cursors(list, func(i store.Import) store.GameCursor { return store.GameCursor{Created: i.Created, ID: i.GameID} }), err
	})
	return h.list(ctx, games, options{moves: true, tags: true, clocks: true, bookmarked: true})
}

// APIExportBookmarks exports the games that the caller bookmarked.
func (h Handlers) APIExportBookmarks(ctx context.Context, r api.APIExportBookmarksRequestObject) (api.APIExportBookmarksResponseObject, error) {
	p := r.Params
	f := store.ArchiveFilter{AccountID: api.Caller(ctx).AccountID, Ascending: p.Sort == "dateAsc", Limit: pageSize}
	if p.Since != 0 {
		f.Since = time.UnixMilli(p.Since).UTC()
	}
	if p.Until != 0 {
		f.Until = time.UnixMilli(p.Until).UTC()
	}
	games := h.kept(ctx, f, p.Max, func(f store.ArchiveFilter) ([]store.GameCursor, error) {
		list, err := h.d.Store.Bookmarks(ctx, f)
		return cursors(list, func(b store.Bookmark) store.GameCursor { return store.GameCursor{Created: b.Created, ID: b.GameID} }), err
	})
	return h.list(ctx, games, options{
		moves: p.Moves.Or(true), pgnInJSON: p.PgnInJSON.Or(false), tags: p.Tags.Or(true), clocks: p.Clocks.Or(false),
		lastFEN: p.LastFen.Or(false), bookmarked: true, evals: p.Evals.Or(false), accuracy: p.Accuracy.Or(false),
	})
}

func cursors[T any](list []T, of func(T) store.GameCursor) []store.GameCursor {
	out := make([]store.GameCursor, len(list))
	for i, x := range list {
		out[i] = of(x)
	}
	return out
}

// kept reads games page by page in the order in which an account kept them, at
// most limit (0: all).
func (h Handlers) kept(ctx context.Context, f store.ArchiveFilter, limit int, read func(store.ArchiveFilter) ([]store.GameCursor, error)) iter.Seq2[*store.Game, error] {
	return func(yield func(*store.Game, error) bool) {
		for left := limit; ; {
			page, err := read(f)
			var games []store.Game
			if err == nil {
				games, err = h.d.Store.GamesByID(ctx, ids(page))
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for _, c := range page {
				i := slices.IndexFunc(games, func(g store.Game) bool { return g.ID == c.ID })
				if i < 0 {
					continue
				}
				if !yield(&games[i], nil) {
					return
				}
				if left--; left == 0 {
					return
				}
			}
			if len(page) < f.Limit {
				return
			}
			f.After = &page[len(page)-1]
		}
	}
}

func ids(page []store.GameCursor) []string {
	list := make([]string, len(page))
	for i, c := range page {
		list[i] = c.ID
	}
	return list
}

// mark adds to a game in JSON what the caller and others keep of it.
func (h Handlers) mark(ctx context.Context, out *openapi.Game, o options, caller string) error {
	if o.bookmarked && caller != "" {
		marked, err := h.d.Store.Bookmarked(ctx, caller, []string{out.ID})
		if err != nil {
			return err
		}
		out.Bookmarked = marked[out.ID]
	}
	if out.Source != sourceImport {
		return nil
	}
	brought, err := h.d.Store.Imports(ctx, []string{out.ID})
	if err == nil && len(brought) > 0 {
		out.Import = &openapi.GameImportInfo{Date: brought[0].Date}
	}
	return err
}

// sourceImport is the source of games that were brought.
const sourceImport = "import"
