package auth_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"hoplite/client"
	"hoplite/server/servertest"
)

const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

func askFor(redirect string) url.Values {
	return form("response_type", "code", "client_id", "my app", "redirect_uri", redirect, "code_challenge_method", "S256",
		"code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "scope", "board:play puzzle:read", "state", "a b+c")
}

// app is an application at another origin. Its page sends people to the server, and trades the codes that they bring.
type app struct {
	*httptest.Server
	client *client.Client
	asks   client.Authorization
	got    chan string // tokens, or errors
}

func startApp(t *testing.T, s *servertest.Server) *app {
	t.Helper()
	c, err := client.New(client.BaseURL(s.URL))
	if err != nil {
		t.Fatal(err)
	}
	a := &app{client: c, got: make(chan string, 8)}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/back" {
			http.Redirect(w, r, c.OAuth.AuthorizeURL(a.asks), http.StatusFound)
			return
		}
		q := r.URL.Query()
		switch {
		case q.Get("state") != a.asks.State:
			a.got <- "state " + q.Get("state")
		case q.Get("error") != "":
			a.got <- q.Get("error")
		default:
			token, err := c.OAuth.Exchange(r.Context(), a.asks, q.Get("code"))
			if err != nil {
				a.got <- err.Error()
				return
			}
			a.got <- token.AccessToken
		}
	}))
	t.Cleanup(a.Close)
	a.asks = client.Authorization{
		ClientID: "Puzzle Stats", RedirectURI: a.URL + "/back", Verifier: client.NewVerifier(),
		Scopes: []string{"puzzle:read", "email:read"}, State: "s t+a&te",
	}
	return a
}

// browser keeps cookies, and shows the last page that it was sent to.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar}
}

func send(t *testing.T, c *http.Client, method, address, body string, header ...string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(data), resp.Header
}

// TestGrantFromAnotherOrigin goes the whole way: an application on another port sends a browser to the consent page, the
// person signs in and agrees, the browser brings the code back, the application trades it and uses the token.
func TestGrantFromAnotherOrigin(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	s.SignUp(t, "Leonidas")
	a := startApp(t, s)
	b := browser(t)
	status, _, header := send(t, b, "GET", a.URL, "")
	if status != 200 || header.Get("X-Frame-Options") != "DENY" || header.Get("Cache-Control") != "no-store" ||
		!strings.Contains(header.Get("Content-Security-Policy"), "frame-ancestors 'none'") ||
		!strings.HasPrefix(header.Get("Content-Type"), "text/html") {
		t.Fatalf("consent page: %d %v", status, header)
	}
	send(t, b, "POST", s.URL+"/api/login", form("username", "Leonidas", "password", password).Encode(),
		"Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin")

	// What the page does: it asks what to show, and sends the person's answer.
	asked, err := url.Parse(a.client.OAuth.AuthorizeURL(a.asks))
	if err != nil {
		t.Fatal(err)
	}
	status, body, _ := send(t, b, "GET", s.URL+"/api/oauth/authorize?"+asked.RawQuery, "")
	var shown struct {
		ClientID, Origin, Denied string
		Scopes                   []string
	}
	if err := json.Unmarshal([]byte(body), &shown); err != nil || status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	if shown.ClientID != "Puzzle Stats" || shown.Origin != a.URL || strings.Join(shown.Scopes, " ") != "email:read puzzle:read" {
		t.Errorf("the person is shown %s", body)
	}
	send(t, b, "GET", shown.Denied, "")
	if got := <-a.got; got != "access_denied" {
		t.Errorf("after a refusal the application got %q", got)
	}

	answer := map[string]string{}
	for name, values := range asked.Query() {
		answer[name] = values[0]
	}
	yes, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	status, body, _ = send(t, b, "POST", s.URL+"/api/oauth/authorize", string(yes),
		"Content-Type", "application/json", "Origin", s.URL, "Sec-Fetch-Site", "same-origin")
	var grant struct{ Redirect string }
	if err := json.Unmarshal([]byte(body), &grant); err != nil || status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	send(t, b, "GET", grant.Redirect, "")
	token := <-a.got
	if !strings.HasPrefix(token, "lio_") {
		t.Fatalf("the application got %q", token)
	}
	mine, err := client.New(client.BaseURL(s.URL), client.Token(token))
	if err != nil {
		t.Fatal(err)
	}
	if me, err := mine.Account.Me(t.Context()); err != nil || me.ID != "leonidas" {
		t.Errorf("the token is of %q, %v", me.ID, err)
	}
	if _, err := mine.Account.Email(t.Context()); err != nil {
		t.Errorf("a scope that was granted: %v", err)
	}
	if _, err := mine.Account.Preferences(t.Context()); client.StatusOf(err) != 403 {
		t.Errorf("a scope that was not granted: %v", err)
	}

	// The person sees the grant, by whom, and takes it back.
	_, body, _ = send(t, b, "GET", s.URL+"/api/account/tokens", "")
	var tokens []struct {
		ID     string
		Client struct{ ID, Origin string }
	}
	if err := json.Unmarshal([]byte(body), &tokens); err != nil || len(tokens) != 2 || tokens[0].Client.ID != "Puzzle Stats" ||
		tokens[0].Client.Origin != a.URL || tokens[1].Client.ID != "" {
		t.Fatalf("tokens: %s, %v", body, err)
	}
	if status, body, _ := send(t, b, "DELETE", s.URL+"/api/account/tokens/"+tokens[0].ID, ""); status != 204 {
		t.Errorf("revoke: %d %s", status, body)
	}
	if _, err := mine.Account.Me(t.Context()); client.StatusOf(err) != 401 {
		t.Errorf("after revocation: %v", err)
	}

	// The code came with the browser; it is of no use a second time.
	send(t, b, "GET", grant.Redirect, "")
	if got := <-a.got; !strings.Contains(got, "invalid_grant: ") {
		t.Errorf("a code sent again gave %q", got)
	}
}

// TestApplicationRevokesItself: DELETE /api/token ends the token that it is sent with.
func TestApplicationRevokesItself(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	s.SignUp(t, "Leonidas")
	in := s.Anonymous().Post(t, "/api/login", form("username", "Leonidas", "password", password)).Want(t, 200)
	var session struct{ Session string }
	in.JSON(t, &session)
	person, err := client.New(client.BaseURL(s.URL), client.Token(session.Session), client.HTTPClient(s.Client()))
	if err != nil {
		t.Fatal(err)
	}
	a := client.Authorization{ClientID: "app", RedirectURI: "org.example.app:/back", Verifier: client.NewVerifier(), State: "x"}
	if html, err := person.OAuth.Page(t.Context(), a); err != nil || html == "" {
		t.Errorf("page %q, %v", html, err)
	}
	if r, err := person.OAuth.Request(t.Context(), a); err != nil || r.Origin != "org.example.app" {
		t.Errorf("request %+v, %v", r, err)
	}
	to, err := person.OAuth.Approve(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	back, err := url.Parse(to)
	if err != nil || back.Scheme != "org.example.app" || back.Query().Get("state") != "x" {
		t.Fatalf("approved to %q, %v", to, err)
	}
	token, err := person.OAuth.Exchange(t.Context(), a, back.Query().Get("code"))
	if err != nil || token.ExpiresIn != 31536000 || token.TokenType != "Bearer" {
		t.Fatalf("token %+v, %v", token, err)
	}
	as(s, token.AccessToken).Get(t, "/api/account").Want(t, 200)
	u := as(s, token.AccessToken)
	if gone := u.Do(t, u.Request(t, "DELETE", "/api/token", "", nil)).Want(t, 204); len(gone.Body) > 0 {
		t.Errorf("body %q", gone.Body)
	}
	as(s, token.AccessToken).Get(t, "/api/account").Want(t, 401)
}

// TestConsentPageOfABadRequest: a wrong request sends the browser nowhere, whatever address it gives; the page says what is
// wrong, and the way back is the person's to take.
func TestConsentPageOfABadRequest(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	stay := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for name, c := range map[string]struct {
		field, value string
		status       int
		code         string
	}{
		"all is well":      {"state", "x", 200, ""},
		"no redirect":      {"redirect_uri", "", 400, ""},
		"http redirect":    {"redirect_uri", "http://app.example/back", 400, ""},
		"script":           {"redirect_uri", "javascript:alert(document.domain)", 400, ""},
		"fragment":         {"redirect_uri", "https://app.example/#x", 400, ""},
		"no client":        {"client_id", "", 400, ""},
		"implicit":         {"response_type", "token", 400, "unsupported_response_type"},
		"no response type": {"response_type", "", 400, "invalid_request"},
		"plain":            {"code_challenge_method", "plain", 400, "unauthorized_client"},
		"no challenge":     {"code_challenge", "", 400, "invalid_request"},
		"commas":           {"scope", "board:play,puzzle:read", 400, "invalid_scope"},
		"unknown scope":    {"scope", "everything", 400, "invalid_scope"},
	} {
		t.Run(name, func(t *testing.T) {
			q := askFor("https://app.example/back?keep=1")
			q.Set(c.field, c.value)
			status, body, header := send(t, stay, "GET", s.URL+"/oauth?"+q.Encode(), "")
			if status != c.status {
				t.Fatalf("status %d, want %d: %s", status, c.status, body)
			}
			to := header.Get("Location")
			if to != "" || !strings.HasPrefix(header.Get("Content-Type"), "text/html") || !strings.Contains(body, "<html") {
				t.Errorf("Location %q, %s", to, header.Get("Content-Type"))
			}
			// The page asks the same and hears the same, in words.
			a := s.Anonymous().Get(t, "/api/oauth/authorize?"+q.Encode())
			if (a.Status == 200) != (c.status == 200) || c.code != "" && a.Error(t) != c.code {
				t.Errorf("the page hears %d %s", a.Status, a.Body)
			}
			var said struct{ Redirect string }
			a.JSON(t, &said)
			if c.code != "" && !strings.HasPrefix(said.Redirect, "https://app.example/back?keep=1&error="+c.code) {
				t.Errorf("the way back is %q", said.Redirect)
			}
		})
	}
}

// TestApprovalNeedsThePerson: neither a token nor another site's page can grant anything.
func TestApprovalNeedsThePerson(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	leo := s.SignUp(t, "Leonidas")
	q := askFor("https://app.example/back")
	s.Anonymous().Post(t, "/api/oauth/authorize", q).Want(t, 401)
	if text := leo.Post(t, "/api/oauth/authorize", q).Want(t, 403).Error(t); !strings.Contains(text, "session") {
		t.Errorf("with a token: %s", text)
	}
	in := s.Anonymous().Post(t, "/api/login", form("username", "Leonidas", "password", password)).Want(t, 200)
	cookie := sessionCookie(t, in)
	for name, c := range map[string]struct {
		header []string
		status int
	}{
		"the page":                   {[]string{"Sec-Fetch-Site", "same-origin"}, 200},
		"another port of the host":   {[]string{"Sec-Fetch-Site", "same-site", "Origin", "http://127.0.0.1:9"}, 403},
		"another site":               {[]string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, 403},
		"another site, old browser":  {[]string{"Origin", "https://evil.example"}, 403},
		"the page of an old browser": {[]string{"Origin", s.URL}, 200},
	} {
		status, body, _ := send(t, http.DefaultClient, "POST", s.URL+"/api/oauth/authorize", q.Encode(), append(c.header,
			"Content-Type", "application/x-www-form-urlencoded", "Cookie", cookie.Name+"="+cookie.Value)...)
		if status != c.status {
			t.Errorf("%s: status %d, want %d: %s", name, status, c.status, body)
		}
	}
	bad := askFor("http://app.example/back")
	if code := byCookie(t, s, cookie, "POST", "/api/oauth/authorize", jsonOf(t, bad)).Want(t, 400).Error(t); code != "invalid_request" {
		t.Errorf("an unusable redirect gave %s", code)
	}
}

func jsonOf(t *testing.T, v url.Values) string {
	t.Helper()
	fields := map[string]string{}
	for name := range v {
		fields[name] = v.Get(name)
	}
	data, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestTokenRequests: whatever is wrong with a request for a token, the answer has the form of RFC 6749.
func TestTokenRequests(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	right := form("grant_type", "authorization_code", "code", "liu_00000000000000000000000000000000", "code_verifier", verifier,
		"redirect_uri", "https://app.example/back", "client_id", "my app")
	with := func(name, value string) url.Values {
		v := url.Values{}
		for n := range right {
			v.Set(n, right.Get(n))
		}
		v.Set(name, value)
		return v
	}
	u := s.Anonymous()
	post := func(kind, path, body string) *servertest.Answer {
		return u.Do(t, u.Request(t, "POST", path, kind, strings.NewReader(body)))
	}
	for name, c := range map[string]struct {
		answer *servertest.Answer
		code   string
	}{
		"unknown code":          {u.Post(t, "/api/token", right), "invalid_grant"},
		"as JSON":               {post("application/json", "/api/token", jsonOf(t, right)), "invalid_grant"},
		"nothing":               {u.Post(t, "/api/token", nil), "invalid_request"},
		"password grant":        {u.Post(t, "/api/token", with("grant_type", "password")), "unsupported_grant_type"},
		"no code":               {u.Post(t, "/api/token", with("code", "")), "invalid_request"},
		"short verifier":        {u.Post(t, "/api/token", with("code_verifier", "short")), "invalid_request"},
		"no redirect":           {u.Post(t, "/api/token", with("redirect_uri", "")), "invalid_request"},
		"no client":             {u.Post(t, "/api/token", with("client_id", "")), "invalid_request"},
		"secrets in the query":  {post("", "/api/token?"+right.Encode(), ""), "invalid_request"},
		"broken JSON":           {post("application/json", "/api/token", "{"), "invalid_request"},
		"an object for a text":  {post("application/json", "/api/token", `{"grant_type":{}}`), "invalid_request"},
		"text that is not text": {u.Post(t, "/api/token", with("code", "a\x00")), "invalid_request"},
	} {
		var e struct {
			Error       string
			Description string `json:"error_description"`
		}
		c.answer.Want(t, 400).JSON(t, &e)
		if e.Error != c.code || e.Description == "" {
			t.Errorf("%s: %s, want %s", name, c.answer.Body, c.code)
		}
		if c.answer.Header.Get("Cache-Control") != "no-store" || c.answer.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: header %v", name, c.answer.Header)
		}
	}
}

// TestGrantAcrossARestart: a code that was given before a restart is traded after it.
func TestGrantAcrossARestart(t *testing.T) {
	t.Parallel()
	one := servertest.Start(t)
	one.SignUp(t, "Leonidas")
	in := one.Anonymous().Post(t, "/api/login", form("username", "Leonidas", "password", password)).Want(t, 200)
	var grant struct{ Redirect string }
	byCookie(t, one, sessionCookie(t, in), "POST", "/api/oauth/authorize", jsonOf(t, askFor("https://app.example/back"))).
		Want(t, 200).JSON(t, &grant)
	one.Stop()
	back, err := url.Parse(grant.Redirect)
	if err != nil {
		t.Fatal(err)
	}
	two := servertest.Start(t, servertest.DSN(one.DSN))
	c, err := client.New(client.BaseURL(two.URL))
	if err != nil {
		t.Fatal(err)
	}
	token, err := c.OAuth.Exchange(t.Context(), client.Authorization{
		ClientID: "my app", RedirectURI: "https://app.example/back", Verifier: verifier,
	}, back.Query().Get("code"))
	if err != nil {
		t.Fatal(err)
	}
	as(two, token.AccessToken).Get(t, "/api/account").Want(t, 200)
}
