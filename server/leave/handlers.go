package leave

import (
	"context"
	"net/http"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/store"
)

// Handlers answer the operations of leaving.
type Handlers struct{ leave *Service }

// NewHandlers returns the handlers on top of the service.
func NewHandlers(s *Service) Handlers { return Handlers{leave: s} }

// AccountClose closes the caller's account.
func (h Handlers) AccountClose(ctx context.Context, r api.AccountCloseRequestObject) (api.AccountCloseResponseObject, error) {
	var form openapi.CloseForm
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	id := api.Caller(ctx).AccountID
	if err := h.leave.Identities.Confirm(ctx, id, form.Password, form.Totp); err != nil {
		return nil, err
	}
	if err := h.leave.Close(ctx, id, store.ClosedByOwner, false, ""); err != nil {
		return nil, err
	}
	gone := http.Cookie{Name: api.SessionCookie, Path: "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteLaxMode}
	return api.AccountClose200JSONResponse{
		Body: openapi.Ok{Ok: true}, Headers: api.AccountClose200ResponseHeaders{SetCookie: gone.String()},
	}, nil
}

// AccountExport hands out everything about the caller's account.
func (h Handlers) AccountExport(ctx context.Context, _ api.AccountExportRequestObject) (api.AccountExportResponseObject, error) {
	return h.leave.Export(ctx, api.Caller(ctx).AccountID)
}
