package auth

import (
	"context"
	"errors"
	"net/http"
	"time"

	"hoplite/openapi"
	"hoplite/server/api"
)

// Oauth serves the page on which a person decides. A wrong request gets the page too, which says what is wrong: nobody
// registers redirect URIs here, so sending a browser on without asking its owner would make this server a way to
// anywhere (RFC 9700 §4.11.2). The page offers the way back.
func (h Handlers) Oauth(_ context.Context, r api.OauthRequestObject) (api.OauthResponseObject, error) {
	_, err := grantRequest(OauthParams(r.Params)).Check()
	if _, ok := errors.AsType[*OAuthError](err); ok {
		return consentPage{http.StatusBadRequest, h.page()}, nil
	}
	return consentPage{http.StatusOK, h.page()}, err
}

// consentPage is the web page, which finds out by itself what to ask. It is never stored: the address that it was
// asked by is about one request only.
type consentPage struct {
	status int
	html   []byte
}

func (p consentPage) VisitOauthResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.status)
	_, err := w.Write(p.html)
	return err
}

// OauthParams are the parameters of /oauth.
type OauthParams = openapi.OauthParams

func grantRequest(p OauthParams) GrantRequest {
	return GrantRequest{
		ResponseType: p.ResponseType, ClientID: p.ClientID, RedirectURI: p.RedirectURI,
		ChallengeMethod: p.CodeChallengeMethod, Challenge: p.CodeChallenge,
		Scope: p.Scope, Username: p.Username, State: p.State,
	}
}

// OauthRequest says what an application asks for.
func (h Handlers) OauthRequest(_ context.Context, r api.OauthRequestRequestObject) (api.OauthRequestResponseObject, error) {
	q := grantRequest(OauthParams(r.Params))
	asked, err := q.Check()
	if e, ok := errors.AsType[*OAuthError](err); ok {
		return api.OauthRequest400JSONResponse(e.wire()), nil
	}
	if err != nil {
		return nil, err
	}
	scopes := make([]openapi.TokenScope, len(asked.Scopes))
	for i, scope := range asked.Scopes {
		scopes[i] = openapi.TokenScope(scope)
	}
	return api.OauthRequest200JSONResponse{
		ClientID: q.ClientID, Origin: asked.Origin, RedirectURI: q.RedirectURI, Scopes: scopes,
		Username: q.Username, Denied: asked.Denied,
	}, nil
}

// OauthApprove grants an application what it asks for.
func (h Handlers) OauthApprove(ctx context.Context, r api.OauthApproveRequestObject) (api.OauthApproveResponseObject, error) {
	var form openapi.OAuthApproval
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	to, err := h.auth.Approve(ctx, api.Caller(ctx), GrantRequest{
		ResponseType: form.ResponseType, ClientID: form.ClientID, RedirectURI: form.RedirectURI,
		ChallengeMethod: form.CodeChallengeMethod, Challenge: form.CodeChallenge, Scope: form.Scope, State: form.State,
	})
	if e, ok := errors.AsType[*OAuthError](err); ok {
		return api.OauthApprove400JSONResponse(e.wire()), nil
	}
	return api.OauthApprove200JSONResponse{Redirect: to}, err
}

// APIToken trades a code for a token.
func (h Handlers) APIToken(ctx context.Context, r api.APITokenRequestObject) (api.APITokenResponseObject, error) {
	var form openapi.OAuthTokenForm
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	token, err := h.auth.Exchange(ctx, CodeExchange{
		GrantType: form.GrantType, Code: form.Code, Verifier: form.CodeVerifier,
		RedirectURI: form.RedirectURI, ClientID: form.ClientID,
	})
	if e, ok := errors.AsType[*OAuthError](err); ok {
		return api.APIToken400JSONResponse(e.wire()), nil
	}
	return api.APIToken200JSONResponse{
		TokenType: openapi.OAuthTokenTokenTypeBearer, AccessToken: token, ExpiresIn: int(GrantLife / time.Second),
	}, err
}

func (e *OAuthError) wire() openapi.OAuthError {
	return openapi.OAuthError{Error: e.Code, ErrorDescription: e.Text, Redirect: e.Redirect}
}
