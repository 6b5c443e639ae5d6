package gormdb

import (
	"context"
	"time"

	"gorm.io/gorm"

	"hoplite/store"
)

func (q *queries) CreateSeek(ctx context.Context, s store.Seek) error {
	row := newSeekRow(s)
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return gorm.G[seekRow](tx).Create(ctx, &row)
	})
	return fail(ctx, err, "new seek %q", s.ID)
}

func (q *queries) SeekByID(ctx context.Context, id string) (store.Seek, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[seekRow](r).Where("id = ?", id).Take(in)
	if err != nil {
		return store.Seek{}, fail(ctx, missing(err), "seek %q", id)
	}
	return row.record(), nil
}

func (q *queries) TakeSeek(ctx context.Context, id string) (store.Seek, error) {
	var row seekRow
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) (err error) {
		row, err = returned(gorm.G[seekRow](tx).Raw("DELETE FROM seeks WHERE id = ? RETURNING *", id).Find(ctx))
		return err
	})
	if err != nil {
		return store.Seek{}, fail(ctx, missing(err), "seek %q", id)
	}
	return row.record(), nil
}

func (q *queries) SeeksOf(ctx context.Context, accountID string) ([]store.Seek, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[seekRow](r).Where("account_id = ?", accountID).Order("created, id").Find(in)
	return records[seekRow, store.Seek](rows), fail(ctx, err, "seeks of %q", accountID)
}

func (q *queries) Seeks(ctx context.Context, variant string, now time.Time, limit int) ([]store.Seek, error) {
	r, in := q.reader(ctx)
	chain := gorm.G[seekRow](r).Where("expires = 0 OR expires > ?", toMs(now))
	if variant != "" {
		chain = chain.Where("variant = ?", variant)
	}
	rows, err := chain.Order("created, id").Limit(limit).Find(in)
	return records[seekRow, store.Seek](rows), fail(ctx, err, "seeks")
}
