package admin

import (
	"context"
	"errors"
	"strings"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/store"
)

func shownUser(a store.Account) openapi.AdminUser {
	return openapi.AdminUser{
		ID: a.ID, Username: a.Name, Title: a.Title, Role: a.Role, Email: a.Email, EmailConfirmed: !a.EmailConfirmed.IsZero(),
		Created: millis(a.Created), Seen: millis(a.Seen), Closed: millis(a.Closed),
		ClosedBy: openapi.AdminUserClosedBy(a.ClosedBy), Banned: a.Banned, Hidden: a.Hidden, Games: a.Count.All,
	}
}

// AdminUsers finds accounts.
func (h Handlers) AdminUsers(ctx context.Context, r api.AdminUsersRequestObject) (api.AdminUsersResponseObject, error) {
	p := r.Params
	accounts, err := h.d.Store.FindAccounts(ctx, store.AccountFilter{
		Query: strings.ToLower(strings.TrimSpace(p.Q)), State: string(p.State), After: strings.ToLower(p.After), Limit: limitOf(p.Limit),
	})
	if err != nil {
		return nil, err
	}
	list := make(api.AdminUsers200JSONResponse, len(accounts))
	for i, a := range accounts {
		list[i] = shownUser(a)
	}
	return list, nil
}

// AdminUser shows one account.
func (h Handlers) AdminUser(ctx context.Context, r api.AdminUserRequestObject) (api.AdminUserResponseObject, error) {
	a, err := h.find(ctx, r.Username)
	if err != nil {
		return nil, err
	}
	u := shownUser(a)
	sessions, err := h.d.Store.SessionsOf(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	tokens, err := h.d.Store.TokensOf(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	factor, err := h.d.Store.SecondFactor(ctx, a.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	u.Sessions, u.Tokens, u.SecondFactor = len(sessions), len(tokens), !factor.Enabled.IsZero()
	u.Playing, err = h.d.Store.CountOngoing(ctx, a.ID)
	return api.AdminUser200JSONResponse(u), err
}

// AdminUserRole gives or takes the role.
func (h Handlers) AdminUserRole(ctx context.Context, r api.AdminUserRoleRequestObject) (api.AdminUserRoleResponseObject, error) {
	a, err := h.other(ctx, r.Username)
	if err != nil {
		return nil, err
	}
	role := ""
	if r.JSONBody != nil && r.JSONBody.Role == openapi.RoleFormRoleAdmin {
		role = api.RoleAdmin
	}
	if err := h.d.Identities.SetRole(ctx, a.ID, role); err != nil {
		return nil, err
	}
	return api.AdminUserRole200JSONResponse{DoneJSONResponse: done()}, nil
}

// AdminUserClose closes or bans.
func (h Handlers) AdminUserClose(ctx context.Context, r api.AdminUserCloseRequestObject) (api.AdminUserCloseResponseObject, error) {
	a, err := h.other(ctx, r.Username)
	if err != nil {
		return nil, err
	}
	var form openapi.AdminCloseForm
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	if err := h.d.Closer.Close(ctx, a.ID, store.ClosedByAdmin, form.Ban, form.Note); err != nil {
		return nil, err
	}
	return api.AdminUserClose200JSONResponse{DoneJSONResponse: done()}, nil
}

// AdminUserReopen opens a closed account again.
func (h Handlers) AdminUserReopen(ctx context.Context, r api.AdminUserReopenRequestObject) (api.AdminUserReopenResponseObject, error) {
	a, err := h.find(ctx, r.Username)
	if err != nil {
		return nil, err
	}
	if err := h.d.Identities.Reopen(ctx, a.ID); err != nil {
		return nil, err
	}
	return api.AdminUserReopen200JSONResponse{DoneJSONResponse: done()}, nil
}

// AdminUserSessionsEnd ends an account's sessions.
func (h Handlers) AdminUserSessionsEnd(ctx context.Context, r api.AdminUserSessionsEndRequestObject) (api.AdminUserSessionsEndResponseObject, error) {
	a, err := h.find(ctx, r.Username)
	if err != nil {
		return nil, err
	}
	if err := h.d.Identities.EndSessions(ctx, a.ID); err != nil {
		return nil, err
	}
	return api.AdminUserSessionsEnd200JSONResponse{DoneJSONResponse: done()}, nil
}

// AdminUserResetLink makes a link for a new password.
func (h Handlers) AdminUserResetLink(ctx context.Context, r api.AdminUserResetLinkRequestObject) (api.AdminUserResetLinkResponseObject, error) {
	a, err := h.other(ctx, r.Username)
	if err != nil {
		return nil, err
	}
	path, expires, err := h.d.Identities.ResetPath(ctx, a.ID)
	return api.AdminUserResetLink201JSONResponse{URL: h.d.URL + path, Expires: millis(expires)}, err
}

// AdminUserTotpOff turns a second factor off whose owner has lost it.
func (h Handlers) AdminUserTotpOff(ctx context.Context, r api.AdminUserTotpOffRequestObject) (api.AdminUserTotpOffResponseObject, error) {
	a, err := h.other(ctx, r.Username)
	if err != nil {
		return nil, err
	}
	if err := h.d.Identities.DropFactor(ctx, a.ID); err != nil {
		return nil, err
	}
	return api.AdminUserTotpOff200JSONResponse{DoneJSONResponse: done()}, nil
}
