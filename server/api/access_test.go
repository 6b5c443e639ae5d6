package api_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"hoplite/server/api"
)

func record(e *echo.Echo, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w
}

func TestAccess(t *testing.T) {
	t.Parallel()
	e := newGate(t)
	for _, tt := range []struct {
		name, method, target, auth, cookie string
		status                             int
		want                               string // the caller, or the error
	}{
		{"no token", "GET", "/api/account", "", "", 401, "Missing authorization header"},
		{"any token", "GET", "/api/account", "Bearer none", "", 200, "cleo"},
		{"scheme in small letters", "GET", "/api/account", "bearer none", "", 200, "cleo"},
		{"unknown token", "GET", "/api/account", "Bearer nobody", "", 401, "No such token"},
		{"basic", "GET", "/api/account", "Basic bm9uZTo=", "", 401, "The authorization header must be: Bearer, a space and a token"},
		{"bare token", "GET", "/api/account", "none", "", 401, "The authorization header must be: Bearer, a space and a token"},
		{"scope", "GET", "/api/account/email", "Bearer all", "", 200, "ann"},
		{"missing scope", "GET", "/api/account/email", "Bearer none", "", 403, "Missing scope: email:read"},
		{"one of several scopes", "POST", "/api/challenge/ann", "Bearer bot", "", 200, "ben"},
		{"none of several scopes", "POST", "/api/challenge/ann", "Bearer none", "", 403, "Missing scope: challenge:write or bot:play or board:play"},
		{"session has all scopes", "GET", "/api/account/email", "", "session", 200, "dora"},
		{"session as a bearer", "GET", "/api/account/email", "Bearer session", "", 200, "dora"},
		{"old cookie", "GET", "/api/account", "", "gone", 401, "No such token"},
		{"session only", "GET", "/api/account/tokens", "Bearer all", "", 403, "This needs a session: log in. A token does not do."},
		{"session only, with one", "GET", "/api/account/tokens", "", "session", 200, "dora"},
		{"optional, nobody", "GET", "/api/user/ann", "", "", 200, ""},
		{"optional, somebody", "GET", "/api/user/ann", "Bearer none", "", 200, "cleo"},
		{"optional, unknown token", "GET", "/api/user/ann", "Bearer nobody", "", 401, "No such token"},
		{"optional, old cookie", "GET", "/api/user/ann", "", "gone", 200, ""},
		{"optional scope", "POST", "/api/challenge/open", "Bearer all", "", 200, "ann"},
		{"optional scope missing", "POST", "/api/challenge/open", "Bearer none", "", 200, ""},
		{"open, with a bad token", "GET", "/api/bot/online", "Bearer nobody", "", 200, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(tt.method, "http://localhost"+tt.target, nil)
			if tt.auth != "" {
				r.Header.Set("Authorization", tt.auth)
			}
			if tt.cookie != "" {
				r.AddCookie(&http.Cookie{Name: api.SessionCookie, Value: tt.cookie})
			}
			w := record(e, r)
			want := `"error":"` + tt.want + `"`
			if tt.status == 200 {
				want = `"Caller":"` + tt.want + `"`
			}
			if w.Code != tt.status || !strings.Contains(w.Body.String(), want) {
				t.Errorf("status %d: %swant %d: %s", w.Code, w.Body, tt.status, want)
			}
		})
	}
}

func TestScopeHeaders(t *testing.T) {
	t.Parallel()
	e := newGate(t)
	w := request{"POST", "/api/challenge/ann", "", "", "bot"}.send(e)
	if got := w.Header().Get("X-OAuth-Scopes"); got != "bot:play" {
		t.Errorf("X-OAuth-Scopes: %q", got)
	}
	if got := w.Header().Get("X-Accepted-OAuth-Scopes"); got != "challenge:write, bot:play, board:play" {
		t.Errorf("X-Accepted-OAuth-Scopes: %q", got)
	}
	// A refused caller needs them most.
	w = request{"POST", "/api/challenge/ann", "", "", "none"}.send(e)
	if got := w.Header().Get("X-Accepted-OAuth-Scopes"); w.Code != 403 || got == "" {
		t.Errorf("status %d with X-Accepted-OAuth-Scopes %q", w.Code, got)
	}
}

func TestModeratorScope(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		id   *api.Identity
		want bool
	}{
		{"session", &api.Identity{SessionID: "s"}, false},
		{"session of an administrator", &api.Identity{SessionID: "s", Role: api.RoleAdmin}, true},
		{"token", &api.Identity{TokenID: "t", Scopes: []string{api.ScopeWebMod}}, true},
		{"token without it", &api.Identity{TokenID: "t", Role: api.RoleAdmin}, false},
		{"nobody", &api.Identity{Anonymous: true}, false},
		{"nil", nil, false},
	} {
		if got := tt.id.Has(api.ScopeWebMod); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
