package gormdb

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"hoplite/store"
)

type leaseRow struct {
	Shard   int64 `gorm:"primaryKey;autoIncrement:false"`
	Node    string
	Epoch   int64
	Expires int64
}

func (leaseRow) TableName() string { return "leases" }

type nodeRow struct {
	ID      string `gorm:"primaryKey"`
	Expires int64
}

func (nodeRow) TableName() string { return "nodes" }

// clock is the database's own time in milliseconds, as it goes on within a
// transaction.
func (q *queries) clock() string {
	if q.sql.postgres {
		return "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
	}
	return "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
}

func (q *queries) readClock(ctx context.Context, tx *gorm.DB) (now int64, err error) {
	err = tx.WithContext(ctx).Raw("SELECT " + q.clock()).Scan(&now).Error
	return now, err
}

// lostSteps locks the leases of the steps' shards in order, so that none of
// them changes hands before the commit, and reports which steps were made in
// another epoch; nil if none was.
func (q *queries) lostSteps(ctx context.Context, tx gorm.ConnPool, steps []store.Step) ([]bool, error) {
	stored := map[int]int64{}
	for i := range steps {
		if steps[i].Epoch != 0 {
			stored[store.ShardOf(steps[i].ID())] = 0
		}
	}
	if len(stored) == 0 {
		return nil, nil
	}
	// The parts follow each other in order, so the locks do, too.
	shards := slices.Sorted(maps.Keys(stored))
	err := sizes(len(shards), 64, func(from, to int) error {
		args := make([]any, 0, to-from)
		for _, n := range shards[from:to] {
			args = append(args, int64(n))
		}
		rows, err := tx.QueryContext(ctx, q.sql.get("leases", to-from, func(n int) string {
			text := "SELECT shard, epoch FROM leases WHERE shard IN (?" + strings.Repeat(",?", n-1) + ") ORDER BY shard"
			if q.sql.postgres {
				text += " FOR SHARE"
			}
			return text
		}), args...)
		if err != nil {
			return err
		}
		for rows.Next() && err == nil {
			var shard int
			var epoch int64
			err = rows.Scan(&shard, &epoch)
			stored[shard] = epoch
		}
		return errors.Join(err, rows.Err(), rows.Close())
	})
	if err != nil {
		return nil, err
	}
	var lost []bool
	for i := range steps {
		if e := steps[i].Epoch; e != 0 && stored[store.ShardOf(steps[i].ID())] != e {
			if lost == nil {
				lost = make([]bool, len(steps))
			}
			lost[i] = true
		}
	}
	return lost, nil
}

func (q *queries) RenewLeases(ctx context.Context, node string, ttl time.Duration) (store.Roll, error) {
	var roll store.Roll
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		roll = store.Roll{}
		// Commits lock in the order of the shards: so does this.
		if err := tx.WithContext(ctx).Exec("SELECT 1 FROM leases WHERE node = ? ORDER BY shard"+q.b.forUpdate(), node).Error; err != nil {
			return err
		}
		now, err := q.readClock(ctx, tx)
		if err != nil {
			return err
		}
		until := now + durMs(ttl)
		if _, err := gorm.G[leaseRow](tx).Where("node = ?", node).Update(ctx, "expires", until); err != nil {
			return err
		}
		if err := tx.WithContext(ctx).Exec(`INSERT INTO nodes (id, expires) VALUES (?, ?)
			ON CONFLICT (id) DO UPDATE SET expires = excluded.expires`, node, until).Error; err != nil {
			return err
		}
		leases, err := gorm.G[leaseRow](tx).Find(ctx)
		if err != nil {
			return err
		}
		roll.Leases = make([]store.Lease, store.Shards+1)
		for shard := range roll.Leases {
			roll.Leases[shard].Shard = shard // nobody has had it yet
		}
		for _, l := range leases {
			roll.Leases[l.Shard] = l.record(now)
		}
		nodes, err := gorm.G[nodeRow](tx).Where("expires > ?", now).Order("id").Find(ctx)
		for _, n := range nodes {
			roll.Nodes = append(roll.Nodes, n.ID)
		}
		return err
	})
	return roll, fail(ctx, err, "leases of node %q", node)
}

func (r leaseRow) record(now int64) store.Lease {
	l := store.Lease{Shard: int(r.Shard), Node: r.Node, Epoch: r.Epoch}
	if r.Node != "" {
		l.Left = msDur(r.Expires - now)
	}
	return l
}

func (q *queries) ClaimLeases(ctx context.Context, node string, ttl time.Duration, shards []int) ([]store.Claim, error) {
	if len(shards) == 0 {
		return nil, nil
	}
	var claims []store.Claim
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		claims = nil
		fresh := make([]leaseRow, len(shards))
		for i, shard := range shards {
			fresh[i].Shard = int64(shard)
		}
		if err := gorm.G[leaseRow](tx, clause.OnConflict{DoNothing: true}).CreateInBatches(ctx, &fresh, len(fresh)); err != nil {
			return err
		}
		// What a commit holds is left for the next time: a process that was
		// stopped in the middle of one must not stop others.
		text := "SELECT * FROM leases WHERE shard IN ? ORDER BY shard" + q.b.forUpdate()
		if q.sql.postgres {
			text += " SKIP LOCKED"
		}
		rows, err := gorm.G[leaseRow](tx).Raw(text, shards).Find(ctx)
		if err != nil {
			return err
		}
		now, err := q.readClock(ctx, tx)
		if err != nil {
			return err
		}
		var free []int64
		for _, r := range rows {
			before := r.record(now)
			if !before.Free() {
				continue
			}
			free = append(free, r.Shard)
			claims = append(claims, store.Claim{
				Lease:  store.Lease{Shard: before.Shard, Node: node, Epoch: before.Epoch + 1, Left: ttl},
				Handed: before.Node == "" && before.Epoch > 0, Vacant: msDur(max(0, now-r.Expires)),
			})
		}
		if len(free) == 0 {
			return nil
		}
		return tx.WithContext(ctx).Exec("UPDATE leases SET node = ?, epoch = epoch + 1, expires = ? WHERE shard IN ?",
			node, now+durMs(ttl), free).Error
	})
	if err != nil {
		return nil, fail(ctx, err, "leases for node %q", node)
	}
	return claims, nil
}

func (q *queries) ReleaseLeases(ctx context.Context, node string, shards []int) error {
	if len(shards) == 0 {
		return nil
	}
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error { return q.release(ctx, tx, node, shards) })
	return fail(ctx, err, "leases of node %q", node)
}

// release gives leases back: all if shards is nil. The epoch changes, so that
// nothing of the holder's is stored afterwards.
func (q *queries) release(ctx context.Context, tx *gorm.DB, node string, shards []int) error {
	where, args := "node = ?", []any{node}
	if shards != nil {
		where, args = where+" AND shard IN ?", append(args, shards)
	}
	rows, err := gorm.G[leaseRow](tx).Raw("SELECT * FROM leases WHERE "+where+" ORDER BY shard"+q.b.forUpdate(), args...).Find(ctx)
	if err != nil || len(rows) == 0 {
		return err
	}
	held := make([]int64, len(rows))
	for i, r := range rows {
		held[i] = r.Shard
	}
	// The time at which it was given back stands where it would have run out.
	return tx.WithContext(ctx).Exec(fmt.Sprintf("UPDATE leases SET node = '', epoch = epoch + 1, expires = %s WHERE shard IN ?", q.clock()), held).Error
}

func (q *queries) Leave(ctx context.Context, node string) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		if err := q.release(ctx, tx, node, nil); err != nil {
			return err
		}
		now, err := q.readClock(ctx, tx)
		if err != nil {
			return err
		}
		_, err = gorm.G[nodeRow](tx).Where("id = ? OR expires <= ?", node, now).Delete(ctx)
		return err
	})
	return fail(ctx, err, "node %q leaves", node)
}

var _ store.Leases = (*queries)(nil)
