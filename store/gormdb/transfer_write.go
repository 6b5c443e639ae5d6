package gormdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"hoplite/store/migrations"
)

// perCommit is how many rows go into one transaction of a SQLite file.
const perCommit = 5000

// copyToSQLite fills a new file, table by table.
func copyToSQLite(ctx context.Context, from, path string) (counts []TableCount, err error) {
	src, err := openSource(ctx, from)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, src.close()) }()
	// Nobody reads the file before it is complete, synced and checked as a whole.
	db, err := sql.Open("sqlite", sqliteDSN(path, "foreign_keys(0)", "synchronous(OFF)", "journal_mode(MEMORY)"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := migrations.UpTo(ctx, migrations.SQLite, db, src.version); err != nil {
		return nil, err
	}
	c, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	return transfer(ctx, src, migrations.SQLite, c, func(t table, rows func(put func([]any) error) error) error {
		marks := strings.TrimSuffix(strings.Repeat("?,", len(t.columns)), ",")
		insert, err := c.PrepareContext(ctx, "INSERT INTO "+quote(t.name)+" ("+t.list()+") VALUES ("+marks+")")
		if err != nil {
			return err
		}
		defer insert.Close()
		run := func(statement string) error {
			_, err := c.ExecContext(ctx, statement)
			return err
		}
		if err := run("BEGIN"); err != nil {
			return err
		}
		n := 0
		err = rows(func(values []any) error {
			if n++; n%perCommit == 0 {
				if err := errors.Join(run("COMMIT"), run("BEGIN")); err != nil {
					return err
				}
			}
			_, err := insert.ExecContext(ctx, values...)
			return err
		})
		if err != nil {
			return err // the file is given up
		}
		return run("COMMIT")
	})
}

// copyToPostgres fills an empty schema in one transaction.
func copyToPostgres(ctx context.Context, from, to string) (counts []TableCount, err error) {
	src, err := openSource(ctx, from)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, src.close()) }()
	opened, err := openPostgres(ctx, to, Options{Exclusive: true, upTo: src.version})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, opened.close()) }()
	p := opened.(*postgresDB)
	if err := p.checkDurability(ctx); err != nil {
		return nil, err
	}
	c, err := p.pool.Conn(ctx)
	if err != nil {
		return nil, fail(ctx, err, "database")
	}
	defer func() {
		if err != nil { // it may be in the middle of something
			_ = c.Raw(func(any) error { return driver.ErrBadConn })
		}
		_ = c.Close()
	}()
	run := func(statement string) error {
		_, err := c.ExecContext(ctx, statement)
		return err
	}
	if err := run("BEGIN"); err != nil {
		return nil, fail(ctx, err, "database")
	}
	counts, err = transfer(ctx, src, migrations.Postgres, c, func(t table, rows func(put func([]any) error) error) error {
		return c.Raw(func(conn any) error { return copyFrom(ctx, conn.(*stdlib.Conn).Conn(), t, rows) })
	})
	if err == nil {
		err = run("COMMIT")
	} else {
		err = errors.Join(err, run("ROLLBACK"))
	}
	if err == nil {
		_, err = migrations.Up(ctx, migrations.Postgres, p.pool)
	}
	if err != nil {
		return nil, fail(ctx, err, "copy to PostgreSQL")
	}
	return counts, nil
}

// copyFrom turns what hands out rows into what is asked for rows, with a goroutine that ends with it.
func copyFrom(ctx context.Context, c *pgx.Conn, t table, rows func(put func([]any) error) error) error {
	ctx, cancel := context.WithCancel(ctx)
	next := make(chan []any, 64)
	read := make(chan error, 1)
	go func() {
		defer close(next)
		read <- rows(func(values []any) error {
			select {
			case next <- append([]any(nil), values...):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	ended := false
	_, err := c.CopyFrom(ctx, pgx.Identifier{t.name}, t.names(), pgx.CopyFromFunc(func() ([]any, error) {
		values, ok := <-next
		if !ok {
			ended = true
			return nil, <-read
		}
		return values, nil
	}))
	cancel()
	if !ended {
		<-read
	}
	return err
}

// transfer carries every table over and compares what came of it with what was read.
func transfer(
	ctx context.Context, src *source, d migrations.Dialect, dst *sql.Conn,
	write func(t table, rows func(put func([]any) error) error) error,
) ([]TableCount, error) {
	tables, err := tablesOf(ctx, d, dst)
	if err != nil {
		return nil, err
	}
	if err := sameTables(src.tables, tables); err != nil {
		return nil, err
	}
	for _, t := range tables {
		var some bool
		if err := dst.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM "+quote(t.name)+")").Scan(&some); err != nil {
			return nil, err
		}
		if some {
			return nil, &ExistsError{"table " + t.name, "the database is not empty"}
		}
	}
	var counts []TableCount
	for _, t := range tables {
		read := digest{seed: maphash.MakeSeed()}
		err := write(t, func(put func([]any) error) error {
			return t.scan(ctx, src.conn, func(values []any) error {
				read.add(values)
				return put(values)
			})
		})
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.name, err)
		}
		written := digest{seed: read.seed}
		if err := t.scan(ctx, dst, func(values []any) error { written.add(values); return nil }); err != nil {
			return nil, err
		}
		if read.rows != written.rows || read.sum != written.sum {
			return nil, fmt.Errorf("table %s: %d rows were read, and the %d written ones differ", t.name, read.rows, written.rows)
		}
		counts = append(counts, TableCount{t.name, read.rows})
	}
	return counts, nil
}
