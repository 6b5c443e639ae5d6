package gormdb

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"hoplite/store"
)

type secondFactorRow struct {
	AccountID string `gorm:"primaryKey"`
	Secret    string
	Created   int64
	Enabled   int64
	LastStep  int64
}

func (secondFactorRow) TableName() string { return "second_factors" }

type recoveryCodeRow struct {
	Hash      []byte `gorm:"primaryKey"`
	AccountID string
}

func (recoveryCodeRow) TableName() string { return "recovery_codes" }

func (q *queries) SecondFactor(ctx context.Context, accountID string) (store.SecondFactor, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[secondFactorRow](r).Where("account_id = ?", accountID).Take(in)
	if err != nil {
		return store.SecondFactor{}, fail(ctx, missing(err), "second factor of %q", accountID)
	}
	return store.SecondFactor{
		AccountID: row.AccountID, Secret: row.Secret, Created: fromMs(row.Created), Enabled: fromMs(row.Enabled),
		LastStep: row.LastStep,
	}, nil
}

func (q *queries) PutSecondFactor(ctx context.Context, f store.SecondFactor) error {
	row := secondFactorRow{
		AccountID: f.AccountID, Secret: f.Secret, Created: toMs(f.Created), Enabled: toMs(f.Enabled), LastStep: f.LastStep,
	}
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		if err := deleteFactor(ctx, tx, f.AccountID); err != nil {
			return err
		}
		return gorm.G[secondFactorRow](tx).Create(ctx, &row)
	})
	return fail(ctx, err, "second factor of %q", f.AccountID)
}

func deleteFactor(ctx context.Context, tx *gorm.DB, accountID string) error {
	if _, err := gorm.G[recoveryCodeRow](tx).Where("account_id = ?", accountID).Delete(ctx); err != nil {
		return err
	}
	_, err := gorm.G[secondFactorRow](tx).Where("account_id = ?", accountID).Delete(ctx)
	return err
}

func (q *queries) EnableSecondFactor(ctx context.Context, accountID string, step int64, at time.Time, recovery [][32]byte) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		var set assignments
		set.add("enabled", toMs(at))
		set.add("last_step", step)
		if err := one(gorm.G[secondFactorRow](tx).Where("account_id = ?", accountID).Set(set...).Update(ctx)); err != nil {
			return err
		}
		if _, err := gorm.G[recoveryCodeRow](tx).Where("account_id = ?", accountID).Delete(ctx); err != nil {
			return err
		}
		for i := range recovery {
			if err := gorm.G[recoveryCodeRow](tx).Create(ctx, &recoveryCodeRow{Hash: recovery[i][:], AccountID: accountID}); err != nil {
				return err
			}
		}
		return nil
	})
	return fail(ctx, missing(err), "second factor of %q", accountID)
}

func (q *queries) UseFactorStep(ctx context.Context, accountID string, step int64) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		var set assignments
		set.add("last_step", step)
		n, err := gorm.G[secondFactorRow](tx).Where("account_id = ? AND last_step < ?", accountID, step).Set(set...).Update(ctx)
		if err == nil && n == 0 {
			err = fmt.Errorf("the code was taken before: %w", store.ErrConflict)
		}
		return err
	})
	return fail(ctx, err, "second factor of %q", accountID)
}

func (q *queries) UseRecoveryCode(ctx context.Context, accountID string, hash [32]byte) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return one(gorm.G[recoveryCodeRow](tx).Where("account_id = ? AND hash = ?", accountID, hash[:]).Delete(ctx))
	})
	return fail(ctx, missing(err), "recovery code of %q", accountID)
}

func (q *queries) CountRecoveryCodes(ctx context.Context, accountID string) (int, error) {
	r, in := q.reader(ctx)
	n, err := gorm.G[recoveryCodeRow](r).Where("account_id = ?", accountID).Count(in, "*")
	return int(n), fail(ctx, err, "recovery codes of %q", accountID)
}

func (q *queries) DeleteSecondFactor(ctx context.Context, accountID string) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error { return deleteFactor(ctx, tx, accountID) })
	return fail(ctx, err, "second factor of %q", accountID)
}

var _ store.SecondFactors = (*queries)(nil)
