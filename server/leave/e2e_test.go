package leave_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"hoplite/openapi"
	"hoplite/server/audit"
	"hoplite/server/auth"
	"hoplite/server/servertest"
	"hoplite/store"
)

type values = map[string][]string

// game is one between two users that has begun in earnest.
func game(t *testing.T, white, black *servertest.User) string {
	t.Helper()
	var c struct{ ID string }
	white.Post(t, "/api/challenge/"+black.Name, values{"clock.limit": {"600"}, "clock.increment": {"3"}, "color": {"white"}}).Want(t, 200).JSON(t, &c)
	black.Post(t, "/api/challenge/"+c.ID+"/accept", nil).Want(t, 200)
	white.Post(t, "/api/board/game/"+c.ID+"/move/e2e4", nil).Want(t, 200)
	black.Post(t, "/api/board/game/"+c.ID+"/move/e7e5", nil).Want(t, 200)
	return c.ID
}

func status(t *testing.T, s *servertest.Server, id string) (status, winner string) {
	t.Helper()
	u := s.Anonymous()
	r := u.Request(t, "GET", "/game/export/"+id, "", nil)
	r.Header.Set("Accept", "application/json")
	var g struct{ Status, Winner string }
	u.Do(t, r).Want(t, 200).JSON(t, &g)
	return g.Status, g.Winner
}

// TestCloseOwn closes an account with everything open that it can have.
func TestCloseOwn(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	begun := game(t, ann, bob)
	var fresh, out, in struct{ ID string }
	ann.Post(t, "/api/challenge/Bob", values{"clock.limit": {"600"}, "clock.increment": {"3"}}).Want(t, 200).JSON(t, &fresh)
	bob.Post(t, "/api/challenge/"+fresh.ID+"/accept", nil).Want(t, 200)
	ann.Post(t, "/api/challenge/Bob", values{"days": {"3"}}).Want(t, 200).JSON(t, &out)
	bob.Post(t, "/api/challenge/Ann", values{"days": {"3"}}).Want(t, 200).JSON(t, &in)
	ann.Post(t, "/api/board/seek", values{"days": {"3"}, "rated": {"false"}}).Want(t, 200)
	stream := ann.Stream(t, "/api/stream/event")
	stream.Next(t, nil)

	ctx := t.Context()
	session := s.LogIn(t, "Ann")
	account := session.Client(t).Account
	servertest.WantStatus(t, account.Close(ctx, openapi.CloseForm{Password: "not this one"}), 400)
	servertest.WantStatus(t, ann.Client(t).Account.Close(ctx, openapi.CloseForm{Password: servertest.Password}), 403)
	if err := account.Close(ctx, openapi.CloseForm{Password: servertest.Password}); err != nil {
		t.Fatal(err)
	}
	for {
		if _, more := <-stream.Lines; !more {
			break
		}
	}
	session.Get(t, "/api/account").Want(t, 401)
	ann.Get(t, "/api/account").Want(t, 401)
	if st, winner := status(t, s, begun); st != "resign" || winner != "black" {
		t.Errorf("the running game: %s, won by %q", st, winner)
	}
	if st, _ := status(t, s, fresh.ID); st != "aborted" {
		t.Errorf("the game that had hardly begun: %s", st)
	}
	var open struct{ In, Out []struct{ ID string } }
	bob.Get(t, "/api/challenge").Want(t, 200).JSON(t, &open)
	if len(open.In)+len(open.Out) != 0 {
		t.Errorf("challenges left: %+v", open)
	}
	if seeks, err := s.Store.SeeksOf(ctx, "ann"); err != nil || len(seeks) != 0 {
		t.Errorf("seeks left: %v, %v", seeks, err)
	}
	var shown struct{ Disabled bool }
	bob.Get(t, "/api/user/Ann").Want(t, 200).JSON(t, &shown)
	if !shown.Disabled {
		t.Error("the profile is still shown")
	}
	s.Anonymous().Post(t, "/api/signup", values{"username": {"ANN"}, "password": {servertest.Password}}).Want(t, 400)

	nobody := s.Anonymous().Client(t).Account
	in1 := openapi.LoginForm{Username: "Ann", Password: servertest.Password}
	_, err := nobody.LogIn(ctx, in1)
	if text := servertest.WantStatus(t, err, 403); !strings.Contains(text, "reopen=true") {
		t.Errorf("log-in: %q", text)
	}
	_, err = nobody.LogIn(ctx, openapi.LoginForm{Username: "Ann", Password: "wrong password", Reopen: true})
	servertest.WantStatus(t, err, 401)
	in1.Reopen = true
	if _, err := nobody.LogIn(ctx, in1); err != nil {
		t.Fatal(err)
	}
	ann.Get(t, "/api/account").Want(t, 401) // tokens do not come back
}

// TestBan closes an account that then cannot open itself again.
func TestBan(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	id := game(t, bob, ann)
	ctx := t.Context()
	admin := s.Admin(t, "Boss").Client(t).Admin
	if err := admin.CloseUser(ctx, "Ann", openapi.AdminCloseForm{Ban: true, Note: "engine"}); err != nil {
		t.Fatal(err)
	}
	if st, winner := status(t, s, id); st != "resign" || winner != "white" {
		t.Errorf("the game: %s, won by %q", st, winner)
	}
	servertest.WantStatus(t, admin.CloseUser(ctx, "Ann", openapi.AdminCloseForm{Ban: true}), 409)
	var shown struct{ Disabled, TosViolation bool }
	bob.Get(t, "/api/user/Ann").Want(t, 200).JSON(t, &shown)
	if !shown.Disabled || !shown.TosViolation {
		t.Errorf("profile %+v", shown)
	}
	_, err := s.Anonymous().Client(t).Account.LogIn(ctx, openapi.LoginForm{Username: "Ann", Password: servertest.Password, Reopen: true})
	servertest.WantStatus(t, err, 403)
	if err := admin.ReopenUser(ctx, "Ann"); err != nil {
		t.Fatal(err)
	}
	servertest.WantStatus(t, admin.ReopenUser(ctx, "Ann"), 409)
	s.LogIn(t, "Ann")
}

// TestClosedElsewhere closes an account in the database alone, as the command line does.
func TestClosedElsewhere(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	id := game(t, ann, bob)
	stream := ann.Stream(t, "/api/stream/event")
	stream.Next(t, nil)
	if err := auth.Close(context.Background(), s.Store, "ann", auth.Closing{By: store.ClosedByAdmin}, time.Now()); err != nil {
		t.Fatal(err)
	}
	deadline := time.After(20 * time.Second)
	for open := true; open; {
		select {
		case _, open = <-stream.Lines:
		case <-deadline:
			t.Fatal("the stream of a closed account stays open")
		}
	}
	for st := ""; st != "resign"; st, _ = status(t, s, id) {
		select {
		case <-deadline:
			t.Fatalf("the game of a closed account is %q", st)
		case <-time.After(20 * time.Millisecond):
		}
	}
	ann.Get(t, "/api/account").Want(t, 401)
}

func TestExport(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	id := game(t, ann, bob)
	ann.Post(t, "/api/board/game/"+id+"/chat", values{"room": {"player"}, "text": {"good luck"}}).Want(t, 200)
	bob.Post(t, "/api/board/game/"+id+"/chat", values{"room": {"player"}, "text": {"my own words"}}).Want(t, 200)
	ann.Post(t, "/api/board/game/"+id+"/resign", nil).Want(t, 200)
	const provider = "a secret of sixteen or more"
	engine, err := ann.Client(t).Engines.Register(t.Context(), openapi.ExternalEngineRegistration{
		Name: "my engine", MaxThreads: 1, MaxHash: 16, ProviderSecret: provider,
	})
	if err != nil {
		t.Fatal(err)
	}
	const many = 1100 // more than two pages
	err = s.Store.InTx(t.Context(), func(tx store.Store) error {
		var errs error
		for i := range many {
			at := time.Now()
			errs = errors.Join(errs,
				audit.AddBy(t.Context(), tx, at, audit.LoginFailed, "ann", "", fmt.Sprint("try ", i)),
				tx.CreateReport(t.Context(), store.Report{
					ID: audit.NewID(at), Created: at, ReporterID: "ann", AccusedID: "bob", Reason: "chat", Text: fmt.Sprint("text ", i),
				}))
		}
		return errs
	})
	if err != nil {
		t.Fatal(err)
	}

	var file bytes.Buffer
	if err := s.LogIn(t, "Ann").Client(t).Account.Export(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		f, err := archive.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if pgn := read("games.pgn"); !strings.Contains(pgn, `[GameId "`+id+`"]`) || !strings.Contains(pgn, "1. e4") {
		t.Errorf("games: %s", pgn)
	}
	if chat := read("chat.ndjson"); !strings.Contains(chat, "good luck") || strings.Contains(chat, "my own words") {
		t.Errorf("chat: %s", chat)
	}
	if puzzles := read("puzzles.ndjson"); puzzles != "" {
		t.Errorf("puzzles: %s", puzzles)
	}
	each := func(name, field string) map[string]int {
		count := map[string]int{}
		for line := range strings.Lines(read(name)) {
			var v map[string]any
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Fatal(err)
			}
			count[fmt.Sprint(v[field])]++
		}
		return count
	}
	if reports := each("reports.ndjson", "text"); len(reports) != many || reports["text 0"] != 1 {
		t.Errorf("%d different reports, want %d", len(reports), many)
	}
	if events := each("security.ndjson", "detail"); events["try 0"] != 1 || events["try 1099"] != 1 || len(events) <= many {
		t.Errorf("%d different events, want more than %d", len(events), many)
	}
	if kinds := each("security.ndjson", "kind"); kinds["login.failed"] != many || kinds["account.created"] != 1 {
		t.Errorf("events %v", kinds)
	}
	var about struct {
		ID      string
		Tokens  []struct{ Description string }
		Engines []struct{ ID string } `json:"externalEngines"`
	}
	text := read("account.json")
	if err := json.Unmarshal([]byte(text), &about); err != nil {
		t.Fatal(err)
	}
	if about.ID != "ann" || len(about.Tokens) != 1 || len(about.Engines) != 1 || about.Engines[0].ID != engine.ID {
		t.Errorf("account: %s", text)
	}
	for _, secret := range []string{"argon2", "lip_", engine.ClientSecret, provider} {
		if strings.Contains(text, secret) {
			t.Errorf("the export has a secret: %q", secret)
		}
	}
	_, err = ann.Client(t).Account.Security(t.Context(), openapi.AccountSecurityParams{})
	servertest.WantStatus(t, err, 403)
	servertest.WantStatus(t, ann.Client(t).Account.Export(t.Context(), io.Discard), 403)
}
