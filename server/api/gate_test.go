package api_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/labstack/echo/v4"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/server/spec"
)

// document compiles the spec once for all tests; it does not change.
var document = sync.OnceValues(func() (*spec.Document, error) { return spec.Load(openapi.Spec()) })

// keys is an Authenticator with a few tokens and sessions.
type keys map[string]*api.Identity

func (k keys) Authenticate(_ context.Context, bearer, cookie string) (*api.Identity, error) {
	if bearer == "" {
		bearer = cookie
	}
	if id, ok := k[bearer]; ok {
		return id, nil
	}
	return nil, fault.Unauthenticated("No such token")
}

var everybody = keys{
	"all":     {AccountID: "ann", Scopes: []string{"challenge:write", "challenge:read", "board:play", "bot:play", "puzzle:write", "preference:write", "email:read"}, TokenID: "t1"},
	"bot":     {AccountID: "ben", Title: "BOT", Scopes: []string{"bot:play"}, TokenID: "t2"},
	"none":    {AccountID: "cleo", TokenID: "t3"},
	"session": {AccountID: "dora", SessionID: "s1"},
	"admin":   {AccountID: "eve", Role: api.RoleAdmin, SessionID: "s2"},
}

// seen is what arrives at a handler.
type seen struct {
	Route, Query, Type, Body, Caller string
	Params                           map[string]string
}

// newGate returns an Echo with every route of the spec, whose handlers tell what arrives.
func newGate(t testing.TB) *echo.Echo {
	t.Helper()
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	gate := api.NewGate(doc, everybody, slog.New(slog.DiscardHandler))
	e := echo.New()
	e.HTTPErrorHandler = gate.ErrorHandler
	e.Use(gate.Route, gate.Access, gate.Canonical, gate.Validate)
	for _, op := range doc.Operations() {
		e.Add(op.Method, op.Route, func(c echo.Context) error {
			body, err := io.ReadAll(c.Request().Body)
			if err != nil {
				return err
			}
			params := map[string]string{}
			for _, name := range c.ParamNames() {
				params[name] = c.Param(name)
			}
			return c.JSON(http.StatusOK, seen{
				Route: c.Path(), Query: c.Request().URL.RawQuery, Type: c.Request().Header.Get("Content-Type"),
				Body: string(body), Params: params, Caller: api.Caller(c.Request().Context()).AccountID,
			})
		})
	}
	return e
}

type request struct {
	method, target, contentType, body, token string
}

func (r request) send(e *echo.Echo) *httptest.ResponseRecorder {
	req := httptest.NewRequest(r.method, "http://localhost"+r.target, strings.NewReader(r.body))
	if r.contentType != "" {
		req.Header.Set("Content-Type", r.contentType)
	}
	if r.token != "" {
		req.Header.Set("Authorization", "Bearer "+r.token)
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, req)
	return w
}

func (r request) seen(t *testing.T, e *echo.Echo) seen {
	t.Helper()
	w := r.send(e)
	if w.Code != http.StatusOK {
		t.Fatalf("%s %s: status %d: %s", r.method, r.target, w.Code, w.Body)
	}
	var s seen
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	return s
}
