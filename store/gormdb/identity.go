package gormdb

import (
	"context"

	"gorm.io/gorm"

	"hoplite/store"
)

type linkedIdentityRow struct {
	Issuer    string `gorm:"primaryKey"`
	Subject   string `gorm:"primaryKey"`
	AccountID string
	Label     string
	Created   int64
}

func (linkedIdentityRow) TableName() string { return "linked_identities" }

func (r linkedIdentityRow) record() store.LinkedIdentity {
	return store.LinkedIdentity{
		Issuer: r.Issuer, Subject: r.Subject, AccountID: r.AccountID, Label: r.Label, Created: fromMs(r.Created),
	}
}

func (q *queries) LinkIdentity(ctx context.Context, l store.LinkedIdentity) error {
	row := linkedIdentityRow{
		Issuer: l.Issuer, Subject: l.Subject, AccountID: l.AccountID, Label: storable(l.Label), Created: toMs(l.Created),
	}
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return gorm.G[linkedIdentityRow](tx).Create(ctx, &row)
	})
	return fail(ctx, err, "identity of %q", l.AccountID)
}

func (q *queries) IdentityBySubject(ctx context.Context, issuer, subject string) (store.LinkedIdentity, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[linkedIdentityRow](r).Where("issuer = ? AND subject = ?", issuer, subject).Take(in)
	if err != nil {
		return store.LinkedIdentity{}, fail(ctx, missing(err), "identity")
	}
	return row.record(), nil
}

func (q *queries) IdentitiesOf(ctx context.Context, accountID string) ([]store.LinkedIdentity, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[linkedIdentityRow](r).Where("account_id = ?", accountID).Order("created, issuer, subject").Find(in)
	return records[linkedIdentityRow, store.LinkedIdentity](rows), fail(ctx, err, "identities of %q", accountID)
}

func (q *queries) UnlinkIdentities(ctx context.Context, accountID, issuer string) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		all := gorm.G[linkedIdentityRow](tx).Where("account_id = ?", accountID)
		if issuer != "" {
			all = all.Where("issuer = ?", issuer)
		}
		_, err := all.Delete(ctx)
		return err
	})
	return fail(ctx, err, "identities of %q", accountID)
}

var _ store.LinkedIdentities = (*queries)(nil)
