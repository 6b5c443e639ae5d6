package api

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"hoplite/server/fault"
	"hoplite/server/spec"
)

// SessionCookie is the name of the cookie that holds a session.
const SessionCookie = "hoplite_session"

// OIDCCookie is the name of the cookie that ties a log-in at another provider to the browser.
const OIDCCookie = "hoplite_oidc"

// Access finds out who calls, refuses those who may not, and tells them about scopes.
func (g *Gate) Access(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		op := OperationOf(c)
		if op == nil || op.Open {
			return next(c)
		}
		id, err := g.identify(c.Request(), op)
		if err != nil {
			return err
		}
		header := c.Response().Header()
		if len(op.Scopes) > 0 {
			header.Set("X-Accepted-OAuth-Scopes", op.Accepts())
		}
		if !id.Anonymous {
			header.Set("X-OAuth-Scopes", strings.Join(id.Scopes, ", "))
		}
		if id, err = admit(id, op); err != nil {
			return err
		}
		c.SetRequest(c.Request().WithContext(WithCaller(c.Request().Context(), id)))
		return next(c)
	}
}

func (g *Gate) identify(r *http.Request, op *spec.Operation) (*Identity, error) {
	bearer, err := bearerOf(r)
	if err != nil {
		return nil, err
	}
	cookie := ""
	if c, err := r.Cookie(SessionCookie); err == nil {
		cookie = c.Value
	}
	if bearer == "" && cookie == "" {
		return &Identity{Anonymous: true}, nil
	}
	id, err := g.auth.Authenticate(r.Context(), bearer, cookie)
	if err != nil {
		// A browser may hold an old cookie, which must not keep it from logging in again or from looking around.
		if bearer == "" && op.Optional && fault.KindOf(err) == fault.KindUnauthenticated {
			return &Identity{Anonymous: true}, nil
		}
		return nil, err
	}
	if id == nil {
		return &Identity{Anonymous: true}, nil
	}
	return id, nil
}

// bearerOf returns the token of the Authorization header, empty without one.
func bearerOf(r *http.Request) (string, error) {
	header := r.Header.Get("Authorization")
	if header == "" {
		return "", nil
	}
	scheme, token, _ := strings.Cut(header, " ")
	if token = strings.TrimSpace(token); !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", fault.Unauthenticated("The authorization header must be: Bearer, a space and a token")
	}
	return token, nil
}

// admit checks the caller against what the operation asks for. Where an account is optional, a token that lacks the
// scope counts as none.
func admit(id *Identity, op *spec.Operation) (*Identity, error) {
	switch {
	case id.Anonymous:
		if op.Optional {
			return id, nil
		}
		return nil, fault.Unauthenticated("Missing authorization header")
	case op.SessionOnly && id.SessionID == "":
		return nil, fault.Forbidden("This needs a session: log in. A token does not do.")
	case op.Role != "" && id.Role != op.Role:
		return nil, fault.Forbidden("This is for accounts with the role %s", op.Role)
	case id.HasAny(op.Scopes...):
		return id, nil
	case op.Optional:
		return &Identity{Anonymous: true}, nil
	}
	return nil, fault.Forbidden("Missing scope: %s", strings.Join(op.Scopes, " or "))
}
