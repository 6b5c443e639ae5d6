package main

import (
	"bytes"
	"context"
	"database/sql"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"hoplite/engine/variant"
	"hoplite/server/auth"
	"hoplite/server/bus"
	"hoplite/server/live"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/server/live/livetest"
	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/store/storetest"
)

// hoplite runs the program and returns what it printed.
func hoplite(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errOut bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(stdin), &out, &errOut)
	return code, out.String(), errOut.String()
}

func TestUser(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		steps := []struct {
			name, stdin string
			args        []string
			code        int
			out, err    string // patterns
		}{
			{"no database yet", "", []string{"user", "token", "leo"}, 1, `^$`, `there is no (database|account)`},
			{"password made", "", []string{"user", "create", "Leonidas"}, 0, `^password: [a-z0-9]{20,}\n$`, `^$`},
			{"bot", "", []string{"user", "create", "Robo", "--bot"}, 0, `^token: lip_\w{32}\n$`, `^$`},
			{"password read", "correct horse\r\nmore\n", []string{"user", "create", "Ann", "--password-stdin", "--role", "admin"}, 0, `^$`, `^$`},
			{"taken whatever the case", "", []string{"user", "create", "LEONIDAS"}, 1, `^$`, `name LEONIDAS is taken`},
			{"reserved", "", []string{"user", "create", "lichess"}, 1, `^$`, `is reserved`},
			{"odd name", "", []string{"user", "create", "a b"}, 1, `^$`, `may only have letters`},
			{"odd address", "", []string{"user", "create", "Bob", "--email", "at home"}, 1, `^$`, `not an e-mail address`},
			{"short password", "abc\n", []string{"user", "create", "Bob", "--password-stdin"}, 1, `^$`, `at least 8 characters`},
			{"no password at all", "", []string{"user", "create", "Bob", "--password-stdin"}, 1, `^$`, `at least 8 characters`},
			{"odd role", "", []string{"user", "create", "Bob", "--role", "king"}, 2, ``, `role`},
			{"new password", "battery staple\n", []string{"user", "password", "ann", "--password-stdin"}, 0, `^$`, `^$`},
			{"new password made", "", []string{"user", "password", "leonidas"}, 0, `^password: \w+\n$`, `^$`},
			{"whose password", "", []string{"user", "password", "nobody"}, 1, `^$`, `no account "nobody"`},
			{"token", "", []string{"user", "token", "LEONIDAS", "--scopes", "board:play,challenge:read", "--description", "Mine"}, 0, `^lip_\w{32}\n$`, `^$`},
			{"token of a bot", "", []string{"user", "token", "robo"}, 0, `^lip_\w{32}\n$`, `^$`},
			{"odd scope", "", []string{"user", "token", "robo", "--scopes", "all"}, 1, `^$`, `no such scope: "all"`},
			{"role", "", []string{"user", "role", "leonidas", "admin"}, 0, `^$`, `^$`},
			{"role taken away", "", []string{"user", "role", "ann", "none"}, 0, `^$`, `^$`},
			{"secret", "", []string{"secret", "rotate"}, 0, `^sessions are signed with secret \w+\n$`, `^$`},
			{"closed", "", []string{"user", "close", "Ann", "--ban", "--note", "engine use"}, 0, `^$`, `^$`},
			{"closed already", "", []string{"user", "close", "Ann", "--ban"}, 1, `^$`, `is closed already`},
			{"banned ones", "", []string{"user", "list", "an", "--state", "banned"}, 0, `^Ann +- +- +banned \d{4}-\d\d-\d\d *\n$`, `^$`},
			{"no link for the closed", "", []string{"user", "reset-link", "ann"}, 1, `^$`, `is closed`},
			{"reopened", "", []string{"user", "reopen", "ann"}, 0, `^$`, `^$`},
			{"open already", "", []string{"user", "reopen", "ann"}, 1, `^$`, `is open`},
			{"link", "", []string{"user", "reset-link", "ann", "--url", "https://chess.example/"}, 0, `^https://chess.example/password/reset#\w{32}\n$`, `^$`},
			{"sessions ended", "", []string{"user", "end-sessions", "ann"}, 0, `^$`, `^$`},
			{"second factor off", "", []string{"user", "totp-off", "ann"}, 0, `^$`, `^$`},
			{"invitation", "", []string{"invite", "create", "--note", "for Bea", "--url", "https://chess.example"}, 0, `^https://chess.example/signup\?invite=\w{24}\n$`, `^$`},
			{"invitations", "", []string{"invite", "list"}, 0, `^\w{10} +good until .*command line +for Bea\n$`, `^$`},
			{"no such invitation", "", []string{"invite", "revoke", "none"}, 1, `^$`, `No such invitation`},
			{"audit", "", []string{"audit", "--user", "ann", "--kind", "account.banned,account.reopened"}, 0, `(?s)account.reopened +ann +by command line.*account.banned +ann +by command line +- +engine use\n$`, `^$`},
			{"audit as JSON", "", []string{"audit", "--json", "--max", "1"}, 0, `^\{.*"kind":"invite.created".*\}\n$`, `^$`},
			{"schema", "", []string{"migrate"}, 0, `^up to date\n$`, `^$`},
			{"sound", "", []string{"doctor"}, 0, `(?s)^ok .*ok +replay of 0 games\n$`, `^$`},
		}
		if gormdb.IsPostgres(dsn) {
			// There the empty database exists, and has no schema yet.
			steps[0].name = "no account yet"
		}
		for _, s := range steps {
			code, out, errOut := hoplite(t, s.stdin, append([]string{"--db", dsn}, s.args...)...)
			if code != s.code || !regexp.MustCompile(s.out).MatchString(out) || !regexp.MustCompile(s.err).MatchString(errOut) {
				t.Fatalf("%s: exit %d, %q, %q; want %d, %q, %q", s.name, code, out, errOut, s.code, s.out, s.err)
			}
		}
		db := storetest.Open(t, dsn)
		ctx := context.Background()
		hasher := auth.NewHasher()
		account := func(id string) store.Account {
			a, err := db.AccountByID(ctx, id)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		if ok, err := hasher.Verify(ctx, account("ann").PasswordHash, "battery staple"); !ok || err != nil {
			t.Errorf("the new password does not open the account: %v", err)
		}
		if a := account("ann"); a.Role != "" || a.Name != "Ann" {
			t.Errorf("ann: %+v", a)
		}
		if account("leonidas").Role != "admin" {
			t.Error("leonidas is no administrator")
		}
		if a := account("robo"); !a.IsBot() || a.PasswordHash != "" {
			t.Errorf("robo: %+v", a)
		}
		tokens, err := db.TokensOf(ctx, "leonidas")
		if err != nil || len(tokens) != 1 || strings.Join(tokens[0].Scopes, " ") != "challenge:read board:play" && strings.Join(tokens[0].Scopes, " ") != "board:play challenge:read" ||
			tokens[0].Description != "Mine" {
			t.Errorf("tokens of leonidas: %+v, %v", tokens, err)
		}
		if tokens, err := db.TokensOf(ctx, "robo"); err != nil || len(tokens) != 2 || strings.Join(tokens[0].Scopes, " ") != "bot:play" {
			t.Errorf("tokens of robo: %+v, %v", tokens, err)
		}
	})
}

// TestPasswordEndsSessions checks that whoever has the old password is out.
func TestPasswordEndsSessions(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	db := storetest.Open(t, dsn)
	storetest.AddAccount(t, db, "Ann")
	ctx := context.Background()
	now := time.Now()
	err := db.CreateSession(ctx, store.Session{ID: "s", AccountID: "ann", Created: now, Expires: now.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	if code, _, errOut := hoplite(t, "", "--db", dsn, "user", "password", "Ann"); code != 0 {
		t.Fatal(errOut)
	}
	if list, err := db.SessionsOf(ctx, "ann"); err != nil || len(list) != 0 {
		t.Fatalf("%d sessions, %v", len(list), err)
	}
}

func TestMigrateBesideServer(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	if code, out, errOut := hoplite(t, "", "--db", dsn, "migrate"); code != 0 || !strings.Contains(out, "applied 0001_start.sql") {
		t.Fatal(code, out, errOut)
	}
	server, err := gormdb.Open(context.Background(), dsn, gormdb.Options{Exclusive: true})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if code, _, errOut := hoplite(t, "", "--db", dsn, "migrate"); code != 1 || !strings.Contains(errOut, "already served by pid") {
		t.Fatal(code, errOut)
	}
	if code, _, errOut := hoplite(t, "", "--db", dsn, "user", "create", "Ann"); code != 0 {
		t.Fatal(code, errOut)
	}
}

// TestDoctor plays games, finds them sound, and finds each way to spoil them.
func TestDoctor(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		games := playGames(t, db, 4)
		code, out, errOut := hoplite(t, "", "--db", dsn, "doctor")
		if code != 0 || !strings.Contains(out, "ok       replay of 4 games") {
			t.Fatal(code, out, errOut)
		}
		driver := "sqlite"
		if gormdb.IsPostgres(dsn) {
			driver = "pgx"
		}
		raw, err := sql.Open(driver, dsn)
		if err != nil {
			t.Fatal(err)
		}
		defer raw.Close()
		for i, s := range []string{
			"UPDATE games SET moves = moves || ' a1a1' WHERE id = ",
			"UPDATE games SET winner = 1 - winner WHERE id = ",
			"DELETE FROM actions WHERE seq = 2 AND game_id = ",
			"UPDATE actions SET data = replace(data, 'e', 'x') WHERE game_id = ",
		} {
			if _, err := raw.Exec(s + "'" + games[i] + "'"); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := raw.Exec("ALTER TABLE meta ADD COLUMN extra TEXT"); err != nil {
			t.Fatal(err)
		}
		code, out, errOut = hoplite(t, "", "--db", dsn, "doctor")
		if code != 1 || !strings.Contains(errOut, "problems in") {
			t.Fatal(code, out, errOut)
		}
		for _, id := range games {
			if !regexp.MustCompile(`problem  replay of 4 games: .*` + id).MatchString(out) {
				t.Errorf("the damage of game %s was not found:\n%s", id, out)
			}
		}
		for _, want := range []string{"meta.extra is unknown", "not as long as it says: " + games[2]} {
			if !strings.Contains(out, want) {
				t.Errorf("%q was not found:\n%s", want, out)
			}
		}
	})
	if code, _, errOut := hoplite(t, "", "--db", filepath.Join(t.TempDir(), "none.db"), "doctor"); code != 1 || !strings.Contains(errOut, "there is no database") {
		t.Fatal(code, errOut)
	}
}

// playGames plays n games to their end with the real service.
func playGames(t *testing.T, db store.Store, n int) []string {
	t.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	storetest.AddAccount(t, db, "Ann")
	storetest.AddAccount(t, db, "Bob")
	service := live.New(live.Deps{Store: db, Catalogue: set, Bus: bus.New()})
	ctx, cancel := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- service.Run(ctx) }()
	defer func() {
		cancel()
		<-ran
	}()
	rng := rand.New(rand.NewPCG(1, 2))
	ids := make([]string, n)
	for i := range ids {
		snap, err := service.Create(ctx, game.Setup{
			Variant: []string{"spartan", "seirawan", "standard", "chess960"}[i%4], StartNumber: -1, Rated: true, Source: "friend",
			Players: []game.Player{{AccountID: "ann", Name: "Ann", Rating: 1500}, {AccountID: "bob", Name: "Bob", Rating: 1500}},
			Control: clock.NewFischer(10*time.Minute, time.Second),
		})
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = snap.ID
		for !snap.Over() {
			a := game.Action{Kind: game.Resign, Player: snap.Turn}
			if snap.Plies() < 30 {
				if a, err = livetest.RandomAction(set, snap, rng); err != nil {
					t.Fatal(err)
				}
				if a.Kind != game.Move {
					continue
				}
			}
			ack, err := service.Act(ctx, snap.ID, a)
			if err != nil {
				t.Fatal(err)
			}
			snap = ack.Snapshot
		}
	}
	return ids
}

func TestReports(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		run := func(want int, args ...string) (out, errOut string) {
			t.Helper()
			code, out, errOut := hoplite(t, "", append([]string{"--db", dsn}, args...)...)
			if code != want {
				t.Fatalf("%v: exit %d, %q, %q", args, code, out, errOut)
			}
			return out, errOut
		}
		for _, name := range []string{"Ann", "Bob", "Cid"} {
			run(0, "user", "create", name)
		}
		db := storetest.Open(t, dsn)
		at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		for i, accused := range []string{"bob", "cid", "bob"} {
			r := store.Report{
				ID: "report" + string(rune('1'+i)), Created: at, ReporterID: "ann", AccusedID: accused, Reason: "chat",
				Text: "rude", GameID: "abcd1234", Line: "you lose",
			}
			if err := db.CreateReport(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		if out, _ := run(0, "report", "list", "--user", "BOB"); !regexp.MustCompile(
			`^report3 +2026-03-01 12:00:00 +chat +about bob +by ann +open +rude\nreport1 .*\n$`).MatchString(out) {
			t.Errorf("about bob: %q", out)
		}
		run(0, "report", "close", "report3", "talked to him")
		if _, why := run(1, "report", "close", "report3", "again"); !strings.Contains(why, "dealt with") {
			t.Errorf("closed twice: %q", why)
		}
		if _, why := run(1, "report", "close", "none", "x"); !strings.Contains(why, "No such report") {
			t.Errorf("an unknown one: %q", why)
		}
		if _, why := run(1, "report", "close", "report1", " "); !strings.Contains(why, "must say what was done") {
			t.Errorf("without a word: %q", why)
		}
		if out, _ := run(0, "report", "list"); strings.Contains(out, "report3") || strings.Count(out, "\n") != 2 {
			t.Errorf("open ones: %q", out)
		}
		out, _ := run(0, "report", "list", "--all", "--json", "--max", "1")
		for _, part := range []string{`"id":"report3"`, `"resolvedBy":"command line"`, `"note":"talked to him"`, `"line":"you lose"`} {
			if !strings.Contains(out, part) {
				t.Errorf("as JSON without %s: %s", part, out)
			}
		}
		if out, _ := run(0, "audit", "--kind", "report.resolved"); !strings.Contains(out, "by command line") || !strings.Contains(out, "report3: talked to him") {
			t.Errorf("audit log: %q", out)
		}
	})
}
