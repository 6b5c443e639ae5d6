package auth

import (
	"errors"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/store"
	"hoplite/store/storetest"
)

// The pair of RFC 7636, appendix B.
const (
	verifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

func wellAsked() GrantRequest {
	return GrantRequest{
		ResponseType: "code", ClientID: "my app", RedirectURI: "https://app.example/back?x=1",
		ChallengeMethod: "S256", Challenge: challenge, Scope: "board:play puzzle:read", State: "a b+c&d=ü",
	}
}

func exchangeOf(r GrantRequest, code string) CodeExchange {
	return CodeExchange{
		GrantType: "authorization_code", Code: code, Verifier: verifier, RedirectURI: r.RedirectURI, ClientID: r.ClientID,
	}
}

func wantOAuth(t *testing.T, err error, code openapi.OAuthErrorCode, text string) *OAuthError {
	t.Helper()
	var e *OAuthError
	if !errors.As(err, &e) || e.Code != code || !strings.Contains(e.Text, text) {
		t.Fatalf("got error %v, want %s: …%s…", err, code, text)
	}
	return e
}

func queryOf(t *testing.T, address string) url.Values {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query()
}

func TestRedirectOrigin(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]string{
		"https://app.example/back":             "https://app.example",
		"https://app.example":                  "https://app.example",
		"https://App.Example:8443/b?x=1&y=%20": "https://app.example:8443",
		"https://xn--bcher-kva.example/":       "https://xn--bcher-kva.example",
		"https://192.0.2.1/":                   "https://192.0.2.1",
		"https://[2001:db8::1]:8/":             "https://[2001:db8::1]:8",
		"http://localhost:9000/cb":             "http://localhost:9000",
		"http://LOCALHOST/cb":                  "http://localhost",
		"http://127.0.0.1:9000/cb":             "http://127.0.0.1:9000",
		"http://127.9.9.9/":                    "http://127.9.9.9",
		"http://[::1]:9000/cb":                 "http://[::1]:9000",
		"org.example.app://back":               "org.example.app",
		"org.example.app:/back":                "org.example.app",
	} {
		if got, why := redirectOrigin(uri); got != want || why != "" {
			t.Errorf("%s: origin %q (%s), want %q", uri, got, why, want)
		}
	}
	for uri, want := range map[string]string{
		"http://app.example/back":                         "must be https",
		"http://localhost.evil.example/":                  "must be https",
		"http://127.0.0.1.evil.example/":                  "must be https",
		"http://10.0.0.1/":                                "must be https",
		"http://127.1/":                                   "must be https",
		"http://0.0.0.0/":                                 "must be https",
		"http://[::]/":                                    "must be https",
		"http:///back":                                    "must be https",
		"javascript:alert(1)":                             "reversed domain",
		"JavaScript:alert(1)":                             "reversed domain",
		"data:text/html,x":                                "reversed domain",
		"file:///etc/passwd":                              "reversed domain",
		"ftp://app.example/":                              "reversed domain",
		"myapp://back":                                    "reversed domain",
		"org.example.app:back":                            "is not an address",
		"org..app:/back":                                  "is not an address",
		"app.:/back":                                      "is not an address",
		"/back":                                           "is not an address",
		"//app.example/back":                              "is not an address",
		"app.example/back":                                "is not an address",
		"https://":                                        "has no host",
		"https:///back":                                   "has no host",
		"https:app.example":                               "has no host",
		"https://:8080/":                                  "has no host",
		"https://app.example/#token":                      "fragment",
		"https://app.example/#":                           "fragment",
		"https://app.example@evil.example/":               "user name",
		"https://me:pw@app.example/":                      "user name",
		"https://app.example\\@evil.example/":             "must be escaped",
		"https://app.example/a b":                         "must be escaped",
		"https://app.example/\n":                          "must be escaped",
		" https://app.example/":                           "must be escaped",
		"https://bücher.example/":                         "must be escaped",
		"https://app_example/":                            "has no host",
		"https://app.example:port/":                       "is not an address",
		"https://app.example/" + strings.Repeat("a", 2e3): "too long",
	} {
		if got, why := redirectOrigin(uri); got != "" || !strings.Contains(why, want) {
			t.Errorf("%s: origin %q (%s), want refused: …%s…", uri, got, why, want)
		}
	}
}

func TestWithQuery(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]string{
		"https://a.example/b":     "https://a.example/b?code=x%20y&state=%26",
		"https://a.example":       "https://a.example?code=x%20y&state=%26",
		"https://a.example/b?":    "https://a.example/b?code=x%20y&state=%26",
		"https://a.example/b?c=d": "https://a.example/b?c=d&code=x%20y&state=%26",
		"org.example.app:/b":      "org.example.app:/b?code=x%20y&state=%26",
	} {
		if got := withQuery(uri, "code", "x y", "none", "", "state", "&"); got != want {
			t.Errorf("%s became %s, want %s", uri, got, want)
		}
	}
}

func TestGrantRequests(t *testing.T) {
	t.Parallel()
	asked, err := wellAsked().Check()
	if err != nil {
		t.Fatal(err)
	}
	if asked.Origin != "https://app.example" || strings.Join(asked.Scopes, " ") != "puzzle:read board:play" {
		t.Errorf("asked %+v", asked)
	}
	if q := queryOf(t, asked.Denied); q.Get("error") != "access_denied" || q.Get("error_description") == "" ||
		q.Get("state") != "a b+c&d=ü" || q.Get("x") != "1" {
		t.Errorf("denied: %s", asked.Denied)
	}
	if none, err := (GrantRequest{
		ResponseType: "code", ClientID: "a", RedirectURI: "https://a.example/", ChallengeMethod: "S256", Challenge: challenge,
	}).Check(); err != nil || len(none.Scopes) != 0 || strings.Contains(none.Denied, "state") {
		t.Errorf("without scopes and state: %+v, %v", none, err)
	}

	for name, c := range map[string]struct {
		change func(*GrantRequest)
		code   openapi.OAuthErrorCode
		text   string
		stays  bool // the redirect URI cannot be trusted with the error
	}{
		"no client":        {func(r *GrantRequest) { r.ClientID = "" }, "invalid_request", "client_id is missing", true},
		"long client":      {func(r *GrantRequest) { r.ClientID = strings.Repeat("ü", 201) }, "invalid_request", "client_id", true},
		"client backwards": {func(r *GrantRequest) { r.ClientID = "a\u202eb" }, "invalid_request", "plain text", true},
		"client of lines":  {func(r *GrantRequest) { r.ClientID = "a\nb" }, "invalid_request", "plain text", true},
		"no redirect":      {func(r *GrantRequest) { r.RedirectURI = "" }, "invalid_request", "redirect_uri is missing", true},
		"bad redirect":     {func(r *GrantRequest) { r.RedirectURI = "http://app.example/" }, "invalid_request", "redirect_uri must be https", true},
		"script":           {func(r *GrantRequest) { r.RedirectURI = "javascript:alert(1)" }, "invalid_request", "redirect_uri", true},
		"no type":          {func(r *GrantRequest) { r.ResponseType = "" }, "invalid_request", "response_type is missing", false},
		"implicit":         {func(r *GrantRequest) { r.ResponseType = "token" }, "unsupported_response_type", "code", false},
		"no method":        {func(r *GrantRequest) { r.ChallengeMethod = "" }, "invalid_request", "code_challenge_method is missing", false},
		"plain":            {func(r *GrantRequest) { r.ChallengeMethod = "plain" }, "unauthorized_client", "S256", false},
		"small s256":       {func(r *GrantRequest) { r.ChallengeMethod = "s256" }, "unauthorized_client", "S256", false},
		"no challenge":     {func(r *GrantRequest) { r.Challenge = "" }, "invalid_request", "code_challenge is missing", false},
		"short challenge":  {func(r *GrantRequest) { r.Challenge = challenge[:42] }, "invalid_request", "code_challenge", false},
		"padded challenge": {func(r *GrantRequest) { r.Challenge += "=" }, "invalid_request", "without padding", false},
		"commas":           {func(r *GrantRequest) { r.Scope = "board:play,puzzle:read" }, "invalid_scope", "not by commas", false},
		"unknown scope":    {func(r *GrantRequest) { r.Scope = "board:play root" }, "invalid_scope", "unknown scope: root", false},
	} {
		t.Run(name, func(t *testing.T) {
			r := wellAsked()
			c.change(&r)
			_, err := r.Check()
			e := wantOAuth(t, err, c.code, c.text)
			if c.stays {
				if e.Redirect != "" {
					t.Errorf("redirects to %s", e.Redirect)
				}
				return
			}
			q := queryOf(t, e.Redirect)
			if !strings.HasPrefix(e.Redirect, "https://app.example/back?x=1&") || q.Get("error") != string(c.code) ||
				q.Get("error_description") != e.Text || q.Get("state") != r.State {
				t.Errorf("redirects to %s", e.Redirect)
			}
		})
	}
}

// granted is a rig with an account and what it is asked.
func granted(t *testing.T) (*rig, *api.Identity, GrantRequest) {
	t.Helper()
	r := newRig(t, storetest.New(t), Config{})
	e := r.open(t)
	return r, r.who(t, "", e.Session), wellAsked()
}

func (r *rig) code(t *testing.T, who *api.Identity, q GrantRequest) string {
	t.Helper()
	to, err := r.Approve(t.Context(), who, q)
	if err != nil {
		t.Fatal(err)
	}
	values := queryOf(t, to)
	if !strings.HasPrefix(to, q.RedirectURI) || values.Get("state") != q.State || !strings.HasPrefix(values.Get("code"), "liu_") {
		t.Fatalf("approved to %s", to)
	}
	return values.Get("code")
}

func TestGrant(t *testing.T) {
	t.Parallel()
	r, who, q := granted(t)
	r.pass(time.Hour)
	token, err := r.Exchange(t.Context(), exchangeOf(q, r.code(t, who, q)))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(token, "lio_") || !wellFormedToken(token) {
		t.Errorf("token %q", token)
	}
	id := r.who(t, token, "")
	if id.AccountID != "leonidas" || !id.Has("board:play") || !id.Has("puzzle:read") || id.Has("challenge:write") || id.SessionID != "" {
		t.Errorf("the token is of %+v", id)
	}
	list, err := r.Tokens(t.Context(), who)
	if err != nil || len(list) != 2 {
		t.Fatalf("tokens %v, %v", list, err)
	}
	if g := list[0]; g.ClientID != "my app" || g.ClientOrigin != "https://app.example" || g.Expires.Sub(g.Created) != GrantLife {
		t.Errorf("grant %+v", g)
	}
	if list[1].ClientID != "" || list[1].ClientOrigin != "" {
		t.Errorf("personal token %+v", list[1])
	}
	r.pass(GrantLife)
	_, err = r.Authenticate(t.Context(), token, "")
	refused(t, err, fault.KindUnauthenticated, "", "No such token")
}

func TestGrantRefusals(t *testing.T) {
	t.Parallel()
	r, who, q := granted(t)
	_, err := r.Approve(t.Context(), &api.Identity{Anonymous: true}, q)
	refused(t, err, fault.KindUnauthenticated, "", "Missing authorization header")
	_, err = r.Approve(t.Context(), &api.Identity{AccountID: "leonidas", TokenID: "x", Scopes: api.Scopes()}, q)
	refused(t, err, fault.KindForbidden, "", "This needs a session: log in first")

	q.Scope = "web:mod"
	_, err = r.Approve(t.Context(), who, q)
	if e := wantOAuth(t, err, "invalid_scope", "administrators"); queryOf(t, e.Redirect).Get("error") != "invalid_scope" {
		t.Errorf("redirects to %s", e.Redirect)
	}
	r.admin(t, "leonidas")
	if _, err := r.Approve(t.Context(), who, q); err != nil {
		t.Errorf("an administrator: %v", err)
	}

	q.RedirectURI = "http://app.example/"
	_, err = r.Approve(t.Context(), who, q)
	if e := wantOAuth(t, err, "invalid_request", "redirect_uri"); e.Redirect != "" {
		t.Errorf("redirects to %s", e.Redirect)
	}
}

func TestExchangeRefusals(t *testing.T) {
	t.Parallel()
	r, who, q := granted(t)
	for name, c := range map[string]struct {
		change func(*CodeExchange)
		code   openapi.OAuthErrorCode
		text   string
		burns  bool // the code is used up
	}{
		"no grant type":       {func(x *CodeExchange) { x.GrantType = "" }, "invalid_request", "grant_type is missing", false},
		"refresh":             {func(x *CodeExchange) { x.GrantType = "refresh_token" }, "unsupported_grant_type", "authorization_code", false},
		"no code":             {func(x *CodeExchange) { x.Code = "" }, "invalid_request", "code is missing", false},
		"no verifier":         {func(x *CodeExchange) { x.Verifier = "" }, "invalid_request", "code_verifier is missing", false},
		"short verifier":      {func(x *CodeExchange) { x.Verifier = verifier[:42] }, "invalid_request", "too short", false},
		"long verifier":       {func(x *CodeExchange) { x.Verifier = strings.Repeat("v", 129) }, "invalid_request", "too long", false},
		"no redirect":         {func(x *CodeExchange) { x.RedirectURI = "" }, "invalid_request", "redirect_uri is missing", false},
		"no client":           {func(x *CodeExchange) { x.ClientID = "" }, "invalid_request", "client_id is missing", false},
		"unknown code":        {func(x *CodeExchange) { x.Code = "liu_" + strings.Repeat("0", 32) }, "invalid_grant", "unknown, used or expired", false},
		"another client":      {func(x *CodeExchange) { x.ClientID = "My App" }, "invalid_grant", "client_id", true},
		"another redirect":    {func(x *CodeExchange) { x.RedirectURI = "https://app.example/back?x=1&" }, "invalid_grant", "redirect_uri", true},
		"another verifier":    {func(x *CodeExchange) { x.Verifier = strings.Repeat("v", 43) }, "invalid_grant", "code_verifier", true},
		"challenge as answer": {func(x *CodeExchange) { x.Verifier = challenge }, "invalid_grant", "code_verifier", true},
	} {
		t.Run(name, func(t *testing.T) {
			good := exchangeOf(q, r.code(t, who, q))
			bad := good
			c.change(&bad)
			token, err := r.Exchange(t.Context(), bad)
			if e := wantOAuth(t, err, c.code, c.text); token != "" || e.Redirect != "" {
				t.Errorf("token %q, redirect %q", token, e.Redirect)
			}
			_, err = r.Exchange(t.Context(), good)
			if c.burns {
				wantOAuth(t, err, "invalid_grant", "unknown, used or expired")
			} else if err != nil {
				t.Errorf("the code is no longer good: %v", err)
			}
		})
	}
}

func TestExpiredCode(t *testing.T) {
	t.Parallel()
	r, who, q := granted(t)
	early, late := r.code(t, who, q), r.code(t, who, q)
	r.pass(CodeLife - time.Millisecond)
	if _, err := r.Exchange(t.Context(), exchangeOf(q, early)); err != nil {
		t.Errorf("within two minutes: %v", err)
	}
	r.pass(time.Millisecond)
	_, err := r.Exchange(t.Context(), exchangeOf(q, late))
	wantOAuth(t, err, "invalid_grant", "unknown, used or expired")
	r.sweep(t.Context())
	if _, err := r.db.UseAuthCode(t.Context(), tokenHash(late), "x"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("expired codes are not swept: %v", err)
	}
}

// TestReplayedCode: somebody has the code twice, so nobody keeps what it was traded for.
func TestReplayedCode(t *testing.T) {
	t.Parallel()
	r, who, q := granted(t)
	x := exchangeOf(q, r.code(t, who, q))
	token, err := r.Exchange(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	id := r.who(t, token, "")
	_, err = r.Exchange(t.Context(), x)
	wantOAuth(t, err, "invalid_grant", "unknown, used or expired")
	_, err = r.Authenticate(t.Context(), token, "")
	refused(t, err, fault.KindUnauthenticated, "", "No such token")
	if !r.streams.has("token " + id.TokenID) {
		t.Error("the streams of the token stay open")
	}
	_, err = r.Exchange(t.Context(), x)
	wantOAuth(t, err, "invalid_grant", "unknown, used or expired")
}

func TestCodeOfClosedAccount(t *testing.T) {
	t.Parallel()
	r, who, q := granted(t)
	x := exchangeOf(q, r.code(t, who, q))
	at := r.time()
	if err := r.db.UpdateAccount(t.Context(), "leonidas", store.AccountChange{Closed: &at}); err != nil {
		t.Fatal(err)
	}
	_, err := r.Exchange(t.Context(), x)
	wantOAuth(t, err, "invalid_grant", "unknown, used or expired")
}

// TestCodeRacedFor: of several that send a code at once, at most one gets a token, and the others end it.
func TestCodeRacedFor(t *testing.T) {
	t.Parallel()
	r, who, q := granted(t)
	x := exchangeOf(q, r.code(t, who, q))
	tokens := make([]string, 6)
	var wg sync.WaitGroup
	for i := range tokens {
		wg.Go(func() { tokens[i], _ = r.Exchange(t.Context(), x) })
	}
	wg.Wait()
	given := 0
	for _, token := range tokens {
		if token == "" {
			continue
		}
		given++
		_, err := r.Authenticate(t.Context(), token, "")
		refused(t, err, fault.KindUnauthenticated, "", "No such token")
	}
	if given != 1 {
		t.Errorf("%d tokens for one code", given)
	}
}

// TestCodesAreNotKept: whoever reads the database cannot trade the codes in it.
func TestCodesAreNotKept(t *testing.T) {
	t.Parallel()
	r, who, q := granted(t)
	code := r.code(t, who, q)
	kept, err := r.db.UseAuthCode(t.Context(), tokenHash(code), "x")
	if err != nil {
		t.Fatal(err)
	}
	if kept.Hash != tokenHash(code) || strings.Contains(kept.Challenge+kept.RedirectURI+kept.ClientID, code) {
		t.Errorf("kept %+v", kept)
	}
}
