package client

import (
	"context"
	"net/http"
	"net/url"

	"hoplite/openapi"
)

// AccountService is about the caller's own account and session.
type AccountService struct{ service }

// Me returns the caller's profile.
func (s *AccountService) Me(ctx context.Context) (openapi.User, error) {
	return get[openapi.User](ctx, s.c, "/api/account", nil)
}

// Email returns the caller's e-mail address.
func (s *AccountService) Email(ctx context.Context) (string, error) {
	e, err := get[openapi.Email](ctx, s.c, "/api/account/email", nil)
	return e.Email, err
}

// Preferences returns the caller's settings.
func (s *AccountService) Preferences(ctx context.Context) (openapi.AccountPreferences, error) {
	return get[openapi.AccountPreferences](ctx, s.c, "/api/account/preferences", nil)
}

// SetPreferences changes the settings that are not nil or empty, and returns all
// of them. Hoplite only.
func (s *AccountService) SetPreferences(ctx context.Context, p openapi.Preferences) (openapi.AccountPreferences, error) {
	var out openapi.AccountPreferences
	err := s.c.do(ctx, call{method: http.MethodPost, path: "/api/account/preferences", json: p}, &out)
	return out, err
}

// SetEmail changes the caller's e-mail address, or with "" removes it. It needs a
// session. Hoplite only.
func (s *AccountService) SetEmail(ctx context.Context, email, password string) error {
	form := openapi.EmailForm{Email: email, Password: password}
	return s.c.do(ctx, call{method: http.MethodPost, path: "/api/account/email", json: form}, nil)
}

// SetPassword changes the password and ends every other session. It needs a
// session. Hoplite only.
func (s *AccountService) SetPassword(ctx context.Context, old, new string) error {
	form := openapi.PasswordForm{Password: old, NewPassword: new}
	return s.c.do(ctx, call{method: http.MethodPost, path: "/api/account/password", json: form, once: true}, nil)
}

// Sessions returns where the account is logged in. It needs a session. Hoplite
// only.
func (s *AccountService) Sessions(ctx context.Context) ([]openapi.SessionInfo, error) {
	return get[[]openapi.SessionInfo](ctx, s.c, "/api/account/sessions", nil)
}

// EndSession ends one session. It needs a session. Hoplite only.
func (s *AccountService) EndSession(ctx context.Context, id string) error {
	return s.c.do(ctx, call{method: http.MethodDelete, path: pathf("/api/account/sessions/%s", id)}, nil)
}

// EndOtherSessions ends every session but the one that asks. Hoplite only.
func (s *AccountService) EndOtherSessions(ctx context.Context) error {
	return s.c.do(ctx, call{method: http.MethodDelete, path: "/api/account/sessions"}, nil)
}

// Kid reports whether kid mode is on.
func (s *AccountService) Kid(ctx context.Context) (bool, error) {
	k, err := get[openapi.Kid](ctx, s.c, "/api/account/kid", nil)
	return k.Kid, err
}

// SetKid turns kid mode on or off.
func (s *AccountService) SetKid(ctx context.Context, on bool) error {
	q := url.Values{"v": {string(openapi.FlagOf(on))}}
	return s.c.do(ctx, call{method: http.MethodPost, path: "/api/account/kid", query: q}, nil)
}

// SignUp opens an account. The answer holds a token; the client that was asked
// stays who it was. Hoplite only.
func (s *AccountService) SignUp(ctx context.Context, form openapi.SignupForm) (openapi.SignupResult, error) {
	var out openapi.SignupResult
	err := s.c.do(ctx, call{method: http.MethodPost, path: "/api/signup", json: form, once: true}, &out)
	return out, err
}

// LogIn opens a session, whose value serves as the token of another client.
// Hoplite only.
func (s *AccountService) LogIn(ctx context.Context, form openapi.LoginForm) (openapi.LoginResult, error) {
	var out openapi.LoginResult
	err := s.c.do(ctx, call{method: http.MethodPost, path: "/api/login", json: form}, &out)
	return out, err
}

// LogOut ends the session that the client's token is. Hoplite only.
func (s *AccountService) LogOut(ctx context.Context) error {
	return s.c.do(ctx, call{method: http.MethodPost, path: "/api/logout"}, nil)
}

// get is a GET whose answer is one JSON value. query is nil or a struct or map
// with JSON names.
func get[T any](ctx context.Context, c *Client, path string, query any) (T, error) {
	var out T
	cl := call{method: http.MethodGet, path: path}
	if query != nil {
		values, err := formValues(query)
		if err != nil {
			return out, err
		}
		cl.query = values
	}
	err := c.do(ctx, cl, &out)
	return out, err
}
