package auth

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/fault"
)

// OidcLogin begins a log-in at the provider.
func (h Handlers) OidcLogin(ctx context.Context, r api.OidcLoginRequestObject) (api.OidcLoginResponseObject, error) {
	next := ""
	if r.JSONBody != nil {
		next = r.JSONBody.Next
	}
	to, cookie, err := h.auth.StartOIDC(ctx, "", next)
	if err != nil {
		return nil, err
	}
	return api.OidcLogin200JSONResponse{
		Body: openapi.OidcStart{Redirect: to}, Headers: api.OidcLogin200ResponseHeaders{SetCookie: h.flowCookie(ctx, cookie)},
	}, nil
}

// OidcFactor ends a log-in at the provider with the account's second factor.
func (h Handlers) OidcFactor(ctx context.Context, r api.OidcFactorRequestObject) (api.OidcFactorResponseObject, error) {
	code := ""
	if r.JSONBody != nil {
		code = r.JSONBody.Totp
	}
	client := api.ClientOf(ctx)
	e, err := h.auth.FinishOIDCFactor(ctx, client.OIDC, code, client.UserAgent)
	if err != nil {
		return nil, err
	}
	return api.OidcFactor200JSONResponse{
		Body: loginResult(e), Headers: api.OidcFactor200ResponseHeaders{SetCookie: h.cookie(ctx, e.Session, e.SessionExpires)},
	}, nil
}

// AccountOidcLink begins to link an identity to the caller's account.
func (h Handlers) AccountOidcLink(ctx context.Context, r api.AccountOidcLinkRequestObject) (api.AccountOidcLinkResponseObject, error) {
	caller := api.Caller(ctx)
	if err := h.auth.ownPassword(ctx, caller, passwordOf(r.JSONBody)); err != nil {
		return nil, err
	}
	to, cookie, err := h.auth.StartOIDC(ctx, caller.AccountID, "/account#oidc")
	if err != nil {
		return nil, err
	}
	return api.AccountOidcLink200JSONResponse{
		Body: openapi.OidcStart{Redirect: to}, Headers: api.AccountOidcLink200ResponseHeaders{SetCookie: h.flowCookie(ctx, cookie)},
	}, nil
}

// AccountOidc lists the identities that open the caller's account.
func (h Handlers) AccountOidc(ctx context.Context, _ api.AccountOidcRequestObject) (api.AccountOidcResponseObject, error) {
	links, err := h.auth.Identities(ctx, api.Caller(ctx))
	if err != nil {
		return nil, err
	}
	list := make(api.AccountOidc200JSONResponse, len(links))
	for i, l := range links {
		list[i] = openapi.LinkedIdentity{Issuer: l.Issuer, Label: l.Label, Created: l.Created.UnixMilli()}
	}
	return list, nil
}

// AccountOidcUnlink makes them open nothing.
func (h Handlers) AccountOidcUnlink(ctx context.Context, r api.AccountOidcUnlinkRequestObject) (api.AccountOidcUnlinkResponseObject, error) {
	if err := h.auth.Unlink(ctx, api.Caller(ctx), passwordOf(r.JSONBody)); err != nil {
		return nil, err
	}
	return api.AccountOidcUnlink200JSONResponse{DoneJSONResponse: done()}, nil
}

// OidcCallback takes people back from the provider. Whatever happens, the browser ends on our own page.
func (h Handlers) OidcCallback(ctx context.Context, r api.OidcCallbackRequestObject) (api.OidcCallbackResponseObject, error) {
	client := api.ClientOf(ctx)
	p := r.Params
	a, err := h.auth.FinishOIDC(ctx, Arrival{
		Code: p.Code, State: p.State, Error: p.Error, Cookie: client.OIDC, UserAgent: client.UserAgent,
	})
	back := wayBack{cookies: []string{h.flowCookie(ctx, a.Newcomer+a.Factor)}} // one of them at most
	switch {
	case fault.KindOf(err) == fault.KindInvalid || fault.KindOf(err) == fault.KindUnauthenticated:
		back.to = "/login?oidc=" + url.QueryEscape(err.Error())
	case err != nil:
		return nil, err
	case a.Newcomer != "":
		back.to = "/signup?oidc=new&next=" + url.QueryEscape(a.Next)
	case a.Factor != "":
		back.to = "/login?factor=oidc&next=" + url.QueryEscape(a.Next)
	case a.Entry != nil:
		back.to = a.Next
		back.cookies = append(back.cookies, h.cookie(ctx, a.Entry.Session, a.Entry.SessionExpires))
	default:
		back.to = a.Next
	}
	return back, nil
}

// wayBack sends the browser to a place of our own page.
type wayBack struct {
	to      string
	cookies []string
}

// VisitOidcCallbackResponse writes the redirect.
func (b wayBack) VisitOidcCallbackResponse(w http.ResponseWriter) error {
	for _, c := range b.cookies {
		w.Header().Add("Set-Cookie", c)
	}
	w.Header().Set("Location", b.to)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// flowCookie keeps what is known of a log-in at the provider, or with an empty value forgets it.
func (h Handlers) flowCookie(ctx context.Context, value string) string {
	c := http.Cookie{
		Name: OIDCCookie, Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: h.auth.config.HTTPS || api.ClientOf(ctx).Secure, MaxAge: int(flowLife / time.Second),
	}
	if value == "" {
		c.MaxAge = -1
	}
	return c.String()
}
