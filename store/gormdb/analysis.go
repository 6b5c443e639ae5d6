package gormdb

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"hoplite/store"
)

type analysisRow struct {
	ID        string `gorm:"primaryKey"`
	AccountID string
	GameID    string
	Variant   string
	FEN       string `gorm:"column:fen"`
	Moves     string
	Nodes     int64
	Lines     int64
	Status    string
	Created   int64
	Alive     int64
	Finished  int64
	Done      int64
	Total     int64
	Result    string
	Error     string
}

func (analysisRow) TableName() string { return "analyses" }

func (r analysisRow) record() store.Analysis {
	return store.Analysis{
		ID: r.ID, AccountID: r.AccountID, GameID: r.GameID, Variant: r.Variant, FEN: r.FEN, Moves: r.Moves, Nodes: r.Nodes,
		Lines: int(r.Lines), Status: r.Status, Created: fromMs(r.Created), Alive: fromMs(r.Alive), Finished: fromMs(r.Finished),
		Done: int(r.Done), Total: int(r.Total), Result: rawJSON(r.Result), Error: r.Error,
	}
}

type evalRow struct {
	Variant  string `gorm:"primaryKey"`
	Position string `gorm:"primaryKey"`
	Depth    int64
	Nodes    int64
	Lines    int64
	PVs      string `gorm:"column:pvs"`
	Created  int64
}

func (evalRow) TableName() string { return "evals" }

func (r evalRow) record() store.Eval {
	return store.Eval{
		Variant: r.Variant, Position: r.Position, Depth: int(r.Depth), Nodes: r.Nodes, Lines: int(r.Lines),
		PVs: rawJSON(r.PVs), Created: fromMs(r.Created),
	}
}

func (q *queries) CreateAnalysis(ctx context.Context, a store.Analysis) error {
	row := analysisRow{
		ID: a.ID, AccountID: a.AccountID, GameID: a.GameID, Variant: a.Variant, FEN: a.FEN, Moves: a.Moves, Nodes: a.Nodes,
		Lines: int64(a.Lines), Status: a.Status, Created: toMs(a.Created), Alive: toMs(a.Alive), Finished: toMs(a.Finished),
		Done: int64(a.Done), Total: int64(a.Total), Result: string(a.Result), Error: a.Error,
	}
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return gorm.G[analysisRow](tx).Create(ctx, &row)
	})
	return fail(ctx, err, "new analysis")
}

func (q *queries) AnalysisByID(ctx context.Context, id string) (store.Analysis, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[analysisRow](r).Where("id = ?", id).Take(in)
	if err != nil {
		return store.Analysis{}, fail(ctx, missing(err), "analysis %q", id)
	}
	return row.record(), nil
}

func (q *queries) AnalysesOf(ctx context.Context, gameIDs []string) ([]store.Analysis, error) {
	rows, err := inChunks(gameIDs, func(part []string) ([]analysisRow, error) {
		r, in := q.reader(ctx)
		return gorm.G[analysisRow](r).
			Where("game_id IN ? AND game_id <> '' AND status <> 'failed' AND status <> 'cancelled'", part).Find(in)
	})
	return records[analysisRow, store.Analysis](rows), fail(ctx, err, "analyses of %d games", len(gameIDs))
}

func (q *queries) OpenAnalyses(ctx context.Context, accountID string) (all, own int, err error) {
	r, in := q.reader(ctx)
	var counted struct{ Everyone, Own int64 }
	err = gorm.G[analysisRow](r).Raw(`SELECT COUNT(*) AS everyone, COALESCE(SUM(CASE WHEN account_id = ? THEN 1 ELSE 0 END), 0) AS own
		FROM analyses WHERE finished = 0`, accountID).Scan(in, &counted)
	return int(counted.Everyone), int(counted.Own), fail(ctx, err, "open analyses")
}

func (q *queries) ClaimAnalysis(ctx context.Context, now, lost time.Time) (store.Analysis, error) {
	var rows []analysisRow
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) (err error) {
		rows, err = gorm.G[analysisRow](tx).Raw(`UPDATE analyses SET status = 'running', alive = ? WHERE id =
			(SELECT id FROM analyses WHERE finished = 0 AND (status = 'queued' OR alive < ?)
			ORDER BY created, id LIMIT 1`+q.b.forUpdate()+`) RETURNING *`, toMs(now), toMs(lost)).Find(ctx)
		return err
	})
	if err == nil && len(rows) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return store.Analysis{}, fail(ctx, missing(err), "an analysis to do")
	}
	return rows[0].record(), nil
}

func (q *queries) AdvanceAnalysis(ctx context.Context, id string, since, now time.Time, done int, result json.RawMessage) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		n, err := gorm.G[analysisRow](tx).Where("id = ? AND status = 'running' AND alive = ?", id, toMs(since)).
			Select("alive", "done", "result").Updates(ctx, analysisRow{Alive: toMs(now), Done: int64(done), Result: string(result)})
		return oneOpen(n, err)
	})
	return fail(ctx, err, "analysis %q", id)
}

func (q *queries) EndAnalysis(ctx context.Context, a store.Analysis) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		n, err := gorm.G[analysisRow](tx).Where("id = ? AND finished = 0", a.ID).
			Select("status", "finished", "done", "result", "error").
			Updates(ctx, analysisRow{
				Status: a.Status, Finished: toMs(a.Finished), Done: int64(a.Done), Result: string(a.Result), Error: a.Error,
			})
		return oneOpen(n, err)
	})
	return fail(ctx, err, "analysis %q", a.ID)
}

// oneOpen says that an analysis which was to be changed is not what its worker believes.
func oneOpen(changed int, err error) error {
	if err == nil && changed == 0 {
		return fmt.Errorf("it is over, or in other hands: %w", store.ErrStale)
	}
	return err
}

func (q *queries) PutEvals(ctx context.Context, evals []store.Eval) error {
	if len(evals) == 0 {
		return nil
	}
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		for _, e := range evals {
			err := gorm.G[evalRow](tx).Exec(ctx, `INSERT INTO evals (variant, position, depth, nodes, lines, pvs, created)
				VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (variant, position) DO UPDATE SET depth = excluded.depth,
				nodes = excluded.nodes, lines = excluded.lines, pvs = excluded.pvs, created = excluded.created
				WHERE excluded.lines >= evals.lines AND excluded.nodes >= evals.nodes`,
				e.Variant, e.Position, int64(e.Depth), e.Nodes, int64(e.Lines), string(e.PVs), toMs(e.Created))
			if err != nil {
				return err
			}
		}
		return nil
	})
	return fail(ctx, err, "%d evaluations", len(evals))
}

func (q *queries) EvalOf(ctx context.Context, variant, position string) (store.Eval, error) {
	r, in := q.reader(ctx)
	row, err := gorm.G[evalRow](r).Where("variant = ? AND position = ?", variant, position).Take(in)
	if err != nil {
		return store.Eval{}, fail(ctx, missing(err), "evaluation of %q", position)
	}
	return row.record(), nil
}

func (q *queries) TrimAnalyses(ctx context.Context, keep int, before time.Time) error {
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		// Those of the same moment go together.
		err := gorm.G[evalRow](tx).Exec(ctx, `DELETE FROM evals WHERE created <=
			(SELECT created FROM evals ORDER BY created DESC LIMIT 1 OFFSET ?)`, keep)
		if err != nil {
			return err
		}
		_, err = gorm.G[analysisRow](tx).Where("finished > 0 AND finished < ? AND game_id = ''", toMs(before)).Delete(ctx)
		return err
	})
	return fail(ctx, err, "old analyses")
}

var _ store.Analyses = (*queries)(nil)
