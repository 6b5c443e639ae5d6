package archive

import (
	"context"
	"errors"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/store"
)

// Handlers answer the operations that put something into the archive.
type Handlers struct{ archive *Service }

// NewHandlers returns the handlers on top of the service.
func NewHandlers(s *Service) Handlers { return Handlers{s} }

// GameImport brings a game that was played elsewhere.
func (h Handlers) GameImport(ctx context.Context, r api.GameImportRequestObject) (api.GameImportResponseObject, error) {
	if r.JSONBody == nil || r.JSONBody.Pgn == "" {
		return nil, fault.Field("pgn", "is needed")
	}
	id, err := h.archive.Import(ctx, api.Caller(ctx).AccountID, r.JSONBody.Pgn)
	if err != nil {
		return nil, err
	}
	return api.GameImport200JSONResponse(openapi.ImportedGame{ID: id, URL: h.archive.URL + "/" + id}), nil
}

// BookmarkToggle sets a bookmark or takes it away.
func (h Handlers) BookmarkToggle(ctx context.Context, r api.BookmarkToggleRequestObject) (api.BookmarkToggleResponseObject, error) {
	s, me, id := h.archive, api.Caller(ctx).AccountID, lichess.GameID(r.GameID)
	if _, err := s.Store.GameByID(ctx, id); err != nil {
		if errors.Is(err, store.ErrNotFound) {
			err = fault.NotFound("No such game")
		}
		return nil, err
	}
	on := r.Params.V.Or(false)
	if r.Params.V == "" {
		marked, err := s.Store.Bookmarked(ctx, me, []string{id})
		if err != nil {
			return nil, err
		}
		on = !marked[id]
	}
	err := s.Store.SetBookmark(ctx, store.Bookmark{AccountID: me, GameID: id, Created: s.Now()}, on)
	return api.BookmarkToggle204Response{}, err
}
