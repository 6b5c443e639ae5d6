package servertest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/server/api"
	"hoplite/store"
)

// User is somebody who uses the server.
type User struct {
	ID, Name, Token string
	server          *Server
}

// Anonymous is a user without an account.
func (s *Server) Anonymous() *User { return &User{server: s} }

// SignUp opens an account, whose token has all scopes.
func (s *Server) SignUp(t testing.TB, name string) *User {
	t.Helper()
	var made struct{ ID, Username, Token string }
	s.Anonymous().Post(t, "/api/signup", url.Values{"username": {name}, "password": {Password}}).
		Want(t, http.StatusCreated).JSON(t, &made)
	return &User{ID: made.ID, Name: made.Username, Token: made.Token, server: s}
}

// Password is that of every account that SignUp opens.
const Password = "correct horse battery"

// LogIn opens a session of an account that SignUp has opened; the user sends it as a bearer.
func (s *Server) LogIn(t testing.TB, name string) *User {
	t.Helper()
	var in struct{ ID, Username, Session string }
	s.Anonymous().Post(t, "/api/login", url.Values{"username": {name}, "password": {Password}}).Want(t, http.StatusOK).JSON(t, &in)
	return &User{ID: in.ID, Name: in.Username, Token: in.Session, server: s}
}

// Admin opens an account with the role admin and logs it in.
func (s *Server) Admin(t testing.TB, name string) *User {
	t.Helper()
	u := s.SignUp(t, name)
	role := api.RoleAdmin
	if err := s.Store.UpdateAccount(context.Background(), u.ID, store.AccountChange{Role: &role}); err != nil {
		t.Fatalf("role of %s: %v", name, err)
	}
	return s.LogIn(t, name)
}

// SignUpBot opens a bot's account.
func (s *Server) SignUpBot(t testing.TB, name string) *User {
	t.Helper()
	u := s.SignUp(t, name)
	u.Post(t, "/api/bot/account/upgrade", nil).Want(t, http.StatusOK)
	return u
}

// Client returns the typed client that sends the user's token and tries nothing twice.
func (u *User) Client(t testing.TB) *client.Client {
	t.Helper()
	options := []client.Option{client.BaseURL(u.server.URL), client.HTTPClient(u.server.client), client.WithRetry(client.Retry{})}
	if u.Token != "" {
		options = append(options, client.Token(u.Token))
	}
	c, err := client.New(options...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// WantStatus fails the test unless err is the server's refusal with this status; it returns what the server said.
func WantStatus(t testing.TB, err error, status int) string {
	t.Helper()
	e, ok := errors.AsType[*client.APIError](err)
	if !ok || e.Status != status {
		t.Fatalf("got %v, want the status %d", err, status)
	}
	return e.Message
}

// Answer is an answer that was read to its end.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	what   string
}

// Get asks for a path.
func (u *User) Get(t testing.TB, path string) *Answer {
	t.Helper()
	return u.Do(t, u.Request(t, http.MethodGet, path, "", nil))
}

// Post sends a form; nil sends nothing.
func (u *User) Post(t testing.TB, path string, form url.Values) *Answer {
	t.Helper()
	if form == nil {
		return u.Do(t, u.Request(t, http.MethodPost, path, "", nil))
	}
	return u.Do(t, u.Request(t, http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode())))
}

// PostJSON sends a value as JSON.
func (u *User) PostJSON(t testing.TB, path string, value any) *Answer {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return u.Do(t, u.Request(t, http.MethodPost, path, "application/json", strings.NewReader(string(data))))
}

// Request makes a request that carries the user's token.
func (u *User) Request(t testing.TB, method, path, contentType string, body io.Reader) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, u.server.URL+path, body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	if u.Token != "" {
		r.Header.Set("Authorization", "Bearer "+u.Token)
	}
	return r
}

// Do sends a request and reads the answer. It does not suit streams that stay open.
func (u *User) Do(t testing.TB, r *http.Request) *Answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(r.Context(), 20*time.Second)
	defer cancel()
	resp, err := u.server.client.Do(r.WithContext(ctx))
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.URL.Path, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.URL.Path, err)
	}
	return &Answer{Status: resp.StatusCode, Header: resp.Header, Body: body, what: r.Method + " " + r.URL.Path}
}

// Want fails the test if the status is another one.
func (a *Answer) Want(t testing.TB, status int) *Answer {
	t.Helper()
	if a.Status != status {
		t.Fatalf("%s: status %d, want %d: %s", a.what, a.Status, status, a.Body)
	}
	return a
}

// JSON decodes the body into v.
func (a *Answer) JSON(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal(a.Body, v); err != nil {
		t.Fatalf("%s: %v: %s", a.what, err, a.Body)
	}
}

// Error returns the sentence of an error answer, or its fields as one line.
func (a *Answer) Error(t testing.TB) string {
	t.Helper()
	var e struct{ Error json.RawMessage }
	a.JSON(t, &e)
	var text string
	if json.Unmarshal(e.Error, &text) == nil {
		return text
	}
	return string(e.Error)
}
