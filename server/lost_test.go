package server_test

import (
	"context"
	"fmt"
	"sync/atomic"

	"hoplite/store"
)

// lostStore is a store whose database can go away.
type lostStore struct {
	store.Store
	down atomic.Bool
}

func (l *lostStore) err() error {
	if l.down.Load() {
		return fmt.Errorf("ask: %w", store.ErrUnavailable)
	}
	return nil
}

// Ping fails while the database is away.
func (l *lostStore) Ping(ctx context.Context) error {
	if err := l.err(); err != nil {
		return err
	}
	return l.Store.Ping(ctx)
}

// AccountByID fails while the database is away.
func (l *lostStore) AccountByID(ctx context.Context, id string) (store.Account, error) {
	if err := l.err(); err != nil {
		return store.Account{}, err
	}
	return l.Store.AccountByID(ctx, id)
}
