package auth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hoplite/server/api"
	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/store/storetest"
)

// closed notes which streams were to be closed.
type closed struct {
	mu               sync.Mutex
	ids              []string
	tokens, sessions []string // that have streams
}

func (c *closed) Credentials() (tokens, sessions []string) { return c.tokens, c.sessions }

func (c *closed) note(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ids = append(c.ids, id)
}
func (c *closed) CloseToken(id string)   { c.note("token " + id) }
func (c *closed) CloseSession(id string) { c.note("session " + id) }
func (c *closed) CloseAccount(id string) { c.note("account " + id) }
func (c *closed) has(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Contains(c.ids, id)
}

// rig is a service on a database of its own, with a clock that the test moves.
type rig struct {
	*Service
	db      *gormdb.DB
	bus     *bus.Bus
	streams *closed
	clock   *atomic.Int64
}

func newRig(t *testing.T, db *gormdb.DB, c Config) *rig {
	t.Helper()
	r := &rig{db: db, bus: bus.New(), streams: &closed{}, clock: new(atomic.Int64)}
	r.clock.Store(noon.UnixMilli())
	s, err := New(t.Context(), c, Deps{
		Store: db, Bus: r.bus, Streams: r.streams, Now: r.time, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Service = s
	return r
}

func (r *rig) time() time.Time { return time.UnixMilli(r.clock.Load()).UTC() }
func (r *rig) newInvite(ctx context.Context, life time.Duration) (string, error) {
	code, _, err := r.Invite(ctx, "", "", life)
	return code, err
}
func (r *rig) pass(d time.Duration)    { r.clock.Add(d.Milliseconds()) }
func (r *rig) with(c Config) *rig      { s := *r.Service; s.config = c; n := *r; n.Service = &s; return &n }
func (r *rig) open(t *testing.T) Entry { t.Helper(); return r.join(t, "Leonidas") }
func (r *rig) admin(t *testing.T, name string) {
	t.Helper()
	role := api.RoleAdmin
	if err := r.db.UpdateAccount(t.Context(), AccountID(name), store.AccountChange{Role: &role}); err != nil {
		t.Fatal(err)
	}
	r.Forget(AccountID(name))
}

const password = "molon labe 480"

func (r *rig) join(t *testing.T, name string) Entry {
	t.Helper()
	e, err := r.SignUp(t.Context(), NewAccount{Name: name, Password: password})
	if err != nil {
		t.Fatalf("sign-up of %s: %v", name, err)
	}
	return e
}

func (r *rig) who(t *testing.T, bearer, cookie string) *api.Identity {
	t.Helper()
	id, err := r.Authenticate(t.Context(), bearer, cookie)
	if err != nil {
		t.Fatalf("Authenticate: %v", err)
	}
	return id
}

// refused checks that an error is of a kind, says text, and complains about field if that is not "".
func refused(t *testing.T, err error, kind fault.Kind, field, text string) {
	t.Helper()
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		t.Errorf("error is %v, want a fault about %q", err, text)
		return
	}
	if f.Kind != kind || !strings.Contains(f.Error(), text) || field != "" && len(f.Fields[field]) == 0 {
		t.Errorf("error is %v (%v, fields %v), want %v about %q in field %q", f, f.Kind, f.Fields, kind, text, field)
	}
}

func gone(t *testing.T, r *rig, bearer, text string) {
	t.Helper()
	_, err := r.Authenticate(t.Context(), bearer, "")
	refused(t, err, fault.KindUnauthenticated, "", text)
}

func TestSignUpGivesTokenAndSession(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		r := newRig(t, db, Config{})
		e := r.open(t)
		if e.Account.ID != "leonidas" || e.Account.Name != "Leonidas" || e.Account.Role != "" {
			t.Errorf("account %+v", e.Account)
		}
		if slices.Contains(e.Scopes, api.ScopeWebMod) || len(e.Scopes) != len(api.Scopes())-1 {
			t.Errorf("scopes %v, want all but %s", e.Scopes, api.ScopeWebMod)
		}
		byToken := r.who(t, e.Token, "")
		if byToken.AccountID != "leonidas" || byToken.TokenID == "" || byToken.SessionID != "" || !byToken.Has("bot:play") || byToken.Has(api.ScopeWebMod) {
			t.Errorf("by token: %+v", byToken)
		}
		byCookie := r.who(t, "", e.Session)
		if byCookie.AccountID != "leonidas" || byCookie.SessionID == "" || !byCookie.Cookie || !byCookie.Has("bot:play") || byCookie.Has(api.ScopeWebMod) {
			t.Errorf("by cookie: %+v", byCookie)
		}
		byBearer := r.who(t, e.Session, "")
		if byBearer.SessionID != byCookie.SessionID || byBearer.Cookie {
			t.Errorf("by the session as bearer: %+v", byBearer)
		}
		if nobody := r.who(t, "", ""); !nobody.Anonymous || nobody.HasAny() {
			t.Errorf("nobody: %+v", nobody)
		}
		// Nothing in the store opens the account.
		a, err := db.AccountByID(t.Context(), "leonidas")
		if err != nil || strings.Contains(a.PasswordHash, password) || !strings.HasPrefix(a.PasswordHash, "$argon2id$") {
			t.Errorf("stored password %q, %v", a.PasswordHash, err)
		}
		row, err := db.TokenByHash(t.Context(), tokenHash(e.Token))
		if err != nil || strings.Contains(fmt.Sprintf("%+v", row), e.Token[4:]) {
			t.Errorf("the stored token %+v (%v) has the text in it", row, err)
		}
	})
}

func TestSignUpRefused(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		r := newRig(t, db, Config{})
		r.open(t)
		for _, c := range []struct {
			label       string
			n           NewAccount
			field, text string
		}{
			{"taken", NewAccount{Name: "Leonidas", Password: password}, "username", "taken"},
			{"taken in other case", NewAccount{Name: "lEONIDAS", Password: password}, "username", "taken"},
			{"reserved", NewAccount{Name: "Lichess", Password: password}, "username", "reserved"},
			{"unicode", NewAccount{Name: "Léonidas", Password: password}, "username", "letters"},
			{"look-alike", NewAccount{Name: "Leonidа\u0073", Password: password}, "username", "letters"},
			{"empty", NewAccount{}, "username", "at least"},
			{"short password", NewAccount{Name: "gorgo", Password: "1234567"}, "password", "at least 8"},
			{"name as password", NewAccount{Name: "gorgogorgo", Password: "GorgoGorgo"}, "password", "user name"},
			{"bad e-mail", NewAccount{Name: "gorgo", Password: password, Email: "gorgo"}, "email", "e-mail"},
			{"bad invitation", NewAccount{Name: "gorgo", Password: password, Invite: "nonsense"}, "invite", "unknown"},
		} {
			_, err := r.SignUp(t.Context(), c.n)
			t.Run(c.label, func(t *testing.T) { refused(t, err, fault.KindInvalid, c.field, c.text) })
		}
		_, err := r.SignUp(t.Context(), NewAccount{Name: "1", Password: "x", Email: "@"})
		var f *fault.Error
		if !errors.As(err, &f) || len(f.Fields) != 3 {
			t.Errorf("three mistakes at once: %v", err)
		}
		if _, err := db.AccountByID(t.Context(), "gorgo"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a refused sign-up left an account: %v", err)
		}
	})
}

func TestSignUpTwiceAtOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		r := newRig(t, db, Config{})
		var won atomic.Int32
		var wg sync.WaitGroup
		for _, name := range []string{"gorgo", "Gorgo", "GORGO", "gORGO"} {
			wg.Go(func() {
				_, err := r.SignUp(context.Background(), NewAccount{Name: name, Password: password})
				if err == nil {
					won.Add(1)
					return
				}
				refused(t, err, fault.KindInvalid, "username", "taken")
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Errorf("%d of four got the name, want one", won.Load())
		}
	})
}

func TestModes(t *testing.T) {
	t.Parallel()
	r := newRig(t, storetest.New(t), Config{})
	try := func(c Config, name, invite string) error {
		_, err := r.with(c).SignUp(t.Context(), NewAccount{Name: name, Password: password, Invite: invite})
		return err
	}
	refused(t, try(Config{Public: true}, "first", ""), fault.KindForbidden, "", "closed")
	refused(t, try(Config{Signup: Closed}, "first", ""), fault.KindForbidden, "", "closed")
	refused(t, try(Config{Signup: Invite}, "first", ""), fault.KindForbidden, "", "invitation")
	if err := try(Config{Signup: Open, Public: true}, "first", ""); err != nil {
		t.Errorf("open with a public URL: %v", err)
	}

	invite, err := r.newInvite(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	// A refused name does not use the invitation up.
	refused(t, try(Config{Signup: Invite}, "FIRST", invite), fault.KindInvalid, "username", "taken")
	if err := try(Config{Signup: Invite}, "second", invite); err != nil {
		t.Errorf("with an invitation: %v", err)
	}
	refused(t, try(Config{Signup: Invite}, "third", invite), fault.KindInvalid, "invite", "used")
	late, err := r.newInvite(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	r.pass(time.Hour)
	refused(t, try(Config{Signup: Invite}, "third", late), fault.KindInvalid, "invite", "expired")
}

func TestFirstAdministrator(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		r := newRig(t, db, Config{Public: true})
		older, err := r.FirstRun(t.Context())
		if err != nil || older == "" {
			t.Fatalf("FirstRun = %q, %v", older, err)
		}
		code, err := r.FirstRun(t.Context())
		if err != nil || code == older {
			t.Fatalf("second FirstRun = %q, %v", code, err)
		}
		_, err = r.SignUp(t.Context(), NewAccount{Name: "thief", Password: password, Invite: older})
		refused(t, err, fault.KindInvalid, "invite", "unknown")
		e, err := r.SignUp(t.Context(), NewAccount{Name: "boss", Password: password, Invite: code})
		if err != nil || e.Account.Role != api.RoleAdmin {
			t.Fatalf("sign-up with the first code: %+v, %v", e.Account, err)
		}
		_, err = r.SignUp(t.Context(), NewAccount{Name: "thief", Password: password, Invite: code})
		refused(t, err, fault.KindInvalid, "invite", "used")
		if code, err := r.FirstRun(t.Context()); err != nil || code != "" {
			t.Errorf("FirstRun with an administrator = %q, %v", code, err)
		}
		if _, err := r.SignUp(t.Context(), NewAccount{Name: "anybody", Password: password}); err != nil {
			t.Errorf("sign-up after there is an administrator: %v", err)
		}
		if id := r.who(t, "", e.Session); !id.Has(api.ScopeWebMod) {
			t.Error("the administrator's session may not moderate")
		}
	})
	if text := FirstRunNotice("https://chess.example", "CODE"); !strings.Contains(text, "https://chess.example/signup?invite=CODE") {
		t.Errorf("notice %q has no link", text)
	}
}

func TestLogIn(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		r := newRig(t, db, Config{})
		r.open(t)
		r.join(t, "Closed")
		now := r.time()
		if err := db.UpdateAccount(t.Context(), "closed", store.AccountChange{Closed: &now}); err != nil {
			t.Fatal(err)
		}
		if err := db.CreateAccount(t.Context(), store.Account{ID: "robot", Name: "robot", Created: now}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ label, name, password string }{
			{"wrong password", "leonidas", "molon labe 481"},
			{"no password", "leonidas", ""},
			{"unknown", "xerxes", password},
			{"closed", "closed", "another password"},
			{"without a password", "robot", ""},
			{"without a password, any", "robot", password},
			{"unicode name", "Léonidas", password},
			{"broken name", "leon\xff", password},
			{"nul in the name", "leon\x00idas", password},
			{"endless name", strings.Repeat("a", 5000), password},
			{"endless password", "leonidas", strings.Repeat("a", 5000)},
		} {
			_, err := r.LogIn(t.Context(), Credentials{Name: c.name, Password: c.password, UserAgent: ""})
			t.Run(c.label, func(t *testing.T) {
				refused(t, err, fault.KindUnauthenticated, "", "Wrong user name or password")
			})
		}
		e, err := r.LogIn(t.Context(), Credentials{Name: "LEONIDAS", Password: password, UserAgent: "browser\x00" + strings.Repeat("x", 400)})
		if err != nil {
			t.Fatal(err)
		}
		if id := r.who(t, "", e.Session); id.AccountID != "leonidas" || id.Name != "Leonidas" {
			t.Errorf("identity %+v", id)
		}
	})
}

// An unknown name must not answer faster than a wrong password: both hash once.
func TestUnknownNameHashesToo(t *testing.T) {
	t.Parallel()
	r := newRig(t, storetest.New(t), Config{})
	for range hashesAtOnce {
		r.hasher.running <- struct{}{}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := r.LogIn(ctx, Credentials{Name: "nobody", Password: password, UserAgent: ""}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("log-in of an unknown name while the hasher is busy: %v, want it to wait", err)
	}
}

func TestLogInRenewsOldHashes(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	r := newRig(t, db, Config{})
	r.open(t)
	cheap := params{memory: 64, passes: 1, lanes: 1}
	sum, err := r.hasher.sum(t.Context(), password, []byte("0123456789abcdef"), cheap, 32)
	if err != nil {
		t.Fatal(err)
	}
	old := cheap.format([]byte("0123456789abcdef"), sum)
	if err := db.UpdateAccount(t.Context(), "leonidas", store.AccountChange{PasswordHash: &old}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := r.LogIn(t.Context(), Credentials{Name: "leonidas", Password: password, UserAgent: ""}); err != nil {
			t.Fatal(err)
		}
	}
	a, err := db.AccountByID(t.Context(), "leonidas")
	if err != nil || r.hasher.Outdated(a.PasswordHash) {
		t.Errorf("password is stored as %q, %v", a.PasswordHash, err)
	}
}

func TestLogOutEndsOneSession(t *testing.T) {
	t.Parallel()
	r := newRig(t, storetest.New(t), Config{})
	e := r.open(t)
	other, err := r.LogIn(t.Context(), Credentials{Name: "leonidas", Password: password, UserAgent: ""})
	if err != nil {
		t.Fatal(err)
	}
	me := r.who(t, "", e.Session)
	if err := r.LogOut(t.Context(), me); err != nil {
		t.Fatal(err)
	}
	if !r.streams.has("session " + me.SessionID) {
		t.Error("the session's streams stay open")
	}
	if id := r.who(t, "", e.Session); !id.Anonymous {
		t.Errorf("the cookie of an ended session is %+v, want nobody", id)
	}
	gone(t, r, e.Session, "No such token")
	if id := r.who(t, "", other.Session); id.AccountID != "leonidas" {
		t.Errorf("the other session is %+v", id)
	}
	if err := r.LogOut(t.Context(), &api.Identity{Anonymous: true}); err != nil {
		t.Errorf("log-out of nobody: %v", err)
	}
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	r := newRig(t, db, Config{})
	e := r.open(t)
	r.pass(SessionLife - time.Second)
	if id := r.who(t, "", e.Session); id.AccountID != "leonidas" {
		t.Errorf("a second before its end: %+v", id)
	}
	r.pass(2 * time.Second)
	if id := r.who(t, "", e.Session); !id.Anonymous {
		t.Errorf("after its end: %+v", id)
	}
	r.sweep(t.Context())
	rows, err := db.SessionsOf(t.Context(), "leonidas")
	if err != nil || len(rows) != 0 {
		t.Errorf("%d sessions after the sweep, %v", len(rows), err)
	}

	// A program that logs in again and again does not fill the table.
	var last Entry
	for i := range 3 {
		for j := range maxSessions / 2 {
			row := store.Session{ID: fmt.Sprintf("s-%d-%d", i, j), AccountID: "leonidas", Created: r.time(), Expires: r.time().Add(time.Hour)}
			if err := db.CreateSession(t.Context(), row); err != nil {
				t.Fatal(err)
			}
		}
		r.pass(time.Second)
		if last, err = r.LogIn(t.Context(), Credentials{Name: "leonidas", Password: password, UserAgent: ""}); err != nil {
			t.Fatal(err)
		}
	}
	rows, err = db.SessionsOf(t.Context(), "leonidas")
	if err != nil || len(rows) != maxSessions {
		t.Errorf("%d sessions, %v, want %d", len(rows), err, maxSessions)
	}
	if id := r.who(t, "", last.Session); id.AccountID != "leonidas" {
		t.Errorf("the newest session is %+v", id)
	}
}

func TestSetPasswordEndsSessions(t *testing.T) {
	t.Parallel()
	r := newRig(t, storetest.New(t), Config{})
	e := r.open(t)
	kept, err := r.LogIn(t.Context(), Credentials{Name: "leonidas", Password: password, UserAgent: ""})
	if err != nil {
		t.Fatal(err)
	}
	stolen := r.who(t, "", e.Session)
	refused(t, r.SetPassword(t.Context(), "leonidas", "short", ""), fault.KindInvalid, "password", "at least")
	if err := r.SetPassword(t.Context(), "leonidas", "come and take them", r.who(t, "", kept.Session).SessionID); err != nil {
		t.Fatal(err)
	}
	if id := r.who(t, "", e.Session); !id.Anonymous || !r.streams.has("session "+stolen.SessionID) {
		t.Errorf("the other session is %+v, streams closed: %v", id, r.streams.ids)
	}
	if id := r.who(t, "", kept.Session); id.Anonymous {
		t.Error("the session that changed the password ended")
	}
	_, err = r.LogIn(t.Context(), Credentials{Name: "leonidas", Password: password, UserAgent: ""})
	refused(t, err, fault.KindUnauthenticated, "", "Wrong")
	if _, err := r.LogIn(t.Context(), Credentials{Name: "leonidas", Password: "come and take them", UserAgent: ""}); err != nil {
		t.Error(err)
	}
}

func TestCreateToken(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		r := newRig(t, db, Config{})
		e := r.open(t)
		r.join(t, "Gorgo")
		session, token, nobody := r.who(t, "", e.Session), r.who(t, e.Token, ""), r.who(t, "", "")

		ok := TokenRequest{Description: " my bot ", Scopes: []string{"bot:play", "challenge:read", "bot:play"}}
		text, row, err := r.CreateToken(t.Context(), session, ok)
		if err != nil {
			t.Fatal(err)
		}
		if row.Description != "my bot" || !cmp.Equal(row.Scopes, []string{"challenge:read", "bot:play"}) {
			t.Errorf("token %+v", row)
		}
		id := r.who(t, text, "")
		if !id.Has("bot:play") || id.Has("board:play") || id.TokenID != row.ID {
			t.Errorf("identity %+v", id)
		}

		for _, c := range []struct {
			label       string
			caller      *api.Identity
			change      func(*TokenRequest)
			kind        fault.Kind
			field, text string
		}{
			{"by a token", token, func(*TokenRequest) {}, fault.KindForbidden, "", "token cannot make a token"},
			{"by nobody", nobody, func(*TokenRequest) {}, fault.KindUnauthenticated, "", "Missing authorization header"},
			{"wrong password", nobody, func(q *TokenRequest) { q.Name, q.Password = "leonidas", "wrong password" }, fault.KindUnauthenticated, "", "Wrong"},
			{"wrong password with a session", session, func(q *TokenRequest) { q.Password = "wrong password" }, fault.KindUnauthenticated, "", "Wrong"},
			{"other name than the session's", session, func(q *TokenRequest) { q.Name = "gorgo" }, fault.KindInvalid, "username", "not the one"},
			{"no description", session, func(q *TokenRequest) { q.Description = " \t" }, fault.KindInvalid, "description", "must say"},
			{"long description", session, func(q *TokenRequest) { q.Description = strings.Repeat("é", 201) }, fault.KindInvalid, "description", "at most"},
			{"control in the description", session, func(q *TokenRequest) { q.Description = "a\x00b" }, fault.KindInvalid, "description", "plain"},
			{"broken description", session, func(q *TokenRequest) { q.Description = "a\xff" }, fault.KindInvalid, "description", "plain"},
			{"unknown scope", session, func(q *TokenRequest) { q.Scopes = []string{"bot:play", "world:rule"} }, fault.KindInvalid, "scopes", "unknown scope: world:rule"},
			{"empty scope", session, func(q *TokenRequest) { q.Scopes = []string{""} }, fault.KindInvalid, "scopes", "unknown scope"},
			{"scopes in one", session, func(q *TokenRequest) { q.Scopes = []string{"bot:play,board:play"} }, fault.KindInvalid, "scopes", "unknown scope"},
			{"moderator's", session, func(q *TokenRequest) { q.Scopes = []string{api.ScopeWebMod} }, fault.KindInvalid, "scopes", "administrators"},
			{"expired", session, func(q *TokenRequest) { q.Expires = r.time() }, fault.KindInvalid, "expires", "future"},
			{"far away", session, func(q *TokenRequest) { q.Expires = r.time().AddDate(5000, 0, 0) }, fault.KindInvalid, "expires", "too far"},
		} {
			q := ok
			c.change(&q)
			_, _, err := r.CreateToken(t.Context(), c.caller, q)
			t.Run(c.label, func(t *testing.T) { refused(t, err, c.kind, c.field, c.text) })
		}
		for label, caller := range map[string]*api.Identity{"nobody": nobody, "token": token} {
			q := ok
			q.Name, q.Password = "LEONIDAS", password
			if _, row, err := r.CreateToken(t.Context(), caller, q); err != nil || row.AccountID != "leonidas" {
				t.Errorf("%s with the password: %+v, %v", label, row, err)
			}
		}
		r.admin(t, "Gorgo")
		gorgo := &api.Identity{AccountID: "gorgo", SessionID: "s"}
		q := ok
		q.Scopes = []string{api.ScopeWebMod}
		text, _, err = r.CreateToken(t.Context(), gorgo, q)
		if err != nil || !r.who(t, text, "").Has(api.ScopeWebMod) {
			t.Errorf("an administrator's token: %v", err)
		}
		// The scope goes with the role.
		none := ""
		if err := db.UpdateAccount(t.Context(), "gorgo", store.AccountChange{Role: &none}); err != nil {
			t.Fatal(err)
		}
		r.Forget("gorgo")
		if r.who(t, text, "").Has(api.ScopeWebMod) {
			t.Error("the token of a former administrator may still moderate")
		}
	})
}

func TestTokenLimit(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	r := newRig(t, db, Config{})
	e := r.open(t)
	err := db.InTx(t.Context(), func(tx store.Store) error {
		for i := range maxTokens - 1 {
			_, row := newToken("leonidas", fmt.Sprint(i), nil, time.Time{}, r.time())
			if err := tx.CreateToken(t.Context(), row); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = r.CreateToken(t.Context(), r.who(t, "", e.Session), TokenRequest{Description: "one more"})
	refused(t, err, fault.KindInvalid, "", "500 tokens")
}

func TestTokensEnd(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		r := newRig(t, db, Config{})
		e := r.open(t)
		gorgo := r.who(t, "", r.join(t, "Gorgo").Session)
		session := r.who(t, "", e.Session)

		r.pass(time.Second) // so that it is newer than the first token
		short, _, err := r.CreateToken(t.Context(), session, TokenRequest{Description: "short", Expires: r.time().Add(5 * time.Second)})
		if err != nil {
			t.Fatal(err)
		}
		r.who(t, short, "")
		r.pass(5 * time.Second)
		gone(t, r, short, "No such token") // although it was cached for ten

		text, row, err := r.CreateToken(t.Context(), session, TokenRequest{Description: "lost"})
		if err != nil {
			t.Fatal(err)
		}
		r.who(t, text, "")
		refused(t, r.DeleteToken(t.Context(), gorgo, row.ID), fault.KindNotFound, "", "No such token")
		refused(t, r.DeleteToken(t.Context(), session, "nonsense"), fault.KindNotFound, "", "No such token")
		refused(t, r.DeleteToken(t.Context(), r.who(t, e.Token, ""), row.ID), fault.KindForbidden, "", "session")
		refused(t, r.DeleteToken(t.Context(), r.who(t, "", ""), row.ID), fault.KindUnauthenticated, "", "Missing authorization header")
		r.who(t, text, "")
		if err := r.DeleteToken(t.Context(), session, row.ID); err != nil {
			t.Fatal(err)
		}
		gone(t, r, text, "No such token") // at once, although it was cached
		if !r.streams.has("token " + row.ID) {
			t.Error("the token's streams stay open")
		}
		refused(t, r.DeleteToken(t.Context(), session, row.ID), fault.KindNotFound, "", "No such token")

		list, err := r.Tokens(t.Context(), session)
		if err != nil || len(list) != 2 || list[0].Description != "short" || list[1].Description != "Made at sign-up" {
			t.Errorf("tokens %+v, %v", list, err)
		}
		_, err = r.Tokens(t.Context(), r.who(t, e.Token, ""))
		refused(t, err, fault.KindForbidden, "", "session")

		me := r.who(t, e.Token, "")
		if err := r.Revoke(t.Context(), me); err != nil {
			t.Fatal(err)
		}
		gone(t, r, e.Token, "No such token")
		refused(t, r.Revoke(t.Context(), me), fault.KindUnauthenticated, "", "No such token")
		if err := r.Revoke(t.Context(), session); err != nil {
			t.Fatal(err)
		}
		gone(t, r, e.Session, "No such token")
		refused(t, r.Revoke(t.Context(), r.who(t, "", "")), fault.KindUnauthenticated, "", "Missing")
	})
}

func TestClosedAccount(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	r := newRig(t, db, Config{})
	e := r.open(t)
	now := r.time()
	if err := db.UpdateAccount(t.Context(), "leonidas", store.AccountChange{Closed: &now}); err != nil {
		t.Fatal(err)
	}
	gone(t, r, e.Token, "No such user")
	gone(t, r, e.Session, "No such token")
	if id := r.who(t, "", e.Session); !id.Anonymous {
		t.Errorf("cookie of a closed account: %+v", id)
	}
}

func TestNonsenseIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t, storetest.New(t), Config{})
	e := r.open(t)
	for _, bearer := range []string{
		"x", "lip_", "lip_" + strings.Repeat("a", 32), e.Token + "a", " " + e.Token, strings.ToLower(e.Token) + "A",
		"lip_" + strings.Repeat("é", 16), strings.Repeat("a", 100_000), "a.b.c", "..", e.Session + "x", "\x00", "\xff",
		strings.Repeat("a.", 3000),
	} {
		gone(t, r, bearer, "No such token")
		if id := r.who(t, "", bearer); !id.Anonymous {
			t.Errorf("cookie %.20q is %+v", bearer, id)
		}
	}
	// A token in the cookie is not a session.
	if id := r.who(t, "", e.Token); !id.Anonymous {
		t.Errorf("a token as cookie is %+v", id)
	}
	if r.cache.size() != 0 {
		t.Errorf("%d entries cached for nonsense", r.cache.size())
	}
}

func TestTestTokens(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		r := newRig(t, db, Config{})
		e := r.open(t)
		session := r.who(t, "", e.Session)
		bot, _, err := r.CreateToken(t.Context(), session, TokenRequest{Description: "bot", Scopes: []string{"bot:play", "challenge:read"}})
		if err != nil {
			t.Fatal(err)
		}
		empty, _, err := r.CreateToken(t.Context(), session, TokenRequest{Description: "empty", Expires: r.time().Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		old, _, err := r.CreateToken(t.Context(), session, TokenRequest{Description: "old", Expires: r.time().Add(time.Second)})
		if err != nil {
			t.Fatal(err)
		}
		closedToken := r.join(t, "Closed").Token
		now := r.time()
		if err := db.UpdateAccount(t.Context(), "closed", store.AccountChange{Closed: &now}); err != nil {
			t.Fatal(err)
		}
		r.pass(2 * time.Second)
		unknown := "lip_" + strings.Repeat("z", 32)
		got, err := r.TestTokens(t.Context(), " "+bot+","+empty+"\r\n"+old+",,lip_local,"+unknown+","+closedToken+","+e.Session+","+bot+",naïve\x00\xff")
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]*Tested{
			bot:   {AccountID: "leonidas", Scopes: []string{"challenge:read", "bot:play"}},
			empty: {AccountID: "leonidas", Scopes: []string{}, Expires: r.time().Add(time.Hour - 2*time.Second)},
			old:   nil, "lip_local": nil, unknown: nil, closedToken: nil, e.Session: nil, "naïve\x00\xff": nil,
		}
		for _, v := range got {
			if v != nil {
				v.Scopes = scopesOf(v.Scopes)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("want, got: %s", d)
		}
		if got, err := r.TestTokens(t.Context(), ""); err != nil || len(got) != 0 || got == nil {
			t.Errorf("no tokens: %v, %v", got, err)
		}
		many := strings.Repeat("lip_x,", maxTested)
		if got, err := r.TestTokens(t.Context(), many); err != nil || len(got) != 1 {
			t.Errorf("1000 tokens: %d, %v", len(got), err)
		}
		_, err = r.TestTokens(t.Context(), many+"lip_y")
		refused(t, err, fault.KindInvalid, "", "1000")
	})
}

func TestSecretRotation(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		r := newRig(t, db, Config{})
		e := r.open(t)
		before, _ := tokenKeyID(e.Session)
		// A second server, or the same one started again, finds the same secret.
		second := newRig(t, db, Config{})
		if id := second.who(t, "", e.Session); id.AccountID != "leonidas" {
			t.Errorf("on another server: %+v", id)
		}
		newID, err := RotateSecret(t.Context(), db, r.time())
		if err != nil || newID == before {
			t.Fatalf("RotateSecret = %q, %v", newID, err)
		}
		r.pass(keysStale + time.Second)
		e2, err := r.LogIn(t.Context(), Credentials{Name: "leonidas", Password: password, UserAgent: ""})
		if err != nil {
			t.Fatal(err)
		}
		if kid, _ := tokenKeyID(e2.Session); kid != newID {
			t.Errorf("signed with %q a minute after the rotation, want %q", kid, newID)
		}
		// The other server hears of the new key from the token.
		second.pass(keysRetry)
		if id := second.who(t, "", e2.Session); id.AccountID != "leonidas" {
			t.Errorf("new session on the other server: %+v", id)
		}
		if id := second.who(t, "", e.Session); id.AccountID != "leonidas" {
			t.Errorf("old session after the rotation: %+v", id)
		}
		stranger := newRig(t, storetest.New(t), Config{})
		if id := stranger.who(t, "", e.Session); !id.Anonymous {
			t.Errorf("on a server with another secret: %+v", id)
		}
	})
}

func TestSecretFromEnvironment(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	r := newRig(t, db, Config{Secrets: "first secret of the test"})
	e := r.open(t)
	if _, err := db.MetaValue(t.Context(), metaKeys); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the store has keys (%v) although the environment gave them", err)
	}
	r2 := newRig(t, db, Config{Secrets: "second secret of the test,first secret of the test"})
	if id := r2.who(t, "", e.Session); id.AccountID != "leonidas" {
		t.Errorf("after a rotation in the environment: %+v", id)
	}
	r3 := newRig(t, db, Config{Secrets: "second secret of the test"})
	if id := r3.who(t, "", e.Session); !id.Anonymous {
		t.Errorf("without the old secret: %+v", id)
	}
	if _, err := New(t.Context(), Config{Secrets: "short"}, Deps{Store: db, Bus: r.bus}); err == nil {
		t.Error("a short secret is accepted")
	}
}

// What one node revokes, another forgets and closes.
func TestRevocationReachesOtherNodes(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	one := newRig(t, db, Config{})
	two := newRig(t, db, Config{})
	two.Service.bus = one.bus
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- two.Run(ctx) }()
	for one.bus.Subscribers(topic) == 0 {
		time.Sleep(time.Millisecond)
	}
	e := one.open(t)
	me := two.who(t, e.Token, "") // cached there
	if err := one.Revoke(t.Context(), me); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(5 * time.Second)
	for !two.streams.has("token " + me.TokenID) {
		if time.Now().After(deadline) {
			t.Fatal("the other node did not close the token's streams")
		}
		time.Sleep(time.Millisecond)
	}
	gone(t, two, e.Token, "No such token")
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestUsesAreNoted(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	r := newRig(t, db, Config{})
	e := r.open(t)
	r.pass(time.Hour)
	used := r.time()
	id := r.who(t, e.Token, "")
	r.writeUses(t.Context())
	row, err := db.TokenByHash(t.Context(), tokenHash(e.Token))
	if err != nil || !row.Used.Equal(used) || row.ID != id.TokenID {
		t.Errorf("token used at %v, %v, want %v", row.Used, err, used)
	}
	a, err := db.AccountByID(t.Context(), "leonidas")
	if err != nil || !a.Seen.Equal(used) {
		t.Errorf("account seen at %v, %v, want %v", a.Seen, err, used)
	}
}

// A look-up that began before a revocation must not bring the token back.
func TestCacheGenerations(t *testing.T) {
	t.Parallel()
	c := newCache()
	k := sessionKey("x")
	id := &api.Identity{AccountID: "ann"}
	_, generation := c.get(k, noon)
	c.forget("ann")
	c.put(k, id, noon.Add(time.Minute), generation, noon)
	if got, _ := c.get(k, noon); got != nil {
		t.Error("an outdated look-up was cached")
	}
	_, generation = c.get(k, noon)
	c.put(k, id, noon.Add(time.Minute), generation, noon)
	if got, _ := c.get(k, noon.Add(59*time.Second)); got != id {
		t.Error("not cached")
	}
	if got, _ := c.get(k, noon.Add(time.Minute)); got != nil {
		t.Error("cached for longer than told")
	}
	for i := range cacheSize + 10 {
		c.put(sessionKey(fmt.Sprint(i)), &api.Identity{AccountID: fmt.Sprint(i % 7)}, noon.Add(time.Minute), generation, noon)
	}
	if n := c.size(); n > cacheSize {
		t.Errorf("%d entries, want at most %d", n, cacheSize)
	}
	c.clear()
	if c.size() != 0 || len(c.byAccount) != 0 {
		t.Error("not cleared")
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	r := newRig(t, storetest.New(t), Config{})
	e := r.open(t)
	session := r.who(t, "", e.Session)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				text, row, err := r.CreateToken(context.Background(), session, TokenRequest{Description: "x"})
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := r.Authenticate(context.Background(), text, ""); err != nil {
					t.Error(err)
				}
				if err := r.DeleteToken(context.Background(), session, row.ID); err != nil {
					t.Error(err)
				}
				if _, err := r.Authenticate(context.Background(), text, ""); err == nil {
					t.Error("a revoked token is good")
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkAuthenticate(b *testing.B) {
	db := storetest.New(b)
	now := func() time.Time { return noon }
	s, err := New(b.Context(), Config{}, Deps{Store: db, Bus: bus.New(), Now: now})
	if err != nil {
		b.Fatal(err)
	}
	e, err := s.SignUp(b.Context(), NewAccount{Name: "ann", Password: password})
	if err != nil {
		b.Fatal(err)
	}
	for name, credential := range map[string]string{"token": e.Token, "session": e.Session} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if id, err := s.Authenticate(b.Context(), credential, ""); err != nil || id.AccountID != "ann" {
					b.Fatal(id, err)
				}
			}
		})
	}
}
