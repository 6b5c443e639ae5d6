package auth

import (
	"context"

	"hoplite/openapi"
	"hoplite/server/api"
)

// AccountTotp says whether the caller's account has a second factor.
func (h Handlers) AccountTotp(ctx context.Context, _ api.AccountTotpRequestObject) (api.AccountTotpResponseObject, error) {
	f, err := h.auth.Factor(ctx, api.Caller(ctx))
	if err != nil || f.Enabled.IsZero() {
		return api.AccountTotp200JSONResponse{}, err
	}
	return api.AccountTotp200JSONResponse{Enabled: f.Enabled.UnixMilli(), RecoveryCodes: f.Recovery}, nil
}

// AccountTotpEnrol makes a secret.
func (h Handlers) AccountTotpEnrol(ctx context.Context, r api.AccountTotpEnrolRequestObject) (api.AccountTotpEnrolResponseObject, error) {
	e, err := h.auth.EnrolFactor(ctx, api.Caller(ctx), passwordOf(r.JSONBody))
	if err != nil {
		return nil, err
	}
	return api.AccountTotpEnrol200JSONResponse{Secret: e.Secret, URL: e.URL, Qr: e.QR}, nil
}

// AccountTotpConfirm turns the second factor on.
func (h Handlers) AccountTotpConfirm(ctx context.Context, r api.AccountTotpConfirmRequestObject) (api.AccountTotpConfirmResponseObject, error) {
	code := ""
	if r.JSONBody != nil {
		code = r.JSONBody.Code
	}
	codes, err := h.auth.ConfirmFactor(ctx, api.Caller(ctx), code)
	if err != nil {
		return nil, err
	}
	return api.AccountTotpConfirm200JSONResponse{RecoveryCodes: codes}, nil
}

// AccountTotpDisable turns the second factor off.
func (h Handlers) AccountTotpDisable(ctx context.Context, r api.AccountTotpDisableRequestObject) (api.AccountTotpDisableResponseObject, error) {
	if err := h.auth.DisableFactor(ctx, api.Caller(ctx), passwordOf(r.JSONBody)); err != nil {
		return nil, err
	}
	return api.AccountTotpDisable200JSONResponse{DoneJSONResponse: done()}, nil
}

func passwordOf(form *openapi.PasswordOnly) string {
	if form == nil {
		return ""
	}
	return form.Password
}

const defaultEvents = 50

// AccountSecurity lists what happened to the caller's account.
func (h Handlers) AccountSecurity(ctx context.Context, r api.AccountSecurityRequestObject) (api.AccountSecurityResponseObject, error) {
	limit := r.Params.Limit
	if limit <= 0 {
		limit = defaultEvents
	}
	caller := api.Caller(ctx)
	events, err := h.auth.SecurityEvents(ctx, caller, r.Params.Before, limit)
	if err != nil {
		return nil, err
	}
	list := make(api.AccountSecurity200JSONResponse, len(events))
	for i, e := range events {
		own := openapi.SecurityEvent{ID: e.ID, At: e.At.UnixMilli(), Kind: e.Kind, Own: e.Actor == caller.AccountID}
		// Where an administrator sat is nobody's business.
		if own.Own || e.Actor == "" {
			own.IP, own.UserAgent, own.Detail = e.IP, e.UserAgent, e.Detail
		}
		list[i] = own
	}
	return list, nil
}
