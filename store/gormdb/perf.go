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
		err := gorm.G[perfRow](tx, clause.OnConflict{
			Columns:   []clause.Column{{Name: "account_id"}, {Name: "key"}},
			DoUpdates: clause.AssignmentColumns([]string{"rating", "rd", "vol", "games", "progress", "recent", "updated"}),
		}).Create(ctx, &row)
		if err != nil || p.Updated.IsZero() {
			return err
		}
		k := perfKey{p.AccountID, p.Key}
		return q.saveDays(ctx, tx.Statement.ConnPool, []perfKey{k}, map[perfKey]store.Perf{k: p})
	})
	return fail(ctx, err, "rating %s of %q", p.Key, p.AccountID)
}

// ranked is the condition of the index of ranked ratings, which is not used
// unless a query repeats it with its numbers.
const ranked = "p.rd <= 75 AND p.games > 0 AND a.closed = 0 AND a.hidden = ? AND (a.title = 'BOT') = ?"

func (q *queries) TopPerfs(ctx context.Context, key string, bots bool, limit int) ([]store.Perf, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[perfRow](r).Raw(`SELECT p.* FROM perfs p JOIN accounts a ON a.id = p.account_id
		WHERE p.key = ? AND `+ranked+` ORDER BY p.rating DESC, p.account_id LIMIT ?`, key, false, bots, limit).Find(in)
	return records[perfRow, store.Perf](rows), fail(ctx, err, "best ratings in %s", key)
}

func (q *queries) RankOf(ctx context.Context, key string, bots bool, rating float64) (better, all int, err error) {
	r, in := q.reader(ctx)
	// The index holds all that is counted. A join would look every account up:
	// the list of the others is short.
	listed := "p.account_id NOT IN (SELECT id FROM accounts WHERE closed <> 0 OR hidden OR title = 'BOT')"
	if bots {
		listed = "p.account_id IN (SELECT id FROM accounts WHERE closed = 0 AND NOT hidden AND title = 'BOT')"
	}
	var n struct{ Better, Everybody int64 }
	err = gorm.G[perfRow](r).Raw(`SELECT COALESCE(SUM(CASE WHEN p.rating > ? THEN 1 ELSE 0 END), 0) AS better, COUNT(*) AS everybody
		FROM perfs p WHERE p.key = ? AND p.rd <= 75 AND p.games > 0 AND `+listed, rating, key).Scan(in, &n)
	return int(n.Better), int(n.Everybody), fail(ctx, err, "rank in %s", key)
}

type ratingDayRow struct {
	AccountID string `gorm:"primaryKey"`
	Key       string `gorm:"primaryKey"`
	Day       int64  `gorm:"primaryKey;autoIncrement:false"`
	Rating    int64
}

func (ratingDayRow) TableName() string { return "rating_days" }

func (r ratingDayRow) record() store.RatingDay {
	return store.RatingDay{AccountID: r.AccountID, Key: r.Key, Day: int(r.Day), Rating: int(r.Rating)}
}

func (q *queries) RatingHistory(ctx context.Context, accountID string) ([]store.RatingDay, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[ratingDayRow](r).Where("account_id = ?", accountID).Order("key, day").Find(in)
	return records[ratingDayRow, store.RatingDay](rows), fail(ctx, err, "rating history of %q", accountID)
}

// saveDays notes what ratings have become on the days of their last games.
func (q *queries) saveDays(ctx context.Context, tx gorm.ConnPool, keys []perfKey, perfs map[perfKey]store.Perf) error {
	const columns = "account_id, key, day, rating"
	return sizes(len(keys), 32, func(from, to int) error {
		args := make([]any, 0, 4*(to-from))
		for _, k := range keys[from:to] {
			p := perfs[k]
			args = append(args, k.account, k.key, int64(store.DayOf(p.Updated)), int64(shown(p.Rating)))
		}
		_, err := tx.ExecContext(ctx, q.sql.get("rating days", to-from, func(n int) string {
			return q.insert("rating_days", columns)(n) + " ON CONFLICT (account_id, key, day) DO UPDATE SET rating = excluded.rating"
		}), args...)
		return err
	})
}
