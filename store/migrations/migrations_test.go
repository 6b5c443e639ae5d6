package migrations_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	_ "github.com/glebarez/go-sqlite"
	_ "github.com/jackc/pgx/v5/stdlib"

	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/store/migrations"
	"hoplite/store/storetest"
)

var ctx = context.Background()

func openSQL(t *testing.T, driver, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// TestModels migrates from empty and compares the tables with the models, and
// makes sure that a difference would be found.
func TestModels(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		if err := db.CheckSchema(ctx); err != nil {
			t.Fatal(err)
		}
		driver := "sqlite"
		if gormdb.IsPostgres(dsn) {
			driver = "pgx"
		}
		raw := openSQL(t, driver, dsn)
		for _, s := range []string{"ALTER TABLE seeks ADD COLUMN extra INTEGER", "ALTER TABLE seeks DROP COLUMN color"} {
			if _, err := raw.Exec(s); err != nil {
				t.Fatal(err)
			}
		}
		err := db.CheckSchema(ctx)
		if err == nil || !strings.Contains(err.Error(), "seeks.extra") || !strings.Contains(err.Error(), "seeks.color") {
			t.Fatalf("two differences, found: %v", err)
		}
	})
}

// TestDialects compares the two schemas with each other: tables, columns,
// keys, references, and the indexes with their conditions.
func TestDialects(t *testing.T) {
	t.Parallel()
	dsn, ok := storetest.PostgresDSN(t)
	if !ok {
		t.Logf("without %s the files are only compared by name", storetest.PostgresEnv)
		var names [2][]string
		for i, d := range []string{"sqlite", "postgres"} {
			err := fs.WalkDir(os.DirFS(d), ".", func(path string, _ fs.DirEntry, err error) error {
				names[i] = append(names[i], path)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if d := cmp.Diff(names[0], names[1]); d != "" {
			t.Fatalf("migrations (-sqlite +postgres):\n%s", d)
		}
		return
	}
	lite, pg := openSQL(t, "sqlite", storetest.SQLiteDSN(t)), openSQL(t, "pgx", dsn)
	for d, db := range map[migrations.Dialect]*sql.DB{migrations.SQLite: lite, migrations.Postgres: pg} {
		done, err := migrations.Up(ctx, d, db)
		if err != nil || len(done) == 0 {
			t.Fatalf("%s: %v %v", d, done, err)
		}
		done, err = migrations.Up(ctx, d, db)
		if err != nil || len(done) != 0 {
			t.Fatalf("%s again: %v %v", d, done, err)
		}
	}
	got := query(t, lite, `
		SELECT 'column ' || m.name || '.' || c.name || ' ' || lower(c.type) || CASE WHEN c."notnull" THEN ' not null' ELSE '' END
		|| CASE WHEN c.pk > 0 THEN ' key ' || c.pk ELSE '' END
		FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name <> 'schema_version'
		UNION ALL
		SELECT 'reference ' || m.name || '.' || f."from" || ' ' || f."table" || '.' || f."to"
		FROM sqlite_master m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'
		UNION ALL SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL`)
	want := query(t, pg, `
		SELECT 'column ' || c.table_name || '.' || c.column_name || ' ' || c.data_type || CASE WHEN c.is_nullable = 'NO' THEN ' not null' ELSE '' END
		|| coalesce(' key ' || k.ordinal_position, '')
		FROM information_schema.columns c LEFT JOIN information_schema.key_column_usage k
		ON k.table_schema = c.table_schema AND k.table_name = c.table_name AND k.column_name = c.column_name AND k.constraint_name LIKE '%_pkey'
		WHERE c.table_schema = current_schema() AND c.table_name <> 'schema_version'
		UNION ALL
		SELECT 'reference ' || k.table_name || '.' || k.column_name || ' ' || u.table_name || '.' || u.column_name
		FROM information_schema.key_column_usage k JOIN information_schema.constraint_column_usage u
		ON u.constraint_schema = k.constraint_schema AND u.constraint_name = k.constraint_name
		WHERE k.table_schema = current_schema() AND k.constraint_name LIKE '%_fkey'
		UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() AND indexname NOT LIKE '%_pkey'`)
	if d := cmp.Diff(got, want); d != "" {
		t.Fatalf("schemas (-sqlite +postgres):\n%s", d)
	}
	if len(got) < 150 {
		t.Fatalf("only %d facts compared", len(got))
	}
}

// query returns the facts of a schema, in one spelling and sorted.
func query(t *testing.T, db *sql.DB, text string) []string {
	t.Helper()
	rows, err := db.Query(text)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	drop := regexp.MustCompile(`[()"]|::text|::double precision|using btree |t_[a-z0-9]{16}\.`)
	same := strings.NewReplacer("integer", "bigint", "real", "double precision", "blob", "bytea", ", ", ",")
	space := regexp.MustCompile(`\s+`)
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		s = drop.ReplaceAllString(strings.ToLower(s), "")
		out = append(out, same.Replace(space.ReplaceAllString(s, " ")))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

func TestNewerSchema(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		driver, insert := "sqlite", "INSERT INTO schema_version (version_id, is_applied) VALUES (9999, 1)"
		if gormdb.IsPostgres(dsn) {
			driver, insert = "pgx", "INSERT INTO schema_version (version_id, is_applied) VALUES (9999, true)"
		}
		_, err := gormdb.Open(ctx, dsn, gormdb.Options{KeepSchema: true})
		if !errors.Is(err, gormdb.ErrSchema) {
			t.Fatalf("empty database with its schema kept: %v", err)
		}
		db, err := gormdb.Open(ctx, dsn, gormdb.Options{})
		if err != nil {
			t.Fatal(err)
		}
		db.Close()
		db, err = gormdb.Open(ctx, dsn, gormdb.Options{KeepSchema: true})
		if err != nil {
			t.Fatal(err)
		}
		db.Close()
		if _, err := openSQL(t, driver, dsn).Exec(insert); err != nil {
			t.Fatal(err)
		}
		_, err = gormdb.Open(ctx, dsn, gormdb.Options{})
		var newer *migrations.NewerError
		if !errors.As(err, &newer) || newer.Database != 9999 {
			t.Fatalf("database of a later version: %v", err)
		}
	})
}

// TestStartTogether lets several nodes bring one empty PostgreSQL up to date.
func TestStartTogether(t *testing.T) {
	t.Parallel()
	dsn, ok := storetest.PostgresDSN(t)
	if !ok {
		return
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			db, err := gormdb.Open(ctx, dsn, gormdb.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			if err := db.CheckSchema(ctx); err != nil {
				t.Error(err)
			}
			db.Close()
		})
	}
	wg.Wait()
}

// TestAuditLogOnlyGrows asks the databases themselves to change what was logged.
func TestAuditLogOnlyGrows(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		if err := db.AddAudit(ctx, store.AuditEvent{ID: "1", Kind: "login", AccountID: "ann"}); err != nil {
			t.Fatal(err)
		}
		driver := "sqlite"
		if gormdb.IsPostgres(dsn) {
			driver = "pgx"
		}
		raw := openSQL(t, driver, dsn)
		for _, s := range []string{"DELETE FROM audit_events", "UPDATE audit_events SET kind = 'x'"} {
			if _, err := raw.Exec(s); err == nil || !strings.Contains(err.Error(), "the audit log only grows") {
				t.Errorf("%s: %v", s, err)
			}
		}
		if got, err := db.Audit(ctx, store.AuditFilter{Limit: 9}); err != nil || len(got) != 1 || got[0].Kind != "login" {
			t.Errorf("the log is now %+v, %v", got, err)
		}
	})
}
