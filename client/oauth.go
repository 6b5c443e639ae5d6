package client

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"hoplite/openapi"
)

// OAuthService is the authorization code flow with PKCE, by which a program gets
// a token of somebody who never tells it a password: send the person's browser to
// AuthorizeURL, receive the code at the redirect URI, and trade it by Exchange.
type OAuthService struct{ service }

// Verifier is the secret of one authorization. Keep it until Exchange.
type Verifier string

// NewVerifier makes a verifier.
func NewVerifier() Verifier { return Verifier(rand.Text() + rand.Text()) }

// Challenge is what the person's browser carries in place of the verifier.
func (v Verifier) Challenge() string {
	sum := sha256.Sum256([]byte(v))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Authorization is what a program asks of a person.
type Authorization struct {
	ClientID    string // what the program calls itself; nothing has to be registered
	RedirectURI string // https, http on loopback, or a scheme that is a reversed domain
	Verifier    Verifier
	Scopes      []string
	State       string // comes back with the code; compare it
	Username    string // whom the program expects to sign in; may be empty
}

func (a Authorization) values() url.Values {
	v := url.Values{
		"response_type": {"code"}, "client_id": {a.ClientID}, "redirect_uri": {a.RedirectURI},
		"code_challenge_method": {"S256"}, "code_challenge": {a.Verifier.Challenge()},
	}
	for name, value := range map[string]string{"scope": strings.Join(a.Scopes, " "), "state": a.State, "username": a.Username} {
		if value != "" {
			v.Set(name, value)
		}
	}
	return v
}

// AuthorizeURL is where to send the person.
func (s *OAuthService) AuthorizeURL(a Authorization) string {
	return s.c.BaseURL() + "/oauth?" + a.values().Encode()
}

// Page fetches what the person will see: an *APIError means that the redirect
// URI cannot be used, a *RedirectError that something else is wrong.
func (s *OAuthService) Page(ctx context.Context, a Authorization) (string, error) {
	var html string
	err := s.c.do(ctx, call{method: http.MethodGet, path: "/oauth", query: a.values()}, &html)
	return html, err
}

// Request returns what the person will be asked. Hoplite only.
func (s *OAuthService) Request(ctx context.Context, a Authorization) (openapi.OAuthRequest, error) {
	var out openapi.OAuthRequest
	err := s.c.do(ctx, call{method: http.MethodGet, path: "/api/oauth/authorize", query: a.values()}, &out)
	return out, err
}

// Approve grants, as the client's account, what a program asks for, and returns
// the address to which the page would go. The client's token must be a session.
// Hoplite only.
func (s *OAuthService) Approve(ctx context.Context, a Authorization) (redirect string, err error) {
	form := map[string]string{}
	for name, values := range a.values() {
		if name != "username" {
			form[name] = values[0]
		}
	}
	var out openapi.OAuthGrant
	err = s.c.do(ctx, call{method: http.MethodPost, path: "/api/oauth/authorize", json: form, once: true}, &out)
	return out.Redirect, err
}

// Exchange trades the code that came to the redirect URI for a token. It is not
// repeated by itself: a code is good once.
func (s *OAuthService) Exchange(ctx context.Context, a Authorization, code string) (openapi.OAuthToken, error) {
	var out openapi.OAuthToken
	err := s.c.do(ctx, call{method: http.MethodPost, path: "/api/token", once: true, form: openapi.OAuthTokenForm{
		GrantType: "authorization_code", Code: code, CodeVerifier: string(a.Verifier),
		RedirectURI: a.RedirectURI, ClientID: a.ClientID,
	}}, &out)
	return out, err
}
