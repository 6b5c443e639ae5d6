package gormdb

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"hoplite/store"
)

func (q *queries) GameByID(ctx context.Context, id string) (store.Game, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[gameRow](r).Where("id = ?", id).Find(in)
	games, err := q.withPlayers(ctx, rows, err)
	if err == nil && len(games) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return store.Game{}, fail(ctx, missing(err), "game %q", id)
	}
	return games[0], nil
}

func (q *queries) GamesByID(ctx context.Context, ids []string) ([]store.Game, error) {
	rows, err := inChunks(ids, func(part []string) ([]gameRow, error) {
		r, in := q.reader(ctx)
		return gorm.G[gameRow](r).Where("id IN ?", part).Find(in)
	})
	slices.SortFunc(rows, func(a, b gameRow) int {
		if a.Created != b.Created {
			return int(min(max(b.Created-a.Created, -1), 1))
		}
		return strings.Compare(b.ID, a.ID)
	})
	rows = slices.CompactFunc(rows, func(a, b gameRow) bool { return a.ID == b.ID })
	games, err := q.withPlayers(ctx, rows, err)
	return games, fail(ctx, err, "%d games", len(ids))
}

// withPlayers turns the result of a query for games into records.
func (q *queries) withPlayers(ctx context.Context, rows []gameRow, err error) ([]store.Game, error) {
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	ids := make([]string, len(rows))
	at := make(map[string]int, len(rows))
	games := make([]store.Game, len(rows))
	for i, r := range rows {
		ids[i], at[r.ID] = r.ID, i
		if games[i], err = r.record(); err != nil {
			return nil, err
		}
	}
	players, err := inChunks(ids, func(part []string) ([]gamePlayerRow, error) {
		r, in := q.reader(ctx)
		return gorm.G[gamePlayerRow](r).Where("game_id IN ?", part).Order("game_id, seat").Find(in)
	})
	if err != nil {
		return nil, err
	}
	for _, p := range players {
		g := &games[at[p.GameID]]
		g.Players = append(g.Players, p.record())
	}
	return games, nil
}

func (q *queries) VersionsOf(ctx context.Context, ids []string) (map[string]int64, error) {
	rows, err := inChunks(ids, func(part []string) ([]gameRow, error) {
		r, in := q.reader(ctx)
		return gorm.G[gameRow](r).Select("id", "seq").Where("id IN ?", part).Find(in)
	})
	versions := make(map[string]int64, len(rows))
	for _, r := range rows {
		versions[r.ID] = r.Seq
	}
	return versions, fail(ctx, err, "versions of %d games", len(ids))
}

func (q *queries) LogOf(ctx context.Context, gameID string, after int64) ([]store.Action, error) {
	r, in := q.reader(ctx)
	rows, err := gorm.G[actionRow](r).Where("game_id = ? AND seq > ?", gameID, after).Order("seq").Find(in)
	return records[actionRow, store.Action](rows), fail(ctx, err, "log of game %q", gameID)
}

func (q *queries) ActionByID(ctx context.Context, gameID string, player int, actionID string) (store.Action, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[actionRow](r).Where("game_id = ? AND player = ? AND action_id = ? AND action_id <> ''",
		gameID, player, actionID).Take(in)
	if err != nil {
		return store.Action{}, fail(ctx, missing(err), "action %q of player %d in game %q", actionID, player, gameID)
	}
	return row.record(), nil
}

func (q *queries) DueGames(ctx context.Context, before time.Time, limit int) ([]store.DueGame, error) {
	r, in := q.reader(ctx)
	var rows []struct {
		ID       string
		Deadline int64
	}
	// The constants repeat the index's condition, or it would not be used.
	err := gorm.G[gameRow](r).Raw(`SELECT id, deadline FROM games WHERE deadline <> 0 AND status < 25 AND deadline <= ?
		ORDER BY deadline, id LIMIT ?`, toMs(before), limit).Scan(in, &rows)
	if err != nil {
		return nil, fail(ctx, err, "games due")
	}
	out := make([]store.DueGame, len(rows))
	for i, r := range rows {
		out[i] = store.DueGame{GameID: r.ID, Deadline: fromMs(r.Deadline)}
	}
	return out, nil
}

func (q *queries) GamesTurned(ctx context.Context, since time.Time) (ids []string, err error) {
	r, in := q.reader(ctx)
	// The constants repeat the indexes' conditions, or they would not be used.
	err = gorm.G[gameRow](r).Raw(`SELECT game_id AS id FROM game_players WHERE live AND account_id <> '' AND created >= ?
		UNION SELECT id FROM games WHERE status >= 25 AND last_move >= ? ORDER BY id`, toMs(since), toMs(since)).Scan(in, &ids)
	return ids, fail(ctx, err, "games since %v", since)
}

// shiftChunk keeps each transaction of ShiftDeadlines short.
const shiftChunk = 200

func (q *queries) ShiftDeadlines(ctx context.Context, epoch time.Time, by time.Duration) (int, error) {
	total, after := 0, ""
	for {
		var rows []gameRow
		err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
			var err error
			rows, err = gorm.G[gameRow](tx).Raw(`SELECT * FROM games WHERE days > 0 AND status < 25 AND id > ?
				AND shift_epoch < ? AND created <= ? ORDER BY id LIMIT ?`+q.b.forUpdate(),
				after, toMs(epoch), toMs(epoch.Add(by)), shiftChunk).Find(ctx)
			if err != nil || len(rows) == 0 {
				return err
			}
			ids := make([]string, len(rows))
			for i, r := range rows {
				ids[i] = r.ID
			}
			return gorm.G[gameRow](tx).Exec(ctx, `UPDATE games SET shift_epoch = ?,
				deadline = CASE WHEN deadline <> 0 THEN deadline + ? ELSE 0 END,
				turn_start = CASE WHEN turn_start <> 0 THEN turn_start + ? ELSE 0 END WHERE id IN ?`,
				toMs(epoch), durMs(by), durMs(by), ids)
		})
		if err != nil {
			return total, fail(ctx, err, "shift of deadlines")
		}
		total += len(rows)
		if len(rows) < shiftChunk {
			return total, nil
		}
		after = rows[len(rows)-1].ID
	}
}

func (q *queries) OngoingOf(ctx context.Context, accountID string) ([]store.Game, error) {
	if accountID == "" {
		return nil, nil
	}
	r, in := q.reader(ctx)
	rows, err := gorm.G[gameRow](r).Raw(`SELECT g.* FROM game_players p JOIN games g ON g.id = p.game_id
		WHERE p.account_id = ? AND p.account_id <> '' AND p.live
		ORDER BY CASE WHEN g.deadline = 0 THEN 1 ELSE 0 END, g.deadline, g.id`, accountID).Find(in)
	games, err := q.withPlayers(ctx, rows, err)
	return games, fail(ctx, err, "games of %q", accountID)
}

func (q *queries) CountOngoing(ctx context.Context, accountID string) (int, error) {
	r, in := q.reader(ctx)
	n, err := gorm.G[gamePlayerRow](r).Where("account_id = ? AND account_id <> '' AND live", accountID).Count(in, "game_id")
	return int(n), fail(ctx, err, "games of %q", accountID)
}

func (q *queries) GamesOfPrograms(
	ctx context.Context, accountID string, engine bool, since time.Time, limit int,
) ([]time.Time, error) {
	program := "o.title = 'BOT' AND o.ai_level = 0"
	if engine {
		program = "o.ai_level > 0"
	}
	r, in := q.reader(ctx)
	var made []int64
	err := r.WithContext(in).Raw(`SELECT p.created FROM game_players p WHERE p.account_id = ? AND p.account_id <> '' AND p.created >= ?
		AND EXISTS (SELECT 1 FROM game_players o WHERE o.game_id = p.game_id AND o.seat <> p.seat AND `+program+`)
		ORDER BY p.created DESC LIMIT ?`, accountID, toMs(since), limit).Scan(&made).Error
	out := make([]time.Time, len(made))
	for i, ms := range made {
		out[i] = fromMs(ms)
	}
	return out, fail(ctx, err, "games of %q with programs", accountID)
}

func (q *queries) Games(ctx context.Context, f store.GameFilter) ([]store.Game, error) {
	if f.AccountID == "" || !f.Ongoing && !f.Finished || f.Limit <= 0 {
		return nil, nil
	}
	var (
		where = []string{"p.account_id = ?", "p.account_id <> ''"}
		args  = []any{f.AccountID}
	)
	add := func(condition string, values ...any) {
		where = append(where, condition)
		args = append(args, values...)
	}
	if !f.Since.IsZero() {
		add("p.created >= ?", toMs(f.Since))
	}
	if !f.Until.IsZero() {
		add("p.created <= ?", toMs(f.Until))
	}
	if f.Player != nil {
		add("p.seat = ?", *f.Player)
	}
	if f.Vs != "" {
		add("EXISTS (SELECT 1 FROM game_players v WHERE v.game_id = p.game_id AND v.seat <> p.seat AND v.account_id = ?)", f.Vs)
	}
	if f.Rated != nil {
		add("g.rated = ?", *f.Rated)
	}
	if len(f.Perfs) > 0 {
		add("g.perf IN ?", f.Perfs)
	}
	if f.Analysed != nil {
		not := ""
		if !*f.Analysed {
			not = "NOT "
		}
		add(not + "EXISTS (SELECT 1 FROM analyses a WHERE a.game_id = g.id AND a.game_id <> '' AND a.status = 'done')")
	}
	switch {
	case !f.Finished:
		add("p.live")
	case !f.Ongoing:
		add("NOT p.live AND g.status <> ?", store.StatusAborted)
	default:
		add("g.status <> ?", store.StatusAborted)
	}
	order := "p.created DESC, p.game_id DESC"
	if f.Ascending {
		order = "p.created, p.game_id"
	}
	if f.After != nil {
		compare := "<"
		if f.Ascending {
			compare = ">"
		}
		add("(p.created, p.game_id) "+compare+" (?, ?)", toMs(f.After.Created), f.After.ID)
	}
	r, in := q.reader(ctx)
	rows, err := gorm.G[gameRow](r).Raw("SELECT g.* FROM game_players p JOIN games g ON g.id = p.game_id WHERE "+
		strings.Join(where, " AND ")+" ORDER BY "+order+" LIMIT ?", append(args, f.Limit)...).Find(in)
	games, err := q.withPlayers(ctx, rows, err)
	return games, fail(ctx, err, "games of %q", f.AccountID)
}

func (q *queries) CurrentGame(ctx context.Context, accountID string) (store.Game, error) {
	for _, live := range []bool{true, false} {
		g, err := q.Games(ctx, store.GameFilter{AccountID: accountID, Ongoing: live, Finished: !live, Limit: 1})
		if err != nil {
			return store.Game{}, err
		}
		if len(g) > 0 {
			return g[0], nil
		}
	}
	return store.Game{}, fmt.Errorf("game of %q: %w", accountID, store.ErrNotFound)
}

// eachPage is small enough for a read of a few milliseconds.
const eachPage = 200

func (q *queries) EachGame(ctx context.Context, f func(store.Game) error) error {
	after := ""
	for {
		r, in := q.reader(ctx)
		rows, err := gorm.G[gameRow](r).Where("id > ?", after).Order("id").Limit(eachPage).Find(in)
		games, err := q.withPlayers(ctx, rows, err)
		if err != nil {
			return fail(ctx, err, "games after %q", after)
		}
		for _, g := range games {
			if err := f(g); err != nil {
				return err
			}
			after = g.ID
		}
		if len(games) < eachPage {
			return nil
		}
	}
}
