package gormdb

import (
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"hoplite/store"
)

func (q *queries) PerfsOf(ctx context.Context, accountID string) ([]store.Perf, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[perfRow](r).Where("account_id = ?", accountID).Order("key").Find(in)
	return records[perfRow, store.Perf](rows), fail(ctx, err, "ratings of %q", accountID)
}

func (q *queries) PerfsOfAll(ctx context.Context, accountIDs []string) (map[string][]store.Perf, error) {
	rows, err := inChunks(accountIDs, func(part []string) ([]perfRow, error) {
		r, in := q.reader(ctx)
		return gorm.G[perfRow](r).Where("account_id IN ?", part).Order("account_id, key").Find(in)
	})
	if err != nil {
		return nil, fail(ctx, err, "ratings of %d accounts", len(accountIDs))
	}
	out := map[string][]store.Perf{}
	seen := map[[2]string]bool{}
	for _, r := range rows {
		if k := [2]string{r.AccountID, r.Key}; !seen[k] { // an id may come in two chunks
			seen[k] = true
			out[r.AccountID] = append(out[r.AccountID], r.record())
		}
	}
	return out, nil
}

func (q *queries) Perf(ctx context.Context, accountID, key string) (store.Perf, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[perfRow](r).Where("account_id = ? AND key = ?", accountID, key).Take(in)
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return store.NewPerf(accountID, key), nil
	}
	if err != nil {
		return store.Perf{}, fail(ctx, missing(err), "rating %s of %q", key, accountID)
	}
	return row.record(), nil
}

func (q *queries) LockPerf(ctx context.Context, accountID, key string) (store.Perf, error) {
	if q.tx == nil {
		return store.Perf{}, errors.New("LockPerf outside a transaction")
	}
	fresh := newPerfRow(store.NewPerf(accountID, key))
	var row perfRow
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		// The row has to exist to be locked.
		err := gorm.G[perfRow](tx, clause.OnConflict{DoNothing: true}).Create(ctx, &fresh)
		if err != nil {
			return err
		}
		row, err = gorm.G[perfRow](tx).Raw("SELECT * FROM perfs WHERE account_id = ? AND key = ?"+q.b.forUpdate(),
			accountID, key).Take(ctx)
		return err
	})
	if err != nil {
		return store.Perf{}, fail(ctx, err, "rating %s of %q", key, accountID)
	}
	return row.record(), nil
}

func (q *queries) SavePerf(ctx context.Context, p store.Perf) error {
	row := newPerfRow(p)
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return gorm.G[perfRow](tx, clause.OnConflict{
			Columns:   []clause.Column{{Name: "account_id"}, {Name: "key"}},
			DoUpdates: clause.AssignmentColumns([]string{"rating", "rd", "vol", "games", "progress", "recent", "updated"}),
		}).Create(ctx, &row)
	})
	return fail(ctx, err, "rating %s of %q", p.Key, p.AccountID)
}

func (q *queries) TopPerfs(ctx context.Context, key string, maxRD float64, limit int) ([]store.Perf, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[perfRow](r).Raw(`SELECT p.* FROM perfs p JOIN accounts a ON a.id = p.account_id
		WHERE p.key = ? AND p.rd <= ? AND p.games > 0 AND a.closed = 0 AND a.hidden = ?
		ORDER BY p.rating DESC, p.account_id LIMIT ?`, key, maxRD, false, limit).Find(in)
	return records[perfRow, store.Perf](rows), fail(ctx, err, "best ratings in %s", key)
}
