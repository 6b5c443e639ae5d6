package gormdb

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"hoplite/store"
)

type relationRow struct {
	AccountID string `gorm:"primaryKey"`
	OtherID   string `gorm:"primaryKey"`
	Block     bool
	Since     int64
}

func (relationRow) TableName() string { return "relations" }

func (r relationRow) record() store.Relation {
	return store.Relation{AccountID: r.AccountID, OtherID: r.OtherID, Block: r.Block, Since: fromMs(r.Since)}
}

type noteRow struct {
	ID     string `gorm:"primaryKey"`
	FromID string
	ToID   string
	Text   string
	At     int64
}

func (noteRow) TableName() string { return "notes" }

func (r noteRow) record() store.Note {
	return store.Note{ID: r.ID, From: r.FromID, To: r.ToID, Text: r.Text, At: fromMs(r.At)}
}

func (q *queries) Relate(ctx context.Context, r store.Relation) error {
	row := relationRow{AccountID: r.AccountID, OtherID: r.OtherID, Block: r.Block, Since: toMs(r.Since)}
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		err := gorm.G[relationRow](tx, clause.OnConflict{
			Columns:   []clause.Column{{Name: "account_id"}, {Name: "other_id"}},
			DoUpdates: clause.AssignmentColumns([]string{"block", "since"}),
			Where:     clause.Where{Exprs: []clause.Expression{clause.Expr{SQL: "relations.block <> excluded.block"}}},
		}).Create(ctx, &row)
		if err != nil || !r.Block {
			return err
		}
		return gorm.G[relationRow](tx).Exec(ctx, "DELETE FROM relations WHERE account_id = ? AND other_id = ? AND block = ?",
			r.OtherID, r.AccountID, false)
	})
	return fail(ctx, err, "relation of %q to %q", r.AccountID, r.OtherID)
}

func (q *queries) Unrelate(ctx context.Context, accountID, otherID string, block bool) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return gorm.G[relationRow](tx).Exec(ctx, "DELETE FROM relations WHERE account_id = ? AND other_id = ? AND block = ?",
			accountID, otherID, block)
	})
	return fail(ctx, err, "relation of %q to %q", accountID, otherID)
}

func (q *queries) RelationsWith(ctx context.Context, accountID string, others []string) (mine, theirs map[string]store.Relation, err error) {
	rows, err := inChunks(others, func(part []string) ([]relationRow, error) {
		r, in := q.reader(ctx)
		return gorm.G[relationRow](r).Where("account_id = ? AND other_id IN ? OR other_id = ? AND account_id IN ?",
			accountID, part, accountID, part).Find(in)
	})
	if err != nil {
		return nil, nil, fail(ctx, err, "relations of %q with %d others", accountID, len(others))
	}
	mine, theirs = map[string]store.Relation{}, map[string]store.Relation{}
	for _, r := range rows {
		if r.AccountID == accountID {
			mine[r.OtherID] = r.record()
		} else {
			theirs[r.AccountID] = r.record()
		}
	}
	return mine, theirs, nil
}

func (q *queries) RelationsOf(ctx context.Context, accountID string, block bool) ([]store.Relation, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[relationRow](r).Where("account_id = ? AND block = ?", accountID, block).Order("other_id").Find(in)
	return records[relationRow, store.Relation](rows), fail(ctx, err, "relations of %q", accountID)
}

func (q *queries) CountRelations(ctx context.Context, accountID string, block bool) (int, error) {
	r, in := q.reader(ctx)
	n, err := gorm.G[relationRow](r).Where("account_id = ? AND block = ?", accountID, block).Count(in, "other_id")
	return int(n), fail(ctx, err, "relations of %q", accountID)
}

func (q *queries) Followers(ctx context.Context, accountID string, after *store.FollowCursor, limit int) ([]store.Relation, error) {
	r, in := q.reader(ctx)
	chain := gorm.G[relationRow](r).Where("other_id = ? AND block = ?", accountID, false)
	if after != nil {
		chain = chain.Where("(since, account_id) < (?, ?)", toMs(after.Since), after.ID)
	}
	rows, err := chain.Order("since DESC, account_id DESC").Limit(limit).Find(in)
	return records[relationRow, store.Relation](rows), fail(ctx, err, "followers of %q", accountID)
}

func (q *queries) Apart(ctx context.Context, accountID string) ([]string, error) {
	r, in := q.reader(ctx)
	var rows []struct{ ID string }
	err := gorm.G[relationRow](r).Raw(`SELECT other_id AS id FROM relations WHERE account_id = ? AND block = ?
		UNION SELECT account_id AS id FROM relations WHERE other_id = ? AND block = ? ORDER BY id`,
		accountID, true, accountID, true).Scan(in, &rows)
	if err != nil {
		return nil, fail(ctx, err, "blocks around %q", accountID)
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	return ids, nil
}

func (q *queries) Blocked(ctx context.Context, a, b string) (bool, error) {
	r, in := q.reader(ctx)
	n, err := gorm.G[relationRow](r).Where("block = ? AND (account_id = ? AND other_id = ? OR account_id = ? AND other_id = ?)",
		true, a, b, b, a).Count(in, "account_id")
	return n > 0, fail(ctx, err, "blocks between %q and %q", a, b)
}

func (q *queries) FollowsSince(ctx context.Context, accountIDs []string, since time.Time, limit int) ([]store.Relation, error) {
	if len(accountIDs) == 0 {
		return nil, nil
	}
	// Two conditions joined by OR would read the table: each has its own index.
	r, in := q.reader(ctx)
	rows, err := gorm.G[relationRow](r).Raw(`SELECT * FROM (
			SELECT * FROM relations WHERE account_id IN ? AND block = ? AND since >= ?
			UNION SELECT * FROM relations WHERE other_id IN ? AND block = ? AND since >= ?) AS f
		ORDER BY since DESC, account_id DESC, other_id DESC LIMIT ?`,
		accountIDs, false, toMs(since), accountIDs, false, toMs(since), limit).Find(in)
	return records[relationRow, store.Relation](rows), fail(ctx, err, "follows around %d accounts", len(accountIDs))
}

func (q *queries) AddNote(ctx context.Context, n store.Note, max int) error {
	row := noteRow{ID: n.ID, FromID: n.From, ToID: n.To, Text: n.Text, At: toMs(n.At)}
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		have, err := gorm.G[noteRow](tx).Where("from_id = ? AND to_id = ?", n.From, n.To).Count(ctx, "id")
		if err != nil {
			return err
		}
		if int(have) >= max {
			return fmt.Errorf("there are %d already: %w", have, store.ErrConflict)
		}
		return gorm.G[noteRow](tx).Create(ctx, &row)
	})
	return fail(ctx, err, "note of %q about %q", n.From, n.To)
}

func (q *queries) NotesOf(ctx context.Context, from, to string) ([]store.Note, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[noteRow](r).Where("from_id = ? AND to_id = ?", from, to).Order("at DESC, id DESC").Find(in)
	return records[noteRow, store.Note](rows), fail(ctx, err, "notes of %q about %q", from, to)
}
