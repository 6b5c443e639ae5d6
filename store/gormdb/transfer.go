package gormdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hoplite/store"
	"hoplite/store/migrations"
)

// TableCount is how many rows of a table were carried over.
type TableCount struct {
	Table string
	Rows  int64
}

// ExistsError says that there is something where a whole database was to be put. Nothing is ever overwritten.
type ExistsError struct{ Where, What string }

func (e *ExistsError) Error() string {
	return fmt.Sprintf("%s: %s; nothing is overwritten", e.Where, e.What)
}

// Backup writes all of a database, as it is at one moment, to a new file, while others may go on using it. Whatever the
// database, the file is a SQLite database with the same tables, so that it can be looked at with any tool, checked with
// Hoplite's own, and restored to either database.
func Backup(ctx context.Context, dsn, file string) ([]TableCount, error) {
	if IsPostgres(file) {
		return nil, fmt.Errorf("backup %s: want the name of a file", file)
	}
	return copyToFile(ctx, dsn, file, false)
}

// Copy carries all of a database, as it is at one moment, to another one, which must be empty (SQLite: a file that does
// not exist). Others may go on using the first; nobody else uses the second meanwhile. Nothing is left there if Copy
// fails, except an empty schema on PostgreSQL. What was written is read again and compared.
//
// The schema goes over as it is, and is brought up to date afterwards.
func Copy(ctx context.Context, from, to string) (counts []TableCount, err error) {
	if IsPostgres(to) {
		return copyToPostgres(ctx, from, to)
	}
	path := filePath(to)
	lock, err := lockFile(path + ".lock")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.unlock()) }()
	return copyToFile(ctx, from, path, true)
}

// copyToFile makes a whole new file under another name first.
func copyToFile(ctx context.Context, from, path string, upgrade bool) (counts []TableCount, err error) {
	if err := checkAbsent(path); err != nil {
		return nil, err
	}
	partial := path + ".partial"
	// Only its owner may read what holds secrets.
	f, err := os.OpenFile(partial, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, &ExistsError{partial, "there is such a file of an attempt that was interrupted, or still goes on"}
	}
	if err != nil {
		return nil, fmt.Errorf("copy: %w", err)
	}
	err = f.Close()
	if err == nil {
		counts, err = fillFile(ctx, from, partial, upgrade)
	}
	if err == nil {
		err = publish(partial, path)
	}
	if err != nil {
		return nil, errors.Join(err, removeDatabase(partial))
	}
	return counts, nil
}

// fillFile writes the copy to an empty file, which is then complete and closed.
func fillFile(ctx context.Context, from, partial string, upgrade bool) (counts []TableCount, err error) {
	if IsPostgres(from) {
		counts, err = copyToSQLite(ctx, from, partial)
	} else {
		err = vacuumInto(ctx, filePath(from), partial)
	}
	if err != nil {
		return nil, err
	}
	if upgrade {
		db, err := Open(ctx, partial, Options{})
		if err == nil {
			err = db.Close()
		}
		if err != nil {
			return nil, err
		}
	}
	checked, err := sealFile(ctx, partial)
	if counts == nil {
		counts = checked
	}
	return counts, err
}

// vacuumInto is SQLite's own online backup. It reads one snapshot and keeps no writer waiting.
func vacuumInto(ctx context.Context, from, to string) error {
	src, err := openSource(ctx, from)
	if err != nil {
		return err
	}
	err = src.end(ctx) // VACUUM wants no transaction around it
	if err == nil {
		_, err = src.conn.ExecContext(ctx, "VACUUM INTO ?", to)
	}
	if err := errors.Join(fail(ctx, err, "copy of %s", from), src.close()); err != nil {
		return err
	}
	return freeLeases(ctx, to)
}

// freeLeases makes a copied file one that nobody serves, as far as its schema knows of that.
func freeLeases(ctx context.Context, path string) (err error) {
	db, err := sql.Open("sqlite", sqliteDSN(path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for table, statement := range map[string]string{
		"leases": "UPDATE leases SET node = '', expires = 0", "nodes": "DELETE FROM nodes",
	} {
		var there bool
		err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = ?)", table).Scan(&there)
		if err == nil && there {
			_, err = db.ExecContext(ctx, statement)
		}
		if err != nil {
			return fmt.Errorf("copy to %s: %w", path, err)
		}
	}
	return nil
}

// sealFile checks a SQLite file that nobody else uses, counts its rows and makes it one plain file.
func sealFile(ctx context.Context, path string) (counts []TableCount, err error) {
	db, err := sql.Open("sqlite", sqliteDSN(path, "journal_mode(DELETE)"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, check := range []string{"SELECT integrity_check FROM pragma_integrity_check LIMIT 1",
		`SELECT 'a row of ' || "table" || ' refers to none of ' || parent FROM pragma_foreign_key_check LIMIT 1`} {
		var found string
		err := db.QueryRowContext(ctx, check).Scan(&found)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, fmt.Errorf("check of the copy: %w", err)
		}
		if err == nil && found != "ok" {
			return nil, fmt.Errorf("the copy is damaged: %s", found)
		}
	}
	c, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	tables, err := tablesOf(ctx, migrations.SQLite, c)
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		n := TableCount{Table: t.name}
		if err := c.QueryRowContext(ctx, "SELECT count(*) FROM "+quote(t.name)).Scan(&n.Rows); err != nil {
			return nil, err
		}
		counts = append(counts, n)
	}
	return counts, nil
}

// publish makes a finished file durable under its name.
func publish(partial, path string) error {
	if err := syncPath(partial); err != nil {
		return err
	}
	if err := os.Rename(partial, path); err != nil {
		return err
	}
	return syncPath(filepath.Dir(path))
}

func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func filePath(dsn string) string { return strings.TrimPrefix(dsn, "sqlite://") }

// companions are the files that SQLite keeps beside a database.
func companions(path string) []string {
	return []string{path, path + "-wal", path + "-shm", path + "-journal"}
}

// checkAbsent makes sure that no file of a database is there. A log that is left over from another one would be played
// into the new.
func checkAbsent(path string) error {
	for _, name := range companions(path) {
		if _, err := os.Lstat(name); err == nil {
			return &ExistsError{name, "there is such a file already"}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func removeDatabase(path string) error {
	var errs []error
	for _, name := range companions(path) {
		if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// source is a database of which one moment is read.
type source struct {
	d       migrations.Dialect
	pool    *sql.DB
	conn    *sql.Conn
	version int64
	tables  []table
}

// openSource opens a database for reading, whatever version of the schema it has, and begins the snapshot.
func openSource(ctx context.Context, dsn string) (*source, error) {
	s := &source{d: migrations.SQLite}
	begin := "BEGIN"
	var err error
	if IsPostgres(dsn) {
		s.d, begin = migrations.Postgres, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
		s.pool, err = openPool(dsn)
	} else {
		if _, err := os.Stat(filePath(dsn)); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("database %s: %w", filePath(dsn), store.ErrNotFound)
		}
		s.pool, err = sql.Open("sqlite", sqliteDSN(filePath(dsn)))
	}
	if err != nil {
		return nil, err
	}
	if s.conn, err = s.pool.Conn(ctx); err == nil {
		_, err = s.conn.ExecContext(ctx, begin)
	}
	if err == nil {
		s.version, err = migrations.Version(ctx, s.d, s.conn)
	}
	if err == nil {
		s.tables, err = tablesOf(ctx, s.d, s.conn)
	}
	if err != nil {
		return nil, errors.Join(fail(ctx, err, "read the database"), s.close())
	}
	return s, nil
}

// end gives up the snapshot.
func (s *source) end(ctx context.Context) error {
	_, err := s.conn.ExecContext(ctx, "ROLLBACK")
	return err
}

func (s *source) close() error {
	var err error
	if s.conn != nil {
		err = s.conn.Close()
	}
	return errors.Join(err, s.pool.Close())
}
