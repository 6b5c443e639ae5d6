package auth

import (
	"context"

	"hoplite/openapi"
	"hoplite/server/api"
)

// AccountPassword changes the password.
func (h Handlers) AccountPassword(ctx context.Context, r api.AccountPasswordRequestObject) (api.AccountPasswordResponseObject, error) {
	var form openapi.PasswordForm
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	if err := h.auth.ChangePassword(ctx, api.Caller(ctx), form.Password, form.NewPassword); err != nil {
		return nil, err
	}
	return api.AccountPassword200JSONResponse{DoneJSONResponse: done()}, nil
}

// AccountEmailSet changes the e-mail address.
func (h Handlers) AccountEmailSet(ctx context.Context, r api.AccountEmailSetRequestObject) (api.AccountEmailSetResponseObject, error) {
	var form openapi.EmailForm
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	if err := h.auth.ChangeEmail(ctx, api.Caller(ctx), form.Password, form.Email); err != nil {
		return nil, err
	}
	return api.AccountEmailSet200JSONResponse{DoneJSONResponse: done()}, nil
}

// AccountSessions lists where the account is logged in.
func (h Handlers) AccountSessions(ctx context.Context, _ api.AccountSessionsRequestObject) (api.AccountSessionsResponseObject, error) {
	caller := api.Caller(ctx)
	sessions, err := h.auth.Sessions(ctx, caller)
	if err != nil {
		return nil, err
	}
	list := make(api.AccountSessions200JSONResponse, 0, len(sessions))
	for _, x := range sessions {
		list = append(list, openapi.SessionInfo{
			ID: x.ID, Created: x.Created.UnixMilli(), Expires: x.Expires.UnixMilli(), UserAgent: x.UserAgent,
			Current: x.ID == caller.SessionID,
		})
	}
	return list, nil
}

// AccountSessionsEnd ends every session but the caller's.
func (h Handlers) AccountSessionsEnd(ctx context.Context, _ api.AccountSessionsEndRequestObject) (api.AccountSessionsEndResponseObject, error) {
	if err := h.auth.EndOtherSessions(ctx, api.Caller(ctx)); err != nil {
		return nil, err
	}
	return api.AccountSessionsEnd204Response{}, nil
}

// AccountSessionEnd ends one session.
func (h Handlers) AccountSessionEnd(ctx context.Context, r api.AccountSessionEndRequestObject) (api.AccountSessionEndResponseObject, error) {
	if err := h.auth.EndSession(ctx, api.Caller(ctx), r.ID); err != nil {
		return nil, err
	}
	return api.AccountSessionEnd204Response{}, nil
}

func done() api.DoneJSONResponse { return api.DoneJSONResponse{Ok: true} }
