package auth_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/openapi"
	"hoplite/server"
	"hoplite/server/audit"
	"hoplite/server/auth"
	"hoplite/server/mail/mailtest"
	"hoplite/server/servertest"
	"hoplite/store"
)

func failedLogin(ctx context.Context, s store.Store, id string) error {
	return audit.AddBy(ctx, s, time.Now(), audit.LoginFailed, id, "", "")
}

func asLimit(err error, e **client.RateLimitError) bool { return errors.As(err, e) }

func accountOf(t *testing.T, name string) store.Account {
	t.Helper()
	hash, err := auth.NewHasher().Hash(t.Context(), servertest.Password)
	if err != nil {
		t.Fatal(err)
	}
	return store.Account{ID: strings.ToLower(name), Name: name, PasswordHash: hash, Created: time.Now()}
}

// TestMail confirms an address, and sets a new password by a mail to it.
func TestMail(t *testing.T) {
	t.Parallel()
	sink := mailtest.Start(t)
	var ahead atomic.Int64
	s := servertest.Start(t,
		servertest.Config(func(c *server.Config) { c.SMTP = sink.URL() }),
		servertest.Now(func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }))
	ctx := t.Context()
	nobody := s.Anonymous().Client(t).Account
	signed, err := nobody.SignUp(ctx, openapi.SignupForm{Username: "Ann", Password: servertest.Password, Email: "ann@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	token := as(s, signed.Token)
	confirm := sink.Next(t)
	if confirm.To != "ann@example.org" || !strings.Contains(confirm.Text, s.URL+"/email/confirm#") {
		t.Fatalf("mail %+v", confirm)
	}
	// An address that nobody has confirmed may be somebody else's.
	if err := nobody.AskPasswordReset(ctx, "ann@example.org"); err != nil {
		t.Fatal(err)
	}
	servertest.WantStatus(t, nobody.ConfirmEmail(ctx, strings.Repeat("x", 32)), 400)
	if err := nobody.ConfirmEmail(ctx, confirm.Link(t)); err != nil {
		t.Fatal(err)
	}
	servertest.WantStatus(t, nobody.ConfirmEmail(ctx, confirm.Link(t)), 400)
	var email openapi.Email
	token.Get(t, "/api/account/email").Want(t, 200).JSON(t, &email)
	if !email.Confirmed {
		t.Error("the address is not confirmed")
	}

	session := s.LogIn(t, "Ann")
	// The same answer whether or not there is such an account.
	var answers []string
	for _, address := range []string{"nobody@example.org", "ANN@example.org"} {
		a := s.Anonymous().PostJSON(t, "/api/password/reset", map[string]string{"email": address}).Want(t, 200)
		answers = append(answers, string(a.Body))
	}
	if answers[0] != answers[1] {
		t.Errorf("answers differ: %q", answers)
	}
	reset := sink.Next(t)
	if reset.To != "ann@example.org" || !strings.Contains(reset.Text, s.URL+"/password/reset#") {
		t.Fatalf("mail %+v", reset)
	}
	servertest.WantStatus(t, nobody.ResetPassword(ctx, reset.Link(t), "password"), 400)
	if err := nobody.ResetPassword(ctx, reset.Link(t), "a whole new password"); err != nil {
		t.Fatal(err)
	}
	servertest.WantStatus(t, nobody.ResetPassword(ctx, reset.Link(t), "another new password"), 400)
	session.Get(t, "/api/account").Want(t, 401)
	token.Get(t, "/api/account").Want(t, 200) // tokens stay
	if told := sink.Next(t); !strings.Contains(told.Subject, "password was changed") {
		t.Errorf("told %+v", told)
	}
	in, err := nobody.LogIn(ctx, openapi.LoginForm{Username: "Ann", Password: "a whole new password"})
	if err != nil {
		t.Fatal(err)
	}

	// A code that is an hour old is worth nothing, and the newest is the only one.
	if err := nobody.AskPasswordReset(ctx, "ann@example.org"); err != nil {
		t.Fatal(err)
	}
	late := sink.Next(t)
	ahead.Add(int64(auth.ResetLife))
	servertest.WantStatus(t, nobody.ResetPassword(ctx, late.Link(t), "another new password"), 400)

	// A new address has to be confirmed anew, and the old one is told.
	mine := as(s, in.Session).Client(t).Account
	if err := mine.SetEmail(ctx, "ann@example.net", "a whole new password"); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for range 2 {
		m := sink.Next(t)
		got[m.To] = m.Subject
	}
	if !strings.Contains(got["ann@example.org"], "was changed") || !strings.Contains(got["ann@example.net"], "Confirm") {
		t.Errorf("mails %v", got)
	}
	if err := mine.ResendConfirmation(ctx); err != nil {
		t.Fatal(err)
	}
	if err := nobody.ConfirmEmail(ctx, sink.Next(t).Link(t)); err != nil {
		t.Fatal(err)
	}
	servertest.WantStatus(t, mine.ResendConfirmation(ctx), 400)
	sink.None(t)
}

func TestNoMail(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ctx := t.Context()
	err := s.Anonymous().Client(t).Account.AskPasswordReset(ctx, "ann@example.org")
	if text := servertest.WantStatus(t, err, 400); !strings.Contains(text, "administrator") {
		t.Errorf("refused with %q", text)
	}
	s.SignUp(t, "Ann")
	servertest.WantStatus(t, s.LogIn(t, "Ann").Client(t).Account.ResendConfirmation(ctx), 400)
}
