package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"hoplite/server/api"
	"hoplite/server/servertest"
	"hoplite/server/spec"
	"hoplite/store/storetest"
)

// knocker sends requests to every operation and looks at the door only: status and header, not at what is behind.
type knocker struct {
	s      *servertest.Server
	people int
}

// token makes an account of its own whose one token has these scopes, so that what a request does there spoils nothing.
func (k *knocker) token(t *testing.T, scopes ...string) string {
	t.Helper()
	k.people++
	account := storetest.AddAccount(t, k.s.Store, fmt.Sprintf("Knocker%d", k.people))
	return k.s.NewToken(t, account.ID, scopes...)
}

// answer is what an operation says at the door.
type answer struct {
	status int
	header http.Header
	error  string // of an error answer
}

func (k *knocker) knock(t *testing.T, method, path string, header map[string]string) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel() // streams would stay open
	r, err := http.NewRequestWithContext(ctx, method, k.s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer func() { _ = resp.Body.Close() }()
	a := answer{status: resp.StatusCode, header: resp.Header}
	if a.status >= 400 {
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if op := k.s.Document().Match(method, path); op != nil && op.ID == "oauth" && a.status == 400 {
			return a // the consent page says it
		}
		var body struct{ Error any }
		if err := json.Unmarshal(data, &body); err != nil {
			t.Errorf("%s %s: status %d with %q", method, path, a.status, data)
		}
		a.error = fmt.Sprint(body.Error)
	}
	return a
}

// pathOf fills in a path's parameters with what does not exist.
func pathOf(op *spec.Operation) string {
	segments := strings.Split(op.Path, "/")
	for i, s := range segments {
		switch {
		case s == "{seconds}", s == "{nb}":
			segments[i] = "15"
		case strings.HasPrefix(s, "{"):
			segments[i] = "abcd1234"
		}
	}
	return strings.Join(segments, "/")
}

func bearer(token string) map[string]string {
	return map[string]string{"Authorization": "Bearer " + token}
}

// TestScopesOfEveryOperation holds every operation to the accounts and scopes that the description asks for.
func TestScopesOfEveryOperation(t *testing.T) {
	t.Parallel()
	k := &knocker{s: servertest.Start(t)}
	scopeless := k.token(t)
	full := k.token(t, api.Scopes()...)
	for _, op := range k.s.Document().Operations() {
		name, path := op.Method+" "+op.Path, pathOf(op)
		knock := func(header map[string]string) answer { return k.knock(t, op.Method, path, header) }

		nobody := knock(nil)
		switch {
		case op.Open || op.Optional:
			if op.Open && nobody.status == 401 && op.ID != "login" {
				t.Errorf("%s: status 401 for nobody, whom it lets in", name)
			}
		case nobody.status != 401 || nobody.error != "Missing authorization header" || nobody.header.Get("WWW-Authenticate") == "":
			t.Errorf("%s: %d %q for nobody", name, nobody.status, nobody.error)
		}
		if op.Open {
			continue
		}
		for text, header := range map[string]string{"No such token": "Bearer lip_unknown", "The authorization header must be": "Basic YTpi"} {
			if a := knock(map[string]string{"Authorization": header}); a.status != 401 || !strings.Contains(a.error, text) {
				t.Errorf("%s with %q: %d %q", name, header, a.status, a.error)
			}
		}
		if op.SessionOnly {
			if op.Optional {
				continue // the password in the body does it too
			}
			if a := knock(bearer(full)); a.status != 403 || a.error != "This needs a session: log in. A token does not do." {
				t.Errorf("%s takes a token with every scope: %d %q", name, a.status, a.error)
			}
			continue
		}
		k.scopes(t, op, knock, scopeless)
	}
}

// scopes tries an operation with tokens that lack its scopes and with tokens that have just one of them.
func (k *knocker) scopes(t *testing.T, op *spec.Operation, knock func(map[string]string) answer, scopeless string) {
	t.Helper()
	name := op.Method + " " + op.Path
	if len(op.Scopes) == 0 {
		if a := knock(bearer(k.token(t))); a.status == 401 || a.status == 403 {
			t.Errorf("%s: %d %q for a token without scopes", name, a.status, a.error)
		}
		return
	}
	others := slices.DeleteFunc(api.Scopes(), func(s string) bool { return slices.Contains(op.Scopes, s) })
	for what, token := range map[string]string{"no scope": scopeless, "all other scopes": k.token(t, others...)} {
		a := knock(bearer(token))
		if got := a.header.Get("X-Accepted-OAuth-Scopes"); got != op.Accepts() {
			t.Errorf("%s: X-Accepted-OAuth-Scopes %q, want %q", name, got, op.Accepts())
		}
		if op.Optional { // works as it does for nobody
			if a.status == 401 || a.status == 403 {
				t.Errorf("%s: %d %q for a token with %s", name, a.status, a.error, what)
			}
			continue
		}
		if want := "Missing scope: " + strings.Join(op.Scopes, " or "); a.status != 403 || a.error != want {
			t.Errorf("%s: %d %q for a token with %s, want 403 %q", name, a.status, a.error, what, want)
		}
	}
	for _, scope := range op.Scopes {
		if scope == api.ScopeWebMod {
			continue // only an administrator's counts, of which the tests of package auth know
		}
		a := knock(bearer(k.token(t, scope)))
		if a.status == 401 || strings.HasPrefix(a.error, "Missing scope") {
			t.Errorf("%s: %d %q for a token with %s", name, a.status, a.error, scope)
		}
		if got := a.header.Get("X-OAuth-Scopes"); got != scope {
			t.Errorf("%s: X-OAuth-Scopes %q, want %q", name, got, scope)
		}
	}
}

// TestSessionOfEveryOperation: a browser's session does for every operation, and never at the wish of another site.
func TestSessionOfEveryOperation(t *testing.T) {
	t.Parallel()
	k := &knocker{s: servertest.Start(t)}
	k.s.SignUp(t, "Leonidas")
	login := k.s.Anonymous().Post(t, "/api/login", url.Values{"username": {"leonidas"}, "password": {"correct horse battery"}})
	cookie, err := http.ParseSetCookie(login.Want(t, 200).Header.Get("Set-Cookie"))
	if err != nil {
		t.Fatal(err)
	}
	session := cookie.Name + "=" + cookie.Value
	for _, op := range k.s.Document().Operations() {
		name, path := op.Method+" "+op.Path, pathOf(op)
		for _, site := range []map[string]string{
			{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://elsewhere.example"},
			{"Origin": "null"},
		} {
			site["Cookie"] = session
			a := k.knock(t, op.Method, path, site)
			if got := a.error == "Another site's page may not do this" && a.status == 403; got == op.ReadOnly() {
				t.Errorf("%s for a page of %v: %d %q", name, site, a.status, a.error)
			}
		}
		if !op.ReadOnly() {
			continue // what changes something may end the session
		}
		a := k.knock(t, op.Method, path, map[string]string{"Cookie": session, "Sec-Fetch-Site": "same-origin"})
		if a.status == 401 || strings.HasPrefix(a.error, "Missing scope") {
			t.Errorf("%s with a session: %d %q", name, a.status, a.error)
		}
	}
}

// TestMethodsOfEveryPath: another method is a 405 that lists those there are.
func TestMethodsOfEveryPath(t *testing.T) {
	t.Parallel()
	k := &knocker{s: servertest.Start(t)}
	doc := k.s.Document()
	methods := []string{"GET", "POST", "PUT", "DELETE", "PATCH"}
	for _, op := range doc.Operations() {
		path := pathOf(op)
		var served []string
		for _, method := range methods {
			if doc.Match(method, path) != nil {
				served = append(served, method)
			}
		}
		for _, method := range methods {
			if slices.Contains(served, method) {
				continue
			}
			a := k.knock(t, method, path, map[string]string{"X-HTTP-Method-Override": op.Method})
			allow := strings.Split(strings.ReplaceAll(a.header.Get("Allow"), " ", ""), ",")
			allow = slices.DeleteFunc(allow, func(m string) bool { return m == "OPTIONS" || m == "HEAD" })
			slices.Sort(allow)
			slices.Sort(served)
			if a.status != 405 || !slices.Equal(allow, served) {
				t.Errorf("%s %s: %d, Allow %q, want %v", method, path, a.status, a.header.Get("Allow"), served)
			}
		}
	}
	for _, path := range []string{"/api/nope", "/api/account/nope", "/api/v2/account", "/api/board/game", "/api/account/me", "/api/stockfish"} {
		for _, method := range methods {
			if a := k.knock(t, method, path, nil); a.status != 404 || a.error != "Not found" {
				t.Errorf("%s %s: %d %q", method, path, a.status, a.error)
			}
		}
	}
}
