package gormdb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"hoplite/store"
)

func (q *queries) SavePuzzles(ctx context.Context, ps []store.Puzzle) error {
	rows := make([]puzzleRow, len(ps))
	for i, p := range ps {
		var err error
		if rows[i], err = newPuzzleRow(p); err != nil {
			return fail(ctx, err, "puzzle %q", p.ID)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return gorm.G[puzzleRow](tx, clause.OnConflict{
			Columns: []clause.Column{{Name: "id"}},
			DoUpdates: clause.AssignmentColumns([]string{
				"variant", "fen", "moves", "alts", "goal", "themes", "solver", "source",
			}),
		}).CreateInBatches(ctx, &rows, 200)
	})
	return fail(ctx, err, "%d puzzles", len(ps))
}

func (q *queries) PuzzleByID(ctx context.Context, id string) (store.Puzzle, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[puzzleRow](r).Where("id = ?", id).Take(in)
	if err != nil {
		return store.Puzzle{}, fail(ctx, missing(err), "puzzle %q", id)
	}
	return row.record(), nil
}

func (q *queries) PuzzlesByID(ctx context.Context, ids []string) ([]store.Puzzle, error) {
	rows, err := inChunks(ids, func(part []string) ([]puzzleRow, error) {
		r, in := q.reader(ctx)
		return gorm.G[puzzleRow](r).Where("id IN ?", part).Find(in)
	})
	if err != nil {
		return nil, fail(ctx, err, "%d puzzles", len(ids))
	}
	return inOrder(ids, records[puzzleRow, store.Puzzle](rows), func(p store.Puzzle) string { return p.ID }), nil
}

func (q *queries) Puzzles(ctx context.Context, f store.PuzzleFilter) ([]store.Puzzle, error) {
	r, in := q.reader(ctx)
	chain := gorm.G[puzzleRow](r).Where("id > ?", f.AfterID)
	if f.Variant != "" {
		chain = chain.Where("variant = ?", f.Variant)
	}
	if f.Theme != "" {
		if err := checkWords([]string{f.Theme}); err != nil {
			return nil, nil // no puzzle has it
		}
		// Exact on both databases, which LIKE is not.
		chain = chain.Where("replace(themes, ?, '') <> themes", " "+f.Theme+" ")
	}
	if f.MinRating != 0 {
		chain = chain.Where("rating >= ?", f.MinRating)
	}
	if f.MaxRating != 0 {
		chain = chain.Where("rating <= ?", f.MaxRating)
	}
	if f.SideToMove != "" {
		chain = chain.Where("solver = ?", f.SideToMove)
	}
	if f.UnseenBy != "" {
		chain = chain.Where("NOT EXISTS (SELECT 1 FROM puzzle_attempts t WHERE t.account_id = ? AND t.puzzle_id = puzzles.id)", f.UnseenBy)
	}
	rows, err := chain.Order("id").Limit(f.Limit).Find(in)
	return records[puzzleRow, store.Puzzle](rows), fail(ctx, err, "puzzles")
}

func (q *queries) CountPuzzles(ctx context.Context) (map[string]int, error) {
	r, in := q.reader(ctx)
	var rows []struct {
		Variant string
		N       int64
	}
	err := gorm.G[puzzleRow](r).Raw("SELECT variant, count(*) AS n FROM puzzles GROUP BY variant").Scan(in, &rows)
	if err != nil {
		return nil, fail(ctx, err, "number of puzzles")
	}
	out := make(map[string]int, len(rows))
	for _, r := range rows {
		out[r.Variant] = int(r.N)
	}
	return out, nil
}

func (q *queries) LockPuzzle(ctx context.Context, id string) (store.Puzzle, error) {
	if q.tx == nil {
		return store.Puzzle{}, errors.New("LockPuzzle outside a transaction")
	}
	row, err := gorm.G[puzzleRow](q.tx).Raw("SELECT * FROM puzzles WHERE id = ?"+q.b.forUpdate(), id).Take(q.in)
	if err != nil {
		return store.Puzzle{}, fail(ctx, missing(err), "puzzle %q", id)
	}
	return row.record(), nil
}

func (q *queries) RatePuzzle(ctx context.Context, id string, rating, rd, vol float64) error {
	var set assignments
	set.add("rating", rating)
	set.add("rd", rd)
	set.add("vol", vol)
	set.add("plays", gorm.Expr("plays + 1"))
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return one(gorm.G[puzzleRow](tx).Where("id = ?", id).Set(set...).Update(ctx))
	})
	return fail(ctx, err, "puzzle %q", id)
}

func (q *queries) AddAttempt(ctx context.Context, a store.PuzzleAttempt) (bool, error) {
	row := attemptRow{
		AccountID: a.AccountID, PuzzleID: a.PuzzleID, At: toMs(a.At), Win: a.Win, Rated: a.Rated,
		Rating: int64(a.Rating), RatingDiff: int64(a.RatingDiff), PuzzleAfter: int64(a.PuzzleAfter), Moves: a.Moves,
		ActionID: a.ActionID,
	}
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		// The account's row orders its attempts, which are numbered one by one.
		found, err := gorm.G[accountRow](tx).Raw("SELECT * FROM accounts WHERE id = ?"+q.b.forUpdate(), a.AccountID).Find(ctx)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("no such account: %w", store.ErrInvalid)
		}
		var last struct{ Nr, Tries int64 }
		err = gorm.G[attemptRow](tx).Raw(`SELECT coalesce(max(nr), 0) AS nr,
			(SELECT count(*) FROM puzzle_attempts WHERE account_id = ? AND puzzle_id = ?) AS tries
			FROM puzzle_attempts WHERE account_id = ?`, a.AccountID, a.PuzzleID, a.AccountID).Scan(ctx, &last)
		if err != nil {
			return err
		}
		row.Nr, row.First = last.Nr+1, last.Tries == 0
		return gorm.G[attemptRow](tx).Create(ctx, &row)
	})
	return row.First, fail(ctx, err, "attempt of %q at puzzle %q", a.AccountID, a.PuzzleID)
}

func (q *queries) AttemptByAction(ctx context.Context, accountID, actionID string) (store.PuzzleAttempt, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[attemptRow](r).Where("account_id = ? AND action_id = ? AND action_id <> ''", accountID, actionID).Take(in)
	if err != nil {
		return store.PuzzleAttempt{}, fail(ctx, missing(err), "attempt %q of %q", actionID, accountID)
	}
	return row.record(), nil
}

func (q *queries) Attempts(ctx context.Context, accountID string, since, before time.Time, limit int) ([]store.PuzzleAttempt, error) {
	r, in := q.reader(ctx)
	chain := gorm.G[attemptRow](r).Where("account_id = ?", accountID)
	if !since.IsZero() {
		chain = chain.Where("at >= ?", toMs(since))
	}
	if !before.IsZero() {
		chain = chain.Where("at < ?", toMs(before))
	}
	rows, err := chain.Order("at DESC, nr DESC").Limit(limit).Find(in)
	return records[attemptRow, store.PuzzleAttempt](rows), fail(ctx, err, "attempts of %q", accountID)
}

func (q *queries) CurrentPuzzle(ctx context.Context, accountID, angle string) (string, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[currentPuzzleRow](r).Where("account_id = ? AND angle = ?", accountID, angle).Take(in)
	return row.PuzzleID, fail(ctx, missing(err), "current puzzle of %q in %q", accountID, angle)
}

func (q *queries) SetCurrentPuzzle(ctx context.Context, accountID, angle, puzzleID string) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		if puzzleID == "" {
			_, err := gorm.G[currentPuzzleRow](tx).Where("account_id = ? AND angle = ?", accountID, angle).Delete(ctx)
			return err
		}
		return gorm.G[currentPuzzleRow](tx, clause.OnConflict{
			Columns:   []clause.Column{{Name: "account_id"}, {Name: "angle"}},
			DoUpdates: clause.AssignmentColumns([]string{"puzzle_id"}),
		}).Create(ctx, &currentPuzzleRow{AccountID: accountID, Angle: angle, PuzzleID: puzzleID})
	})
	return fail(ctx, err, "current puzzle of %q in %q", accountID, angle)
}

func (q *queries) ClearCurrentPuzzle(ctx context.Context, accountID, puzzleID string) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		_, err := gorm.G[currentPuzzleRow](tx).Where("account_id = ? AND puzzle_id = ?", accountID, puzzleID).Delete(ctx)
		return err
	})
	return fail(ctx, err, "current puzzle %q of %q", puzzleID, accountID)
}
