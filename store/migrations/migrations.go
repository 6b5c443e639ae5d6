// Package migrations holds the database schema as numbered SQL files, one
// folder a dialect, and brings a database up to date with them. The files are
// never edited after a release; a change is a new number in both folders.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
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

// NewerError says that the database was made by a later version of Hoplite.
type NewerError struct{ Database, Known int64 }

func (e *NewerError) Error() string {
	return fmt.Sprintf("the database has schema version %d, this program knows up to %d", e.Database, e.Known)
}

// Up brings the schema up to date and returns the names of the files that it
// applied. On PostgreSQL it holds a lock, so that several nodes may start
// together; on SQLite the caller's connection must be the only writer.
func Up(ctx context.Context, d Dialect, db *sql.DB) ([]string, error) {
	p, err := provider(d, db)
	if err != nil {
		return nil, err
	}
	if err := check(ctx, p); err != nil {
		return nil, err
	}
	done, err := p.Up(ctx)
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	names := make([]string, 0, len(done))
	for _, r := range done {
		names = append(names, r.Source.Path)
	}
	return names, nil
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
	opts := []goose.ProviderOption{goose.WithTableName("schema_version"), goose.WithDisableGlobalRegistry(true)}
	dialect := goose.DialectSQLite3
	if d == Postgres {
		dialect = goose.DialectPostgres
		locker, err := lock.NewPostgresSessionLocker()
		if err != nil {
			return nil, err
		}
		opts = append(opts, goose.WithSessionLocker(locker))
	}
	p, err := goose.NewProvider(dialect, db, dir, opts...)
	if err != nil {
		return nil, fmt.Errorf("migrations for %s: %w", d, err)
	}
	return p, nil
}
