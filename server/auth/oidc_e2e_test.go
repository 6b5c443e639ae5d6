package auth_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/pquerna/otp/totp"

	"hoplite/client"
	"hoplite/openapi"
	"hoplite/server"
	"hoplite/server/auth"
	"hoplite/server/servertest"
)

// provider is a small OpenID Connect provider: discovery, authorization code with PKCE, signed id tokens.
type provider struct {
	*httptest.Server
	key  *rsa.PrivateKey
	mu   sync.Mutex
	sub  string           // who is logged in there
	asks map[string]asked // by code
	spin func(*idToken)   // spoils the next tokens
}

type asked struct{ challenge, nonce, redirect, sub string }

type idToken struct {
	jwt.Claims
	Nonce string `json:"nonce"`
	Email string `json:"email"`
}

const clientID, clientSecret = "hoplite-test", "a secret of the provider's"

func startProvider(t *testing.T) *provider {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &provider{key: key, sub: "person-1", asks: map[string]asked{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, map[string]any{
			"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
			"jwks_uri": p.URL + "/keys", "id_token_signing_alg_values_supported": []string{"RS256"},
			"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
		})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "k1", Algorithm: "RS256", Use: "sig"}}})
	})
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// authorize lets the person in who is logged in, and sends the browser back.
func (p *provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("client_id") != clientID || q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" ||
		!strings.Contains(" "+q.Get("scope")+" ", " openid ") || q.Get("nonce") == "" || q.Get("state") == "" {
		http.Error(w, "a bad request: "+r.URL.RawQuery, http.StatusBadRequest)
		return
	}
	code := rand.Text()
	p.mu.Lock()
	p.asks[code] = asked{q.Get("code_challenge"), q.Get("nonce"), q.Get("redirect_uri"), p.sub}
	p.mu.Unlock()
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+url.Values{"code": {code}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
}

func (p *provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id, secret, _ := r.BasicAuth()
	a, known := p.asks[r.FormValue("code")]
	delete(p.asks, r.FormValue("code"))
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if id != clientID || secret != url.QueryEscape(clientSecret) || !known || a.redirect != r.FormValue("redirect_uri") ||
		a.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
		w.WriteHeader(http.StatusBadRequest)
		reply(w, map[string]string{"error": "invalid_grant"})
		return
	}
	now := time.Now()
	claims := idToken{
		Claims: jwt.Claims{
			Issuer: p.URL, Subject: a.sub, Audience: jwt.Audience{clientID}, IssuedAt: jwt.NewNumericDate(now),
			Expiry: jwt.NewNumericDate(now.Add(time.Minute)),
		},
		Nonce: a.nonce, Email: a.sub + "@id.example",
	}
	if p.spin != nil {
		p.spin(&claims)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: p.key, KeyID: "k1"}}, nil)
	if err == nil {
		var raw string
		if raw, err = jwt.Signed(signer).Claims(claims).Serialize(); err == nil {
			reply(w, map[string]any{"access_token": rand.Text(), "token_type": "Bearer", "expires_in": 60, "id_token": raw})
			return
		}
	}
	http.Error(w, err.Error(), http.StatusInternalServerError)
}

func (p *provider) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

// visitor goes where it is sent, but not beyond the page of the server.
type visitor struct {
	*http.Client
	t      *testing.T
	server *servertest.Server
}

func newVisitor(t *testing.T, s *servertest.Server) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &visitor{t: t, server: s}
	b.Client = &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if strings.HasPrefix(r.URL.String(), s.URL) && r.URL.Path != auth.CallbackPath {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	return b
}

// post sends JSON as the page does, and decodes the answer.
func (b *visitor) post(path string, form any, status int, out any) {
	b.t.Helper()
	body, err := json.Marshal(form)
	if err != nil {
		b.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.server.URL+path, strings.NewReader(string(body)))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	answer, err := b.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != status {
		b.t.Fatalf("POST %s: %d, want %d", path, answer.StatusCode, status)
	}
	if out != nil {
		if err := json.NewDecoder(answer.Body).Decode(out); err != nil {
			b.t.Fatal(err)
		}
	}
}

// follow goes to an address to our own page and returns where that is.
func (b *visitor) follow(address string) string {
	b.t.Helper()
	answer, err := b.Get(address)
	if err != nil {
		b.t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.Header.Get("Location")
}

func (b *visitor) elsewhere(next string) string {
	b.t.Helper()
	var start openapi.OidcStart
	b.post("/api/oidc/login", openapi.OidcLoginForm{Next: next}, 200, &start)
	return start.Redirect
}

func (b *visitor) me() string {
	b.t.Helper()
	answer, err := b.Get(b.server.URL + "/api/account")
	if err != nil {
		b.t.Fatal(err)
	}
	defer answer.Body.Close()
	var me struct{ ID string }
	_ = json.NewDecoder(answer.Body).Decode(&me)
	return me.ID
}

// TestOIDC makes an account by way of the provider, logs in there, links another, and meets everything that may be wrong.
func TestOIDC(t *testing.T) {
	t.Parallel()
	p := startProvider(t)
	s := servertest.Start(t, servertest.Config(func(c *server.Config) {
		c.OIDC = auth.OIDCConfig{Issuer: p.URL, ClientID: clientID, ClientSecret: clientSecret, Name: "The Club"}
	}))
	ctx := t.Context()
	if info, err := s.Anonymous().Client(t).Server(ctx); err != nil || info.Oidc != "The Club" {
		t.Errorf("server %+v, %v", info, err)
	}

	// Somebody new makes an account, which is linked.
	one := newVisitor(t, s)
	if to := one.follow(one.elsewhere("/lobby")); to != "/signup?oidc=new&next=%2Flobby" {
		t.Fatalf("a newcomer goes to %q", to)
	}
	one.post("/api/signup", openapi.SignupForm{Username: "Ann", Password: servertest.Password, Oidc: true}, 201, nil)
	// From then on the provider lets them in.
	two := newVisitor(t, s)
	if to := two.follow(two.elsewhere("//evil.example/")); to != "/" || two.me() != "ann" {
		t.Fatalf("back at %q as %q", to, two.me())
	}
	if to := two.follow(two.elsewhere("/lobby")); to != "/lobby" {
		t.Errorf("back at %q", to)
	}

	// An account that exists is linked from its page, with the password.
	p.set(func() { p.sub = "person-2" })
	s.SignUp(t, "Bob")
	three := newVisitor(t, s)
	three.post("/api/login", openapi.LoginForm{Username: "Bob", Password: servertest.Password}, 200, nil)
	three.post("/api/account/oidc", openapi.PasswordOnly{Password: "wrong password"}, 400, nil)
	var start openapi.OidcStart
	three.post("/api/account/oidc", openapi.PasswordOnly{Password: servertest.Password}, 200, &start)
	if to := three.follow(start.Redirect); to != "/account#oidc" {
		t.Fatalf("after linking: %q", to)
	}
	bob := s.LogIn(t, "Bob").Client(t).Account
	links, err := bob.Identities(ctx)
	if err != nil || len(links) != 1 || links[0].Issuer != p.URL || links[0].Label != "person-2@id.example" {
		t.Errorf("links %+v, %v", links, err)
	}
	// Nobody else's account can be opened by it then.
	p.set(func() { p.sub = "person-1" })
	three.post("/api/account/oidc", openapi.PasswordOnly{Password: servertest.Password}, 200, &start)
	if to := three.follow(start.Redirect); !strings.Contains(to, "already") {
		t.Errorf("an identity linked twice: %q", to)
	}
	servertest.WantStatus(t, bob.UnlinkIdentities(ctx, "wrong password"), 400)
	if err := bob.UnlinkIdentities(ctx, servertest.Password); err != nil {
		t.Fatal(err)
	}

	t.Run("second factor", func(t *testing.T) { elsewhereWithFactor(t, s) })

	// A closed account stays closed.
	if err := auth.Close(ctx, s.Store, "ann", auth.Closing{By: "admin"}, time.Now()); err != nil {
		t.Fatal(err)
	}
	four := newVisitor(t, s)
	if to := four.follow(four.elsewhere("/")); !strings.Contains(to, "closed") || four.me() != "" {
		t.Errorf("a closed account: %q", to)
	}
	t.Run("forgeries", func(t *testing.T) { forgeries(t, p, s) })
}

// elsewhereWithFactor: who has a second factor is asked for it after the provider too. Ann is logged in there.
func elsewhereWithFactor(t *testing.T, s *servertest.Server) {
	ctx := t.Context()
	ann := s.LogIn(t, "Ann").Client(t).Account
	made, err := ann.EnrolTotp(ctx, servertest.Password)
	if err != nil {
		t.Fatal(err)
	}
	first, err := totp.GenerateCode(made.Secret, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	codes, err := ann.ConfirmTotp(ctx, first)
	if err != nil {
		t.Fatal(err)
	}
	b := newVisitor(t, s)
	browser, err := client.New(client.BaseURL(s.URL), client.HTTPClient(b.Client))
	if err != nil {
		t.Fatal(err)
	}
	factor := func(code string, status int) {
		t.Helper()
		in, err := browser.Account.LogInElsewhereCode(ctx, code)
		if status != 200 {
			servertest.WantStatus(t, err, status)
		} else if err != nil || in.ID != "ann" {
			t.Fatalf("in as %+v, %v", in, err)
		}
	}
	factor(codes[0], 400) // nobody has been at the provider
	if to := b.follow(b.elsewhere("/lobby")); to != "/login?factor=oidc&next=%2Flobby" || b.me() != "" {
		t.Fatalf("with a second factor: back at %q as %q", to, b.me())
	}
	b.post("/api/signup", openapi.SignupForm{Username: "Anna", Password: servertest.Password, Oidc: true}, 400, nil)
	factor("000000", 401)
	factor("not-a-recovery-code", 401)
	if b.me() != "" {
		t.Fatal("a wrong code lets in")
	}
	factor(codes[0], 200)
	if b.me() != "ann" {
		t.Fatalf("in as %q", b.me())
	}
	other := newVisitor(t, s)
	other.follow(other.elsewhere("/"))
	other.post("/api/oidc/factor", openapi.OidcFactorForm{Totp: codes[0]}, 401, nil) // it serves once
	if err := ann.DisableTotp(ctx, servertest.Password); err != nil {
		t.Fatal(err)
	}
}

func forgeries(t *testing.T, p *provider, s *servertest.Server) {
	refused := func(name, to string, b *visitor) {
		t.Helper()
		if !strings.HasPrefix(to, "/login?oidc=") || b.me() != "" {
			t.Errorf("%s: goes to %q as %q", name, to, b.me())
		}
	}
	for name, spoil := range map[string]func(*idToken){
		"another nonce":    func(c *idToken) { c.Nonce = "x" },
		"another audience": func(c *idToken) { c.Audience = jwt.Audience{"somebody else"} },
		"another issuer":   func(c *idToken) { c.Issuer = "https://id.example" },
		"expired":          func(c *idToken) { c.Expiry = jwt.NewNumericDate(time.Now().Add(-time.Hour)) },
		"no subject":       func(c *idToken) { c.Subject = "" },
	} {
		p.set(func() { p.spin = spoil })
		b := newVisitor(t, s)
		refused(name, b.follow(b.elsewhere("/")), b)
	}
	p.set(func() { p.spin = nil })

	// The answer for one browser is worth nothing in another, nor without the state.
	victim, thief := newVisitor(t, s), newVisitor(t, s)
	stop := *thief.Client
	stop.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := stop.Get(thief.elsewhere("/"))
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	callback := answer.Header.Get("Location")
	refused("a callback that another browser began", victim.follow(callback), victim)
	other := thief.elsewhere("/")
	_ = other
	refused("an older callback", thief.follow(callback), thief)
	refused("a callback out of nothing", victim.follow(s.URL+auth.CallbackPath+"?code=x&state=y"), victim)
	u, err := url.Parse(thief.elsewhere("/"))
	if err != nil {
		t.Fatal(err)
	}
	refused("a made-up code", thief.follow(s.URL+auth.CallbackPath+"?code=x&state="+u.Query().Get("state")), thief)
	thief.elsewhere("/")
	thief.post("/api/signup", openapi.SignupForm{Username: "Thief", Password: servertest.Password, Oidc: true}, 400, nil)
}

func TestOIDCConfig(t *testing.T) {
	t.Parallel()
	for _, good := range []auth.OIDCConfig{{}, {Issuer: "https://id.example/realm", ClientID: "x"}, {Issuer: "http://127.0.0.1:9", ClientID: "x"}} {
		if err := good.Validate(); err != nil {
			t.Errorf("%+v: %v", good, err)
		}
	}
	for _, bad := range []auth.OIDCConfig{{ClientID: "x"}, {Issuer: "https://id.example"}, {Issuer: "http://id.example", ClientID: "x"}, {Issuer: "https://u:p@id.example", ClientID: "x"}} {
		if bad.Validate() == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
	s := servertest.Start(t)
	_, err := s.Anonymous().Client(t).Account.LogInElsewhere(t.Context(), "/")
	servertest.WantStatus(t, err, 400)
}
