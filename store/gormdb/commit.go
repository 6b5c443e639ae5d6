package gormdb

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"hoplite/store"
)

func (q *queries) CommitSteps(ctx context.Context, steps []store.Step, rate store.RateFunc) ([]store.StepResult, error) {
	if len(steps) == 0 {
		return nil, nil
	}
	if err := checkSteps(steps, rate); err != nil {
		return nil, err
	}
	var results []store.StepResult
	err := q.write(ctx, gameSteps, func(ctx context.Context, tx *gorm.DB) (err error) {
		results, err = q.commitSteps(ctx, tx.Statement.ConnPool, steps, rate)
		return err
	})
	if err == nil {
		return results, nil
	}
	err = fail(ctx, err, "%d steps", len(steps))
	var named *store.StepError
	if !errors.As(err, &named) && refused(err) {
		err = q.blame(ctx, steps, rate, err)
	}
	return nil, err
}

func refused(err error) bool {
	return errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrInvalid) || errors.Is(err, store.ErrStale)
}

// checkSteps finds what no database is needed for.
func checkSteps(steps []store.Step, rate store.RateFunc) error {
	seen := make(map[string]bool, len(steps))
	for i := range steps {
		s := &steps[i]
		id, state := s.ID(), &s.State
		if s.New != nil {
			state = &s.New.GameState
		}
		var reason string
		switch {
		case id == "":
			reason = "no id"
		case seen[id]:
			reason = "two steps of one game"
		case s.New != nil && int64(len(s.Rows)) != state.Seq:
			reason = "the log does not begin at its first row"
		case s.New != nil && checkWords(s.New.Rules) != nil:
			reason = "a rule is not one word"
		case s.Rate != nil && rate == nil:
			reason = "no function to rate it with"
		}
		first := state.Seq - int64(len(s.Rows)) + 1
		for n, row := range s.Rows {
			if row.GameID != id || row.Seq != first+int64(n) {
				reason = fmt.Sprintf("row %d of the log is (%s, %d), want (%s, %d)", n, row.GameID, row.Seq, id, first+int64(n))
			}
		}
		if reason != "" {
			return &store.StepError{Index: i, GameID: id, Err: fmt.Errorf("%s: %w", reason, store.ErrInvalid)}
		}
		seen[id] = true
	}
	return nil
}

// errTried ends a transaction that was only an attempt.
var errTried = errors.New("tried")

// blame finds the step of a refused batch that the database refuses by itself.
// It only runs after a mistake of the caller, or against another server.
func (q *queries) blame(ctx context.Context, steps []store.Step, rate store.RateFunc, whole error) error {
	for i := range steps {
		err := q.write(ctx, gameSteps, func(ctx context.Context, tx *gorm.DB) error {
			if _, err := q.commitSteps(ctx, tx.Statement.ConnPool, steps[i:i+1], rate); err != nil {
				return err
			}
			return errTried
		})
		if errors.Is(err, errTried) {
			continue
		}
		id := steps[i].ID()
		err = fail(ctx, err, "game %q", id)
		if refused(err) {
			return &store.StepError{Index: i, GameID: id, Err: err}
		}
		return err
	}
	return whole
}

// commitSteps writes the batch into the open transaction, but for the steps
// whose lease is lost. The order of the locks is the same for every server:
// leases by shard, games, accounts by id, ratings by account and key.
func (q *queries) commitSteps(ctx context.Context, tx gorm.ConnPool, steps []store.Step, rate store.RateFunc) ([]store.StepResult, error) {
	lost, err := q.lostSteps(ctx, tx, steps)
	if err != nil {
		return nil, err
	}
	if lost == nil {
		return q.writeSteps(ctx, tx, steps, rate)
	}
	var held []store.Step
	for i, s := range steps {
		if !lost[i] {
			held = append(held, s)
		}
	}
	written, err := q.writeSteps(ctx, tx, held, rate)
	if err != nil {
		return nil, err
	}
	results := make([]store.StepResult, len(steps))
	for i := range results {
		if results[i].Lost = lost[i]; !lost[i] {
			results[i], written = written[0], written[1:]
		}
	}
	return results, nil
}

func (q *queries) writeSteps(ctx context.Context, tx gorm.ConnPool, steps []store.Step, rate store.RateFunc) ([]store.StepResult, error) {
	var (
		fresh   []*store.Game
		updates []int // indices into steps
		over    []string
		rows    []*store.Action
	)
	for i := range steps {
		s := &steps[i]
		if s.New != nil {
			fresh = append(fresh, s.New)
		} else {
			updates = append(updates, i)
			if s.State.Status.Over() {
				over = append(over, s.GameID)
			}
		}
		for n := range s.Rows {
			rows = append(rows, &s.Rows[n])
		}
	}
	if err := q.insertGames(ctx, tx, fresh); err != nil {
		return nil, err
	}
	if err := q.updateGames(ctx, tx, steps, updates); err != nil {
		return nil, err
	}
	if err := q.insertActions(ctx, tx, rows); err != nil {
		return nil, err
	}
	if err := q.endGames(ctx, tx, over); err != nil {
		return nil, err
	}
	if err := q.addCounts(ctx, tx, steps); err != nil {
		return nil, err
	}
	return q.rateGames(ctx, tx, steps, rate)
}

const (
	gameColumns = "id, variant, initial_fen, start_number, speed, perf, rated, source, has_clock, clock_limit, " +
		"increment, clock_delay, byoyomi, periods, seed, days, rules, rematch_of, created, " + stateColumns + ", shift_epoch"
	playerColumns = "game_id, seat, account_id, name, title, rating, provisional, ai_level, created, live"
	actionColumns = "game_id, seq, kind, player, action_id, at, data"
	stateColumns  = "seq, status, winner, reason, plies, turn, moves, clock_history, clocks, turn_start, deadline, last_move, rematch, " +
		"points, places, declared"
)

func appendState(args []any, s *store.GameState) []any {
	return append(args, s.Seq, int64(s.Status), int64(s.Winner), s.Reason, int64(s.Plies), int64(s.Turn), s.Moves,
		packDurations(s.ClockHistory), packDurations(s.Clocks), toMs(s.TurnStart), toMs(s.Deadline), toMs(s.LastMove), s.Rematch,
		packFloats(s.Points), packInts(s.Places), words(s.Declared))
}

// insert returns the builder of a multi-row INSERT.
func (q *queries) insert(table, columns string) func(int) string {
	types := make([]string, strings.Count(columns, ",")+1)
	return func(n int) string {
		return "INSERT INTO " + table + " (" + columns + ") VALUES " + q.sql.values(n, types...)
	}
}

func (q *queries) insertGames(ctx context.Context, tx gorm.ConnPool, games []*store.Game) error {
	var players []any
	seats := 0
	err := sizes(len(games), 16, func(from, to int) error {
		args := make([]any, 0, 36*(to-from))
		for _, g := range games[from:to] {
			args = append(args, g.ID, g.Variant, g.InitialFEN, int64(g.StartNumber), g.Speed, g.Perf, g.Rated, g.Source,
				g.HasClock, durMs(g.Limit), durMs(g.Increment), durMs(g.Delay), durMs(g.Byoyomi),
				int64(g.Periods), g.Seed, int64(g.Days), words(g.Rules), g.RematchOf, toMs(g.Created))
			args = append(appendState(args, &g.GameState), int64(0))
			for seat, p := range g.Players {
				players = append(players, g.ID, int64(seat), p.AccountID, p.Name, p.Title, int64(p.Rating), p.Provisional,
					int64(p.AILevel), toMs(g.Created), !g.Status.Over())
				seats++
			}
		}
		_, err := tx.ExecContext(ctx, q.sql.get("new games", to-from, q.insert("games", gameColumns)), args...)
		return err
	})
	if err != nil {
		return err
	}
	return sizes(seats, 32, func(from, to int) error {
		_, err := tx.ExecContext(ctx, q.sql.get("new players", to-from, q.insert("game_players", playerColumns)),
			players[10*from:10*to]...)
		return err
	})
}

func (q *queries) insertActions(ctx context.Context, tx gorm.ConnPool, rows []*store.Action) error {
	return sizes(len(rows), 32, func(from, to int) error {
		args := make([]any, 0, 7*(to-from))
		for _, r := range rows[from:to] {
			args = append(args, r.GameID, r.Seq, r.Kind, int64(r.Player), r.ActionID, toMs(r.At), string(r.Data))
		}
		_, err := tx.ExecContext(ctx, q.sql.get("rows", to-from, q.insert("actions", actionColumns)), args...)
		return err
	})
}

func (q *queries) updateGames(ctx context.Context, tx gorm.ConnPool, steps []store.Step, updates []int) error {
	build := func(n int) string {
		set := make([]string, 0, 19)
		for _, c := range strings.Split(stateColumns, ", ") {
			set = append(set, c+" = v."+c)
		}
		return "WITH v (id, before, " + stateColumns + ") AS (VALUES " + q.sql.values(n, "text", "bigint", "bigint",
			"bigint", "bigint", "text", "bigint", "bigint", "text", "bytea", "bytea", "bigint", "bigint", "bigint", "text", "text", "text", "text") +
			") UPDATE games SET " + strings.Join(set, ", ") + " FROM v WHERE games.id = v.id AND games.seq = v.before"
	}
	return sizes(len(updates), 16, func(from, to int) error {
		args := make([]any, 0, 18*(to-from))
		for _, i := range updates[from:to] {
			s := &steps[i]
			args = appendState(append(args, s.GameID, s.State.Seq-int64(len(s.Rows))), &s.State)
		}
		res, err := tx.ExecContext(ctx, q.sql.get("update games", to-from, build), args...)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err != nil || n == int64(to-from) {
			return err
		}
		if to-from > 1 {
			return fmt.Errorf("a game of the batch: %w", store.ErrStale)
		}
		return q.stale(ctx, tx, &steps[updates[from]])
	})
}

// stale says how far the stored game is from where the step continues.
func (q *queries) stale(ctx context.Context, tx gorm.ConnPool, s *store.Step) error {
	rows, err := tx.QueryContext(ctx, q.sql.number("SELECT seq FROM games WHERE id = ?"), s.GameID)
	if err != nil {
		return err
	}
	seq := int64(-1)
	if rows.Next() {
		err = rows.Scan(&seq)
	}
	if err := errors.Join(err, rows.Err(), rows.Close()); err != nil {
		return err
	}
	if seq < 0 {
		return fmt.Errorf("there is no such game: %w", store.ErrStale)
	}
	return fmt.Errorf("the log is at %d, the step continues %d: %w", seq, s.State.Seq-int64(len(s.Rows)), store.ErrStale)
}

func (q *queries) endGames(ctx context.Context, tx gorm.ConnPool, ids []string) error {
	return sizes(len(ids), 32, func(from, to int) error {
		args := make([]any, 0, to-from+1)
		args = append(args, false)
		for _, id := range ids[from:to] {
			args = append(args, id)
		}
		_, err := tx.ExecContext(ctx, q.sql.get("end games", to-from, func(n int) string {
			return "UPDATE game_players SET live = ? WHERE live AND game_id IN (?" + strings.Repeat(",?", n-1) + ")"
		}), args...)
		return err
	})
}
