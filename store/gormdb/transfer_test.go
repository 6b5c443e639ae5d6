package gormdb_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/store/migrations"
	"hoplite/store/storetest"
)

// openRaw opens a SQLite file without any of the store's care.
func openRaw(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// tableNames returns every table of the schema but those that say who serves the database, so that a table that comes later is tested too.
func tableNames(t *testing.T, db *sql.DB) []string {
	t.Helper()
	var all string
	err := db.QueryRow(`SELECT group_concat(name, ' ') FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT IN (?, 'leases', 'nodes')`,
		migrations.VersionTable).Scan(&all)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(all)
}

// fill puts rows into every table. Row i has the same text in every column, so that whatever refers to another table
// finds its row.
func fill(t *testing.T, path string, rows int) {
	t.Helper()
	db := openRaw(t, path)
	// Somebody serves it. Older schemas know nothing of that.
	_, _ = db.Exec("UPDATE leases SET node = 'somebody', epoch = 3, expires = 9000000000000")
	_, _ = db.Exec("INSERT INTO nodes (id, expires) VALUES ('somebody', 9000000000000)")
	for _, name := range tableNames(t, db) {
		cols, err := db.Query(`SELECT name, lower(type), "notnull" = 0 AND pk = 0 FROM pragma_table_info(?)`, name)
		if err != nil {
			t.Fatal(err)
		}
		var names, values []string
		for cols.Next() {
			var col, kind string
			var nullable bool
			if err := cols.Scan(&col, &kind, &nullable); err != nil {
				t.Fatal(err)
			}
			v := map[string]string{
				"text":    `'r' || i || ' é''"\' || char(10)`,
				"integer": `CASE i WHEN 0 THEN 9223372036854775807 WHEN 1 THEN -9223372036854775808 ELSE i END`,
				"real":    `CASE i WHEN 0 THEN 1.7976931348623157e308 WHEN 1 THEN 5e-324 WHEN 2 THEN 1500 ELSE i / 3.0 END`,
				"boolean": `i % 2 = 1`,
				"blob":    `CASE i WHEN 0 THEN x'' ELSE CAST(i AS BLOB) || x'00ff' END`,
			}[kind]
			if v == "" {
				t.Fatalf("column %s.%s is of type %s, which this test does not know", name, col, kind)
			}
			if kind == "blob" {
				v = "CAST(" + v + " AS BLOB)"
			}
			if nullable {
				v = "CASE i % 3 WHEN 0 THEN NULL ELSE " + v + " END"
			}
			names, values = append(names, `"`+col+`"`), append(values, v)
		}
		if err := errors.Join(cols.Err(), cols.Close()); err != nil {
			t.Fatal(err)
		}
		_, err = db.Exec(fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO %s (%s) SELECT %s FROM n`,
			rows-1, name, strings.Join(names, ", "), strings.Join(values, ", ")))
		if err != nil {
			t.Fatalf("fill %s: %v", name, err)
		}
	}
}

// equalFiles compares two SQLite files row by row, with statements of SQLite's own.
func equalFiles(t *testing.T, a, b string) {
	t.Helper()
	db := openRaw(t, a)
	if _, err := db.Exec("ATTACH ? AS other", b); err != nil {
		t.Fatal(err)
	}
	for _, name := range tableNames(t, db) {
		var missing, more int
		err := db.QueryRow(fmt.Sprintf(`SELECT (SELECT count(*) FROM (SELECT * FROM main.%[1]s EXCEPT SELECT * FROM other.%[1]s)),
			(SELECT count(*) FROM other.%[1]s) - (SELECT count(*) FROM main.%[1]s)`, name)).Scan(&missing, &more)
		if err != nil || missing != 0 || more != 0 {
			t.Errorf("%s: %d rows of %s are missing, %d too many: %v", filepath.Base(b), missing, name, more, err)
		}
	}
}

// TestCopy carries rows of every table through both databases and back.
func TestCopy(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	const rows = 5003 // more than one transaction
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	first := file("first.db")
	if err := storetest.Open(t, first).Ping(ctx); err != nil {
		t.Fatal(err)
	}
	fill(t, first, rows)
	move := func(from, to string) {
		t.Helper()
		counts, err := gormdb.Copy(ctx, from, to)
		if err != nil {
			t.Fatalf("copy: %v", err)
		}
		if len(counts) < 15 {
			t.Errorf("only %d tables: %v", len(counts), counts)
		}
		for _, c := range counts {
			if c.Rows != rows {
				t.Errorf("%d rows of %s, want %d", c.Rows, c.Table, rows)
			}
		}
		copied := storetest.Open(t, to)
		if err := copied.CheckSchema(ctx); err != nil {
			t.Error(err)
		}
		roll, err := copied.RenewLeases(ctx, "me", time.Minute)
		if err != nil || len(roll.Nodes) != 1 || len(roll.Leases) != store.Shards+1 {
			t.Errorf("%d leases, nodes %v, %v", len(roll.Leases), roll.Nodes, err)
		}
		for _, l := range roll.Leases {
			if !l.Free() {
				t.Fatalf("a lease came along: %+v", l)
			}
		}
	}
	move(first, file("second.db"))
	equalFiles(t, first, file("second.db"))
	if info, err := os.Stat(file("second.db")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read what holds secrets: %v, %v", info.Mode(), err)
	}
	pg, ok := storetest.PostgresDSN(t)
	if !ok {
		t.Logf("%s is not set: SQLite only", storetest.PostgresEnv)
		return
	}
	move(first, pg)
	move(pg, file("third.db"))
	equalFiles(t, first, file("third.db"))
	again, _ := storetest.PostgresDSN(t)
	move(pg, again)
	if _, err := gormdb.Backup(ctx, again, file("fourth.db")); err != nil {
		t.Fatal(err)
	}
	equalFiles(t, first, file("fourth.db"))
	// A counter of the database's own would have to be carried over as well.
	pool, err := sql.Open("pgx", pg)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var counters int
	err = pool.QueryRow(`SELECT count(*) FROM pg_class WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace AND relname NOT LIKE $1`,
		migrations.VersionTable+"%").Scan(&counters)
	if err != nil || counters != 0 {
		t.Errorf("%d sequences, which a copy does not know: %v", counters, err)
	}
	var exists *gormdb.ExistsError
	if _, err := gormdb.Copy(ctx, first, pg); !errors.As(err, &exists) {
		t.Errorf("a copy into a database that is not empty: %v", err)
	}
	server, err := gormdb.Open(ctx, pg, gormdb.Options{Exclusive: true})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	var locked *store.LockedError
	if _, err := gormdb.Copy(ctx, first, pg); !errors.As(err, &locked) {
		t.Errorf("a copy below a server: %v", err)
	}
}

// TestCopyOfOlderSchema backs up before an upgrade, and restores after it.
func TestCopyOfOlderSchema(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	old, backup := filepath.Join(dir, "old.db"), filepath.Join(dir, "backup.db")
	db := openRaw(t, old)
	if err := migrations.UpTo(ctx, migrations.SQLite, db, 1); err != nil {
		t.Fatal(err)
	}
	fill(t, old, 3)
	if _, err := gormdb.Backup(ctx, old, backup); err != nil {
		t.Fatal(err)
	}
	equalFiles(t, old, backup)
	targets := []string{filepath.Join(dir, "new.db")}
	if pg, ok := storetest.PostgresDSN(t); ok {
		targets = append(targets, pg)
	}
	for _, to := range targets {
		if _, err := gormdb.Copy(ctx, backup, to); err != nil {
			t.Fatal(err)
		}
		restored, err := gormdb.Open(ctx, to, gormdb.Options{KeepSchema: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(restored.CheckSchema(ctx), restored.Close()); err != nil {
			t.Error(err)
		}
	}
}

// TestCopyRefuses checks that nothing is overwritten, and nothing half-done left behind.
func TestCopyRefuses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	good := file("good.db")
	storetest.AddAccount(t, storetest.Open(t, good), "Ann")
	write := func(name, text string) string {
		if err := os.WriteFile(file(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file(name)
	}
	foreign := openRaw(t, file("foreign.db"))
	if _, err := foreign.Exec("CREATE TABLE t (a TEXT)"); err != nil {
		t.Fatal(err)
	}
	newer := openRaw(t, file("newer.db"))
	if _, err := gormdb.Backup(ctx, good, file("newer.db.copy")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file("newer.db.copy"), file("newer.db")); err != nil {
		t.Fatal(err)
	}
	if _, err := newer.Exec("INSERT INTO schema_version (version_id, is_applied) VALUES (9999, 1)"); err != nil {
		t.Fatal(err)
	}
	write("log.db-wal", "left over")
	write("interrupted.db.partial", "")
	for _, tt := range []struct{ name, from, to, want string }{
		{"file is there", good, write("there.db", "precious"), "there is such a file already"},
		{"log is there", good, file("log.db"), "log.db-wal"},
		{"interrupted", good, file("interrupted.db"), "interrupted.db.partial"},
		{"no source", file("none.db"), file("a.db"), "not found"},
		{"no database", write("text.db", strings.Repeat("no database at all\n", 100)), file("b.db"), "not a database"},
		{"foreign", file("foreign.db"), file("c.db"), "none of Hoplite's"},
		{"newer", file("newer.db"), file("d.db"), "schema version 9999"},
		{"no folder", good, file("nowhere/e.db"), "no such file"},
	} {
		for what, do := range map[string]func(context.Context, string, string) ([]gormdb.TableCount, error){
			"copy": gormdb.Copy, "backup": gormdb.Backup,
		} {
			if _, err := do(ctx, tt.from, tt.to); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s, %s: %v, want %q", what, tt.name, err, tt.want)
			}
		}
	}
	if text, err := os.ReadFile(file("there.db")); err != nil || string(text) != "precious" {
		t.Errorf("it was overwritten: %q, %v", text, err)
	}
	for _, pattern := range []string{"[a-e].db*", "*.partial-*"} {
		left, err := filepath.Glob(file(pattern))
		for _, name := range left {
			if !strings.HasSuffix(name, ".lock") {
				t.Errorf("left behind: %s, %v", left, err)
			}
		}
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := gormdb.Copy(stopped, good, file("f.db")); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if _, err := os.Stat(file("f.db.partial")); err == nil {
		t.Error("a stopped copy is left behind")
	}
}
