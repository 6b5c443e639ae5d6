// Package gormdb keeps the records of package store in SQLite or PostgreSQL.
// The game path is plain SQL, everything else goes through GORM.
package gormdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"gorm.io/gorm"

	"hoplite/store"
	"hoplite/store/migrations"
)

// Options change how a database is opened. The zero value serves a program
// that shares the database with others, such as an administrator's command.
type Options struct {
	// Exclusive holds the lock of the one process that serves the database;
	// Open returns *store.LockedError while another holds it. On PostgreSQL it
	// belongs to a connection: a pooler in between has to keep sessions.
	Exclusive bool
	// Shared holds the lock together with other processes that share it, which
	// divide the games by leases; one that is Exclusive keeps them out, and they
	// keep it out. PostgreSQL only.
	Shared bool
	// MustExist refuses a SQLite file that is not there instead of making it.
	MustExist bool
	// KeepSchema leaves the schema as it is. Open fails if it is not up to date.
	KeepSchema bool
	// Volatile skips the check that PostgreSQL itself syncs its log to disk
	// (fsync=on). For tests.
	Volatile bool
	// MaxConns bounds the connections (SQLite: for reading); 0 chooses.
	MaxConns int
	// MaxBytes bounds the size of a SQLite file; beyond it the store is
	// unavailable for what needs room. 0 is the disk's size.
	MaxBytes int64
	// upTo is the version of the schema to stop at; 0 is the newest.
	upTo int64
}

// ErrSchema says that the schema is not up to date and was to be kept.
var ErrSchema = errors.New("the database needs hoplite migrate")

// DurabilityError says that the database may lose what it has acknowledged.
type DurabilityError struct {
	Setting, Value, Want string
}

func (e *DurabilityError) Error() string {
	return fmt.Sprintf("%s is %q, must be %s: acknowledged games could be lost", e.Setting, e.Value, e.Want)
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	queries
	b    backend
	lock *fileLock
}

var _ store.Store = (*DB)(nil)

// backend is what the two databases do differently.
type backend interface {
	dialect() migrations.Dialect
	// reader serves statements that change nothing.
	reader() *gorm.DB
	// transact runs f in a transaction that commits if f returns nil. The
	// context that f gets is the one to use inside.
	transact(ctx context.Context, c class, f func(ctx context.Context, tx *gorm.DB) error) error
	// forUpdate is the clause by which a SELECT keeps its rows from others, ""
	// if there is one writer anyway.
	forUpdate() string
	// checkDurability returns a *DurabilityError or why it could not look.
	checkDurability(ctx context.Context) error
	// applied returns the names of the migrations that opening has run.
	applied() []string
	// pools are the pools of connections by what they are for.
	pools() map[string]*sql.DB
	// writesWaiting is how many wait for a connection to write.
	writesWaiting() int
	close() error
}

// IsPostgres reports whether a data source name means PostgreSQL; anything
// else is the path of a SQLite file.
func IsPostgres(dsn string) bool {
	return strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://")
}

// Open opens the database, brings its schema up to date and checks that what
// it acknowledges is on disk.
func Open(ctx context.Context, dsn string, o Options) (*DB, error) {
	if dsn == "" || strings.Contains(dsn, ":memory:") {
		return nil, fmt.Errorf("database %q: need a file or a postgres:// address", dsn)
	}
	db := &DB{}
	var err error
	if IsPostgres(dsn) {
		db.b, err = openPostgres(ctx, dsn, o)
	} else {
		path := strings.TrimPrefix(dsn, "sqlite://")
		if o.Shared {
			return nil, fmt.Errorf("database %s: several nodes need PostgreSQL", path)
		}
		if o.MustExist {
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("database %s: %w", path, store.ErrNotFound)
			}
		}
		if o.Exclusive {
			if db.lock, err = lockFile(path + ".lock"); err != nil {
				return nil, err
			}
		}
		db.b, err = openSQLite(ctx, path, o)
	}
	if err == nil {
		err = db.b.checkDurability(ctx)
		var d *DurabilityError
		if o.Volatile && errors.As(err, &d) {
			err = nil
		}
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	db.queries = queries{b: db.b, sql: newStatements(db.b.dialect())}
	return db, nil
}

// Close closes the database and gives up the lock.
func (db *DB) Close() error {
	var err error
	if db.b != nil {
		err = db.b.close()
	}
	if db.lock != nil {
		err = errors.Join(err, db.lock.unlock())
	}
	return err
}

// Dialect tells which database it is.
func (db *DB) Dialect() migrations.Dialect { return db.b.dialect() }

// Applied returns the names of the migrations that Open has run.
func (db *DB) Applied() []string { return db.b.applied() }

// Pools returns the pools of connections by name, to look at their statistics.
func (db *DB) Pools() map[string]*sql.DB { return db.b.pools() }

// WritesWaiting returns how many changes wait for their turn: on SQLite for its one connection that writes. PostgreSQL has
// no such queue but that of its pool.
func (db *DB) WritesWaiting() int { return db.b.writesWaiting() }

// CheckDurability reads the settings that Open checked once more. It returns
// *DurabilityError if acknowledged changes could be lost.
func (db *DB) CheckDurability(ctx context.Context) error { return db.b.checkDurability(ctx) }

// queries implements store.Store, outside a transaction or inside one.
type queries struct {
	b   backend
	sql *statements
	tx  *gorm.DB // inside InTx
	in  context.Context
}

// reader returns where to read, and the context to do it with.
func (q *queries) reader(ctx context.Context) (*gorm.DB, context.Context) {
	if q.tx != nil {
		return q.tx, q.in
	}
	return q.b.reader(), ctx
}

// write runs f in a transaction: one of its own, or a savepoint of the one
// around it, so that a refused change leaves that usable on both databases.
func (q *queries) write(ctx context.Context, c class, f func(ctx context.Context, tx *gorm.DB) error) error {
	if q.tx == nil {
		return q.b.transact(ctx, c, f)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	exec := func(sql string) error {
		_, err := q.tx.Statement.ConnPool.ExecContext(q.in, sql)
		return err
	}
	if err := exec("SAVEPOINT step"); err != nil {
		return err
	}
	if err := f(q.in, q.tx); err != nil {
		return errors.Join(err, exec("ROLLBACK TO SAVEPOINT step"))
	}
	return exec("RELEASE SAVEPOINT step")
}

func (q *queries) InTx(ctx context.Context, f func(store.Store) error) error {
	if q.tx != nil {
		return f(q)
	}
	var own error
	err := q.b.transact(ctx, other, func(in context.Context, tx *gorm.DB) error {
		own = f(&queries{b: q.b, sql: q.sql, tx: tx, in: in})
		return own
	})
	if err != nil && err == own {
		return err
	}
	return fail(ctx, err, "transaction")
}

func (q *queries) Ping(ctx context.Context) error {
	r, ctx := q.reader(ctx)
	var one int
	return fail(ctx, r.WithContext(ctx).Raw("SELECT 1").Scan(&one).Error, "ping")
}
