package auth_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"hoplite/server"
	"hoplite/server/api"
	"hoplite/server/auth"
	"hoplite/server/servertest"
)

func form(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v.Add(pairs[i], pairs[i+1])
	}
	return v
}

// password is the one of servertest's accounts.
const password = "correct horse battery"

// as is the user of a token or session.
func as(s *servertest.Server, bearer string) *servertest.User {
	u := s.Anonymous()
	u.Token = bearer
	return u
}

// sessionCookie returns the cookie that an answer sets.
func sessionCookie(t *testing.T, a *servertest.Answer) *http.Cookie {
	t.Helper()
	for _, c := range (&http.Response{Header: a.Header}).Cookies() {
		if c.Name == auth.CookieName {
			return c
		}
	}
	t.Fatalf("no session cookie in %v", a.Header)
	return nil
}

// byCookie sends a request as the page does.
func byCookie(t *testing.T, s *servertest.Server, c *http.Cookie, method, path, body string) *servertest.Answer {
	t.Helper()
	u := s.Anonymous()
	kind := ""
	if body != "" {
		kind = "application/json"
	}
	r := u.Request(t, method, path, kind, strings.NewReader(body))
	r.AddCookie(c)
	return u.Do(t, r)
}

func TestSignUpLogInLogOut(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	nobody := s.Anonymous()

	made := nobody.PostJSON(t, "/api/signup", map[string]any{"username": "Leonidas", "password": "molon labe 480"}).Want(t, 201)
	var account struct {
		ID, Username, Token string
		Scopes              []string
		Expires             json.RawMessage
	}
	made.JSON(t, &account)
	if account.ID != "leonidas" || account.Username != "Leonidas" || !strings.HasPrefix(account.Token, "lip_") || string(account.Expires) != "null" {
		t.Errorf("sign-up answered %s", made.Body)
	}
	if len(account.Scopes) != len(api.Scopes())-1 || slices.Contains(account.Scopes, api.ScopeWebMod) {
		t.Errorf("scopes %v", account.Scopes)
	}
	cookie := sessionCookie(t, made)
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Secure || cookie.Path != "/" || cookie.MaxAge < 86400 {
		t.Errorf("cookie %v", cookie)
	}

	in := nobody.Post(t, "/api/login", form("username", "LEONIDAS", "password", "molon labe 480")).Want(t, 200)
	var session struct {
		ID, Username, Session string
		Expires               int64
	}
	in.JSON(t, &session)
	if session.ID != "leonidas" || session.Session != sessionCookie(t, in).Value || session.Expires < time.Now().UnixMilli() {
		t.Errorf("log-in answered %s", in.Body)
	}
	for label, a := range map[string]*servertest.Answer{
		"cookie": byCookie(t, s, cookie, "GET", "/api/account", ""),
		"bearer": as(s, session.Session).Get(t, "/api/account"),
		"token":  as(s, account.Token).Get(t, "/api/account"),
	} {
		var me struct{ ID string }
		a.Want(t, 200).JSON(t, &me)
		if me.ID != "leonidas" {
			t.Errorf("%s: %s", label, a.Body)
		}
	}

	out := byCookie(t, s, cookie, "POST", "/api/logout", "").Want(t, 200)
	if c := sessionCookie(t, out); c.Value != "" || c.MaxAge >= 0 {
		t.Errorf("log-out sets %v, want the cookie taken back", c)
	}
	if e := byCookie(t, s, cookie, "GET", "/api/account", "").Want(t, 401).Error(t); e != "Missing authorization header" {
		t.Errorf("after log-out: %q", e)
	}
	as(s, session.Session).Get(t, "/api/account").Want(t, 200) // the other session
	as(s, session.Session).Post(t, "/api/logout", nil).Want(t, 200)
	if e := as(s, session.Session).Get(t, "/api/account").Want(t, 401).Error(t); e != "No such token" {
		t.Errorf("after log-out: %q", e)
	}
	nobody.Post(t, "/api/logout", nil).Want(t, 200)
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	s.SignUp(t, "Leonidas")
	nobody := s.Anonymous()
	long := strings.Repeat("x", 300)
	for _, c := range []struct {
		label, path string
		form        url.Values
		status      int
		text        string
	}{
		{"nothing", "/api/signup", nil, 400, ""},
		{"no password", "/api/signup", form("username", "gorgo"), 400, "password"},
		{"reserved", "/api/signup", form("username", "admin", "password", "molon labe 480"), 400, "reserved"},
		{"taken", "/api/signup", form("username", "lEoNidas", "password", "molon labe 480"), 400, "taken"},
		{"unicode", "/api/signup", form("username", "Λεωνίδας", "password", "molon labe 480"), 400, "start with a letter"},
		{"emoji", "/api/signup", form("username", "leo👑", "password", "molon labe 480"), 400, "letters"},
		{"long name", "/api/signup", form("username", long, "password", "molon labe 480"), 400, "username"},
		{"short password", "/api/signup", form("username", "gorgo", "password", "1234567"), 400, "password"},
		{"unknown field", "/api/signup", form("username", "gorgo", "password", "molon labe 480", "role", "admin"), 400, "role"},
		{"wrong password", "/api/login", form("username", "leonidas", "password", "molon labe 481"), 401, "Wrong user name or password"},
		{"unknown user", "/api/login", form("username", "xerxes", "password", "molon labe 480"), 401, "Wrong user name or password"},
		{"no session", "/api/account/tokens", form("description", "x", "scopes", "bot:play"), 401, "Missing authorization header"},
	} {
		t.Run(c.label, func(t *testing.T) {
			if e := nobody.Post(t, c.path, c.form).Want(t, c.status).Error(t); !strings.Contains(e, c.text) {
				t.Errorf("error %q, want something about %q", e, c.text)
			}
		})
	}
	nobody.Get(t, "/api/user/gorgo").Want(t, 404)
}

func TestTokenLife(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user := s.SignUp(t, "Leonidas")
	var session struct{ Session string }
	s.Anonymous().Post(t, "/api/login", form("username", "leonidas", "password", password)).Want(t, 200).JSON(t, &session)
	in := as(s, session.Session)

	var made struct {
		ID, Token, Description string
		Scopes                 []string
		Created                int64
		Expires                *int64
	}
	until := time.Now().Add(time.Hour).UnixMilli()
	in.PostJSON(t, "/api/account/tokens", map[string]any{"description": "bot", "scopes": []string{"bot:play"}, "expires": until}).
		Want(t, 201).JSON(t, &made)
	if made.Description != "bot" || !slices.Equal(made.Scopes, []string{"bot:play"}) || made.Expires == nil || *made.Expires != until {
		t.Errorf("made %+v", made)
	}
	bot := as(s, made.Token)
	bot.Get(t, "/api/account").Want(t, 200)
	if e := bot.Get(t, "/api/account/email").Want(t, 403).Error(t); !strings.Contains(e, "Missing scope: email:read") {
		t.Errorf("error %q", e)
	}
	if e := user.PostJSON(t, "/api/account/tokens", map[string]any{"description": "x", "scopes": []string{}}); e.Status != 401 && e.Status != 403 {
		t.Errorf("a token made a token: %d %s", e.Status, e.Body)
	}
	if e := in.PostJSON(t, "/api/account/tokens", map[string]any{"description": "x", "scopes": []string{"no:such"}}).Want(t, 400).Error(t); !strings.Contains(e, "unknown scope") {
		t.Errorf("error %q", e)
	}
	s.Anonymous().PostJSON(t, "/api/account/tokens", map[string]any{
		"description": "by password", "scopes": []string{"board:play"}, "username": "leonidas", "password": password,
	}).Want(t, 201)

	var list []struct {
		ID, Description string
		Used, Expires   *int64
	}
	answer := in.Get(t, "/api/account/tokens").Want(t, 200)
	answer.JSON(t, &list)
	if len(list) != 3 || strings.Contains(string(answer.Body), made.Token[4:]) {
		t.Errorf("list %s", answer.Body)
	}

	// Revoking closes what the token has open, and the token is gone at once.
	stream := bot.Stream(t, "/api/stream/event")
	byID := in.Do(t, in.Request(t, "DELETE", "/api/account/tokens/"+made.ID, "", nil))
	if byID.Want(t, 204); len(byID.Body) != 0 {
		t.Errorf("body %q", byID.Body)
	}
	stream.End(t)
	if e := bot.Get(t, "/api/account").Want(t, 401).Error(t); e != "No such token" {
		t.Errorf("error %q", e)
	}
	if e := in.Do(t, in.Request(t, "DELETE", "/api/account/tokens/"+made.ID, "", nil)).Want(t, 404).Error(t); e != "No such token" {
		t.Errorf("error %q", e)
	}

	stream = user.Stream(t, "/api/stream/event")
	if gone := user.Do(t, user.Request(t, "DELETE", "/api/token", "", nil)).Want(t, 204); len(gone.Body) != 0 {
		t.Errorf("body %q", gone.Body)
	}
	stream.End(t)
	if e := user.Get(t, "/api/account").Want(t, 401).Error(t); e != "No such token" {
		t.Errorf("error %q", e)
	}
	if e := s.Anonymous().Do(t, s.Anonymous().Request(t, "DELETE", "/api/token", "", nil)).Want(t, 401).Error(t); e != "Missing authorization header" {
		t.Errorf("error %q", e)
	}
}

// lichess-bot's first call: the bare token as body, no content type.
func TestTokenTestEndpoint(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user := s.SignUp(t, "Leonidas")
	ask := func(contentType, body string) map[string]*struct {
		UserID  string `json:"userId"`
		Scopes  string
		Expires *int64
	} {
		var answer map[string]*struct {
			UserID  string `json:"userId"`
			Scopes  string
			Expires *int64
		}
		user.Do(t, user.Request(t, "POST", "/api/token/test", contentType, strings.NewReader(body))).Want(t, 200).JSON(t, &answer)
		return answer
	}
	for _, kind := range []string{"", "text/plain", "text/plain; charset=utf-8", "application/x-www-form-urlencoded"} {
		got := ask(kind, user.Token+",lip_local")
		mine, known := got[user.Token]
		if !known || mine == nil || mine.UserID != "leonidas" || mine.Expires != nil || !slices.Contains(strings.Split(mine.Scopes, ","), "bot:play") || strings.Contains(mine.Scopes, " ") {
			t.Errorf("content type %q: %+v", kind, got)
		}
		if bad, known := got["lip_local"]; !known || bad != nil {
			t.Errorf("content type %q: bad token is %+v, %v", kind, bad, known)
		}
	}
	if got := ask("", ""); len(got) != 0 {
		t.Errorf("no tokens: %v", got)
	}
	many := user.Do(t, user.Request(t, "POST", "/api/token/test", "", strings.NewReader(strings.Repeat("lip_x,", 1001))))
	if e := many.Want(t, 400).Error(t); !strings.Contains(e, "1000") {
		t.Errorf("error %q", e)
	}
}

func TestSignUpModesThroughTheServer(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Config(func(c *server.Config) { c.Signup = auth.Closed }))
	nobody := s.Anonymous()
	if e := nobody.Post(t, "/api/signup", form("username", "gorgo", "password", "molon labe 480")).Want(t, 403).Error(t); !strings.Contains(e, "closed") {
		t.Errorf("error %q", e)
	}
	notice, err := s.Server.FirstRun(t.Context())
	if err != nil || !strings.Contains(notice, "/signup?invite=") {
		t.Fatalf("first run: %q, %v", notice, err)
	}
	_, code, _ := strings.Cut(notice, "/signup?invite=")
	code, _, _ = strings.Cut(code, "\n")
	nobody.Post(t, "/api/signup", form("username", "gorgo", "password", "molon labe 480", "invite", code)).Want(t, 201)
	if e := nobody.Post(t, "/api/signup", form("username", "thief", "password", "molon labe 480", "invite", code)).Want(t, 400).Error(t); !strings.Contains(e, "used") {
		t.Errorf("error %q", e)
	}
}
