package gormdb

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"hoplite/store"
)

type authCodeRow struct {
	Hash         []byte `gorm:"primaryKey"`
	AccountID    string
	ClientID     string
	ClientOrigin string
	RedirectURI  string
	Challenge    string
	Scopes       string
	Created      int64
	Expires      int64
	TokenID      string
}

func (authCodeRow) TableName() string { return "auth_codes" }

func (r authCodeRow) record() store.AuthCode {
	c := store.AuthCode{
		AccountID: r.AccountID, ClientID: r.ClientID, ClientOrigin: r.ClientOrigin, RedirectURI: r.RedirectURI,
		Challenge: r.Challenge, Scopes: fromWords(r.Scopes), Created: fromMs(r.Created), Expires: fromMs(r.Expires),
		TokenID: r.TokenID,
	}
	copy(c.Hash[:], r.Hash)
	return c
}

func (q *queries) CreateAuthCode(ctx context.Context, c store.AuthCode) error {
	row := authCodeRow{
		Hash: c.Hash[:], AccountID: c.AccountID, ClientID: c.ClientID, ClientOrigin: c.ClientOrigin,
		RedirectURI: c.RedirectURI, Challenge: c.Challenge, Scopes: words(c.Scopes), Created: toMs(c.Created),
		Expires: toMs(c.Expires), TokenID: c.TokenID,
	}
	err := checkWords(c.Scopes)
	if err == nil {
		err = q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
			return gorm.G[authCodeRow](tx).Create(ctx, &row)
		})
	}
	return fail(ctx, err, "new code of %q", c.AccountID)
}

func (q *queries) UseAuthCode(ctx context.Context, hash [32]byte, tokenID string) (store.AuthCode, error) {
	if tokenID == "" {
		return store.AuthCode{}, fmt.Errorf("code used without a token: %w", store.ErrInvalid)
	}
	var row authCodeRow
	used := false
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		rows, err := gorm.G[authCodeRow](tx).Raw(
			"UPDATE auth_codes SET token_id = ? WHERE hash = ? AND token_id = '' RETURNING *", tokenID, hash[:]).Find(ctx)
		if used = err == nil && len(rows) == 0; used {
			row, err = gorm.G[authCodeRow](tx).Where("hash = ?", hash[:]).Take(ctx)
			return err
		}
		if err == nil {
			row = rows[0]
		}
		return err
	})
	if err == nil && used {
		err = store.ErrConflict
	} else if err != nil {
		return store.AuthCode{}, fail(ctx, err, "code")
	}
	return row.record(), fail(ctx, err, "used code")
}

func (q *queries) SweepAuthCodes(ctx context.Context, now time.Time, limit int) (int, error) {
	var n int
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) (err error) {
		n, err = gorm.G[authCodeRow](tx).Where(
			"hash IN (SELECT hash FROM auth_codes WHERE expires <= ? ORDER BY expires LIMIT ?)", toMs(now), limit).Delete(ctx)
		return err
	})
	return n, fail(ctx, err, "expired codes")
}

var _ store.AuthCodes = (*queries)(nil)
