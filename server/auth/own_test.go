package auth_test

import (
	"net/http"
	"testing"

	"hoplite/server/servertest"
)

// logIn opens a session as a browser does.
func logIn(t *testing.T, s *servertest.Server, name, password string) *http.Cookie {
	t.Helper()
	return sessionCookie(t, s.Anonymous().Post(t, "/api/login", form("username", name, "password", password)).Want(t, 200))
}

func TestChangePassword(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	leo := s.SignUp(t, "Leonidas")
	here, elsewhere := logIn(t, s, "Leonidas", password), logIn(t, s, "Leonidas", password)
	change := func(body string) *servertest.Answer {
		return byCookie(t, s, here, "POST", "/api/account/password", body)
	}
	for body, want := range map[string]string{
		`{}`: `{"newPassword":["is required"],"password":["is required"]}`,
		`{"password":"correct horse battery","newPassword":"short"}`:                                   `{"newPassword":["must have at least 8 characters"]}`,
		`{"password":"correct horse battery","newPassword":"correct horse battery"}`:                   `{"newPassword":["is the one that you have"]}`,
		`{"password":"wrong horse battery","newPassword":"come back with it"}`:                         `{"password":["is not your password"]}`,
		`{"password":"correct horse battery","newPassword":"come back with it","username":"leonidas"}`: `{"username":["is not a field of this request"]}`,
	} {
		if got := change(body).Want(t, 400).Error(t); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	byCookie(t, s, elsewhere, "GET", "/api/account", "").Want(t, 200)
	leo.Post(t, "/api/account/password", form("password", password, "newPassword", "come back with it")).Want(t, 403)
	change(`{"password":"correct horse battery","newPassword":"come back with it"}`).Want(t, 200)
	byCookie(t, s, here, "GET", "/api/account", "").Want(t, 200)
	byCookie(t, s, elsewhere, "GET", "/api/account", "").Want(t, 401)
	leo.Get(t, "/api/account").Want(t, 200) // tokens stay
	s.Anonymous().Post(t, "/api/login", form("username", "Leonidas", "password", password)).Want(t, 401)
	logIn(t, s, "Leonidas", "come back with it")
}

// TestPasswordIsNotGuessed: whoever holds a session cannot try passwords without end, in any mode of limits.
func TestPasswordIsNotGuessed(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	s.SignUp(t, "Leonidas")
	here := logIn(t, s, "Leonidas", password)
	for range 10 {
		byCookie(t, s, here, "POST", "/api/account/password", `{"password":"wrong horse battery","newPassword":"come back with it"}`).Want(t, 400)
	}
	a := byCookie(t, s, here, "POST", "/api/account/email", `{"password":"wrong horse battery"}`).Want(t, 429)
	if a.Header.Get("Retry-After") == "" {
		t.Errorf("header %v", a.Header)
	}
}

func TestChangeEmail(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	leo := s.SignUp(t, "Leonidas")
	here := logIn(t, s, "Leonidas", password)
	address := func() string {
		var e struct{ Email string }
		leo.Get(t, "/api/account/email").Want(t, 200).JSON(t, &e)
		return e.Email
	}
	set := func(body string) *servertest.Answer { return byCookie(t, s, here, "POST", "/api/account/email", body) }
	set(`{"email":"leo@sparta.example","password":"correct horse battery"}`).Want(t, 200)
	if got := address(); got != "leo@sparta.example" {
		t.Errorf("address %q", got)
	}
	set(`{"email":"no address","password":"correct horse battery"}`).Want(t, 400)
	set(`{"email":"xerxes@persia.example","password":"wrong horse battery"}`).Want(t, 400)
	leo.Post(t, "/api/account/email", form("email", "xerxes@persia.example", "password", password)).Want(t, 403)
	if got := address(); got != "leo@sparta.example" {
		t.Errorf("address %q after refusals", got)
	}
	set(`{"password":"correct horse battery"}`).Want(t, 200)
	if got := address(); got != "" {
		t.Errorf("address %q after its removal", got)
	}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	leo := s.SignUp(t, "Leonidas")
	s.SignUp(t, "Xerxes")
	here, there, yonder := logIn(t, s, "Leonidas", password), logIn(t, s, "Leonidas", password), logIn(t, s, "Leonidas", password)
	foe := logIn(t, s, "Xerxes", password)
	type session struct {
		ID, UserAgent    string
		Created, Expires int64
		Current          bool
	}
	list := func(c *http.Cookie) (all []session, own string) {
		byCookie(t, s, c, "GET", "/api/account/sessions", "").Want(t, 200).JSON(t, &all)
		for _, x := range all {
			if x.Current {
				own = x.ID
			}
		}
		return all, own
	}
	all, _ := list(here)
	if len(all) != 4 { // one from signing up
		t.Fatalf("%d sessions: %+v", len(all), all)
	}
	for _, x := range all {
		if x.UserAgent == "" || x.Expires <= x.Created {
			t.Errorf("session %+v", x)
		}
	}
	leo.Get(t, "/api/account/sessions").Want(t, 403)
	_, other := list(there)
	byCookie(t, s, foe, "DELETE", "/api/account/sessions/"+other, "").Want(t, 404)
	byCookie(t, s, here, "DELETE", "/api/account/sessions/nothing", "").Want(t, 404)
	byCookie(t, s, here, "DELETE", "/api/account/sessions/"+other, "").Want(t, 204)
	byCookie(t, s, there, "GET", "/api/account", "").Want(t, 401)
	byCookie(t, s, yonder, "GET", "/api/account", "").Want(t, 200)
	byCookie(t, s, here, "DELETE", "/api/account/sessions", "").Want(t, 204)
	byCookie(t, s, yonder, "GET", "/api/account", "").Want(t, 401)
	byCookie(t, s, foe, "GET", "/api/account", "").Want(t, 200)
	if all, own := list(here); len(all) != 1 || all[0].ID != own {
		t.Errorf("left: %+v", all)
	}
}
