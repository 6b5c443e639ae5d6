package gormdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"hoplite/store"
)

const (
	// lockPatience is how long a new server waits for one that has just ended:
	// PostgreSQL may not have noticed yet.
	lockPatience = 3 * time.Second
	// lockEvery is how often a server looks whether it still holds the lock.
	lockEvery = time.Second

	lockKey  = "hashtextextended('hoplite serve ' || current_schema(), 0)"
	lockName = "hoplite serve, pid %d"
)

// serveLock is the lock of the one process that serves a PostgreSQL database, or
// of the several that share it: an advisory lock of a connection of its own,
// which names the process. It goes
// with the connection, so it is taken again after an outage of the database.
type serveLock struct {
	cfg    *pgx.ConnConfig
	shared bool
	conn   *pgx.Conn
	lost   atomic.Bool // another process has it
	cancel context.CancelFunc
	done   chan struct{}
}

func lockPostgres(ctx context.Context, cfg *pgx.ConnConfig, shared bool) (*serveLock, error) {
	l := &serveLock{cfg: cfg.Copy(), shared: shared, done: make(chan struct{})}
	l.cfg.RuntimeParams["application_name"] = fmt.Sprintf(lockName, os.Getpid())
	// If this machine vanishes, the server notices within half a minute.
	l.cfg.RuntimeParams["tcp_keepalives_idle"] = "15"
	l.cfg.RuntimeParams["tcp_keepalives_interval"] = "5"
	l.cfg.RuntimeParams["tcp_keepalives_count"] = "3"
	for patience := time.Now().Add(lockPatience); ; {
		err := l.take(ctx)
		if err == nil {
			break
		}
		var locked *store.LockedError
		if !errors.As(err, &locked) || time.Now().After(patience) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPatience / 30):
		}
	}
	ctx, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go l.watch(ctx)
	return l, nil
}

// take connects and takes the lock, or returns *store.LockedError.
func (l *serveLock) take(ctx context.Context) error {
	c, err := pgx.ConnectConfig(ctx, l.cfg)
	if err != nil {
		return err
	}
	try := "pg_try_advisory_lock"
	if l.shared {
		try += "_shared"
	}
	var got bool
	if err = c.QueryRow(ctx, "SELECT "+try+"("+lockKey+")").Scan(&got); err == nil && got {
		l.conn = c
		return nil
	}
	locked := &store.LockedError{}
	if err == nil {
		err = locked
		var name string
		// Who holds it is only for the message.
		if c.QueryRow(ctx, `SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
			WHERE l.locktype = 'advisory' AND l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
			AND (l.classid::bigint << 32 | l.objid::bigint) = `+lockKey).Scan(&name) == nil {
			fmt.Sscanf(name, lockName, &locked.PID)
		}
	}
	return errors.Join(err, c.Close(ctx))
}

func (l *serveLock) watch(ctx context.Context) {
	defer close(l.done)
	tick := time.NewTicker(lockEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			if l.conn != nil {
				_ = l.conn.Close(context.WithoutCancel(ctx)) // gives up the lock, whatever it says
			}
			return
		case <-tick.C:
		}
		look, cancel := context.WithTimeout(ctx, 5*lockEvery)
		if l.conn != nil && l.conn.Ping(look) != nil && ctx.Err() == nil {
			_ = l.conn.Close(look) // it is broken
			l.conn = nil
		}
		if l.conn == nil && ctx.Err() == nil {
			err := l.take(look)
			var locked *store.LockedError
			if err == nil || errors.As(err, &locked) {
				l.lost.Store(err != nil)
			} // otherwise the database is down for everybody
		}
		cancel()
	}
}

// check returns an error while another process serves the database.
func (l *serveLock) check() error {
	if l != nil && l.lost.Load() {
		return fmt.Errorf("another process serves the database: %w", store.ErrUnavailable)
	}
	return nil
}

func (l *serveLock) close() {
	if l != nil {
		l.cancel()
		<-l.done
	}
}
