package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"hoplite/store"
	"hoplite/store/gormdb"
)

type backupCmd struct {
	File string `arg:"" help:"The file to write, which must not exist: a SQLite database, whatever the server uses."`
}

// Run writes the backup. A server may be running.
func (c *backupCmd) Run(ctx context.Context, g *Globals, s *streams) error {
	counts, err := gormdb.Backup(ctx, g.DB, c.File)
	if err != nil {
		return databaseError(g, err)
	}
	return reportCopy(s, counts, c.File)
}

type restoreCmd struct {
	File string `arg:"" help:"The backup to read."`
}

// Run fills the database that --db names, which must be new, and brings it up to date.
func (c *restoreCmd) Run(ctx context.Context, g *Globals, s *streams) error {
	if gormdb.IsPostgres(c.File) {
		return errors.New("restore reads a file; hoplite copy reads a database")
	}
	return carry(ctx, s, c.File, g.DB)
}

type copyCmd struct {
	From string `required:"" placeholder:"FILE|URL" help:"The database to read. A server may be running on it."`
	To   string `required:"" placeholder:"FILE|URL" help:"The new database: a file that does not exist, or an empty PostgreSQL database or schema."`
}

// Run copies a database, as it is at one moment.
func (c *copyCmd) Run(ctx context.Context, s *streams) error {
	return carry(ctx, s, c.From, c.To)
}

func carry(ctx context.Context, s *streams, from, to string) error {
	counts, err := gormdb.Copy(ctx, from, to)
	if _, locked := errors.AsType[*store.LockedError](err); locked {
		return nameDatabase(to, err)
	}
	if err != nil {
		return nameDatabase(from, err)
	}
	return reportCopy(s, counts, to)
}

func reportCopy(s *streams, counts []gormdb.TableCount, to string) error {
	var rows int64
	for _, c := range counts {
		rows += c.Rows
		if _, err := fmt.Fprintf(s.out, "%-20s %10d\n", c.Table, c.Rows); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(s.out, "%d rows of %d tables are in %s\n", rows, len(counts), hidePassword(to))
	return err
}

// hidePassword is the name of a database as it may be shown.
func hidePassword(dsn string) string {
	if !gormdb.IsPostgres(dsn) {
		return dsn
	}
	u, err := url.Parse(dsn)
	if err != nil {
		return "the PostgreSQL database"
	}
	return u.Redacted()
}
