package gormdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"

	"hoplite/store/migrations"
)

// postgresDB is a pool of pgx connections. The pool drops broken connections
// and dials again by itself.
type postgresDB struct {
	pool *sql.DB
	gorm *gorm.DB
	ran  []string
	lock *serveLock // nil unless Exclusive or Shared
}

// dialTimeout bounds one attempt to connect, unless the address says
// otherwise: a caller must hear of an outage while it still waits.
const dialTimeout = 5 * time.Second

// stoppedTimeout, in milliseconds, ends the transactions of a node that was
// stopped in the middle of one, so that what it has locked is free for others.
const stoppedTimeout = "3000"

// postgresConfig reads the address and sets what it leaves open.
func postgresConfig(dsn string) (*pgx.ConnConfig, error) {
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("database address: %w", err) // pgx hides the password
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = dialTimeout
	}
	if _, set := cfg.RuntimeParams["application_name"]; !set {
		cfg.RuntimeParams["application_name"] = "hoplite"
	}
	if _, set := cfg.RuntimeParams["synchronous_commit"]; !set {
		cfg.RuntimeParams["synchronous_commit"] = "on"
	}
	return cfg, nil
}

// openPool is the pool alone, without a look at the schema.
func openPool(dsn string) (*sql.DB, error) {
	cfg, err := postgresConfig(dsn)
	if err != nil {
		return nil, err
	}
	return stdlib.OpenDB(*cfg), nil
}

func openPostgres(ctx context.Context, dsn string, o Options) (backend, error) {
	cfg, err := postgresConfig(dsn)
	if err != nil {
		return nil, err
	}
	if _, set := cfg.RuntimeParams["idle_in_transaction_session_timeout"]; !set && o.Shared {
		cfg.RuntimeParams["idle_in_transaction_session_timeout"] = stoppedTimeout
	}
	p := &postgresDB{pool: stdlib.OpenDB(*cfg)}
	if o.Exclusive || o.Shared {
		if p.lock, err = lockPostgres(ctx, cfg, o.Shared); err != nil {
			return nil, errors.Join(fail(ctx, err, "database"), p.close())
		}
	}
	n := o.MaxConns
	if n <= 0 {
		n = max(8, 4*runtime.GOMAXPROCS(0))
	}
	n = max(n, 2) // migrating takes two
	p.pool.SetMaxOpenConns(n)
	p.pool.SetMaxIdleConns(n)
	p.pool.SetConnMaxIdleTime(5 * time.Minute)
	if p.ran, err = upgrade(ctx, migrations.Postgres, p.pool, o); err != nil {
		return nil, errors.Join(fail(ctx, err, "database"), p.close())
	}
	if p.gorm, err = gorm.Open(postgres.New(postgres.Config{Conn: p.pool}), gormConfig()); err != nil {
		return nil, errors.Join(fail(ctx, err, "database"), p.close())
	}
	return p, nil
}

func (p *postgresDB) dialect() migrations.Dialect { return migrations.Postgres }
func (p *postgresDB) reader() *gorm.DB            { return p.gorm }
func (p *postgresDB) applied() []string           { return p.ran }
func (p *postgresDB) writesWaiting() int          { return 0 }
func (p *postgresDB) pools() map[string]*sql.DB   { return map[string]*sql.DB{"all": p.pool} }

func (p *postgresDB) close() error {
	p.lock.close()
	return p.pool.Close()
}

// No key ever changes, so inserts that refer to a locked row need not wait.
func (p *postgresDB) forUpdate() string { return " FOR NO KEY UPDATE" }

// attempts is how often a transaction runs that PostgreSQL rolls back because
// of another one.
const attempts = 5

func (p *postgresDB) transact(ctx context.Context, _ class, f func(context.Context, *gorm.DB) error) error {
	for n := 1; ; n++ {
		err := p.try(ctx, f)
		if err == nil || n == attempts || !retryable(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(1+rand.IntN(10*n)) * time.Millisecond):
		}
	}
}

func (p *postgresDB) try(ctx context.Context, f func(context.Context, *gorm.DB) error) error {
	if err := p.lock.check(); err != nil {
		return err
	}
	tx, err := p.pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // reports that the transaction is over, after a commit
	g := p.gorm.Session(&gorm.Session{NewDB: true, Context: ctx})
	g.Statement.ConnPool = tx
	if err := f(ctx, g); err != nil {
		return err
	}
	return tx.Commit()
}

func (p *postgresDB) checkDurability(ctx context.Context) error {
	for _, want := range []struct {
		setting, text string
		ok            []string
	}{
		{"fsync", "on", []string{"on"}},
		{"synchronous_commit", "on", []string{"on", "local", "remote_write", "remote_apply"}},
	} {
		var got string
		if err := p.pool.QueryRowContext(ctx, "SHOW "+want.setting).Scan(&got); err != nil {
			return fail(ctx, err, "setting %s", want.setting)
		}
		found := false
		for _, v := range want.ok {
			found = found || got == v
		}
		if !found {
			return &DurabilityError{Setting: want.setting, Value: got, Want: want.text}
		}
	}
	return nil
}
