package gormdb

import (
	"context"
	"time"

	"gorm.io/gorm"

	"hoplite/store"
)

type mailCodeRow struct {
	Hash      []byte `gorm:"primaryKey"`
	AccountID string
	Purpose   string
	Email     string
	Created   int64
	Expires   int64
}

func (mailCodeRow) TableName() string { return "mail_codes" }

func (r mailCodeRow) record() store.MailCode {
	c := store.MailCode{
		AccountID: r.AccountID, Purpose: r.Purpose, Email: r.Email, Created: fromMs(r.Created), Expires: fromMs(r.Expires),
	}
	copy(c.Hash[:], r.Hash)
	return c
}

func (q *queries) CreateMailCode(ctx context.Context, c store.MailCode) error {
	row := mailCodeRow{
		Hash: c.Hash[:], AccountID: c.AccountID, Purpose: c.Purpose, Email: c.Email, Created: toMs(c.Created),
		Expires: toMs(c.Expires),
	}
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return gorm.G[mailCodeRow](tx).Create(ctx, &row)
	})
	return fail(ctx, err, "new code of %q", c.AccountID)
}

func (q *queries) TakeMailCode(ctx context.Context, hash [32]byte, purpose string) (store.MailCode, error) {
	var row mailCodeRow
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) (err error) {
		row, err = returned(gorm.G[mailCodeRow](tx).Raw(
			"DELETE FROM mail_codes WHERE hash = ? AND purpose = ? RETURNING *", hash[:], purpose).Find(ctx))
		return err
	})
	if err != nil {
		return store.MailCode{}, fail(ctx, err, "code")
	}
	return row.record(), nil
}

func (q *queries) DeleteMailCodesOf(ctx context.Context, accountID, purpose string) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		all := gorm.G[mailCodeRow](tx).Where("account_id = ?", accountID)
		if purpose != "" {
			all = all.Where("purpose = ?", purpose)
		}
		_, err := all.Delete(ctx)
		return err
	})
	return fail(ctx, err, "codes of %q", accountID)
}

func (q *queries) SweepMailCodes(ctx context.Context, now time.Time, limit int) (int, error) {
	var n int
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) (err error) {
		n, err = gorm.G[mailCodeRow](tx).Where(
			"hash IN (SELECT hash FROM mail_codes WHERE expires <= ? ORDER BY expires LIMIT ?)", toMs(now), limit).Delete(ctx)
		return err
	})
	return n, fail(ctx, err, "expired codes")
}

var _ store.MailCodes = (*queries)(nil)
