package gormdb

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"hoplite/store"
)

func (q *queries) CreateAccount(ctx context.Context, a store.Account) error {
	row := newAccountRow(a)
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return gorm.G[accountRow](tx).Create(ctx, &row)
	})
	return fail(ctx, err, "new account %q", a.ID)
}

func (q *queries) AccountByID(ctx context.Context, id string) (store.Account, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[accountRow](r).Where("id = ?", id).Take(in)
	if err != nil {
		return store.Account{}, fail(ctx, missing(err), "account %q", id)
	}
	return row.record(), nil
}

func (q *queries) AccountsByID(ctx context.Context, ids []string) ([]store.Account, error) {
	rows, err := inChunks(ids, func(part []string) ([]accountRow, error) {
		r, in := q.reader(ctx)
		return gorm.G[accountRow](r).Where("id IN ?", part).Find(in)
	})
	if err != nil {
		return nil, fail(ctx, err, "%d accounts", len(ids))
	}
	return inOrder(ids, records[accountRow, store.Account](rows), func(a store.Account) string { return a.ID }), nil
}

func (q *queries) AccountsByEmail(ctx context.Context, email string) ([]store.Account, error) {
	if email == "" {
		return nil, nil
	}
	r, in := q.reader(ctx)
	rows, err := gorm.G[accountRow](r).Where("lower(email) = lower(?) AND email <> '' AND closed = 0", email).
		Order("created, id").Find(in)
	return records[accountRow, store.Account](rows), fail(ctx, err, "accounts by address")
}

func (q *queries) AccountsByPrefix(ctx context.Context, prefix string, limit int) ([]store.Account, error) {
	r, in := q.reader(ctx)
	// A range instead of LIKE uses the primary key and needs no escaping. Ids
	// are ASCII, so U+FFFD is above whatever may follow.
	rows, err := gorm.G[accountRow](r).Where("id >= ? AND id < ? AND closed = 0 AND hidden = ?", prefix, prefix+"\uFFFD", false).
		Order("id").Limit(limit).Find(in)
	return records[accountRow, store.Account](rows), fail(ctx, err, "accounts starting with %q", prefix)
}

func (q *queries) Admins(ctx context.Context) ([]store.Account, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[accountRow](r).Where("role = 'admin' AND closed = 0").Order("id").Find(in)
	return records[accountRow, store.Account](rows), fail(ctx, err, "administrators")
}

// likeEscape keeps what people type from being read as a pattern.
var likeEscape = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

func (q *queries) FindAccounts(ctx context.Context, f store.AccountFilter) ([]store.Account, error) {
	r, in := q.reader(ctx)
	find := gorm.G[accountRow](r).Where("id > ?", f.After)
	if f.Query != "" {
		find = find.Where(`(id LIKE ? ESCAPE '\' OR email <> '' AND lower(email) = ?)`, "%"+likeEscape.Replace(f.Query)+"%", f.Query)
	}
	switch f.State {
	case "":
	case "open":
		find = find.Where("closed = 0")
	case "closed":
		find = find.Where("closed <> 0")
	case "banned":
		find = find.Where("banned = ?", true)
	case "admin":
		find = find.Where("role = 'admin'")
	case "bot":
		find = find.Where("title = 'BOT'")
	default:
		return nil, fmt.Errorf("accounts that are %q: %w", f.State, store.ErrInvalid)
	}
	rows, err := find.Order("id").Limit(f.Limit).Find(in)
	return records[accountRow, store.Account](rows), fail(ctx, err, "accounts")
}

func (q *queries) AccountsClosedSince(ctx context.Context, since time.Time, limit int) ([]store.Account, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[accountRow](r).Where("closed >= ? AND closed <> 0", toMs(since)).Order("closed, id").Limit(limit).Find(in)
	return records[accountRow, store.Account](rows), fail(ctx, err, "closed accounts")
}

func (q *queries) CountAccounts(ctx context.Context) (open, closed int, err error) {
	r, in := q.reader(ctx)
	var n struct{ Open, Closed int }
	err = r.WithContext(in).Raw(`SELECT count(CASE WHEN closed = 0 THEN 1 END) AS open,
		count(CASE WHEN closed <> 0 THEN 1 END) AS closed FROM accounts WHERE NOT hidden`).Scan(&n).Error
	return n.Open, n.Closed, fail(ctx, err, "number of accounts")
}

func (q *queries) UpdateAccount(ctx context.Context, id string, c store.AccountChange) error {
	if c.Name != nil && strings.ToLower(*c.Name) != id {
		return fmt.Errorf("account %q: another name, %q: %w", id, *c.Name, store.ErrInvalid)
	}
	var set assignments
	put(&set, "name", c.Name)
	put(&set, "password_hash", c.PasswordHash)
	put(&set, "email", c.Email)
	put(&set, "title", c.Title)
	put(&set, "role", c.Role)
	put(&set, "hidden", c.Hidden)
	putAs(&set, "seen", c.Seen, toMs)
	putAs(&set, "closed", c.Closed, toMs)
	put(&set, "closed_by", c.ClosedBy)
	put(&set, "banned", c.Banned)
	putAs(&set, "email_confirmed", c.EmailConfirmed, toMs)
	put(&set, "kid", c.Kid)
	put(&set, "language", c.Language)
	if c.Profile != nil {
		set.add("profile", string(*c.Profile))
	}
	if c.Prefs != nil {
		set.add("prefs", string(*c.Prefs))
	}
	if len(set) == 0 {
		_, err := q.AccountByID(ctx, id)
		return err
	}
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return one(gorm.G[accountRow](tx).Where("id = ?", id).Set(set...).Update(ctx))
	})
	return fail(ctx, err, "account %q", id)
}

func (q *queries) MakeBot(ctx context.Context, id string) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		n, err := gorm.G[accountRow](tx).Where(
			"id = ? AND (title = 'BOT' OR NOT EXISTS (SELECT 1 FROM game_players p WHERE p.account_id = ? AND p.account_id <> ''))", id, id).
			Set(clause.Assignment{Column: clause.Column{Name: "title"}, Value: "BOT"}).Update(ctx)
		if err != nil || n > 0 {
			return err
		}
		if _, err := gorm.G[accountRow](tx).Where("id = ?", id).Take(ctx); err != nil {
			return err
		}
		return fmt.Errorf("has played: %w", store.ErrConflict)
	})
	return fail(ctx, err, "account %q to bot", id)
}
