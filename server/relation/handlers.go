package relation

import (
	"context"
	"net/http"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/stream"
)

// Handlers answer the operations about relations and notes.
type Handlers struct{ relations *Service }

// NewHandlers returns the handlers on top of the service.
func NewHandlers(s *Service) Handlers { return Handlers{relations: s} }

func done() api.DoneJSONResponse { return api.DoneJSONResponse{Ok: true} }

// FollowUser makes the caller follow an account.
func (h Handlers) FollowUser(ctx context.Context, r api.FollowUserRequestObject) (api.FollowUserResponseObject, error) {
	if err := h.relations.Follow(ctx, api.Caller(ctx).AccountID, r.Username); err != nil {
		return nil, err
	}
	return api.FollowUser200JSONResponse{DoneJSONResponse: done()}, nil
}

// UnfollowUser ends that.
func (h Handlers) UnfollowUser(ctx context.Context, r api.UnfollowUserRequestObject) (api.UnfollowUserResponseObject, error) {
	if err := h.relations.End(ctx, api.Caller(ctx).AccountID, r.Username, false); err != nil {
		return nil, err
	}
	return api.UnfollowUser200JSONResponse{DoneJSONResponse: done()}, nil
}

// BlockUser makes the caller block an account.
func (h Handlers) BlockUser(ctx context.Context, r api.BlockUserRequestObject) (api.BlockUserResponseObject, error) {
	if err := h.relations.Block(ctx, api.Caller(ctx).AccountID, r.Username); err != nil {
		return nil, err
	}
	return api.BlockUser200JSONResponse{DoneJSONResponse: done()}, nil
}

// UnblockUser ends that.
func (h Handlers) UnblockUser(ctx context.Context, r api.UnblockUserRequestObject) (api.UnblockUserResponseObject, error) {
	if err := h.relations.End(ctx, api.Caller(ctx).AccountID, r.Username, true); err != nil {
		return nil, err
	}
	return api.UnblockUser200JSONResponse{DoneJSONResponse: done()}, nil
}

// APIUserFollowing lists whom the caller follows, one a line.
func (h Handlers) APIUserFollowing(ctx context.Context, _ api.APIUserFollowingRequestObject) (api.APIUserFollowingResponseObject, error) {
	users, err := h.relations.List(ctx, api.Caller(ctx).AccountID, false)
	if err != nil {
		return nil, err
	}
	return lines(users), nil
}

// RelBlocking lists whom the caller blocks, one a line.
func (h Handlers) RelBlocking(ctx context.Context, _ api.RelBlockingRequestObject) (api.RelBlockingResponseObject, error) {
	users, err := h.relations.List(ctx, api.Caller(ctx).AccountID, true)
	if err != nil {
		return nil, err
	}
	return lines(users), nil
}

type userLines struct{ stream.List[openapi.User] }

func lines(users []openapi.User) userLines {
	return userLines{stream.List[openapi.User]{Items: func(yield func(openapi.User, error) bool) {
		for _, u := range users {
			if !yield(u, nil) {
				return
			}
		}
	}}}
}

func (l userLines) VisitAPIUserFollowingResponse(w http.ResponseWriter) error { return l.Visit(w) }
func (l userLines) VisitRelBlockingResponse(w http.ResponseWriter) error      { return l.Visit(w) }

// ReadNote shows the caller's notes about an account.
func (h Handlers) ReadNote(ctx context.Context, r api.ReadNoteRequestObject) (api.ReadNoteResponseObject, error) {
	notes, err := h.relations.Notes(ctx, api.Caller(ctx).AccountID, r.Username)
	return api.ReadNote200JSONResponse(notes), err
}

// WriteNote adds one.
func (h Handlers) WriteNote(ctx context.Context, r api.WriteNoteRequestObject) (api.WriteNoteResponseObject, error) {
	var text string
	if r.JSONBody != nil {
		text = r.JSONBody.Text
	}
	if err := h.relations.AddNote(ctx, api.Caller(ctx).AccountID, r.Username, text); err != nil {
		return nil, err
	}
	return api.WriteNote200JSONResponse{DoneJSONResponse: done()}, nil
}
