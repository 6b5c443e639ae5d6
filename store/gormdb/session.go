package gormdb

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"hoplite/store"
)

func (q *queries) CreateSession(ctx context.Context, s store.Session) error {
	row := newSessionRow(s)
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return gorm.G[sessionRow](tx).Create(ctx, &row)
	})
	return fail(ctx, err, "new session of %q", s.AccountID)
}

func (q *queries) SessionByID(ctx context.Context, id string) (store.Session, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[sessionRow](r).Where("id = ?", id).Take(in)
	if err != nil {
		return store.Session{}, fail(ctx, missing(err), "session")
	}
	return row.record(), nil
}

func (q *queries) HeldSessions(ctx context.Context, ids []string, now time.Time) ([]string, error) {
	held, err := heldBy[sessionRow](ctx, q, ids, now)
	return held, fail(ctx, err, "%d sessions", len(ids))
}

// heldBy returns which credentials are there and have not expired.
func heldBy[R any](ctx context.Context, q *queries, ids []string, now time.Time) ([]string, error) {
	return inChunks(ids, func(part []string) (held []string, err error) {
		r, in := q.reader(ctx)
		err = gorm.G[R](r).Select("id").Where("id IN ? AND (expires = 0 OR expires > ?)", part, toMs(now)).Scan(in, &held)
		return held, err
	})
}

func (q *queries) SessionsOf(ctx context.Context, accountID string) ([]store.Session, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[sessionRow](r).Where("account_id = ?", accountID).Order("created DESC, id").Find(in)
	return records[sessionRow, store.Session](rows), fail(ctx, err, "sessions of %q", accountID)
}

func (q *queries) DeleteSession(ctx context.Context, id string) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return one(gorm.G[sessionRow](tx).Where("id = ?", id).Delete(ctx))
	})
	return fail(ctx, missing(err), "session")
}

func (q *queries) DeleteSessionsOf(ctx context.Context, accountID, except string) ([]string, error) {
	var ids []string
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		rows, err := gorm.G[sessionRow](tx).Raw(
			"DELETE FROM sessions WHERE account_id = ? AND id <> ? RETURNING *", accountID, except).Find(ctx)
		ids = ids[:0]
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		return err
	})
	return ids, fail(ctx, err, "sessions of %q", accountID)
}

func (q *queries) SweepSessions(ctx context.Context, now time.Time, limit int) (int, error) {
	var n int
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) (err error) {
		n, err = gorm.G[sessionRow](tx).Where(
			"id IN (SELECT id FROM sessions WHERE expires <= ? AND expires <> 0 ORDER BY expires LIMIT ?)", toMs(now), limit).Delete(ctx)
		return err
	})
	return n, fail(ctx, err, "expired sessions")
}

func (q *queries) CreateToken(ctx context.Context, t store.Token) error {
	row := newTokenRow(t)
	err := checkWords(t.Scopes)
	if err == nil {
		err = q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
			return gorm.G[tokenRow](tx).Create(ctx, &row)
		})
	}
	return fail(ctx, err, "new token of %q", t.AccountID)
}

func (q *queries) TokenByHash(ctx context.Context, hash [32]byte) (store.Token, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[tokenRow](r).Where("hash = ?", hash[:]).Take(in)
	if err != nil {
		return store.Token{}, fail(ctx, err, "token")
	}
	return row.record(), nil
}

func (q *queries) TokensByHash(ctx context.Context, hashes [][32]byte) ([]store.Token, error) {
	keys := make([][]byte, len(hashes))
	for i := range hashes {
		keys[i] = hashes[i][:]
	}
	rows, err := inChunks(keys, func(part [][]byte) ([]tokenRow, error) {
		r, in := q.reader(ctx)
		return gorm.G[tokenRow](r).Where("hash IN ?", part).Find(in)
	})
	return records[tokenRow, store.Token](rows), fail(ctx, err, "%d tokens", len(hashes))
}

func (q *queries) HeldTokens(ctx context.Context, ids []string, now time.Time) ([]string, error) {
	held, err := heldBy[tokenRow](ctx, q, ids, now)
	return held, fail(ctx, err, "%d tokens", len(ids))
}

func (q *queries) TokensOf(ctx context.Context, accountID string) ([]store.Token, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[tokenRow](r).Where("account_id = ?", accountID).Order("created DESC, id").Find(in)
	return records[tokenRow, store.Token](rows), fail(ctx, err, "tokens of %q", accountID)
}

func (q *queries) DeleteToken(ctx context.Context, accountID, id string) (store.Token, error) {
	var row tokenRow
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) (err error) {
		row, err = returned(gorm.G[tokenRow](tx).Raw(
			"DELETE FROM tokens WHERE account_id = ? AND id = ? RETURNING *", accountID, id).Find(ctx))
		return err
	})
	if err != nil {
		return store.Token{}, fail(ctx, missing(err), "token %q of %q", id, accountID)
	}
	return row.record(), nil
}

func (q *queries) DeleteTokensOf(ctx context.Context, accountID string) ([]store.Token, error) {
	var rows []tokenRow
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) (err error) {
		rows, err = gorm.G[tokenRow](tx).Raw("DELETE FROM tokens WHERE account_id = ? RETURNING *", accountID).Find(ctx)
		return err
	})
	return records[tokenRow, store.Token](rows), fail(ctx, err, "tokens of %q", accountID)
}

func (q *queries) UseToken(ctx context.Context, id string, at time.Time) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		_, err := gorm.G[tokenRow](tx).Where("id = ? AND used < ?", id, toMs(at)).
			Set(clause.Assignment{Column: clause.Column{Name: "used"}, Value: toMs(at)}).Update(ctx)
		return err
	})
	return fail(ctx, err, "token %q", id)
}

// returned is the one row of a statement with RETURNING, which must meet one.
func returned[R any](rows []R, err error) (R, error) {
	var none R
	if err != nil {
		return none, err
	}
	if len(rows) == 0 {
		return none, gorm.ErrRecordNotFound
	}
	return rows[0], nil
}
