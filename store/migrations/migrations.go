// Package migrations holds the database schema as numbered SQL files, one
// folder a dialect, and brings a database up to date with them. The files are
// never edited after a release; a change is a new number in both folders.
package migrations

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed sqlite/*.sql postgres/*.sql
var files embed.FS

// Dialect chooses a folder.
type Dialect string

// The databases that Hoplite runs on.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
)

// VersionTable is the table that says which migrations a database has had.
const VersionTable = "schema_version"

// ErrNoSchema says that a database is not one of Hoplite's.
var ErrNoSchema = errors.New("the database is none of Hoplite's")

// NewerError says that the database was made by a later version of Hoplite.
type NewerError struct{ Database, Known int64 }

func (e *NewerError) Error() string {
	return fmt.Sprintf("the database has schema version %d, this program knows up to %d", e.Database, e.Known)
}

// Up brings the schema up to date and returns the names of the files that it
// applied. On PostgreSQL it holds a lock, so that several nodes may start
// together, and needs two connections; on SQLite the caller's connection must
// be the only writer.
func Up(ctx context.Context, d Dialect, db *sql.DB) ([]string, error) {
	return up(ctx, d, db, (*goose.Provider).Up)
}

// UpTo is Up as far as one version, for a copy of a database that has no more.
func UpTo(ctx context.Context, d Dialect, db *sql.DB, version int64) error {
	_, err := up(ctx, d, db, func(p *goose.Provider, ctx context.Context) ([]*goose.MigrationResult, error) {
		return p.UpTo(ctx, version)
	})
	return err
}

// Version returns which version of the schema a database has. It changes nothing, and returns *NewerError or ErrNoSchema
// for what this program cannot read.
func Version(ctx context.Context, d Dialect, c *sql.Conn) (int64, error) {
	exists := "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '" + VersionTable + "'"
	if d == Postgres {
		exists = "SELECT count(to_regclass('" + VersionTable + "'))"
	}
	var n, version, known int64
	if err := c.QueryRowContext(ctx, exists).Scan(&n); err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, ErrNoSchema
	}
	if err := c.QueryRowContext(ctx, "SELECT max(version_id) FROM "+VersionTable).Scan(&version); err != nil {
		return 0, err
	}
	names, err := fs.Glob(files, string(d)+"/*.sql")
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		number, err := goose.NumericComponent(name)
		if err != nil {
			return 0, err
		}
		known = max(known, number)
	}
	if version > known {
		return 0, &NewerError{Database: version, Known: known}
	}
	return version, nil
}

func up(
	ctx context.Context, d Dialect, db *sql.DB, run func(*goose.Provider, context.Context) ([]*goose.MigrationResult, error),
) ([]string, error) {
	if d == Postgres {
		unlock, err := lock(ctx, db)
		if err != nil {
			return nil, fmt.Errorf("lock the schema: %w", err)
		}
		defer unlock()
	}
	p, err := provider(d, db)
	if err != nil {
		return nil, err
	}
	if err := check(ctx, p); err != nil {
		return nil, err
	}
	done, err := run(p, ctx)
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	names := make([]string, 0, len(done))
	for _, r := range done {
		names = append(names, r.Source.Path)
	}
	return names, nil
}

// lock waits for its turn on this schema. goose has such a lock, but looks at it
// every five seconds only, takes it after it has made its table, and has one
// for all schemas of a database.
func lock(ctx context.Context, db *sql.DB) (unlock func(), err error) {
	c, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	const key = "hashtextextended('hoplite ' || current_schema(), 0)"
	if _, err := c.ExecContext(ctx, "SELECT pg_advisory_lock("+key+")"); err != nil {
		c.Close()
		return nil, err
	}
	return func() {
		if _, err := c.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock("+key+")"); err != nil {
			// The lock goes with the connection.
			_ = c.Raw(func(any) error { return driver.ErrBadConn })
		}
		c.Close()
	}, nil
}

// Pending reports whether Up would do anything.
func Pending(ctx context.Context, d Dialect, db *sql.DB) (bool, error) {
	p, err := provider(d, db)
	if err != nil {
		return false, err
	}
	if err := check(ctx, p); err != nil {
		return false, err
	}
	return p.HasPending(ctx)
}

func check(ctx context.Context, p *goose.Provider) error {
	have, known, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	if have > known {
		return &NewerError{Database: have, Known: known}
	}
	return nil
}

func provider(d Dialect, db *sql.DB) (*goose.Provider, error) {
	dir, err := fs.Sub(files, string(d))
	if err != nil {
		return nil, err
	}
	dialect := goose.DialectSQLite3
	if d == Postgres {
		dialect = goose.DialectPostgres
	}
	p, err := goose.NewProvider(dialect, db, dir, goose.WithTableName(VersionTable), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fmt.Errorf("migrations for %s: %w", d, err)
	}
	return p, nil
}
