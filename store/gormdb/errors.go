package gormdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"

	gosqlite "github.com/glebarez/go-sqlite"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"hoplite/store"
)

// fail wraps an error of the database with what was asked, under the sentinel
// that it means. A nil error stays nil.
func fail(ctx context.Context, err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	what := fmt.Sprintf(format, args...)
	if isOurs(err) {
		return fmt.Errorf("%s: %w", what, err)
	}
	if errors.Is(err, gorm.ErrRecordNotFound) || errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("%s: %w", what, store.ErrNotFound)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", what, context.Cause(ctx))
	}
	if kind := kindOf(err); kind != nil {
		// The driver's types stay inside.
		return fmt.Errorf("%s: %w: %v", what, kind, err)
	}
	return fmt.Errorf("%s: %w", what, err)
}

func isOurs(err error) bool {
	for _, s := range []error{store.ErrNotFound, store.ErrConflict, store.ErrStale, store.ErrInvalid, store.ErrUnavailable} {
		if errors.Is(err, s) {
			return true
		}
	}
	return false
}

// kindOf returns the sentinel for a driver's error, nil if there is none.
func kindOf(err error) error {
	var lite *gosqlite.Error
	if errors.As(err, &lite) {
		return sqliteKind(lite.Code())
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return postgresKind(pg.Code)
	}
	var (
		connect *pgconn.ConnectError
		network net.Error
	)
	switch {
	case errors.As(err, &connect), errors.As(err, &network),
		errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone), errors.Is(err, sql.ErrTxDone),
		errors.Is(err, net.ErrClosed), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		pgconn.Timeout(err), pgconn.SafeToRetry(err):
		return store.ErrUnavailable
	}
	return nil
}

// https://www.sqlite.org/rescode.html
func sqliteKind(code int) error {
	switch code {
	case 1555, 2067, 2579: // primary key, unique, rowid
		return store.ErrConflict
	}
	switch code & 0xff {
	case 5, 6, 7, 8, 10, 11, 13, 14, 15, 26:
		// busy, locked, no memory, read-only, IO error, corrupt, full, cannot
		// open, locking protocol, not a database
		return store.ErrUnavailable
	case 9: // interrupted, which only a context does
		return context.Canceled
	case 18, 19, 20: // too big, other constraints, wrong type
		return store.ErrInvalid
	}
	return nil
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
func postgresKind(code string) error {
	switch code {
	case "23505":
		return store.ErrConflict
	case "25006", "55P03", "57014":
		// read-only (a standby), lock timeout, statement timeout
		return store.ErrUnavailable
	}
	if len(code) != 5 {
		return nil
	}
	switch code[:2] {
	case "08", "28", "3D", "40", "53", "57", "58":
		// connection, log-in, no such database, rolled back (after retries),
		// resources, operator, system
		return store.ErrUnavailable
	case "22", "23":
		return store.ErrInvalid
	}
	if code == "XX001" || code == "XX002" { // damaged data or index
		return store.ErrUnavailable
	}
	return nil
}

// retryable reports whether PostgreSQL rolled the transaction back only
// because of another one.
func retryable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40P01" || pg.Code == "40001")
}
