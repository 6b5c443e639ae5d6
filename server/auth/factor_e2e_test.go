package auth_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"hoplite/client"
	"hoplite/openapi"
	"hoplite/server/servertest"
)

// TestTotp turns a second factor on, logs in with it in every way, and turns it off.
func TestTotp(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	s := servertest.Start(t, servertest.Now(func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }))
	s.SignUp(t, "Ann")
	ctx := t.Context()
	account := s.LogIn(t, "Ann").Client(t).Account
	code := func(secret string) string {
		t.Helper()
		text, err := totp.GenerateCode(secret, time.Now().Add(time.Duration(ahead.Load())))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	_, err := account.EnrolTotp(ctx, "wrong password")
	servertest.WantStatus(t, err, 400)
	made, err := account.EnrolTotp(ctx, servertest.Password)
	if err != nil || !strings.Contains(made.URL, "secret="+made.Secret) || len(made.Qr) < 21 || len(made.Qr[0]) != len(made.Qr) {
		t.Fatalf("enrolment %+v, %v", made, err)
	}
	if !strings.HasPrefix(made.Qr[0], "1111111") {
		t.Errorf("the QR code has no finder in its corner: %s", made.Qr[0])
	}
	nobody := s.Anonymous().Client(t).Account
	logIn := func(code string) error {
		_, err := nobody.LogIn(ctx, openapi.LoginForm{Username: "Ann", Password: servertest.Password, Totp: code})
		return err
	}
	if err := logIn(""); err != nil {
		t.Fatalf("a secret that was not confirmed counts: %v", err)
	}
	_, err = account.ConfirmTotp(ctx, "000000x")
	servertest.WantStatus(t, err, 400)
	first := code(made.Secret)
	recovery, err := account.ConfirmTotp(ctx, first)
	if err != nil || len(recovery) != 10 {
		t.Fatalf("recovery codes %v, %v", recovery, err)
	}

	text := servertest.WantStatus(t, logIn(""), 401)
	if !strings.Contains(text, "is needed") {
		t.Errorf("without a code: %q", text)
	}
	servertest.WantStatus(t, logIn(first), 401) // it was used to confirm
	ahead.Add(int64(time.Minute))
	next := code(made.Secret)
	if err := logIn(next); err != nil {
		t.Fatal(err)
	}
	servertest.WantStatus(t, logIn(next), 401)
	// A token is not made without the code either.
	_, err = s.Anonymous().Client(t).Tokens.Create(ctx, openapi.NewToken{Description: "x", Username: "Ann", Password: servertest.Password, Scopes: []string{}})
	servertest.WantStatus(t, err, 401)

	if err := logIn(strings.ToUpper(recovery[3])); err != nil {
		t.Fatal(err)
	}
	servertest.WantStatus(t, logIn(recovery[3]), 401)
	if state, err := account.Totp(ctx); err != nil || state.RecoveryCodes != 9 || state.Enabled == 0 {
		t.Errorf("state %+v, %v", state, err)
	}
	_, err = account.EnrolTotp(ctx, servertest.Password)
	servertest.WantStatus(t, err, 409)
	servertest.WantStatus(t, account.Close(ctx, openapi.CloseForm{Password: servertest.Password}), 400)

	servertest.WantStatus(t, account.DisableTotp(ctx, "wrong password"), 400)
	if err := account.DisableTotp(ctx, servertest.Password); err != nil {
		t.Fatal(err)
	}
	ahead.Add(int64(10 * time.Minute)) // the limit on log-ins
	if err := logIn(""); err != nil {
		t.Error(err)
	}
	events, err := account.Security(ctx, openapi.AccountSecurityParams{})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, e := range events {
		kinds[e.Kind]++
	}
	for kind, least := range map[string]int{
		"account.created": 1, "login": 4, "login.failed": 2, "login.code.failed": 3, "totp.enabled": 1, "totp.recovery": 1, "totp.disabled": 1,
	} {
		if kinds[kind] < least {
			t.Errorf("%d events %s, want %d: %v", kinds[kind], kind, least, kinds)
		}
	}
}

// TestGuessing: an account takes so many wrong passwords an hour from everywhere, and its owner still gets in.
func TestGuessing(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	s := servertest.Start(t, servertest.Now(func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }))
	s.SignUp(t, "Ann")
	ctx := t.Context()
	// What other addresses tried stands in the audit log, where all nodes see it.
	for range 100 {
		if err := failedLogin(ctx, s.Store, "ann"); err != nil {
			t.Fatal(err)
		}
	}
	s.LogIn(t, "Ann") // from where she signed up

	if err := s.Store.CreateAccount(ctx, accountOf(t, "Bob")); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if err := failedLogin(ctx, s.Store, "bob"); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.Anonymous().Client(t).Account.LogIn(ctx, openapi.LoginForm{Username: "Bob", Password: servertest.Password})
	servertest.WantStatus(t, err, 429)
	if e := new(client.RateLimitError); !asLimit(err, &e) || e.Key != "login.account" {
		t.Errorf("refused by %v", err)
	}
	ahead.Add(int64(61 * time.Minute))
	s.LogIn(t, "Bob")
}
