package gormdb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"hoplite/store"
)

func (q *queries) CreateChallenge(ctx context.Context, c store.Challenge) error {
	row := newChallengeRow(c)
	err := errors.Join(checkWords(c.Rules), checkWords(c.OpenUsers))
	if err == nil {
		err = q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
			n, err := gorm.G[gameRow](tx).Where("id = ?", c.ID).Count(ctx, "id")
			if err == nil && n > 0 {
				err = fmt.Errorf("a game has the id: %w", store.ErrConflict)
			}
			if err != nil {
				return err
			}
			return gorm.G[challengeRow](tx).Create(ctx, &row)
		})
	}
	return fail(ctx, err, "new challenge %q", c.ID)
}

func (q *queries) ChallengeByID(ctx context.Context, id string) (store.Challenge, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[challengeRow](r).Where("id = ?", id).Take(in)
	if err != nil {
		return store.Challenge{}, fail(ctx, missing(err), "challenge %q", id)
	}
	return row.record(), nil
}

func (q *queries) ChangeChallenge(ctx context.Context, id string, from []string, c store.ChallengeChange) (store.Challenge, error) {
	var set assignments
	put(&set, "status", c.Status)
	put(&set, "dest_id", c.DestID)
	put(&set, "final_color", c.FinalColor)
	put(&set, "decline_reason", c.DeclineReason)
	putAs(&set, "seen", c.Seen, toMs)
	putAs(&set, "expires", c.Expires, toMs)
	var row challengeRow
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		var err error
		row, err = gorm.G[challengeRow](tx).Raw("SELECT * FROM challenges WHERE id = ?"+q.b.forUpdate(), id).Take(ctx)
		if err != nil {
			return err
		}
		if len(from) > 0 && !slices.Contains(from, row.Status) {
			return fmt.Errorf("is %s: %w", row.Status, store.ErrConflict)
		}
		if len(set) == 0 {
			return nil
		}
		if err := one(gorm.G[challengeRow](tx).Where("id = ?", id).Set(set...).Update(ctx)); err != nil {
			return err
		}
		row, err = gorm.G[challengeRow](tx).Where("id = ?", id).Take(ctx)
		return err
	})
	return row.record(), fail(ctx, missing(err), "challenge %q", id)
}

func (q *queries) ChallengesOf(ctx context.Context, accountID string) (in, out []store.Challenge, err error) {
	if accountID == "" {
		return nil, nil, nil
	}
	for _, list := range []struct {
		column string
		to     *[]store.Challenge
	}{{"dest_id", &in}, {"challenger_id", &out}} {
		r, ctx := q.reader(ctx)
		rows, err := gorm.G[challengeRow](r).Where(list.column+" = ? AND status = 'created'", accountID).
			Order("created, id").Find(ctx)
		if err != nil {
			return nil, nil, fail(ctx, err, "challenges of %q", accountID)
		}
		*list.to = records[challengeRow, store.Challenge](rows)
	}
	return in, out, nil
}

func (q *queries) ExpireChallenges(ctx context.Context, now, seenBefore time.Time, limit int) ([]store.Challenge, error) {
	var rows []challengeRow
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) (err error) {
		rows, err = gorm.G[challengeRow](tx).Raw(`UPDATE challenges SET status = 'offline' WHERE status = 'created' AND id IN (
			SELECT id FROM challenges WHERE status = 'created'
			AND (expires <> 0 AND expires <= ? OR expires = 0 AND seen < ?) ORDER BY id LIMIT ?) RETURNING *`,
			toMs(now), toMs(seenBefore), limit).Find(ctx)
		return err
	})
	slices.SortFunc(rows, func(a, b challengeRow) int { return int(a.Created - b.Created) })
	return records[challengeRow, store.Challenge](rows), fail(ctx, err, "expired challenges")
}

func (q *queries) SweepChallenges(ctx context.Context, before time.Time, limit int) (int, error) {
	var n int
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) (err error) {
		n, err = gorm.G[challengeRow](tx).Where(`id IN (SELECT id FROM challenges
			WHERE created < ? AND status <> 'created' ORDER BY created LIMIT ?)`, toMs(before), limit).Delete(ctx)
		return err
	})
	return n, fail(ctx, err, "old challenges")
}
