package gormdb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gorm.io/gorm"

	"hoplite/store"
)

// addCounts adds to what the accounts have played.
func (q *queries) addCounts(ctx context.Context, tx gorm.ConnPool, steps []store.Step) error {
	sum := map[string]store.Count{}
	for i := range steps {
		for _, c := range steps[i].Counts {
			s := sum[c.AccountID]
			s.All += c.Add.All
			s.Rated += c.Add.Rated
			s.Win += c.Add.Win
			s.Loss += c.Add.Loss
			s.Draw += c.Add.Draw
			s.AI += c.Add.AI
			s.PlayTime += c.Add.PlayTime
			sum[c.AccountID] = s
		}
	}
	ids := slices.Sorted(maps.Keys(sum))
	if q.sql.postgres && len(ids) > 1 {
		// An UPDATE with FROM locks in an order of its own.
		err := sizes(len(ids), 32, func(from, to int) error {
			args := make([]any, 0, to-from)
			for _, id := range ids[from:to] {
				args = append(args, id)
			}
			_, err := tx.ExecContext(ctx, q.sql.get("lock accounts", to-from, func(n int) string {
				return "SELECT 1 FROM accounts WHERE id IN (?" + strings.Repeat(",?", n-1) + ") ORDER BY id" + q.b.forUpdate()
			}), args...)
			return err
		})
		if err != nil {
			return err
		}
	}
	return sizes(len(ids), 32, func(from, to int) error {
		args := make([]any, 0, 8*(to-from))
		for _, id := range ids[from:to] {
			c := sum[id]
			args = append(args, id, int64(c.All), int64(c.Rated), int64(c.Win), int64(c.Loss), int64(c.Draw), int64(c.AI), durMs(c.PlayTime))
		}
		_, err := tx.ExecContext(ctx, q.sql.get("counts", to-from, func(n int) string {
			const b = "bigint"
			return "WITH v (id, n_all, rated, win, loss, draw, ai, time) AS (VALUES " + q.sql.values(n, "text", b, b, b, b, b, b, b) +
				`) UPDATE accounts SET count_all = count_all + v.n_all, count_rated = count_rated + v.rated,
				count_win = count_win + v.win, count_loss = count_loss + v.loss, count_draw = count_draw + v.draw,
				count_ai = count_ai + v.ai, play_time = play_time + v.time FROM v WHERE accounts.id = v.id`
		}), args...)
		return err
	})
}

type perfKey struct{ account, key string }

func (k perfKey) compare(o perfKey) int {
	return cmp.Or(strings.Compare(k.account, o.account), strings.Compare(k.key, o.key))
}

// rateGames rates the games that ask for it, in the order of the steps: an
// account may finish two games in one batch.
func (q *queries) rateGames(ctx context.Context, tx gorm.ConnPool, steps []store.Step, rate store.RateFunc) ([]store.StepResult, error) {
	results := make([]store.StepResult, len(steps))
	perfs := map[perfKey]store.Perf{}
	for i := range steps {
		if r := steps[i].Rate; r != nil {
			if r.Accounts[0] == r.Accounts[1] {
				return nil, &store.StepError{Index: i, GameID: steps[i].ID(), Err: fmt.Errorf("one player on both sides: %w", store.ErrInvalid)}
			}
			for n, a := range r.Accounts {
				perfs[perfKey{a, r.Keys[n]}] = store.NewPerf(a, r.Keys[n])
			}
		}
	}
	if len(perfs) == 0 {
		return results, nil
	}
	keys := slices.SortedFunc(maps.Keys(perfs), perfKey.compare)
	if err := q.lockPerfs(ctx, tx, keys, perfs); err != nil {
		return nil, err
	}
	for i := range steps {
		r := steps[i].Rate
		if r == nil {
			continue
		}
		a, b := perfKey{r.Accounts[0], r.Keys[0]}, perfKey{r.Accounts[1], r.Keys[1]}
		before := [2]store.Perf{perfs[a], perfs[b]}
		res := &results[i]
		res.Rated = true
		res.Perfs[0], res.Perfs[1] = rate(before[0], before[1], r.Score, r.At)
		for n := range res.Perfs {
			res.Perfs[n].AccountID, res.Perfs[n].Key = r.Accounts[n], r.Keys[n]
			res.Diffs[n] = shown(res.Perfs[n].Rating) - shown(before[n].Rating)
			_, err := tx.ExecContext(ctx, q.sql.get("rating diff", 1, func(int) string {
				return "UPDATE game_players SET rating_diff = ? WHERE game_id = ? AND seat = ?"
			}), int64(res.Diffs[n]), steps[i].ID(), int64(n))
			if err != nil {
				return nil, err
			}
		}
		perfs[a], perfs[b] = res.Perfs[0], res.Perfs[1]
	}
	if err := q.savePerfs(ctx, tx, keys, perfs); err != nil {
		return nil, err
	}
	return results, q.saveDays(ctx, tx, keys, perfs)
}

// shown is the rating as people see it.
func shown(rating float64) int { return int(math.Round(rating)) }

const perfColumns = "account_id, key, rating, rd, vol, games, progress, recent, updated"

// lockPerfs reads the ratings, and on PostgreSQL keeps them from others in the
// order of the keys. For that the rows have to exist.
func (q *queries) lockPerfs(ctx context.Context, tx gorm.ConnPool, keys []perfKey, perfs map[perfKey]store.Perf) error {
	if q.sql.postgres {
		if err := q.insertPerfs(ctx, tx, keys, perfs, "new perfs", " ON CONFLICT DO NOTHING"); err != nil {
			return err
		}
	}
	return sizes(len(keys), 32, func(from, to int) error {
		args := make([]any, 0, 2*(to-from))
		for _, k := range keys[from:to] {
			args = append(args, k.account, k.key)
		}
		rows, err := tx.QueryContext(ctx, q.sql.get("lock perfs", to-from, func(n int) string {
			return "SELECT " + perfColumns + " FROM perfs WHERE (account_id, key) IN (VALUES " + q.sql.values(n, "text", "text") +
				") ORDER BY account_id, key" + q.b.forUpdate()
		}), args...)
		if err != nil {
			return err
		}
		for rows.Next() && err == nil {
			var r perfRow
			err = rows.Scan(&r.AccountID, &r.Key, &r.Rating, &r.RD, &r.Vol, &r.Games, &r.Progress, &r.Recent, &r.Updated)
			perfs[perfKey{r.AccountID, r.Key}] = r.record()
		}
		return errors.Join(err, rows.Err(), rows.Close())
	})
}

func (q *queries) savePerfs(ctx context.Context, tx gorm.ConnPool, keys []perfKey, perfs map[perfKey]store.Perf) error {
	return q.insertPerfs(ctx, tx, keys, perfs, "save perfs", ` ON CONFLICT (account_id, key) DO UPDATE SET
		rating = excluded.rating, rd = excluded.rd, vol = excluded.vol, games = excluded.games,
		progress = excluded.progress, recent = excluded.recent, updated = excluded.updated`)
}

func (q *queries) insertPerfs(ctx context.Context, tx gorm.ConnPool, keys []perfKey, perfs map[perfKey]store.Perf, kind, conflict string) error {
	return sizes(len(keys), 32, func(from, to int) error {
		args := make([]any, 0, 9*(to-from))
		for _, k := range keys[from:to] {
			r := newPerfRow(perfs[k])
			args = append(args, r.AccountID, r.Key, r.Rating, r.RD, r.Vol, r.Games, r.Progress, r.Recent, r.Updated)
		}
		_, err := tx.ExecContext(ctx, q.sql.get(kind, to-from, func(n int) string {
			return q.insert("perfs", perfColumns)(n) + conflict
		}), args...)
		return err
	})
}
