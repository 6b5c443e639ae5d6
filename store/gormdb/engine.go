package gormdb

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"hoplite/store"
)

type externalEngineRow struct {
	ID           string `gorm:"primaryKey"`
	AccountID    string
	Name         string
	ClientSecret string
	Provider     []byte
	MaxThreads   int64
	MaxHash      int64
	Variants     string
	Data         string
	Created      int64
}

func (externalEngineRow) TableName() string { return "external_engines" }

func newExternalEngineRow(e store.ExternalEngine) externalEngineRow {
	return externalEngineRow{
		ID: e.ID, AccountID: e.AccountID, Name: e.Name, ClientSecret: e.ClientSecret, Provider: e.Provider[:],
		MaxThreads: int64(e.MaxThreads), MaxHash: int64(e.MaxHash), Variants: words(e.Variants), Data: e.Data,
		Created: toMs(e.Created),
	}
}

func (r externalEngineRow) record() store.ExternalEngine {
	e := store.ExternalEngine{
		ID: r.ID, AccountID: r.AccountID, Name: r.Name, ClientSecret: r.ClientSecret, MaxThreads: int(r.MaxThreads),
		MaxHash: int(r.MaxHash), Variants: fromWords(r.Variants), Data: r.Data, Created: fromMs(r.Created),
	}
	copy(e.Provider[:], r.Provider)
	return e
}

func (q *queries) CreateEngine(ctx context.Context, e store.ExternalEngine, max int) error {
	row := newExternalEngineRow(e)
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		if err := checkWords(e.Variants); err != nil {
			return err
		}
		have, err := gorm.G[externalEngineRow](tx).Where("account_id = ?", e.AccountID).Count(ctx, "id")
		if err != nil {
			return err
		}
		if int(have) >= max {
			return fmt.Errorf("there are %d already: %w", have, store.ErrConflict)
		}
		return gorm.G[externalEngineRow](tx).Create(ctx, &row)
	})
	return fail(ctx, err, "new engine of %q", e.AccountID)
}

func (q *queries) UpdateEngine(ctx context.Context, e store.ExternalEngine) (store.ExternalEngine, error) {
	row := newExternalEngineRow(e)
	var updated externalEngineRow
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) (err error) {
		if err := checkWords(e.Variants); err != nil {
			return err
		}
		updated, err = returned(gorm.G[externalEngineRow](tx).Raw(`UPDATE external_engines SET name = ?, provider = ?,
			max_threads = ?, max_hash = ?, variants = ?, data = ? WHERE id = ? AND account_id = ? RETURNING *`,
			row.Name, row.Provider, row.MaxThreads, row.MaxHash, row.Variants, row.Data, row.ID, row.AccountID).Find(ctx))
		return err
	})
	if err != nil {
		return store.ExternalEngine{}, fail(ctx, err, "engine %q of %q", e.ID, e.AccountID)
	}
	return updated.record(), nil
}

func (q *queries) EngineByID(ctx context.Context, id string) (store.ExternalEngine, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[externalEngineRow](r).Where("id = ?", id).Take(in)
	if err != nil {
		return store.ExternalEngine{}, fail(ctx, missing(err), "engine %q", id)
	}
	return row.record(), nil
}

func (q *queries) EnginesOf(ctx context.Context, accountID string) ([]store.ExternalEngine, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[externalEngineRow](r).Where("account_id = ?", accountID).Order("created, id").Find(in)
	return records[externalEngineRow, store.ExternalEngine](rows), fail(ctx, err, "engines of %q", accountID)
}

func (q *queries) HasProvider(ctx context.Context, provider [32]byte) (bool, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[externalEngineRow](r).Where("provider = ?", provider[:]).Limit(1).Find(in)
	return len(rows) > 0, fail(ctx, err, "engines of a provider")
}

func (q *queries) DeleteEngine(ctx context.Context, accountID, id string) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		n, err := gorm.G[externalEngineRow](tx).Where("id = ? AND account_id = ?", id, accountID).Delete(ctx)
		if err == nil && n == 0 {
			err = store.ErrNotFound
		}
		return err
	})
	return fail(ctx, err, "engine %q of %q", id, accountID)
}

func (q *queries) DeleteEnginesOf(ctx context.Context, accountID string) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		_, err := gorm.G[externalEngineRow](tx).Where("account_id = ?", accountID).Delete(ctx)
		return err
	})
	return fail(ctx, err, "engines of %q", accountID)
}

var _ store.ExternalEngines = (*queries)(nil)
