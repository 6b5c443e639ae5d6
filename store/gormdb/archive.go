package gormdb

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"hoplite/store"
)

type importRow struct {
	GameID    string `gorm:"primaryKey"`
	AccountID string
	Hash      string
	Date      string
	Created   int64
}

func (importRow) TableName() string { return "imports" }

func (r importRow) record() store.Import {
	return store.Import{GameID: r.GameID, AccountID: r.AccountID, Hash: r.Hash, Date: r.Date, Created: fromMs(r.Created)}
}

type bookmarkRow struct {
	AccountID string `gorm:"primaryKey"`
	GameID    string `gorm:"primaryKey"`
	Created   int64
}

func (bookmarkRow) TableName() string { return "bookmarks" }

func (r bookmarkRow) record() store.Bookmark {
	return store.Bookmark{AccountID: r.AccountID, GameID: r.GameID, Created: fromMs(r.Created)}
}

func (q *queries) CreateImport(ctx context.Context, i store.Import) error {
	row := importRow{GameID: i.GameID, AccountID: i.AccountID, Hash: i.Hash, Date: i.Date, Created: toMs(i.Created)}
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return gorm.G[importRow](tx).Create(ctx, &row)
	})
	return fail(ctx, err, "import of game %q", i.GameID)
}

func (q *queries) ImportByHash(ctx context.Context, hash string) (store.Import, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[importRow](r).Where("hash = ?", hash).Take(in)
	if err != nil {
		return store.Import{}, fail(ctx, missing(err), "import %q", hash)
	}
	return row.record(), nil
}

func (q *queries) ImportsOf(ctx context.Context, f store.ArchiveFilter) ([]store.Import, error) {
	if f.AccountID == "" {
		return nil, nil
	}
	r, in := q.reader(ctx)
	rows, err := archivePage(gorm.G[importRow](r).Where("account_id = ? AND account_id <> ''", f.AccountID), f).Find(in)
	return records[importRow, store.Import](rows), fail(ctx, err, "imports of %q", f.AccountID)
}

func (q *queries) Imports(ctx context.Context, gameIDs []string) ([]store.Import, error) {
	rows, err := inChunks(gameIDs, func(part []string) ([]importRow, error) {
		r, in := q.reader(ctx)
		return gorm.G[importRow](r).Where("game_id IN ?", part).Find(in)
	})
	return records[importRow, store.Import](rows), fail(ctx, err, "imports of %d games", len(gameIDs))
}

func (q *queries) SetBookmark(ctx context.Context, b store.Bookmark, on bool) error {
	row := bookmarkRow{AccountID: b.AccountID, GameID: b.GameID, Created: toMs(b.Created)}
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		if on {
			return gorm.G[bookmarkRow](tx, clause.OnConflict{DoNothing: true}).Create(ctx, &row)
		}
		_, err := gorm.G[bookmarkRow](tx).Where("account_id = ? AND game_id = ?", b.AccountID, b.GameID).Delete(ctx)
		return err
	})
	return fail(ctx, err, "bookmark of game %q", b.GameID)
}

func (q *queries) Bookmarks(ctx context.Context, f store.ArchiveFilter) ([]store.Bookmark, error) {
	r, in := q.reader(ctx)
	rows, err := archivePage(gorm.G[bookmarkRow](r).Where("account_id = ?", f.AccountID), f).Find(in)
	return records[bookmarkRow, store.Bookmark](rows), fail(ctx, err, "bookmarks of %q", f.AccountID)
}

// archivePage restricts a query to a page of a filter.
func archivePage[T any](chain gorm.ChainInterface[T], f store.ArchiveFilter) gorm.ChainInterface[T] {
	if !f.Since.IsZero() {
		chain = chain.Where("created >= ?", toMs(f.Since))
	}
	if !f.Until.IsZero() {
		chain = chain.Where("created <= ?", toMs(f.Until))
	}
	order, compare := "created DESC, game_id DESC", "<"
	if f.Ascending {
		order, compare = "created, game_id", ">"
	}
	if f.After != nil {
		chain = chain.Where("(created, game_id) "+compare+" (?, ?)", toMs(f.After.Created), f.After.ID)
	}
	return chain.Order(order).Limit(f.Limit)
}

func (q *queries) Bookmarked(ctx context.Context, accountID string, gameIDs []string) (map[string]bool, error) {
	rows, err := inChunks(gameIDs, func(part []string) ([]bookmarkRow, error) {
		r, in := q.reader(ctx)
		return gorm.G[bookmarkRow](r).Where("account_id = ? AND game_id IN ?", accountID, part).Find(in)
	})
	marked := make(map[string]bool, len(rows))
	for _, row := range rows {
		marked[row.GameID] = true
	}
	return marked, fail(ctx, err, "bookmarks of %q", accountID)
}

func (q *queries) CountArchive(ctx context.Context, accountID string) (bookmarks, imports int, err error) {
	r, in := q.reader(ctx)
	marked, err := gorm.G[bookmarkRow](r).Where("account_id = ?", accountID).Count(in, "game_id")
	if err != nil {
		return 0, 0, fail(ctx, err, "bookmarks of %q", accountID)
	}
	brought, err := gorm.G[importRow](r).Where("account_id = ? AND account_id <> ''", accountID).Count(in, "game_id")
	return int(marked), int(brought), fail(ctx, err, "imports of %q", accountID)
}

func (q *queries) LiveGames(ctx context.Context, each int) ([]store.Game, error) {
	r, in := q.reader(ctx)
	// The first condition is that of the index of games that time can end, in which every running clock is.
	rows, err := gorm.G[gameRow](r).Raw(`WITH live AS (
			SELECT g.id, g.perf, g.created, SUM(p.rating) AS strength,
				MAX(CASE WHEN p.ai_level > 0 THEN 2 WHEN p.title = 'BOT' THEN 1 ELSE 0 END) AS programs
			FROM games g JOIN game_players p ON p.game_id = g.id
			WHERE g.deadline <> 0 AND g.status < 25 AND g.has_clock AND g.plies > 0
			GROUP BY g.id, g.perf, g.created
		), placed AS (
			SELECT id, strength, ROW_NUMBER() OVER (PARTITION BY perf, programs ORDER BY strength DESC, created, id) AS place FROM live
		)
		SELECT g.* FROM placed l JOIN games g ON g.id = l.id WHERE l.place <= ? ORDER BY l.strength DESC, g.created, g.id`,
		each).Find(in)
	games, err := q.withPlayers(ctx, rows, err)
	return games, fail(ctx, err, "running games")
}
