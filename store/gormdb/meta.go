package gormdb

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"hoplite/store"
)

func (q *queries) MetaValue(ctx context.Context, key string) (string, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[metaRow](r).Where("key = ?", key).Take(in)
	return row.Value, fail(ctx, err, "value %q", key)
}

func (q *queries) SetMeta(ctx context.Context, key, value string) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return gorm.G[metaRow](tx, clause.OnConflict{
			Columns: []clause.Column{{Name: "key"}}, DoUpdates: clause.AssignmentColumns([]string{"value"}),
		}).Create(ctx, &metaRow{Key: key, Value: value})
	})
	return fail(ctx, err, "value %q", key)
}

func (q *queries) SetMetaOnce(ctx context.Context, key, value string) (string, error) {
	var row metaRow
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		err := gorm.G[metaRow](tx, clause.OnConflict{DoNothing: true}).Create(ctx, &metaRow{Key: key, Value: value})
		if err != nil {
			return err
		}
		row, err = gorm.G[metaRow](tx).Where("key = ?", key).Take(ctx)
		return err
	})
	return row.Value, fail(ctx, err, "value %q", key)
}

func (q *queries) TakeMeta(ctx context.Context, key string) (string, error) {
	var row metaRow
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) (err error) {
		row, err = returned(gorm.G[metaRow](tx).Raw("DELETE FROM meta WHERE key = ? RETURNING *", key).Find(ctx))
		return err
	})
	return row.Value, fail(ctx, err, "value %q", key)
}

func (q *queries) Beat(ctx context.Context, at time.Time) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return gorm.G[heartbeatRow](tx, clause.OnConflict{
			Columns: []clause.Column{{Name: "id"}}, DoUpdates: clause.AssignmentColumns([]string{"at"}),
		}).Create(ctx, &heartbeatRow{ID: 1, At: toMs(at)})
	})
	return fail(ctx, err, "heartbeat")
}

func (q *queries) LastBeat(ctx context.Context) (time.Time, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[heartbeatRow](r).Where("id = 1").Take(in)
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fail(ctx, err, "heartbeat")
	}
	return fromMs(row.At), nil
}

var _ store.Meta = (*queries)(nil)
