package gormdb

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"hoplite/store"
)

type inviteRow struct {
	ID        string `gorm:"primaryKey"`
	Hash      []byte
	Role      string
	Note      string
	CreatedBy string
	Created   int64
	Expires   int64
	UsedBy    string
	Used      int64
}

func (inviteRow) TableName() string { return "invites" }

func (r inviteRow) record() store.Invite {
	i := store.Invite{
		ID: r.ID, Role: r.Role, Note: r.Note, CreatedBy: r.CreatedBy, Created: fromMs(r.Created), Expires: fromMs(r.Expires),
		UsedBy: r.UsedBy, Used: fromMs(r.Used),
	}
	copy(i.Hash[:], r.Hash)
	return i
}

func (q *queries) CreateInvite(ctx context.Context, i store.Invite) error {
	row := inviteRow{
		ID: i.ID, Hash: i.Hash[:], Role: i.Role, Note: i.Note, CreatedBy: i.CreatedBy, Created: toMs(i.Created),
		Expires: toMs(i.Expires), UsedBy: i.UsedBy, Used: toMs(i.Used),
	}
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return gorm.G[inviteRow](tx).Create(ctx, &row)
	})
	return fail(ctx, err, "new invitation")
}

func (q *queries) InviteByHash(ctx context.Context, hash [32]byte) (store.Invite, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[inviteRow](r).Where("hash = ?", hash[:]).Take(in)
	if err != nil {
		return store.Invite{}, fail(ctx, err, "invitation")
	}
	return row.record(), nil
}

func (q *queries) UseInvite(ctx context.Context, hash [32]byte, by string, at time.Time) (store.Invite, error) {
	var row inviteRow
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) (err error) {
		row, err = returned(gorm.G[inviteRow](tx).Raw(
			"UPDATE invites SET used_by = ?, used = ? WHERE hash = ? AND used = 0 AND expires > ? RETURNING *",
			by, toMs(at), hash[:], toMs(at)).Find(ctx))
		return err
	})
	if err != nil {
		return store.Invite{}, fail(ctx, err, "invitation")
	}
	return row.record(), nil
}

func (q *queries) Invites(ctx context.Context, limit int) ([]store.Invite, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[inviteRow](r).Order("created DESC, id").Limit(limit).Find(in)
	return records[inviteRow, store.Invite](rows), fail(ctx, err, "invitations")
}

func (q *queries) DeleteInvite(ctx context.Context, id string) (store.Invite, error) {
	var row inviteRow
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		rows, err := gorm.G[inviteRow](tx).Raw("DELETE FROM invites WHERE id = ? AND used = 0 RETURNING *", id).Find(ctx)
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			row = rows[0]
			return nil
		}
		if _, err := gorm.G[inviteRow](tx).Where("id = ?", id).Take(ctx); err != nil {
			return err
		}
		return fmt.Errorf("was used: %w", store.ErrConflict)
	})
	if err != nil {
		return store.Invite{}, fail(ctx, missing(err), "invitation %q", id)
	}
	return row.record(), nil
}

var _ store.Invites = (*queries)(nil)
