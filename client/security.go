package client

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"hoplite/openapi"
)

// Security lists what happened to the account, newest first. It needs a
// session. Hoplite only.
func (s *AccountService) Security(ctx context.Context, p openapi.AccountSecurityParams) ([]openapi.SecurityEvent, error) {
	return get[[]openapi.SecurityEvent](ctx, s.c, "/api/account/security", map[string]any{
		"before": text(p.Before), "limit": limit(p.Limit),
	})
}

// Close closes the account. It needs a session, and the code of the second
// factor if there is one. Hoplite only.
func (s *AccountService) Close(ctx context.Context, form openapi.CloseForm) error {
	return s.c.do(ctx, call{method: http.MethodPost, path: "/api/account/close", json: form, once: true}, nil)
}

// Export writes everything about the account to w as a ZIP file. It needs a
// session. Hoplite only.
func (s *AccountService) Export(ctx context.Context, w io.Writer) error {
	resp, err := s.c.send(ctx, call{method: http.MethodGet, path: "/api/account/export", accept: "application/zip"})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(w, resp.Body)
	return err
}

// Totp says whether the account has a second factor. It needs a session.
// Hoplite only.
func (s *AccountService) Totp(ctx context.Context) (openapi.TotpState, error) {
	return get[openapi.TotpState](ctx, s.c, "/api/account/totp", nil)
}

// EnrolTotp makes a secret for a second factor, which counts once ConfirmTotp
// has seen a code of it. It needs a session. Hoplite only.
func (s *AccountService) EnrolTotp(ctx context.Context, password string) (openapi.TotpEnrolment, error) {
	var out openapi.TotpEnrolment
	err := s.post(ctx, "/api/account/totp", openapi.PasswordOnly{Password: password}, &out)
	return out, err
}

// ConfirmTotp turns the second factor on and returns the recovery codes, which
// cannot be seen again. It needs a session. Hoplite only.
func (s *AccountService) ConfirmTotp(ctx context.Context, code string) ([]string, error) {
	var out openapi.RecoveryCodes
	err := s.post(ctx, "/api/account/totp/confirm", openapi.TotpCode{Code: code}, &out)
	return out.RecoveryCodes, err
}

// DisableTotp turns the second factor off. It needs a session. Hoplite only.
func (s *AccountService) DisableTotp(ctx context.Context, password string) error {
	return s.post(ctx, "/api/account/totp/disable", openapi.PasswordOnly{Password: password}, nil)
}

// ResendConfirmation sends the mail again that confirms the address. It needs
// a session. Hoplite only.
func (s *AccountService) ResendConfirmation(ctx context.Context) error {
	return s.post(ctx, "/api/account/email/resend", nil, nil)
}

// ConfirmEmail confirms an address with a code from a mail. Hoplite only.
func (s *AccountService) ConfirmEmail(ctx context.Context, code string) error {
	return s.post(ctx, "/api/email/confirm", openapi.MailCodeForm{Code: code}, nil)
}

// AskPasswordReset asks for a mail with which to set a new password. The
// answer does not tell whether any account has the address. Hoplite only.
func (s *AccountService) AskPasswordReset(ctx context.Context, email string) error {
	return s.post(ctx, "/api/password/reset", openapi.ResetForm{Email: email}, nil)
}

// ResetPassword sets a new password with a code from a mail or from an
// administrator's link, and ends every session. Hoplite only.
func (s *AccountService) ResetPassword(ctx context.Context, code, password string) error {
	return s.post(ctx, "/api/password/reset/confirm", openapi.ResetConfirmForm{Code: code, Password: password}, nil)
}

// LogInElsewhere begins a log-in at the other provider and returns where to send
// the browser, which must be the one that asked: the answer is tied to it by a
// cookie. Hoplite only.
func (s *AccountService) LogInElsewhere(ctx context.Context, next string) (string, error) {
	var out openapi.OidcStart
	err := s.post(ctx, "/api/oidc/login", openapi.OidcLoginForm{Next: next}, &out)
	return out.Redirect, err
}

// LogInElsewhereCode ends a log-in at the other provider, of an account that has
// a second factor, with its code. Only the browser that was there has the cookie
// that makes it good. Hoplite only.
func (s *AccountService) LogInElsewhereCode(ctx context.Context, code string) (openapi.LoginResult, error) {
	var out openapi.LoginResult
	err := s.post(ctx, "/api/oidc/factor", openapi.OidcFactorForm{Totp: code}, &out)
	return out, err
}

// LinkIdentity begins to link an identity at the other provider, and returns
// where to send the browser. It needs a session. Hoplite only.
func (s *AccountService) LinkIdentity(ctx context.Context, password string) (string, error) {
	var out openapi.OidcStart
	err := s.post(ctx, "/api/account/oidc", openapi.PasswordOnly{Password: password}, &out)
	return out.Redirect, err
}

// Identities lists what opens the account beside its password. It needs a
// session. Hoplite only.
func (s *AccountService) Identities(ctx context.Context) ([]openapi.LinkedIdentity, error) {
	return get[[]openapi.LinkedIdentity](ctx, s.c, "/api/account/oidc", nil)
}

// UnlinkIdentities makes them open nothing. It needs a session. Hoplite only.
func (s *AccountService) UnlinkIdentities(ctx context.Context, password string) error {
	return s.post(ctx, "/api/account/oidc/unlink", openapi.PasswordOnly{Password: password}, nil)
}

// FinishOIDC hands the server what the other provider sent the browser back
// with. Only that browser has the cookie that makes it good. Hoplite only.
func (s *OAuthService) FinishOIDC(ctx context.Context, code, state string) error {
	return s.c.do(ctx, call{method: http.MethodGet, path: "/oidc/callback", query: url.Values{"code": {code}, "state": {state}}}, nil)
}

func (s *AccountService) post(ctx context.Context, path string, form, out any) error {
	return s.c.do(ctx, call{method: http.MethodPost, path: path, json: form, once: true}, out)
}

// Report files a complaint about a player or a line of chat, and returns its
// id. It needs a session. Hoplite only.
func (s *UsersService) Report(ctx context.Context, form openapi.ReportForm) (string, error) {
	var out openapi.ReportCreated
	err := s.c.do(ctx, call{method: http.MethodPost, path: "/api/report", json: form, once: true}, &out)
	return out.ID, err
}

// Server says what the server offers. Hoplite only.
func (c *Client) Server(ctx context.Context) (openapi.ServerInfo, error) {
	return get[openapi.ServerInfo](ctx, c, "/api/server", nil)
}

// Limits lists the limits by the names that a RateLimitError gives. Hoplite
// only.
func (c *Client) Limits(ctx context.Context) ([]openapi.LimitRule, error) {
	return get[[]openapi.LimitRule](ctx, c, "/api/limits", nil)
}
