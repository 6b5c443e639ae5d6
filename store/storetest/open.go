// Package storetest tests implementations of the store, and gives the tests of
// others a store to work with.
package storetest

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"hoplite/store"
	"hoplite/store/gormdb"
)

// PostgresEnv names the environment variable with the address of a PostgreSQL
// database for tests. Each test makes a schema of its own there. Without it
// tests run on SQLite alone.
const PostgresEnv = "HOPLITE_TEST_POSTGRES"

// New returns an empty SQLite store in the test's own folder.
func New(t testing.TB) *gormdb.DB {
	t.Helper()
	return Open(t, SQLiteDSN(t))
}

// SQLiteDSN returns the name of a file that does not exist yet, in a folder
// that goes with the test.
func SQLiteDSN(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "test.db")
}

// PostgresDSN returns the address of an empty schema that goes with the test,
// or false if there is no PostgreSQL to test with.
func PostgresDSN(t testing.TB) (string, bool) {
	t.Helper()
	base := os.Getenv(PostgresEnv)
	if base == "" {
		return "", false
	}
	schema := "t_" + strings.ToLower(rand.Text()[:16])
	run := func(sql string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		c, err := pgx.Connect(ctx, base)
		if err != nil {
			t.Fatalf("%s: %v", PostgresEnv, err)
		}
		defer c.Close(ctx)
		// Whether the schema is there after a power cut matters to nobody.
		if _, err := c.Exec(ctx, "SET synchronous_commit = off; "+sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	run("CREATE SCHEMA " + schema)
	t.Cleanup(func() { run("DROP SCHEMA " + schema + " CASCADE") })
	u, err := url.Parse(base)
	if err != nil {
		t.Fatalf("%s: %v", PostgresEnv, err)
	}
	v := u.Query()
	v.Set("search_path", schema)
	u.RawQuery = v.Encode()
	return u.String(), true
}

// Open opens a store that is closed with the test.
func Open(t testing.TB, dsn string) *gormdb.DB {
	t.Helper()
	db, err := gormdb.Open(context.Background(), dsn, gormdb.Options{})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return db
}

// Each runs f on an empty store of each database there is to test with.
func Each(t *testing.T, f func(t *testing.T, db *gormdb.DB)) {
	t.Helper()
	EachDSN(t, func(t *testing.T, dsn string) { f(t, Open(t, dsn)) })
}

// EachDSN is Each for tests that open the store themselves.
func EachDSN(t *testing.T, f func(t *testing.T, dsn string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { f(t, SQLiteDSN(t)) })
	if os.Getenv(PostgresEnv) == "" {
		return
	}
	t.Run("postgres", func(t *testing.T) {
		dsn, _ := PostgresDSN(t)
		f(t, dsn)
	})
}

// now is the time that the records made here carry.
var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// AddAccount stores an open account with this name.
func AddAccount(t testing.TB, s store.Accounts, name string) store.Account {
	t.Helper()
	a := store.Account{ID: strings.ToLower(name), Name: name, Created: now}
	if err := s.CreateAccount(context.Background(), a); err != nil {
		t.Fatalf("account %s: %v", name, err)
	}
	return a
}

// NewGame returns a rated blitz game between two accounts that begins.
func NewGame(id string, created time.Time, white, black string) *store.Game {
	return &store.Game{
		ID: id, Variant: "spartan", Speed: "blitz", Perf: "spartan", Rated: true, Source: "friend", Created: created,
		Players: []store.GamePlayer{
			{AccountID: white, Name: white, Rating: 1500, Provisional: true},
			{AccountID: black, Name: black, Rating: 1500, Provisional: true},
		},
		HasClock: true, Limit: 3 * time.Minute, Increment: 2 * time.Second,
		GameState: store.GameState{
			Status: store.StatusStarted, Winner: -1, LastMove: created,
			Clocks: []time.Duration{3 * time.Minute, 3 * time.Minute},
		},
	}
}

// Begin is the step that starts a game, with one row.
func Begin(g *store.Game) store.Step {
	g.Seq = 1
	return store.Step{New: g, Rows: []store.Action{{GameID: g.ID, Seq: 1, Kind: "start", Player: -1, At: g.Created}}}
}

// Move is the step that plays a move a second after the last, and changes g to
// what it leads to.
func Move(g *store.Game, uci, actionID string) store.Step {
	player := g.Turn
	g.Seq++
	g.Plies++
	g.Turn = 1 - g.Turn
	g.Moves = strings.TrimPrefix(g.Moves+" "+uci, " ")
	g.LastMove = g.LastMove.Add(time.Second)
	g.TurnStart = g.LastMove
	g.Clocks = append([]time.Duration(nil), g.Clocks...)
	g.Clocks[player] += g.Increment - time.Second
	g.ClockHistory = append(g.ClockHistory[:len(g.ClockHistory):len(g.ClockHistory)], g.Clocks[player])
	g.Deadline = g.TurnStart.Add(g.Clocks[g.Turn])
	return store.Step{GameID: g.ID, State: g.GameState, Rows: []store.Action{{
		GameID: g.ID, Seq: g.Seq, Kind: "move", Player: player, ActionID: actionID, At: g.LastMove,
		Data: fmt.Appendf(nil, `{"uci":%q}`, uci),
	}}}
}

// Finish is the step that ends a game; winner -1 is a draw.
func Finish(g *store.Game, status store.Status, winner int) store.Step {
	g.Seq++
	g.Status, g.Winner = status, winner
	g.Deadline, g.TurnStart = time.Time{}, time.Time{}
	s := store.Step{GameID: g.ID, State: g.GameState, Counts: store.FinishCounts(g), Rows: []store.Action{
		{GameID: g.ID, Seq: g.Seq, Kind: "end", Player: -1, At: g.LastMove},
	}}
	if g.Rated && status.Counts() {
		score := map[int]float64{-1: 0.5, 0: 1, 1: 0}[winner]
		s.Rate = &store.RateRequest{
			Keys: [2]string{g.Perf, g.Perf}, Accounts: [2]string{g.Players[0].AccountID, g.Players[1].AccountID}, Score: score, At: g.LastMove,
		}
	}
	return s
}

// Rate is a rating for tests: the winner takes ten points.
func Rate(a, b store.Perf, score float64, at time.Time) (store.Perf, store.Perf) {
	d := 20 * (score - 0.5)
	a.Rating, b.Rating = a.Rating+d, b.Rating-d
	a.Games++
	b.Games++
	a.Progress, b.Progress = a.Progress+int(d), b.Progress-int(d)
	a.Updated, b.Updated = at, at
	return a, b
}
