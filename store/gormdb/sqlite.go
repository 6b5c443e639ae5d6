package gormdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"hoplite/store"
	"hoplite/store/migrations"
)

// sqliteDB has one connection for writing, handed around by the queue, and a
// pool for reading. Two writing pools would starve each other.
type sqliteDB struct {
	queue  queue
	write  *sql.DB
	conn   *writeConn
	writer *gorm.DB
	read   *sql.DB
	reads  *gorm.DB
	ran    []string
}

const (
	// pageSize is SQLite's default, in bytes.
	pageSize = 4096
	// writeCache bounds the pages that the writer keeps in memory, in bytes. The rows of a thousand live games and the
	// ends of their logs fit; with less, pages are read and spilled in the middle of a commit.
	writeCache = 32 << 20
	// walBytes is how long the write-ahead log grows before it is copied back, in bytes. The pages of a live game are
	// written again with each move, so a longer log saves most of the copying. It is read once at a start.
	walBytes = 32 << 20
)

func openSQLite(ctx context.Context, path string, o Options) (backend, error) {
	s := &sqliteDB{}
	var err error
	pragmas := []string{
		"journal_mode(WAL)", "synchronous(FULL)",
		fmt.Sprintf("cache_size(%d)", writeCache/pageSize), fmt.Sprintf("wal_autocheckpoint(%d)", walBytes/pageSize),
	}
	if o.MaxBytes > 0 {
		pragmas = append(pragmas, fmt.Sprintf("max_page_count(%d)", max(1, o.MaxBytes/pageSize)))
	}
	if s.write, err = sql.Open("sqlite", sqliteDSN(path, pragmas...)); err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	s.write.SetMaxOpenConns(1)
	s.write.SetMaxIdleConns(1)
	if err := s.prepare(ctx, path, o); err != nil {
		return nil, errors.Join(fail(ctx, err, "database %s", path), s.close())
	}
	return s, nil
}

func (s *sqliteDB) prepare(ctx context.Context, path string, o Options) error {
	var err error
	if s.ran, err = upgrade(ctx, migrations.SQLite, s.write, o); err != nil {
		return err
	}
	s.conn = &writeConn{db: s.write}
	if err := s.conn.open(ctx); err != nil {
		return err
	}
	if s.writer, err = gorm.Open(&sqlite.Dialector{Conn: s.conn}, gormConfig()); err != nil {
		return err
	}
	if s.read, err = sql.Open("sqlite", sqliteDSN(path, "query_only(1)")); err != nil {
		return err
	}
	n := o.MaxConns
	if n <= 0 {
		n = max(4, 2*runtime.GOMAXPROCS(0))
	}
	s.read.SetMaxOpenConns(n)
	s.read.SetMaxIdleConns(n)
	s.reads, err = gorm.Open(&sqlite.Dialector{Conn: s.read}, gormConfig())
	return err
}

// sqliteDSN names the file as a URI, since a bare path must not contain a
// question mark.
func sqliteDSN(path string, pragmas ...string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	v := url.Values{"_txlock": {"immediate"}}
	for _, p := range append([]string{"busy_timeout(5000)", "foreign_keys(1)"}, pragmas...) {
		v.Add("_pragma", p)
	}
	escaped := (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()
	return "file:" + escaped + "?" + v.Encode()
}

func gormConfig() *gorm.Config {
	return &gorm.Config{
		SkipDefaultTransaction: true, // transact makes them
		Logger:                 logger.Discard,
	}
}

func upgrade(ctx context.Context, d migrations.Dialect, db *sql.DB, o Options) ([]string, error) {
	if o.KeepSchema {
		pending, err := migrations.Pending(ctx, d, db)
		if err == nil && pending {
			err = ErrSchema
		}
		return nil, err
	}
	if o.upTo > 0 {
		return nil, migrations.UpTo(ctx, d, db, o.upTo)
	}
	return migrations.Up(ctx, d, db)
}

func (s *sqliteDB) dialect() migrations.Dialect { return migrations.SQLite }
func (s *sqliteDB) reader() *gorm.DB            { return s.reads }
func (s *sqliteDB) forUpdate() string           { return "" }
func (s *sqliteDB) applied() []string           { return s.ran }
func (s *sqliteDB) writesWaiting() int          { return s.queue.length() }

func (s *sqliteDB) pools() map[string]*sql.DB {
	return map[string]*sql.DB{"read": s.read, "write": s.write}
}

// transact does not use database/sql's transactions: after a COMMIT that
// failed, those hand the connection back with the transaction still open.
func (s *sqliteDB) transact(ctx context.Context, c class, f func(context.Context, *gorm.DB) error) error {
	if err := s.queue.acquire(ctx, c); err != nil {
		return err
	}
	defer s.queue.release()
	// From here on the context must not interrupt: the driver takes a statement
	// that is cancelled before it begins for one that has succeeded.
	ctx = context.WithoutCancel(ctx)
	if err := s.conn.open(ctx); err != nil {
		return err
	}
	if err := s.conn.run(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	done := false
	defer func() {
		if !done { // f failed, panicked, or the commit failed
			s.conn.rollback(ctx)
		}
	}()
	if err := f(ctx, s.writer); err != nil {
		return err
	}
	if err := s.conn.run(ctx, "COMMIT"); err != nil {
		return err
	}
	done = true
	return nil
}

func (s *sqliteDB) checkDurability(ctx context.Context) error {
	if err := s.queue.acquire(ctx, other); err != nil {
		return err
	}
	defer s.queue.release()
	if err := s.conn.open(ctx); err != nil {
		return fail(ctx, err, "settings")
	}
	for _, want := range []struct{ setting, value, text string }{
		{"synchronous", "2", "FULL (2)"},
		{"journal_mode", "wal", "wal"},
		{"foreign_keys", "1", "1"},
	} {
		var got string
		if err := s.conn.QueryRowContext(ctx, "PRAGMA "+want.setting).Scan(&got); err != nil {
			return fail(ctx, err, "setting %s", want.setting)
		}
		if !strings.EqualFold(got, want.value) {
			return &DurabilityError{Setting: want.setting, Value: got, Want: want.text}
		}
	}
	return nil
}

func (s *sqliteDB) close() error {
	var errs []error
	if s.read != nil {
		errs = append(errs, s.read.Close())
	}
	if s.conn != nil {
		errs = append(errs, s.conn.close())
	}
	return errors.Join(append(errs, s.write.Close())...)
}

// writeConn is the write connection, as GORM wants it. It opens again after a
// failure that left it in doubt. All calls but close come in turn, by the
// queue.
type writeConn struct {
	db *sql.DB
	mu sync.Mutex // guards c against close
	c  *sql.Conn
}

func (w *writeConn) open(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.c != nil {
		return nil
	}
	c, err := w.db.Conn(ctx)
	if err != nil {
		if errors.Is(err, sql.ErrConnDone) {
			return store.ErrUnavailable
		}
		return err
	}
	w.c = c
	return nil
}

func (w *writeConn) get() (*sql.Conn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.c == nil {
		return nil, sql.ErrConnDone
	}
	return w.c, nil
}

func (w *writeConn) run(ctx context.Context, statement string) error {
	_, err := w.ExecContext(ctx, statement)
	return err
}

// rollback ends the transaction, whatever its state: a full disk has ended it
// already. If that fails the connection is not used again.
func (w *writeConn) rollback(ctx context.Context) {
	if w.run(ctx, "ROLLBACK") == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.c != nil {
		// ErrBadConn makes the pool close the connection; nothing else is to be
		// learnt from it.
		_ = w.c.Raw(func(any) error { return driver.ErrBadConn })
		w.c = nil
	}
}

func (w *writeConn) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.c == nil {
		return nil
	}
	err := w.c.Close()
	w.c = nil
	return err
}

func (w *writeConn) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	c, err := w.get()
	if err != nil {
		return nil, err
	}
	return c.PrepareContext(ctx, query)
}

func (w *writeConn) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	c, err := w.get()
	if err != nil {
		return nil, err
	}
	return c.ExecContext(ctx, query, args...)
}

func (w *writeConn) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	c, err := w.get()
	if err != nil {
		return nil, err
	}
	return c.QueryContext(ctx, query, args...)
}

func (w *writeConn) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	c, err := w.get()
	if err != nil {
		return w.db.QueryRowContext(cancelled(ctx), query) // a Row that carries an error
	}
	return c.QueryRowContext(ctx, query, args...)
}

func cancelled(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	cancel(sql.ErrConnDone)
	return ctx
}
