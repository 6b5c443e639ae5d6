package auth

import (
	"context"
	"net/http"
	"time"

	"github.com/oapi-codegen/nullable"

	"hoplite/openapi"
	"hoplite/server/api"
)

// CookieName is the session's cookie.
const CookieName = "hoplite_session"

// Handlers answer the operations of sign-up, log-in and tokens.
type Handlers struct {
	auth *Service
	page func() []byte
}

// NewHandlers returns the handlers on top of the service. page returns the web page, for the address at which
// applications ask for tokens.
func NewHandlers(s *Service, page func() []byte) Handlers { return Handlers{auth: s, page: page} }

// Signup opens an account.
func (h Handlers) Signup(ctx context.Context, r api.SignupRequestObject) (api.SignupResponseObject, error) {
	var form openapi.SignupForm
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	client := api.ClientOf(ctx)
	n := NewAccount{
		Name: form.Username, Password: form.Password, Email: form.Email, Invite: form.Invite, UserAgent: client.UserAgent,
	}
	if form.Oidc {
		if n.Newcomer = client.OIDC; n.Newcomer == "" {
			n.Newcomer = "none" // is refused by name
		}
	}
	e, err := h.auth.SignUp(ctx, n)
	if err != nil {
		return nil, err
	}
	return api.Signup201JSONResponse{
		Body: openapi.SignupResult{
			ID: e.Account.ID, Username: e.Account.Name,
			Token: e.Token, Scopes: e.Scopes, Expires: nullable.NewNullNullable[int64](),
		},
		Headers: api.Signup201ResponseHeaders{SetCookie: h.cookie(ctx, e.Session, e.SessionExpires)},
	}, nil
}

// Login opens a session.
func (h Handlers) Login(ctx context.Context, r api.LoginRequestObject) (api.LoginResponseObject, error) {
	var form openapi.LoginForm
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	e, err := h.auth.LogIn(ctx, Credentials{
		Name: form.Username, Password: form.Password, Code: form.Totp, Reopen: form.Reopen, UserAgent: api.ClientOf(ctx).UserAgent,
	})
	if err != nil {
		return nil, err
	}
	return api.Login200JSONResponse{
		Body: loginResult(e), Headers: api.Login200ResponseHeaders{SetCookie: h.cookie(ctx, e.Session, e.SessionExpires)},
	}, nil
}

func loginResult(e Entry) openapi.LoginResult {
	return openapi.LoginResult{
		ID: e.Account.ID, Username: e.Account.Name, Session: e.Session, Expires: e.SessionExpires.UnixMilli(),
	}
}

// Logout ends the session and takes the cookie back.
func (h Handlers) Logout(ctx context.Context, _ api.LogoutRequestObject) (api.LogoutResponseObject, error) {
	if err := h.auth.LogOut(ctx, api.Caller(ctx)); err != nil {
		return nil, err
	}
	return api.Logout200JSONResponse{
		Body:    openapi.Ok{Ok: true},
		Headers: api.Logout200ResponseHeaders{SetCookie: h.cookie(ctx, "", time.Time{})},
	}, nil
}

// AccountTokens lists the account's tokens.
func (h Handlers) AccountTokens(ctx context.Context, _ api.AccountTokensRequestObject) (api.AccountTokensResponseObject, error) {
	tokens, err := h.auth.Tokens(ctx, api.Caller(ctx))
	if err != nil {
		return nil, err
	}
	list := make(api.AccountTokens200JSONResponse, 0, len(tokens))
	for _, t := range tokens {
		list = append(list, openapi.TokenInfo{
			ID: t.ID, Description: t.Description, Scopes: scopesOf(t.Scopes),
			Created: t.Created.UnixMilli(), Used: millis(t.Used), Expires: millis(t.Expires),
			Client: openapi.TokenClient{ID: t.ClientID, Origin: t.ClientOrigin},
		})
	}
	return list, nil
}

// AccountTokenCreate makes a token.
func (h Handlers) AccountTokenCreate(ctx context.Context, r api.AccountTokenCreateRequestObject) (api.AccountTokenCreateResponseObject, error) {
	var form openapi.NewToken
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	q := TokenRequest{Description: form.Description, Scopes: form.Scopes, Name: form.Username, Password: form.Password, Code: form.Totp}
	if form.Expires != 0 {
		q.Expires = time.UnixMilli(form.Expires)
	}
	token, t, err := h.auth.CreateToken(ctx, api.Caller(ctx), q)
	if err != nil {
		return nil, err
	}
	return api.AccountTokenCreate201JSONResponse{
		ID: t.ID, Token: token, Description: t.Description, Scopes: scopesOf(t.Scopes),
		Created: t.Created.UnixMilli(), Expires: millis(t.Expires),
	}, nil
}

// AccountTokenRevoke revokes one of the account's tokens.
func (h Handlers) AccountTokenRevoke(ctx context.Context, r api.AccountTokenRevokeRequestObject) (api.AccountTokenRevokeResponseObject, error) {
	if err := h.auth.DeleteToken(ctx, api.Caller(ctx), r.ID); err != nil {
		return nil, err
	}
	return api.AccountTokenRevoke204Response{}, nil
}

// APITokenDelete revokes the token, or ends the session, that the request came with.
func (h Handlers) APITokenDelete(ctx context.Context, _ api.APITokenDeleteRequestObject) (api.APITokenDeleteResponseObject, error) {
	if err := h.auth.Revoke(ctx, api.Caller(ctx)); err != nil {
		return nil, err
	}
	return api.APITokenDelete204Response{}, nil
}

// TokenTest says what tokens are good for.
func (h Handlers) TokenTest(ctx context.Context, r api.TokenTestRequestObject) (api.TokenTestResponseObject, error) {
	var list string
	if r.Body != nil {
		list = *r.Body
	}
	tested, err := h.auth.TestTokens(ctx, list)
	if err != nil {
		return nil, err
	}
	answer := make(api.TokenTest200JSONResponse, len(tested))
	for token, t := range tested {
		answer[token] = nil
		if t != nil {
			answer[token] = &openapi.TokenTestEntry{UserID: t.AccountID, Scopes: joinScopes(t.Scopes), Expires: millis(t.Expires)}
		}
	}
	return answer, nil
}

// cookie sets the session's cookie, or with an empty value takes it back.
func (h Handlers) cookie(ctx context.Context, session string, expires time.Time) string {
	c := http.Cookie{
		Name: CookieName, Value: session, Path: "/",
		HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: h.auth.config.HTTPS || api.ClientOf(ctx).Secure,
	}
	if session == "" {
		c.MaxAge = -1
	} else {
		c.Expires = expires
		c.MaxAge = int(expires.Sub(h.auth.now()) / time.Second)
	}
	return c.String()
}

// millis is null for the zero time.
func millis(t time.Time) nullable.Nullable[int64] {
	if t.IsZero() {
		return nullable.NewNullNullable[int64]()
	}
	return nullable.NewNullableWithValue(t.UnixMilli())
}
