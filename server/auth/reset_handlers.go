package auth

import (
	"context"

	"hoplite/openapi"
	"hoplite/server/api"
)

// PasswordReset asks for a mail with a code.
func (h Handlers) PasswordReset(ctx context.Context, r api.PasswordResetRequestObject) (api.PasswordResetResponseObject, error) {
	email := ""
	if r.JSONBody != nil {
		email = r.JSONBody.Email
	}
	if err := h.auth.AskReset(ctx, email, api.ClientOf(ctx)); err != nil {
		return nil, err
	}
	return api.PasswordReset200JSONResponse{DoneJSONResponse: done()}, nil
}

// PasswordResetConfirm sets a password with a code.
func (h Handlers) PasswordResetConfirm(ctx context.Context, r api.PasswordResetConfirmRequestObject) (api.PasswordResetConfirmResponseObject, error) {
	var form openapi.ResetConfirmForm
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	if err := h.auth.ResetPassword(ctx, form.Code, form.Password); err != nil {
		return nil, err
	}
	return api.PasswordResetConfirm200JSONResponse{DoneJSONResponse: done()}, nil
}

// AccountEmailResend sends the mail again that confirms the address.
func (h Handlers) AccountEmailResend(ctx context.Context, _ api.AccountEmailResendRequestObject) (api.AccountEmailResendResponseObject, error) {
	if err := h.auth.AskConfirmation(ctx, api.Caller(ctx)); err != nil {
		return nil, err
	}
	return api.AccountEmailResend200JSONResponse{DoneJSONResponse: done()}, nil
}

// EmailConfirm confirms an address.
func (h Handlers) EmailConfirm(ctx context.Context, r api.EmailConfirmRequestObject) (api.EmailConfirmResponseObject, error) {
	code := ""
	if r.JSONBody != nil {
		code = r.JSONBody.Code
	}
	if err := h.auth.ConfirmEmail(ctx, code); err != nil {
		return nil, err
	}
	return api.EmailConfirm200JSONResponse{DoneJSONResponse: done()}, nil
}
