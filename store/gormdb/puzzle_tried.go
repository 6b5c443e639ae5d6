package gormdb

import (
	"context"

	"gorm.io/gorm"
)

func (q *queries) Tried(ctx context.Context, accountID, puzzleID string) (bool, error) {
	r, in := q.reader(ctx)
	n, err := gorm.G[attemptRow](r).Where("account_id = ? AND puzzle_id = ?", accountID, puzzleID).Count(in, "*")
	return n > 0, fail(ctx, err, "attempts of %q at %q", accountID, puzzleID)
}
