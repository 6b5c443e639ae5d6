package gormdb_test

import (
	"context"
	"database/sql"
	"slices"
	"testing"

	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/store/storetest"
)

// TestCheckIntegrity breaks a sound database in every way that is looked for.
func TestCheckIntegrity(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		ctx := context.Background()
		db := storetest.Open(t, dsn)
		storetest.AddAccount(t, db, "a")
		storetest.AddAccount(t, db, "b")
		for _, id := range []string{"g1", "g2", "g3", "g4"} {
			g := storetest.NewGame(id, start, "a", "b")
			for i, step := range []func() store.Step{
				func() store.Step { return storetest.Begin(g) },
				func() store.Step { return storetest.Move(g, "m", "") },
				func() store.Step { return storetest.Finish(g, store.StatusMate, 0) },
			} {
				if _, err := db.CommitSteps(ctx, []store.Step{step()}, storetest.Rate); err != nil {
					t.Fatal(i, err)
				}
			}
		}
		found, err := db.CheckIntegrity(ctx)
		if err != nil || len(found) > 0 {
			t.Fatalf("a sound database: %q, %v", found, err)
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
		for _, s := range []string{
			"DELETE FROM actions WHERE game_id = 'g1' AND seq = 2",
			"UPDATE actions SET game_id = 'gone' WHERE game_id = 'g2' AND seq = 3",
			"DELETE FROM game_players WHERE game_id = 'g3'",
			"UPDATE game_players SET account_id = 'who' WHERE game_id = 'g4' AND seat = 0",
			"UPDATE game_players SET live = true WHERE game_id = 'g4' AND seat = 1",
		} {
			if _, err := raw.Exec(s); err != nil {
				t.Fatal(err)
			}
		}
		found, err = db.CheckIntegrity(ctx)
		want := []string{
			"action without a game: gone",
			"game whose log is not as long as it says: g1",
			"game whose log is not as long as it says: g2",
			"game without players: g3",
			"player of an unknown account: g4",
			"player whose game is over and on: g4",
		}
		if err != nil || !slices.Equal(found, want) {
			t.Fatalf("found %q, %v, want %q", found, err, want)
		}
	})
}
